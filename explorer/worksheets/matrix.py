"""A matrix as an SVG picture and as tables of its numbers, with labelled axes; pure, and without Streamlit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np

from explorer.look.theme import RAMPS, ROLES, format_signed, ramp_color
from explorer.look.token_text import told_apart, visible
from explorer.tensors import Axis, Panel, Scale, Side, TensorData
from explorer.worksheets.document import Table

MOST_WITH_NUMBERS = 16
"""Columns up to which the cells hold their numbers; the tables hold them always."""
MOST_NUMBERS = 1024
"""Numbers that tables may hold: a few pages."""
BAND = 9
"""Columns of one table at most; a wider matrix continues in the next."""
MOST_SINGLE = 1024
"""Cells that are drawn one by one."""
WIDTH = 700
"""Pixels of a picture at most."""
HEIGHT = 760
"""Pixels of its rows at most: it must not be torn apart at the end of a page."""

_LIGHT, _ROLE = RAMPS["light"], ROLES["light"]
_MINUS = "\N{MINUS SIGN}"
_LETTER = 7.2
"""Pixels of a letter of a label, about."""
_LONGEST = 14
"""Letters of a label."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """Rows and columns of numbers with what their places are called.

    Attributes:
        name: What it is.
        values: float32 [rows, columns].
        rows: Labels; so are columns.
        row_side: Whose colour the labels of the rows have; so has column_side those of the columns.
        scale: How values become colours.
        limit: The value of the strongest colour.
        hidden: Which cells are masked; None for none.
        writes: What each row of the decoder writes, which stands at its right; empty for other rows.
    """

    name: str
    values: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_side: Side = ""
    column_side: Side = ""
    scale: Scale = "signed"
    limit: float = 1.0
    hidden: np.ndarray | None = None
    writes: tuple[str, ...] = ()


def matrix_of(panel: Panel, tensor: TensorData, chosen: dict[str, int]) -> Matrix:
    """A panel of a tensor view as it is shown: its rows and columns, at the chosen place of every other axis."""
    names = [axis.name for axis in tensor.axes]
    axes = dict(zip(names, tensor.axes, strict=True))
    held = {
        name: _place(axes[name], chosen[name]) for name in names if name not in (*panel.rows, *panel.columns)
    }
    index = tuple(held.get(name, slice(None)) for name in names)
    left = [name for name in names if name not in held]
    order = [left.index(name) for name in (*panel.rows, *panel.columns)]
    shape = (_size(panel.rows, axes), _size(panel.columns, axes))
    values = tensor.values[index].transpose(order).reshape(shape)
    hidden = None if tensor.hidden is None else tensor.hidden[index].transpose(order).reshape(shape)
    seen = np.abs(values[np.isfinite(values)])
    return Matrix(
        panel.title,
        values,
        _labels(panel.rows, axes),
        _labels(panel.columns, axes),
        axes[panel.rows[0]].side if len(panel.rows) == 1 else "",
        axes[panel.columns[0]].side if len(panel.columns) == 1 else "",
        tensor.scale,
        1.0 if tensor.scale in ("weight", "mask") else float(seen.max(initial=0.0)),
        hidden,
        axes[panel.rows[0]].writes if len(panel.rows) == 1 else (),
    )


def number_text(value: float, scale: Scale) -> str:
    """A value as tables print it: weights with four decimals, a mask as 0 or 1, others as tensors' values are."""
    if scale == "weight" and math.isfinite(value):
        return f"{value:.4f}"
    if scale == "mask" and math.isfinite(value):
        return f"{value:.0f}"
    return format_signed(value)


