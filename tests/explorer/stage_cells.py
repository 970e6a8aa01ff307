"""Cells of what a tensor view is fed: where each is, and what `explain` says of it."""

import random

import numpy as np

from core.explanation.explain import explain
from explorer.browser.tensors import pack
from explorer.models.recorded import Recorded
from explorer.tensors import Panel, TensorData, TensorViewData


def cells_of(tensor: TensorData, count: int = 5):
    """Some cells: where each is in the array, its site, and its index for `explain`."""
    chosen = random.Random(tensor.site)
    for _ in range(count):
        at = tuple(chosen.randrange(axis.shown) for axis in tensor.axes)
        number = {
            axis.name: place if axis.places is None else axis.places[place]
            for axis, place in zip(tensor.axes, at, strict=True)
        }
        sizes = {axis.name: axis.size for axis in tensor.axes}
        index = []
        for merged in tensor.index_axes:
            place = 0
            for name in merged:
                place = place * sizes[name] + number[name]
            index.append(place)
        yield at, tensor.site_of(number.get("layer")), (*tensor.lead, *index)


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
