"""Rows of cells: what every form of a pairs file is read into, before columns are chosen and texts are cleaned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.data.pairs.report import DropReason

COMMENT_MARKS = ("#", ";;;")
"""Beginnings of lines that are comments if they have no separator."""


class Row(NamedTuple):
    """The cells of one line or entry.

    Attributes:
        line: Number of the line in which it begins, or of the entry where a form has no lines.
        cells: Texts of the columns, in their order.
        reason: Why the form itself leaves the row out; None if it is data.
    """

    line: int
    cells: tuple[str, ...]
    reason: DropReason | None = None


@dataclass(frozen=True)
class Content:
    """A file in a form that was recognised.

    Attributes:
        form: Name of the form as the report writes it, such as "tab-separated".
        rows: Function that yields the rows from the first one on each time it is called.
        names: Names that the form itself gives its columns; empty if a first line may name them.
        has_width: Whether the number of cells says something about a row, as it does if separators are typed.
        unused: Positions of columns that the file says hold no text of a pair.
        is_html: Whether the cells are HTML.
        unit: Noun for the place of a row: "line" or "entry".
        row_noun: Noun for a row, which may take several lines.
        notes: Sentences about how the form was read.
    """

    form: str
    rows: Callable[[], Iterator[Row]]
    names: tuple[str, ...] = ()
    has_width: bool = True
    unused: frozenset[int] = frozenset()
    is_html: bool = False
    unit: str = "line"
    row_noun: str = "line"
    notes: tuple[str, ...] = ()


def is_comment(raw: str, cells: tuple[str, ...]) -> bool:
    """Return True if a line is a comment: it begins as one, and has nothing that separates a source from a target."""
    return raw.startswith(COMMENT_MARKS) and not any(cell.strip() for cell in cells[1:])
