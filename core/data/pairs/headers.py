"""Recognition of a first line that names the columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.data.pairs.columns import NUMBER, has_few_values
from core.data.pairs.names import VOWEL_SIGNS, Cells, choose_by_names, read_name

_NAME = re.compile(rf"[^\W\d_][\w .()/{VOWEL_SIGNS}-]{{0,38}}")
_INNER_UNDERSCORE = re.compile(r"[^\W_]_[^\W_]")
_DIGIT = re.compile(r"\d")
_LEAST_ROWS = 5
_MOST_NAMES = 100
"""Cells of a line that may be names; a longer one names no columns."""


def has_known_names(cells: Cells) -> bool:
    """Return True if the names of the cells alone show that a line names the columns of a source and a target."""
    chosen = choose_by_names(cells, range(len(cells))) if _are_names(cells, is_known=True) else None
    if not chosen:
        return _are_two_codes(cells)
    names = [read_name(cells[place].strip()) for place in chosen]
    if not all(name.is_known for name in names):
        return False
    if any(name.is_sure for name in names) or _are_numbered([cells[place].strip() for place in chosen]):
        return True
    # Two names of one language, such as German and Deutsch, are a pair of a dictionary, and so may be two codes.
    languages = {name.language for name in names if name.language}
    codes = {name.language for name in names if name.is_code}
    return len(languages) > 1 and (len(codes) < 2 or "en" in codes or len(cells) > 2)


def _are_two_codes(cells: Cells) -> bool:
    """Return True if two cells are the code of English and one that may as well mean an identifier or a number."""
    codes = {cell.strip().casefold() for cell in cells}
    return len(cells) == 2 and codes in ({"en", "id"}, {"en", "no"})


def is_header(first: Cells, rows: Sequence[Cells]) -> bool:
    """Return True if a first line names the columns.

    Args:
        first: Cells of the first line.
        rows: Cells of some of the other lines.
    """
    if not any(cell.strip() for cell in first):
        return False
    others = [row for row in rows if row != first]
    often = _most_often_below(first, others)
    if has_known_names(first):
        # A dictionary may have the word "source"; a tag of a language is in every row.
        return 10 * often <= len(others)
    if often or len(first) < 2:
        return False
    if len(first) > 2 and _are_names(first, is_known=True) and _has_known_name(first):
        return True
    usual = Counter(map(len, others)).most_common(1)
    if not _are_names(first) or not usual or len(first) > usual[0][0]:
        return False
    columns = [[row[place].strip() for row in rows if place < len(row)] for place in range(len(first))]
    if len(first) > 2 and any(map(_differs_from_numbers, first, columns)):
        return True
    if len(others) < _LEAST_ROWS:
        return False
    return (
        any(map(_differs_from_column, first, columns))
        or (len(first) > 2 and any(map(_differs_from_sorting_column, first, columns)))
        or _has_unusual_underscore(first, columns)
        or _is_known_above_longer_texts(first, columns)
    )


def _has_known_name(cells: Cells) -> bool:
    """Return True if a cell names a language in full, or the source or the target of a pair."""
    names = [read_name(cell.strip()) for cell in cells]
    return any(name.is_known and (name.is_sure or (name.language and not name.is_code)) for name in names)


def _differs_from_numbers(first: str, below: Sequence[str]) -> bool:
    return len(below) > 2 and bool(first.strip()) and all(map(NUMBER.fullmatch, below))


def _are_names(cells: Cells, *, is_known: bool = False) -> bool:
    """Return True if cells may be names: short, with letters; only the first may be empty, as for an index.

    Args:
        cells: Cells of the line.
        is_known: Whether known names among them make up for names that repeat, or that have other marks.
    """
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    if not 2 <= len(names) <= _MOST_NAMES:
        return False
    filled = names[1:] if names and not names[0] else names
    if is_known:
        return all(
            len(name) <= 40 and len(name.split()) <= 5 and not NUMBER.fullmatch(name) and name
            for name in filled
        )
    if len({name.casefold() for name in names}) < (len(names) if len(names) == 2 else 2):
        return False
    return all(
        _NAME.fullmatch(name)
        and len(name.split()) <= 3
        and not _DIGIT.search(name[:-2])
        and name[-1] not in ".-/ ("
        for name in filled
    )


def _are_numbered(names: Sequence[str]) -> bool:
    """Return True if names differ only in a number at their end, as sentence1 and sentence2 do."""
    return (
        all(name[-1:].isdigit() for name in names) and len({name.rstrip("0123456789") for name in names}) == 1
    )


def _most_often_below(first: Cells, rows: Sequence[Cells]) -> int:
    """Return in how many rows the cell of the first line is that most rows have in the same column."""
    return max(
        sum(place < len(row) and row[place].strip() == cell.strip() for row in rows) if cell.strip() else 0
        for place, cell in enumerate(first)
    )


def _differs_from_column(first: str, below: Sequence[str]) -> bool:
    """Return True if every other text of the column has a digit and the first has none."""
    return (
        bool(first.strip())
        and len(below) >= _LEAST_ROWS
        and not _DIGIT.search(first)
        and all(map(_DIGIT.search, below))
    )


def _differs_from_sorting_column(first: str, below: Sequence[str]) -> bool:
    filled = [text for text in below if text]
    is_tagged = len(filled) >= _LEAST_ROWS and (len(set(filled)) == 1 or has_few_values(filled))
    return bool(first.strip()) and is_tagged and first.strip() not in filled


def _has_unusual_underscore(first: Cells, columns: Sequence[Sequence[str]]) -> bool:
    if not any(map(_INNER_UNDERSCORE.search, first)) or any(len(cell.split()) > 1 for cell in first):
        return False
    below = [text for column in columns for text in column]
    return 20 * sum(_INNER_UNDERSCORE.search(text) is not None for text in below) < len(below)


def _is_known_above_longer_texts(first: Cells, columns: Sequence[Sequence[str]]) -> bool:
    """Return True if single words, one of them a known name, stand above texts that are mostly longer."""
    if any(len(cell.split()) > 1 for cell in first):
        return False
    names = [read_name(cell.strip()) for cell in first]
    known = [name for name in names if name.role and name.is_known]
    is_named = any(name.is_sure or (name.language and not name.is_code) for name in known)
    if len(known) < (1 if is_named else 2):
        return False
    below = [text for column in columns for text in column if text]
    longer = sum(len(text.split()) > 1 or len(text) > 12 for text in below)
    return len(first) > 2 or 10 * longer >= 9 * len(below)
