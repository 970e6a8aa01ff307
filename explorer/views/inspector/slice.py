"""A tensor laid out in two dimensions: which axes are rows and columns, what the others hold still, and the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from explorer.explaining.marked import ROW_AXES
from explorer.models.window import axis_window
from explorer.tensors import Axis, TensorData
from explorer.visitor.state import NO_ROWS, Cut, ExplorerState

MAX_ROWS, MAX_COLUMNS = 64, 256
"""Most rows and columns of a slice that are shown; of a longer side a window is."""
MAX_HELD = 4096
"""An axis with more places is always a row or a column: nobody chooses among so many."""


@dataclass(frozen=True, eq=False)
class Slice:
    """A tensor as it is laid out.

    Attributes:
        tensor: All of it.
        rows: Axis that runs down; empty for a single row.
        columns: Axis that runs to the right.
        places: Of every other axis, the place that is shown.
        first: Where the window on rows and the one on columns begin.
    """

    tensor: TensorData
    rows: str
    columns: str
    places: Mapping[str, int]
    first: tuple[int, int] = (0, 0)

    @property
    def sides(self) -> tuple[str, ...]:
        """Rows, if there are any, and columns."""
        return (self.rows, self.columns) if self.rows else (self.columns,)

    def axis(self, name: str) -> Axis:
        """One axis of the tensor.

        Raises:
            KeyError: when it has no such axis.
        """
        return {axis.name: axis for axis in self.tensor.axes}[name]

    def window(self, side: str) -> range:
        """The places of rows or columns that are in the window."""
        size, most = self.axis(side).size, MAX_ROWS if side == self.rows else MAX_COLUMNS
        first = min(self.first[0 if side == self.rows else 1], max(0, size - most))
        return range(first, min(size, first + most))

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of rows and columns before a window is cut out."""
        return tuple(self.axis(side).size for side in self.sides)

    def values(self) -> np.ndarray:
        """The numbers that are shown [row, column], or of one row [column]."""
        return self._cut(self.tensor.values)

    def hidden(self) -> np.ndarray | None:
        """Which cells of the slice are masked; None for a tensor without a mask."""
        return None if self.tensor.hidden is None else self._cut(self.tensor.hidden)

    def shown(self, side: str) -> Axis:
        """The axis of the shown rows or columns, as far as the window goes."""
        axis, window = self.axis(side), self.window(side)
        return axis if len(window) == axis.size else axis_window(axis, window)

    def _cut(self, values: np.ndarray) -> np.ndarray:
        held = tuple(self.places.get(axis.name, slice(None)) for axis in self.tensor.axes)
        left = [axis.name for axis in self.tensor.axes if axis.name in self.sides]
        cut = values[held]
        for at, name in enumerate(left):
            cut = cut.take(self.window(name), axis=at)
        return cut if tuple(left) == self.sides else cut.T


def is_of_steps(axis: Axis) -> bool:
    """Whether the places of an axis are the steps of the decoding."""
    return axis.name in ROW_AXES and axis.side == "target"


def slice_of(tensor: TensorData, cut: Cut, head: int | None = None, step: int = 0) -> Slice:
    """A tensor laid out as a visitor wants it, as far as it has these axes.

    By itself the last axis runs to the right and the one before it down: queries and keys, positions and d_model.

    Args:
        tensor: All of it.
        cut: What was chosen.
        head: Where no place of that axis was chosen.
        step: Likewise.
    """
    rows, columns = _sides(tensor, cut)
    steps = {axis.name: step for axis in tensor.axes if is_of_steps(axis)}
    wanted = {"head": head or 0, **steps, **dict(cut.places)}
    places = {
        axis.name: min(wanted.get(axis.name, 0), axis.size - 1)
        for axis in tensor.axes
        if axis.name not in (rows, columns)
    }
    return Slice(tensor, rows, columns, places, (cut.first_row, cut.first_column))


def _sides(tensor: TensorData, cut: Cut) -> tuple[str, str]:
    names = [axis.name for axis in tensor.axes]
    usual = (names[-2] if len(names) > 1 else "", names[-1])
    columns = cut.columns if cut.columns in names else ""
    rows = "" if cut.rows == NO_ROWS else cut.rows if cut.rows in names else None
    if not columns:
        # The default, or what is left of it when its place is taken.
        columns = next(name for name in reversed(names) if name != rows or len(names) == 1)
    if rows is None or rows == columns:
        rows = next((name for name in (*reversed(usual), *reversed(names)) if name and name != columns), "")
    long = [axis.name for axis in tensor.axes if axis.size > MAX_HELD and axis.name not in (rows, columns)]
    return usual if long else (rows, columns)


def side_options(tensor: TensorData) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What rows and what columns may be; nothing to choose for a vector."""
    names = tuple(axis.name for axis in tensor.axes)
    if len(names) < 2:
        return (), ()
    may_be_held = len(names) > 2 or all(axis.size <= MAX_HELD for axis in tensor.axes)
    return (*names, NO_ROWS) if may_be_held else names, names


def choose_sides(state: ExplorerState, shown: Slice, *, rows: str, columns: str) -> ExplorerState:
    """Other rows or columns; where both would be the same axis they change places.

    Args:
        state: The visitor's choices.
        shown: How the tensor is laid out now.
        rows: Axis, or `NO_ROWS`.
        columns: Axis.
    """
    if rows == columns and rows == shown.columns:
        columns = shown.rows or next(axis.name for axis in shown.tensor.axes if axis.name != rows)
    elif rows == columns:
        rows = shown.columns
    cut = replace(state.inspector.cut, rows=rows, columns=columns, first_row=0, first_column=0)
    return replace(state, inspector=replace(state.inspector, cut=cut))