def matrix_svg(matrix: Matrix) -> str:
    """The picture: row 0 on top, square cells, tokens in the colour of their side, masked cells hatched."""
    n_rows, n_columns = matrix.values.shape
    left = 10 + _LETTER * max((len(_short(label)) for label in matrix.rows), default=0)
    top = 12 + 0.72 * _LETTER * max((len(_short(label)) for label in matrix.columns), default=0)
    right = max(40.0, 14 + _LETTER * max((len(_written(label)) for label in matrix.writes), default=0))
    cell = min(36.0, (WIDTH - left - right) / n_columns, HEIGHT / n_rows)
    numbers = n_columns <= MOST_WITH_NUMBERS and cell >= 30
    legend = _legend(matrix)
    width = max(left + n_columns * cell + right, left + 0.82 * _LETTER * len(legend))
    height = top + n_rows * cell + 34
    parts = (
        [_mosaic(matrix, left, top, cell)]
        if matrix.values.size > MOST_SINGLE
        else [
            _cell(matrix, row, column, left + column * cell, top + row * cell, cell, numbers)
            for row in range(n_rows)
            for column in range(n_columns)
        ]
    )
    parts += _row_labels(matrix, left, top, cell) + _column_labels(matrix, left, top, cell)
    parts.append(f'<text x="{left:.1f}" y="{height - 12:.1f}" fill="{_ROLE["mute"]}">{escape(legend)}</text>')
    name = f"{matrix.name}: {n_rows} rows, {n_columns} columns"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(name)}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.1f} {height:.1f}" font-family="inherit" font-size="12">'
        + "".join(parts)
        + "</svg>"
    )


def has_tables(matrix: Matrix) -> bool:
    """Whether a matrix's numbers are printed: not too many, and not those of a mask, which its cells hold."""
    exact = matrix.scale == "mask" and matrix.values.shape[1] <= MOST_WITH_NUMBERS
    return matrix.values.size <= MOST_NUMBERS and not exact


def number_tables(matrix: Matrix) -> tuple[Table, ...]:
    """All its numbers, some columns at a time; none where they are too many, or the picture has all exactly."""
    n_rows, n_columns = matrix.values.shape
    if not has_tables(matrix):
        return ()
    band = math.ceil(n_columns / math.ceil(n_columns / BAND))
    rows_named, columns = told_apart(map(visible, matrix.rows)), told_apart(map(visible, matrix.columns))
    tables = []
    for first in range(0, n_columns, band):
        last = min(first + band, n_columns)
        writes = matrix.writes
        heads = (
            "reads" if writes else "",
            *columns[first:last],
            *(("writes",) if writes else ()),
        )
        rows = tuple(
            (
                rows_named[row],
                *(_text(matrix, row, column) for column in range(first, last)),
                *((visible(writes[row]),) if writes else ()),
            )
            for row in range(n_rows)
        )
        which = matrix.name if n_columns == band else f"{matrix.name}, columns {first} to {last - 1}"
        tables.append(Table(heads, rows, (0, len(heads) - 1) if writes else (0,), which))
    return tuple(tables)


def _text(matrix: Matrix, row: int, column: int) -> str:
    if matrix.hidden is not None and matrix.hidden[row, column]:
        return "masked"
    return number_text(float(matrix.values[row, column]), matrix.scale)


def _cell(matrix: Matrix, row: int, column: int, x: float, y: float, size: float, numbers: bool) -> str:
    value, gap = float(matrix.values[row, column]), 1 if size >= 10 else 0
    side = size - gap
    if matrix.hidden is not None and matrix.hidden[row, column]:
        return _hatched(x, y, side)
    colour = _ROLE["bg"] if math.isnan(value) else _colour(matrix, value)
    drawn = f'<rect x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" fill="{colour}"/>'
    if not numbers and math.isfinite(value):
        return drawn
    text = number_text(value, "mask") if matrix.scale == "mask" else _brief(value)
    ink = "#000" if _bright(colour) else "#fff"
    return drawn + (
        f'<text x="{x + side / 2:.1f}" y="{y + side / 2 + 4:.1f}" text-anchor="middle" '
        f'font-size="{min(11.0, side * 0.34):.1f}" fill="{ink}">{text}</text>'
    )


def _mosaic(matrix: Matrix, left: float, top: float, size: float) -> str:
    """Many small cells, those of one colour as one shape: a fifth of the bytes."""
    places: dict[str, list[str]] = {}
    for row, column in np.ndindex(*matrix.values.shape):
        value = float(matrix.values[row, column])
        hidden = matrix.hidden is not None and matrix.hidden[row, column]
        colour = _ROLE["hatch"] if hidden else _ROLE["error"] if math.isnan(value) else _colour(matrix, value)
        places.setdefault(colour, []).append(f"M{column} {row}h1v1h-1z")
    shapes = "".join(f'<path fill="{colour}" d="{"".join(each)}"/>' for colour, each in places.items())
    return f'<g transform="translate({left:.1f} {top:.1f}) scale({size:.3f})">{shapes}</g>'


