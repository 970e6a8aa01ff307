"""The one way to clean a text before it is tokenized, in training, evaluation, translation and the sentence field."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

# The sentence field of the browser reads this table, too.
_TABLE: dict[str, str] = json.loads(Path(__file__).with_name("cleaning.json").read_text(encoding="utf-8"))
# Tabs and ends of lines count as spaces; the other control characters cannot be written on a line of text.
_CONTROL = re.compile(f"[{_TABLE['control']}]")
# Soft hyphens, zero-width spaces and marks of direction; not the joiners that Persian, Hindi and emoji are written
# with, and not the tag characters that tell the flags of England and Scotland apart.
_INVISIBLE = re.compile(f"[{_TABLE['invisible']}]")


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
