"""The questions that a fact can ask the recorded run, and what each of them needs."""

from collections.abc import Mapping

_OF_NUMBERS = {"site": True}
_CONDITION = {"site": True, "above": False, "below": False, "equals": False}
_PAIR = {"site": True, "axis": True, "between": True}
_NAMES = {"of": True}

ASK_OPTIONS: Mapping[str, Mapping[str, bool]] = {
    "value": _OF_NUMBERS,
    "sum": _OF_NUMBERS,
    "mean": _OF_NUMBERS,
    "variance": _OF_NUMBERS,
    "length": _OF_NUMBERS,
    "largest": _OF_NUMBERS,
    "smallest": _OF_NUMBERS,
    "argmax": _OF_NUMBERS,
    "argmin": _OF_NUMBERS,
    "entropy": _OF_NUMBERS,
    "shape": _OF_NUMBERS,
    "size": {"site": True, "axis": True},
    "count": _CONDITION,
    "share": _CONDITION,
    "product": _PAIR,
    "cosine": _PAIR,
    "token": {"side": True, "place": True},
    "id": {"side": True, "place": True},
    "tokens": {"side": True},
    "output": {},
    "probability": {"step": True, "token": False},
    "explained": {"site": True, "index": False},
    "nearest": {"token": True, "side": False},
    "analogy": {"tokens": True, "side": False},
    "tokenized": {"tokenizer": True},
    "beam": {"what": True, "width": False, "penalty": False},
    "masking": {"off": True, "what": True},
    "parameters": {"of": False},
    "setting": {"name": True},
    "vocabulary": {"side": True},
    "uniform": {"side": True},
    "base": {},
    "held_out": {"name": True},
    "training": {"name": True, "at": True},
    "lens": {"step": True, "what": True, "point": False},
    "carried": {"second": True, "step": True, "site": True, "place": False},
    "arm": {"experiment": True, "arm": True, "name": True},
    "measured": {"experiment": True, "arm": True, "figure": True, "pick": True},
    "measured_on": {"experiment": True},
    "cost": {"of": True, "step": False},
    "softmax": {"site": True, "times": False, "plus": False},
    "difference": _NAMES,
    "ratio": _NAMES,
    "total": _NAMES,
    "same": _NAMES,
    "compare": _NAMES,
}
"""By the word after ``ask``: the other keys, and whether each is needed."""

AXES = ("head", "query", "key", "d_head", "position", "d_model", "d_ff", "vocab", "row", "column")
"""Axes of sites and parameters, for choosing a place on them."""

VIEW_OF_FACT = ("model", "sentence", "at_update", "prefix", "changes")
"""Keys of any fact that ask another recording than the stop's."""
