"""Cells of what a tensor view is fed: where each is, and what `explain` says of it."""

import random
from collections.abc import Mapping

import numpy as np

from core.explanation.explain import explain
from explorer.browser.tensors import pack
from explorer.models.recorded import Recorded
from explorer.tensors import Axis, Panel, TensorData, TensorViewData


def whole_place(axis: Axis, place: int) -> int:
    """The place in the whole axis of one that is shown."""
    return place if axis.places is None else axis.places[place]


def cell_index(tensor: TensorData, place: Mapping[str, int]) -> tuple[int, ...]:
    """The index of a shown value in the whole tensor, after ``lead``, as the browser reports it.

    Args:
        tensor: What is shown.
        place: For each axis but ``layer`` which of its shown places it is, from 0.
    """
    axes = {axis.name: axis for axis in tensor.axes}
    index = []
    for names in tensor.index_axes:
        number = 0
        for name in names:
            number = number * axes[name].size + whole_place(axes[name], place[name])
        index.append(number)
    return tuple(index)


def cells_of(tensor: TensorData, count: int = 5):
    """Some cells: where each is in the array, its site, and its index for `explain`."""
    chosen = random.Random(tensor.site)
    for _ in range(count):
        at = tuple(chosen.randrange(axis.shown) for axis in tensor.axes)
        place = dict(zip((axis.name for axis in tensor.axes), at, strict=True))
        layer = next(
            (whole_place(axis, place["layer"]) for axis in tensor.axes if axis.name == "layer"), None
        )
        yield at, tensor.site_of(layer), (*tensor.lead, *cell_index(tensor, place))


def assert_explained(recorded: Recorded, view: TensorViewData) -> None:
    """Every tensor's cells are what `explain` explains, and the view can be sent."""
    pack(view)
    for name, tensor in view.tensors.items():
        for at, site, index in cells_of(tensor):
            explanation = explain(recorded.run, recorded.trace, site, index)
            assert np.float32(explanation.recorded) == tensor.values[at], (name, site, index)
            assert explanation.agrees, (name, site, index)


def matrix(view: TensorViewData, panel: Panel, **chosen: int) -> np.ndarray:
    """A panel's numbers [rows, columns] in float64, with the layer at this place."""
    tensor = view.tensors[panel.tensor]
    names, values = [axis.name for axis in tensor.axes], tensor.values
    if names[0] == "layer":
        names, values = names[1:], values[chosen["layer"]]
    values = values.transpose([names.index(name) for name in (*panel.rows, *panel.columns)])
    n_rows = values.shape[0] if panel.rows else 1
    return values.reshape(n_rows, -1).astype(np.float64)
