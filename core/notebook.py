"""How the values of this package look in a notebook: small tables, in which every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape
from typing import Any

from core.errors import excerpt

Row = Sequence[object]
MOST_LISTED = 20
"""Most rows that a table lists of something long."""
HALF = 0.55
"""Strength of a colour from which on white letters are easier to read on it."""
MOST_OF_A_VALUE = 60
"""Most characters of one value in a representation."""


class Brief:
    """Base of dataclasses with large values: they print in a line, and as a small table in notebooks.

    Such a dataclass is declared with ``repr=False``.
    """

    def __repr__(self) -> str:
        """Each value, or its kind and size where it is large."""
        return f"<{type(self).__name__}: {', '.join(f'{name} {value}' for name, value in self._facts())}>"

    def _repr_html_(self) -> str:
        """Show them as a table."""
        return html_table(type(self).__name__, self._facts())

    def _facts(self) -> list[tuple[str, str]]:
        shown = [field for field in fields(self) if field.repr]  # type: ignore[arg-type]
        return [(field.name, brief(getattr(self, field.name))) for field in shown]


def brief(value: Any) -> str:
    """Return a value as text, or its kind and size where that is long."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{str(value.dtype).removeprefix('torch.')} {list(value.shape)}"
    if isinstance(value, str):
        return f"“{excerpt(value, MOST_OF_A_VALUE)}”"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping | Sequence):
        # A long one is not written out only to be measured.
        text = repr(value) if len(value) <= MOST_OF_A_VALUE // 3 else ""
        kind = f" {type(value[0]).__name__}" if value and isinstance(value, Sequence) else ""
        return text if 0 < len(text) <= MOST_OF_A_VALUE else f"{len(value):,} ×{kind or ' entries'}"
    text = repr(value)
    return text if len(text) <= MOST_OF_A_VALUE else type(value).__name__


def html_table(title: str, rows: Sequence[Row], *, head: Row = ()) -> str:
    """A table with a title; every cell is text, whatever a stranger has written into it."""
    lines = [f"<caption style='text-align:left'>{escape(title)}</caption>"]
    if head:
        lines.append(
            "<thead><tr>" + "".join(f"<th>{escape(str(cell))}</th>" for cell in head) + "</tr></thead>"
        )
    lines.append("<tbody>")
    lines += [
        "<tr>"
        + "".join(cell.html if isinstance(cell, Shade) else f"<td>{escape(str(cell))}</td>" for cell in row)
        + "</tr>"
        for row in rows
    ]
    return f"<table>{''.join(lines)}</tbody></table>"


@dataclass(frozen=True)
class Shade:
    """A number in a cell whose colour shows how large it is.

    Attributes:
        value: The number.
        scale: The largest number of the table; blue stands for numbers above 0, red for those below.
        decimals: Decimals that are written.
    """

    value: float
    scale: float = 1.0
    decimals: int = 2

    @property
    def html(self) -> str:
        """The cell."""
        if not math.isfinite(self.value):
            return f"<td>{self.value}</td>"
        strength = min(1.0, abs(self.value) / self.scale) if self.scale else 0.0
        color = "38, 110, 200" if self.value >= 0 else "200, 70, 50"
        text = "#fff" if strength > HALF else "inherit"
        return (
            f"<td style='background:rgba({color}, {strength:.3f}); color:{text}'>"
            f"{self.value:.{self.decimals}f}</td>"
        )


def listed(rows: Sequence[Row]) -> list[Row]:
    """Return the first rows, and how many more there are."""
    more: list[Row] = [(f"and {len(rows) - MOST_LISTED:,} more",)] if len(rows) > MOST_LISTED else []
    return [*rows[:MOST_LISTED], *more]
