"""Catalogues of messages (PO, gettext): each message and its translation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import polib

from core.data.pairs.content import Content, Row
from core.data.pairs.report import DropReason
from core.errors import InputError

_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters that end a line for Python, but not in a catalogue."""
_MESSAGE = re.compile(r'^msgid[ \t]+"', re.MULTILINE)
_TRANSLATION = re.compile(r'^msgstr(?:\[\d\])?[ \t]+"', re.MULTILINE)


def is_po(text: str) -> bool:
    """Return True if a text has messages and translations as catalogues mark them."""
    return _MESSAGE.search(text) is not None and _TRANSLATION.search(text) is not None


def read_po(text: str, name: str) -> Content:
    """Return the rows of a catalogue; a message with a plural has two.

    Raises:
        InputError: the text is broken.
    """
    shielded, breaks = _shield(text)
    try:
        entries = list(polib.pofile(shielded))
    except (OSError, ValueError, IndexError, UnicodeError) as error:
        found = re.search(r"line (\d+)", str(error))
        where = f" (line {int(found[1]):,})" if found and len(found[1]) < 10 else ""
        raise InputError(
            f"{name} is a PO file that cannot be read{where}; check it with msgfmt -c"
        ) from error

    def rows() -> Iterator[Row]:
        for entry in entries:
            reason = DropReason.UNFINISHED if entry.obsolete or entry.fuzzy else None
            plurals = [text for _, text in sorted(entry.msgstr_plural.items())]
            pairs = [(entry.msgid, plurals[0] if plurals else entry.msgstr)]
            pairs += [(entry.msgid_plural, plurals[-1])] if len(plurals) > 1 else []
            for source, target in pairs:
                yield Row(entry.linenum, (source.translate(breaks), target.translate(breaks)), reason)

    notes = _notes(entries)
    return Content("PO", rows, names=("source", "target"), has_width=False, row_noun="entry", notes=notes)


def _shield(text: str) -> tuple[str, dict[int, str]]:
    """Replace characters at which the library would break a line; return the table that puts them back."""
    spare = (code for code in range(0xFDD0, 0xFDF0) if chr(code) not in text)
    stands_for = dict(zip(_BREAKS, spare, strict=False))
    return text.translate({ord(mark): code for mark, code in stands_for.items()}), {
        code: mark for mark, code in stands_for.items()
    }


def _notes(entries: Sequence[polib.POEntry]) -> tuple[str, ...]:
    """Return sentences about what is not read of messages."""
    middle = [
        (len(entry.msgstr_plural) - 2, entry.linenum) for entry in entries if len(entry.msgstr_plural) > 2
    ]
    contexts = [entry.linenum for entry in entries if entry.msgctxt]
    notes = []
    if middle:
        count = sum(count for count, _ in middle)
        forms, verb = ("1 plural form", "is") if count == 1 else (f"{count:,} plural forms", "are")
        notes.append(
            f"{forms} between the first and the last of a message {verb} not read "
            f"({_first(middle[0][1], len(middle))})."
        )
    if contexts:
        messages = "1 message has" if len(contexts) == 1 else f"{len(contexts):,} messages have"
        notes.append(
            f"{messages} a context (msgctxt), which is not read ({_first(contexts[0], len(contexts))})."
        )
    return tuple(notes)


def _first(line: int, count: int) -> str:
    return f"{'first: ' if count > 1 else ''}line {line:,}"
