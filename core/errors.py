"""The one family of errors: each carries a sentence that says what to change."""

import re

_PLAIN_WORD = re.compile(r"[a-z]+(?![\w.:(\[/=-])")


def excerpt(text: str, most: int = 60) -> str:
    """A stranger's text as a sentence may quote it: not endless, and without characters that turn it around."""
    visible = "".join(letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}" for letter in text[:most])
    return visible + ("…" if len(text) > most else "")


class ExplorerError(Exception):
    """Base of every error that this project raises on purpose; its text may be shown to a user."""

    @property
    def sentence(self) -> str:
        """The text where it stands alone: with a full stop, and a capital unless it begins with a name of the code."""
        text = str(self)
        if _PLAIN_WORD.match(text):
            text = text[0].upper() + text[1:]
        return text if text.rstrip("”").endswith((".", "!", "?", "…")) else f"{text}."


class ConfigError(ExplorerError, ValueError):
    """A configuration whose values are impossible, alone or together."""


class InputError(ExplorerError, ValueError):
    """A sentence, a batch of ids or another input that the model cannot take."""


class DivergenceError(InputError):
    """A training whose loss or gradient is no longer finite."""


class CaptureError(ExplorerError, ValueError):
    """A recording or an edit that cannot mean what was asked for."""


class UnknownSite(ExplorerError, KeyError):
    """A site name or pattern that the model does not have."""

    # KeyError prints the repr of its argument; a sentence should be printed as a sentence.
    __str__ = Exception.__str__


class RunError(ExplorerError, ValueError):
    """A run folder (configuration, tokenizers, weights) that cannot be read or written."""
