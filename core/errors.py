"""The one family of errors: each carries a sentence that says what to change."""


class ExplorerError(Exception):
    """Base of every error that this project raises on purpose; its text may be shown to a user."""


class ConfigError(ExplorerError, ValueError):
    """A configuration whose values are impossible, alone or together."""


class InputError(ExplorerError, ValueError):
    """A sentence, a batch of ids or another input that the model cannot take."""


class CaptureError(ExplorerError, ValueError):
    """A recording or an edit that cannot mean what was asked for."""


class UnknownSite(ExplorerError, KeyError):
    """A site name or pattern that the model does not have."""

    # KeyError prints the repr of its argument; a sentence should be printed as a sentence.
    __str__ = Exception.__str__


class RunError(ExplorerError, ValueError):
    """A run folder (configuration, tokenizers, weights) that cannot be read or written."""
