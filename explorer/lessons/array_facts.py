"""Questions about the numbers of one site or parameter: what is chosen on its axes, and what is asked of the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.activations.location import locate
from core.errors import UnknownSite
from core.numbers import is_number, is_whole
from explorer.lessons.asks import AXES
from explorer.lessons.findings import FactError, Finding, counted, found_at, measured, words
from explorer.tensors import Axis

if TYPE_CHECKING:
    from explorer.models.recorded import Recorded

Options = Mapping[str, object]
MOST_DIMENSIONS = 4


def array_finding(ask: str, options: Options, recorded: Recorded) -> Finding:
    """The answer to a question of `ARRAY_ASKS`.

    Raises:
        FactError: when the run has no such numbers, or the question does not fit them.
    """
    values, axes = _chosen(options, recorded)
    form = locate(str(options["site"])).value
    return ARRAY_ASKS[ask](values, axes, options, form)


def _chosen(options: Options, recorded: Recorded) -> tuple[np.ndarray, list[Axis]]:
    """What is left of a tensor when a place was chosen on some of its axes, or their mean taken."""
    values, axes = find_tensor(str(options["site"]), recorded)
    for name in [key for key in options if key in AXES]:
        at = next((i for i, axis in enumerate(axes) if axis.name == name), None)
        if at is None:
            raise FactError(f"{options['site']} has no axis {name!r}; it has {_names(axes)}.")
        place = place_on(axes.pop(at), options[name])
        values = values.mean(axis=at) if place is None else values.take(place, axis=at)
    return values, axes


def find_tensor(name: str, recorded: Recorded) -> tuple[np.ndarray, list[Axis]]:
    """Values and axes of a recorded site or a parameter.

    Raises:
        FactError: when the run has none of that name.
    """
    try:
        tensor = recorded.tensor(name)
        return tensor.values, list(tensor.axes)
    except UnknownSite:
        pass
    from core.model.parameters import find_parameter

    parameter = find_parameter(recorded.run.model, name)
    if parameter is None:
        raise FactError(f"this model has no site and no parameter called {name!r}; the inspector lists them.")
    values = parameter.detach().float().cpu().numpy()
    where = locate(name)
    if where.kind == "embedding" and where.value == "weight":
        side = recorded.run.src_tokenizer if where.side == "source" else recorded.run.tgt_tokenizer
        vocabulary = Axis("vocab", len(side.vocabulary), tuple(side.vocabulary.tokens))
        return values, [vocabulary, Axis("d_model", values.shape[1])]
    names = ("row", "column") if values.ndim == 2 else ("row",)
    return values, [Axis(each, size) for each, size in zip(names, values.shape, strict=True)]


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


def _one(values: np.ndarray, axes: Sequence[Axis]) -> float:
    if values.size != 1:
        raise FactError(f"one number is asked for, but {_names(axes)} still have several places; choose one.")
    return float(values.reshape(()))


def _reduced(reduce: Callable[[np.ndarray], float]) -> Callable[..., Finding]:
    def asked(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
        return measured(float(reduce(values.astype(np.float64))), form, options.get("decimals"))

    return asked


def _value(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    return measured(_one(values, axes), form, options.get("decimals"))


def _extreme(search: Callable[[np.ndarray], np.intp]) -> Callable[..., Finding]:
    def asked(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
        if not axes or len(axes) > MOST_DIMENSIONS:
            raise FactError("a place is asked for, but no axis is left to search; choose fewer places.")
        return found_at(axes, tuple(int(i) for i in np.unravel_index(search(values), values.shape)))

    return asked


def _entropy(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    import torch

    from core.analysis.attention_statistics import attention_entropy

    if len(axes) != 1:
        raise FactError("the entropy is one row's; choose a place on every axis but the last.")
    bits = attention_entropy(torch.from_numpy(values.copy())[None]).item()
    return measured(bits, "log_prob", options.get("decimals"))


def _softmax(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    """The largest weight that the softmax would make of a row of scores, if all were another number."""
    times, plus = options.get("times", 1), options.get("plus", 0)
    if len(axes) != 1 or not is_number(times) or not is_number(plus):
        raise FactError("the softmax is one row's, with numbers as 'times' and 'plus'.")
    scores = values.astype(np.float64) * times + plus
    powers = np.exp(scores - scores.max())
    return measured(float(powers.max() / powers.sum()), "weights", options.get("decimals"))


def _shape(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    return words(" × ".join(map(str, values.shape)))


def _size(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    return counted(axes[_axis(axes, options)].size)


def _met(values: np.ndarray, options: Options) -> np.ndarray:
    conditions = {key: options[key] for key in ("above", "below", "equals") if key in options}
    relation, limit = next(iter(conditions.items()), ("", None))
    if len(conditions) != 1 or not is_number(limit):
        raise FactError("give one of 'above', 'below' or 'equals' with a number.")
    if relation == "equals":
        return values == limit
    return values > limit if relation == "above" else values < limit


def _count(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    return counted(int(_met(values, options).sum()))


def _share(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    return measured(float(_met(values, options).mean()), "ratio", options.get("decimals"))


def _two_rows(values: np.ndarray, axes: Sequence[Axis], options: Options) -> tuple[np.ndarray, np.ndarray]:
    between = options["between"]
    if not isinstance(between, list) or len(between) != 2 or len(axes) != 2:
        raise FactError("'between' is a list of two places on the axis, and one more axis must be left.")
    at = _axis(axes, options)
    places = [one_place_on(axes[at], each) for each in between]
    first, second = (values.take(place, axis=at).astype(np.float64) for place in places)
    return first, second


def _product(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    first, second = _two_rows(values, axes, options)
    return measured(float(first @ second), form, options.get("decimals"))


def _cosine(values: np.ndarray, axes: Sequence[Axis], options: Options, form: str) -> Finding:
    first, second = _two_rows(values, axes, options)
    lengths = np.linalg.norm(first) * np.linalg.norm(second)
    return measured(float(first @ second / lengths) if lengths else 0.0, form, options.get("decimals"))


def _axis(axes: Sequence[Axis], options: Options) -> int:
    found = next((i for i, axis in enumerate(axes) if axis.name == options["axis"]), None)
    if found is None:
        raise FactError(f"there is no axis {options['axis']!r} left; there are {_names(axes)}.")
    return found


def _names(axes: Sequence[Axis]) -> str:
    return ", ".join(repr(axis.name) for axis in axes) or "none"


ARRAY_ASKS: Mapping[str, Callable[[np.ndarray, Sequence[Axis], Options, str], Finding]] = {
    "value": _value,
    "sum": _reduced(np.sum),
    "mean": _reduced(np.mean),
    "variance": _reduced(np.var),
    "length": _reduced(lambda values: float(np.linalg.norm(values.ravel()))),
    "largest": _reduced(np.max),
    "smallest": _reduced(np.min),
    "argmax": _extreme(np.argmax),
    "argmin": _extreme(np.argmin),
    "entropy": _entropy,
    "softmax": _softmax,
    "shape": _shape,
    "size": _size,
    "count": _count,
    "share": _share,
    "product": _product,
    "cosine": _cosine,
}
"""By what is asked; each gets the numbers that are left, their axes, the fact's options, and the site's kind."""
