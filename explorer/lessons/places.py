"""Where a lesson's file points: a tensor by its name, and a place on an axis by a number, a token or a word."""

from __future__ import annotations

from collections.abc import Sequence

from core.activations.location import locate
from core.errors import UnknownSite
from core.model.parameters import find_parameter
from core.numbers import is_whole
from explorer.lessons.findings import FactError
from explorer.models.arrays import array_of
from explorer.models.recorded import Recorded
from explorer.tensors import Axis, TensorData


def find_tensor(name: str, recorded: Recorded) -> TensorData:
    """A recorded site or a parameter with its axes.

    Raises:
        FactError: when the run has none of that name.
    """
    try:
        return recorded.tensor(name)
    except UnknownSite:
        pass
    parameter = find_parameter(recorded.run.model, name)
    if parameter is None:
        raise FactError(f"this model has no site and no parameter called {name!r}; the inspector lists them.")
    values = array_of(parameter)
    where = locate(name)
    if where.kind == "embedding" and where.value == "weight":
        side = recorded.run.src_tokenizer if where.side == "source" else recorded.run.tgt_tokenizer
        vocabulary = Axis("vocab", len(side.vocabulary), tuple(side.vocabulary.tokens))
        return TensorData(name, values, (vocabulary, Axis("d_model", values.shape[1])), lead=())
    names = ("row", "column") if values.ndim == 2 else ("row",)
    axes = tuple(Axis(each, size) for each, size in zip(names, values.shape, strict=True))
    return TensorData(name, values, axes, lead=())


def one_place_on(axis: Axis, wanted: object) -> int:
    """The one place on an axis that a fact names, as `place_on` finds it.

    Raises:
        FactError: when that is none, or the mean was asked for.
    """
    place = place_on(axis, wanted)
    if place is None:
        raise FactError(f"the axis {axis.name!r} needs one place here, not the mean over all.")
    return place


def place_on(axis: Axis, wanted: object) -> int | None:
    """A place on an axis by its number, its token, or ``last``; None for ``mean``.

    Raises:
        FactError: when the axis has no such place, or several.
    """
    if wanted == "mean":
        return None
    if wanted == "last":
        return axis.size - 1
    if is_whole(wanted):
        if 0 <= wanted < axis.size:
            return wanted
        raise FactError(f"the axis {axis.name!r} has the places 0 to {axis.size - 1}, not {wanted}.")
    found = [place for place, each in enumerate(axis.labels) if each == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise FactError(
            f"{wanted!r} stands at {len(found)} places of {axis.name!r}; give the place's number."
        )
    raise FactError(f"the axis {axis.name!r} has no {wanted!r}.")


def axis_names(axes: Sequence[Axis]) -> str:
    """The names of axes for a sentence that says which there are."""
    return ", ".join(repr(axis.name) for axis in axes) or "none"
