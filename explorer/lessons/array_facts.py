"""Questions about the numbers of one site or parameter, as far as a fact has not chosen among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch

from core.analysis.attention_statistics import attention_entropy
from core.numbers import is_number
from explorer.lessons.asked import Asked
from explorer.lessons.findings import FactError, Finding, counted, found_at, words
from explorer.lessons.places import axis_names, one_place_on

MOST_DIMENSIONS = 4

_RELATIONS: dict[str, Callable[[np.ndarray, float], np.ndarray]] = {
    "above": np.greater,
    "below": np.less,
    "equals": np.equal,
}


def _reduced(reduce: Callable[[np.ndarray], float]) -> Callable[[Asked], Finding]:
    def answer(asked: Asked) -> Finding:
        return asked.number(float(reduce(asked.values.astype(np.float64))))

    return answer


def _value(asked: Asked) -> Finding:
    if asked.values.size != 1:
        raise FactError(
            f"one number is asked for, but {axis_names(asked.axes)} still have several places; choose one."
        )
    return asked.number(asked.values.item())


def _extreme(search: Callable[[np.ndarray], np.intp]) -> Callable[[Asked], Finding]:
    def answer(asked: Asked) -> Finding:
        values = asked.values
        if not 1 <= values.ndim <= MOST_DIMENSIONS:
            raise FactError("a place is asked for, but no axis is left to search; choose fewer places.")
        return found_at(asked.axes, tuple(int(i) for i in np.unravel_index(search(values), values.shape)))

    return answer


def _entropy(asked: Asked) -> Finding:
    if asked.values.ndim != 1:
        raise FactError("the entropy is one row's; choose a place on every axis but the last.")
    bits = attention_entropy(torch.from_numpy(asked.values.copy())[None]).item()
    return asked.number(bits, "log_prob")


def _softmax(asked: Asked) -> Finding:
    """The largest weight that the softmax would make of a row of scores, if all were another number."""
    times, plus = asked.options.get("times", 1), asked.options.get("plus", 0)
    if asked.values.ndim != 1 or not is_number(times) or not is_number(plus):
        raise FactError("the softmax is one row's, with numbers as 'times' and 'plus'.")
    scores = asked.values.astype(np.float64) * times + plus
    powers = np.exp(scores - scores.max())
    return asked.number(float(powers.max() / powers.sum()), "weights")


def _shape(asked: Asked) -> Finding:
    return words(" × ".join(map(str, asked.values.shape)))


def _size(asked: Asked) -> Finding:
    return counted(asked.axes[_axis(asked)].size)


def _met(asked: Asked) -> np.ndarray:
    """Which of the numbers fulfil the condition of a fact."""
    conditions = {key: asked.options[key] for key in _RELATIONS if key in asked.options}
    relation, limit = next(iter(conditions.items()), ("", None))
    if len(conditions) != 1 or not is_number(limit):
        raise FactError("give one of 'above', 'below' or 'equals' with a number.")
    return _RELATIONS[relation](asked.values, limit)


def _count(asked: Asked) -> Finding:
    return counted(int(_met(asked).sum()))


def _share(asked: Asked) -> Finding:
    return asked.number(float(_met(asked).mean()), "ratio")


def _two_rows(asked: Asked) -> tuple[np.ndarray, np.ndarray]:
    between = asked.options["between"]
    if not isinstance(between, list) or len(between) != 2 or asked.values.ndim != 2:
        raise FactError("'between' is a list of two places on the axis, and one more axis must be left.")
    at = _axis(asked)
    places = [one_place_on(asked.axes[at], each) for each in between]
    first, second = (asked.values.take(place, axis=at).astype(np.float64) for place in places)
    return first, second


def _product(asked: Asked) -> Finding:
    first, second = _two_rows(asked)
    return asked.number(float(first @ second))


def _cosine(asked: Asked) -> Finding:
    first, second = _two_rows(asked)
    lengths = np.linalg.norm(first) * np.linalg.norm(second)
    return asked.number(float(first @ second / lengths) if lengths else 0.0)


def _axis(asked: Asked) -> int:
    name = asked.options["axis"]
    found = next((i for i, axis in enumerate(asked.axes) if axis.name == name), None)
    if found is None:
        raise FactError(f"there is no axis {name!r} left; there are {axis_names(asked.axes)}.")
    return found


ARRAY_ASKS: Mapping[str, Callable[[Asked], Finding]] = {
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
"""The functions that answer, by what is asked."""
