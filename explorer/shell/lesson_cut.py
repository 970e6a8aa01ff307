"""The rows that a stop speaks of, cut out of their picture: large before an audience, small in the list of lessons."""

from __future__ import annotations

import numpy as np

from explorer.browser.cut import CutRow, Scale, cut, thumbnail
from explorer.lessons.findings import label
from explorer.lessons.lesson import Covers, Target
from explorer.lessons.lights import LightRow

MOST_SMALL = 9
"""Rows and columns of a thumbnail, around what is in the light."""


def draw_cut(rows: tuple[LightRow, ...], target: Target, covers: Covers, *, key: str) -> None:
    """Draw the rows of a target large, without the numbers that are covered."""
    shown = [(row, _is_covered(row, target, covers)) for row in rows]
    said = " ".join(f"{row.kind}, {row.name}: covered." if hidden else row.said for row, hidden in shown)
    cut([_cut_row(row, hidden) for row, hidden in shown], said=said, key=key)


def draw_thumbnail(row: LightRow, *, key: str) -> None:
    """Draw the matrix around a row small."""
    values = row.matrix[_around(row.row, len(row.matrix))]
    columns = _around(row.columns[0] if row.columns else 0, row.matrix.shape[1])
    place = row.row - _around(row.row, len(row.matrix)).start
    thumbnail(values[:, columns], place, scale=_scale(row), said=row.said, key=key)


def _cut_row(row: LightRow, hidden: bool) -> CutRow:
    places = range(len(row.values))
    return CutRow(
        row.kind.replace("_", " ").capitalize(),
        row.name,
        row.side,
        tuple(label(row.axis, place) for place in places),
        row.axis.side,
        tuple(None if hidden else float(value) for value in row.values),
        tuple("" if hidden else row.text(place) for place in places),
        row.columns,
        _scale(row),
    )


def _scale(row: LightRow) -> Scale:
    return "weight" if row.kind in ("weights", "mask") else "signed"


def _is_covered(row: LightRow, target: Target, covers: Covers) -> bool:
    """Whether a row is among what is covered; on an axis that one of them does not name it may be."""
    if row.site not in covers.sites:
        return False
    return all(target.places.get(axis, wanted) == wanted for axis, wanted in covers.places.items())


def _around(place: int, size: int) -> slice:
    start = int(np.clip(place - MOST_SMALL // 2, 0, max(0, size - MOST_SMALL)))
    return slice(start, start + MOST_SMALL)
