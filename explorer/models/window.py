"""Windows: the few places of a long axis that a view shows, and a sentence that says which they are."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from explorer.tensors import Axis, TensorData


def windowed(tensor: TensorData, name: str, places: Sequence[int], sentence: str) -> TensorData:
    """The same tensor with only these places of one axis, which was whole before.

    Args:
        tensor: Any.
        name: Of the axis.
        places: Which places, in the order of the view.
        sentence: Says which window this is.

    Raises:
        ValueError: when the tensor has no such axis, or it is a window already.
    """
    where = next((at for at, axis in enumerate(tensor.axes) if axis.name == name), None)
    if where is None or tensor.axes[where].places is not None:
        raise ValueError(f"{tensor.site!r} has no whole axis {name!r}")
    shown = replace(axis_window(tensor.axes[where], places), window=sentence)
    axes = (*tensor.axes[:where], shown, *tensor.axes[where + 1 :])
    chosen = np.asarray(places, dtype=np.int64)
    hidden = None if tensor.hidden is None else tensor.hidden.take(chosen, axis=where)
    return replace(tensor, values=tensor.values.take(chosen, axis=where), axes=axes, hidden=hidden)


def narrowed(tensor: TensorData, n_columns: int) -> TensorData:
    """A tensor of vectors with as many numbers of each as there is room for; itself where that is all of them."""
    width = tensor.axes[-1].size
    if width <= n_columns:
        return tensor
    sentence = f"Numbers 0 to {n_columns - 1} of the {width} of each vector."
    return windowed(tensor, tensor.axes[-1].name, range(n_columns), sentence)


def axis_window(whole: Axis, places: Sequence[int]) -> Axis:
    """A whole axis with only these of its places."""
    return replace(
        whole,
        places=tuple(places),
        labels=tuple(whole.labels[place] for place in places) if whole.labels else (),
        writes=tuple(whole.writes[place] for place in places) if whole.writes else (),
    )


def renamed(tensor: TensorData, old: str, new: str) -> TensorData:
    """The same tensor with an axis by the name that it has in the tensors beside it."""
    return replace(
        tensor, axes=tuple(replace(axis, name=new) if axis.name == old else axis for axis in tensor.axes)
    )
