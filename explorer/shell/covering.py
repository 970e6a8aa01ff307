"""What a lesson covers until its question is answered: it is not hidden on the page, it is not sent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.lessons.lesson import Covers
from explorer.lessons.places import place_on
from explorer.shell.loading import PageEnded
from explorer.tensors import TensorData, TensorViewData
from explorer.visitor.values import SessionValue

COVERS = SessionValue("lesson_covers", Covers())
"""What is covered on the page that is drawn; the frame says it before the page runs."""


class PageCovered(PageEnded):
    """What else the page has comes with the answer to a question."""


def end_under_cover() -> None:
    """End the page after its first picture, where what follows would tell.

    Raises:
        PageCovered: then.
    """
    if COVERS.value != Covers():
        raise PageCovered


def with_cover(data: TensorViewData) -> TensorViewData:
    """What a picture is fed, without the numbers that are covered."""
    covers = COVERS.value
    if not covers.sites:
        return data
    tensors = {name: _covered(tensor, covers) for name, tensor in data.tensors.items()}
    return replace(data, key=f"{data.key}/covered", tensors=tensors, cell=None)


def _covered(tensor: TensorData, covers: Covers) -> TensorData:
    """A tensor with zeros where it is covered, and what is."""
    hidden = np.zeros(tensor.values.shape, bool)
    layers = next((axis for axis in tensor.axes if axis.name == "layer"), None)
    for layer in range(layers.size) if layers else (None,):
        if tensor.site_of(layer) in covers.sites:
            hidden[_places(tensor, covers, layer)] = True
    if not hidden.any():
        return tensor
    return replace(tensor, values=np.where(hidden, np.float32(0), tensor.values), covered=hidden)


def _places(tensor: TensorData, covers: Covers, layer: int | None) -> tuple[np.ndarray, ...]:
    """Where a tensor is covered, as an index; everywhere on an axis that the cover does not name."""
    index: list[np.ndarray | slice] = []
    for axis in tensor.axes:
        wanted = layer if axis.name == "layer" else covers.places.get(axis.name)
        place = None if wanted is None else place_on(replace(axis, places=None), wanted)
        shown = np.arange(axis.size) if axis.places is None else np.array(axis.places)
        index.append(slice(None) if place is None else np.flatnonzero(shown == place))
    return np.ix_(*(np.arange(n)[at] for n, at in zip(tensor.values.shape, index, strict=True)))
