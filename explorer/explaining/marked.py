"""The cell that a view of stages marks while nobody points at one, so that the words beside it speak of that cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from explorer.models.recorded import Recorded
from explorer.tensors import Axis, CellPlace, Panel, Side, TensorData, TensorViewData
from explorer.visitor.state import ExplorerState

ROW_AXES = ("query", "position")
"""Along which a row of a result is a token that the page is about."""


@dataclass(frozen=True)
class MarkedCell:
    """One cell of a view.

    Attributes:
        numbers: For each axis of its tensor its place in the whole axis.
        sides: Whose tokens each of these axes has, empty for nobody's.
        explained: Whether it was asked for; else it is the largest in sight.
    """

    numbers: Mapping[str, int]
    sides: Mapping[str, Side]
    explained: bool

    def place(self, side: Side) -> int | None:
        """Position of its row's token, where that is one of this side, or of none."""
        return next(
            (self.numbers[name] for name in ROW_AXES if self.sides.get(name, "none") in (side, "")), None
        )


def marked_cell(data: TensorViewData) -> MarkedCell | None:
    """What a view marks: the explained cell, in the open stage if it is there, or in another one.

    Without one it is the largest of the open stage's result, in the row of `data.row` first.

    The browser marks by the same rule.
    """
    stage = next(each for each in data.stages if each.key == data.stage)
    elsewhere = (panel for each in data.stages if each is not stage for panel in (each.result, *each.panels))
    for panel in (stage.result, *stage.panels, *elsewhere):
        numbers = None if data.cell is None else _explained(data, panel, data.cell)
        if numbers is not None:
            return _marked(data.tensors[panel.tensor], numbers, explained=True)
    numbers = _largest(data, stage.result)
    return None if numbers is None else _marked(data.tensors[stage.result.tensor], numbers, explained=False)


def row_of(data: TensorViewData, cell: CellPlace) -> int | None:
    """Which row of the view's side a number of the open stage stands in; None for one that stands in none."""
    marked = marked_cell(replace(data, cell=cell))
    if marked is None or not marked.explained or not data.row_side:
        return None
    return next((marked.numbers[name] for name in ROW_AXES if marked.sides.get(name) == data.row_side), None)


def _marked(tensor: TensorData, numbers: Mapping[str, int], *, explained: bool) -> MarkedCell:
    return MarkedCell(numbers, {axis.name: axis.side for axis in tensor.axes}, explained)


def _held(data: TensorViewData, panel: Panel) -> dict[str, int]:
    """The chosen place of every axis that a panel does not run along."""
    chosen = {chooser.axis: chooser.value for chooser in data.choosers}
    along = (*panel.rows, *panel.columns)
    return {
        axis.name: chosen[axis.name] for axis in data.tensors[panel.tensor].axes if axis.name not in along
    }


def _explained(data: TensorViewData, panel: Panel, cell: CellPlace) -> dict[str, int] | None:
    """The places of a number of the model in a panel; None where the panel does not show it."""
    tensor, lead = data.tensors[panel.tensor], len(data.tensors[panel.tensor].lead)
    if cell.index[:lead] != tensor.lead or len(cell.index) != lead + len(tensor.index_axes):
        return None
    axes, numbers = {axis.name: axis for axis in tensor.axes}, {}
    for number, names in zip(cell.index[lead:], tensor.index_axes, strict=True):
        for name in reversed(names):
            number, numbers[name] = divmod(number, axes[name].size)
    layers = range(axes["layer"].size) if "layer" in axes else (None,)
    layer = next((each for each in layers if tensor.site_of(each) == cell.site), -1)
    if layer is not None:
        numbers["layer"] = layer
    elif tensor.site != cell.site:
        return None
    held = _held(data, panel)
    shown = all(numbers.get(name, 0) in _whole(axis) for name, axis in axes.items())
    return (
        numbers if shown and all(numbers.get(name, place) == place for name, place in held.items()) else None
    )


def _whole(axis: Axis) -> range | tuple[int, ...]:
    """The places in the whole axis that are here."""
    return range(axis.size) if axis.places is None else axis.places


def _largest(data: TensorViewData, panel: Panel) -> dict[str, int] | None:
    """The places of the largest number in size, in the row that the page is about before all others."""
    tensor, held = data.tensors[panel.tensor], _held(data, panel)
    names = [axis.name for axis in tensor.axes]
    axes = dict(zip(names, tensor.axes, strict=True))
    size = np.where(np.isnan(tensor.values), -1.0, np.abs(tensor.values))
    if tensor.hidden is not None:
        size = np.where(tensor.hidden, -1.0, size)
    along = (*panel.rows, *panel.columns)
    size = size.transpose([names.index(name) for name in (*held, *along)])
    size = size[tuple(_whole(axes[name]).index(place) for name, place in held.items())]
    row = _row(data, [axes[name] for name in panel.rows])
    if row is not None and (size[row] >= 0).any():
        size = np.where((np.arange(len(size)) == row).reshape(-1, *[1] * (size.ndim - 1)), size, -1.0)
    if not (size >= 0).any():
        return None
    places = np.unravel_index(int(size.argmax()), size.shape)
    return held | {name: _whole(axes[name])[int(at)] for name, at in zip(along, places, strict=True)}


def _row(data: TensorViewData, rows: list[Axis]) -> int | None:
    """Which shown row is the one that the page is about; None where there is none."""
    if data.row is None or len(rows) != 1 or rows[0].side != data.row_side:
        return None
    places = _whole(rows[0])
    return places.index(data.row) if data.row in places else None


def marked_at_first(
    stages: Callable[[Recorded, ExplorerState], TensorViewData] | None,
    recorded: Recorded,
    state: ExplorerState,
) -> MarkedCell | None:
    """The cell that a view marks before anybody has touched it; None for a view without stages."""
    if stages is None:
        return None
    return marked_cell(replace(stages(recorded, state), cell=state.look.cell))