def _brief(value: float) -> str:
    """Two decimals, which a cell has room for; the tables print all."""
    if not math.isfinite(value):
        return format_signed(value)
    text = f"{abs(value):.2f}" if abs(value) < 100 else f"{abs(value):.0f}"
    return (_MINUS if value < 0 else "") + text


def _hatched(x: float, y: float, side: float) -> str:
    lines = "".join(
        f"M{x + part * side:.1f} {y:.1f}L{x:.1f} {y + part * side:.1f}"
        f"M{x + side:.1f} {y + part * side:.1f}L{x + part * side:.1f} {y + side:.1f}"
        for part in (0.33, 0.66, 1.0)
    )
    return f'<path d="{lines}" stroke="{_ROLE["hatch"]}" stroke-width="1.3" fill="none"/>'


def _colour(matrix: Matrix, value: float) -> str:
    if matrix.scale in ("weight", "mask"):
        return ramp_color(_LIGHT["weight"], value)
    share = 1.0 if math.isinf(value) else abs(value) / (matrix.limit or 1.0)
    return ramp_color(_LIGHT["minus" if value < 0 else "plus"], share)


def _bright(colour: str) -> bool:
    """Whether black is easier to read on a colour than white."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179


def _row_labels(matrix: Matrix, left: float, top: float, cell: float) -> list[str]:
    every, colour = _every(len(matrix.rows), cell), _ROLE[matrix.row_side or "mute"]
    end = left + matrix.values.shape[1] * cell
    sides = [(left - 6, "end", [_short(label) for label in matrix.rows])]
    sides.append((end + 6, "start", [_written(label) for label in matrix.writes]))
    return [
        f'<text x="{x:.1f}" y="{top + (row + 0.5) * cell + 4:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(texts[row])}</text>"
        for x, anchor, texts in sides
        for row in range(0, len(texts), every)
    ]


def _column_labels(matrix: Matrix, left: float, top: float, cell: float) -> list[str]:
    every, colour = _every(len(matrix.columns), cell), _ROLE[matrix.column_side or "mute"]
    labels = []
    for column in range(0, len(matrix.columns), every):
        x, y = left + (column + 0.5) * cell, top - 6
        text = _short(matrix.columns[column])
        wide = _LETTER * len(text) > cell * every
        place = f'transform="rotate(-48 {x:.1f} {y:.1f})"' if wide else 'text-anchor="middle"'
        labels.append(f'<text x="{x:.1f}" y="{y:.1f}" {place} fill="{colour}">{escape(text)}</text>')
    return labels


def _legend(matrix: Matrix) -> str:
    """Which number has which colour."""
    if matrix.scale in ("weight", "mask"):
        said = "0 is light, 1 is dark" if matrix.scale == "weight" else "1: may attend, 0: may not"
    elif matrix.scale == "size":
        said = f"0 is light, {format_signed(matrix.limit)} is dark"
    else:
        said = f"red is below 0, blue above; the strongest colour is {format_signed(matrix.limit)}"
    if matrix.hidden is not None and matrix.hidden.any():
        said += "; hatched is masked"
    return said


def _every(n: int, cell: float) -> int:
    return 1 if cell >= 13 or n <= 12 else math.ceil(18 / cell)


def _short(label: str) -> str:
    text = visible(label)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _written(label: str) -> str:
    return f"→ {_short(label)}"


def _place(axis: Axis, chosen: int) -> int:
    return chosen if axis.places is None else axis.places.index(chosen)


def _size(names: tuple[str, ...], axes: dict[str, Axis]) -> int:
    return math.prod(axes[name].shown for name in names)


def _labels(names: tuple[str, ...], axes: dict[str, Axis]) -> tuple[str, ...]:
    """What the places are called; where several axes run along a side, their numbers side by side."""
    labels = [""]
    for name in names:
        axis = axes[name]
        own = axis.labels or tuple(map(str, axis.places or range(axis.size)))
        labels = [f"{before}·{after}" if before else after for before in labels for after in own]
    return tuple(labels)
