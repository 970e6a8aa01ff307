"""The one way to clean a text before it is tokenized, in training, evaluation, translation and the sentence field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

# Tabs and ends of lines count as spaces; the other control characters cannot be written on a line of text.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff]")
# Soft hyphens, zero-width spaces and marks of direction; not the joiners that Persian, Hindi and emoji are written
# with, and not the tag characters that tell the flags of England and Scotland apart.
_INVISIBLE = re.compile("[\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb]")


class Change(StrEnum):
    """A kind of change that cleaning makes; the value names what was changed."""

    CONTROL = "control characters"
    INVISIBLE = "invisible characters"
    SPACES = "spaces"
    COMPOSED = "composed characters"


@dataclass(frozen=True)
class CleanText:
    """Cleaned text with the kinds of changes that were made.

    Attributes:
        text: The text after cleaning.
        changes: The kinds of changes that were made; empty if the text was clean.
    """

    text: str
    changes: tuple[Change, ...] = ()


def clean_source(text: str, *, keep_spaces: bool = False) -> CleanText:
    """Clean a source: compose its characters, make its spaces single, and drop what cannot be seen.

    Args:
        text: A source as a file has it or as a visitor typed it.
        keep_spaces: Whether spaces, tabs and ends of lines stay as they are, as code needs them.
    """
    return _apply(
        [_drop_control, (Change.INVISIBLE, lambda text: _INVISIBLE.sub("", text))], text, keep_spaces
    )


def clean_target(text: str, *, keep_spaces: bool = False) -> CleanText:
    """Clean a target as `clean_source` does, but keep soft hyphens and zero-width characters: they are to be written.

    Args:
        text: A target as a file has it.
        keep_spaces: Whether spaces, tabs and ends of lines stay as they are.
    """
    return _apply([_drop_control], text, keep_spaces)


Step = tuple[Change, Callable[[str], str]]
_drop_control: Step = (Change.CONTROL, lambda text: _CONTROL.sub("", text))
_single_spaces: Step = (Change.SPACES, lambda text: " ".join(text.split()))
_compose: Step = (Change.COMPOSED, lambda text: unicodedata.normalize("NFC", text))


def _is_clean(text: str) -> bool:
    """Return True if cleaning does not change a text. The characters that it removes are not printable."""
    has_single_spaces = "  " not in text and text[:1] != " " and text[-1:] != " "
    return has_single_spaces and text.isprintable() and unicodedata.is_normalized("NFC", text)


def _apply(steps: Iterable[Step], text: str, keep_spaces: bool) -> CleanText:
    if _is_clean(text):
        return CleanText(text)
    changes = []
    # Composed last: a character may only meet its accent once what stood between them is gone.
    for change, step in (*steps, *(() if keep_spaces else (_single_spaces,)), _compose):
        before, text = text, step(text)
        if text != before:
            changes.append(change)
    return CleanText(text, tuple(changes))
