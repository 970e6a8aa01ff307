"""What the decoding view reports to Python; all of it comes from a browser, and none of it is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.models.outputs import Attention
from explorer.tensors import CellPlace
from explorer.visitor.reports import MAX_REPORT, Event, Payload, is_index
from explorer.visitor.state import MAX_NAME

if TYPE_CHECKING:
    from explorer.views.decoding.component import DecodeViewData


@dataclass(frozen=True)
class ViewState:
    """What a visitor looks at: the part of the view that belongs into a link."""

    step: int
    attention: Attention
    layer: int
    head: int | None
    overlay: bool
    report: int
    """Number of the report that said so; each is higher than the one before, those of actions included."""


@dataclass(frozen=True)
class Force:
    """Go on from another token than the one that was produced at a step."""

    step: int
    token_id: int
    report: int


@dataclass(frozen=True)
class OpenBranch:
    """Look at another of the branches, at a step of it."""

    prefix: tuple[int, ...]
    step: int
    report: int


@dataclass(frozen=True)
class NameBranch:
    """Call a branch by another name; by an empty one it gets its own back."""

    prefix: tuple[int, ...]
    name: str
    report: int


@dataclass(frozen=True)
class RemoveBranch:
    """Forget a branch."""

    prefix: tuple[int, ...]
    report: int


@dataclass(frozen=True)
class Explain:
    """Show how a number was computed: a weight of one head, the probability of a candidate, log P of the output."""

    cell: CellPlace
    report: int


Action = Force | OpenBranch | NameBranch | RemoveBranch | Explain


def _read_view(payload: Payload, report: int, data: DecodeViewData) -> ViewState | None:
    step, attention, layer, head, overlay = (
        payload.get(name) for name in ("step", "attention", "layer", "head", "overlay")
    )
    weights = _weights(data)
    chosen = next((name for name in weights if name == attention), None)
    if chosen is None:
        return None
    layers, heads = np.shape(weights[chosen])[:2]
    if not (
        is_index(step, len(data.output_tokens)) and is_index(layer, layers) and isinstance(overlay, bool)
    ):
        return None
    if head is not None and not is_index(head, heads):
        return None
    return ViewState(step, chosen, layer, head, overlay and data.gold is not None, report)


def _read_action(payload: Payload, report: int, data: DecodeViewData) -> Action | None:
    kind, step = payload.get("kind"), payload.get("step")
    if kind == "explain":
        cell = _explained(payload, data)
        return None if cell is None else Explain(cell, report)
    if data.what_if is None:
        return None
    if kind == "force":
        token_id, first = payload.get("token_id"), data.what_if.first_id
        if not is_index(step, len(data.output_tokens)) or not is_index(
            token_id, first + data.what_if.n_words
        ):
            return None
        return Force(step, token_id, report) if token_id >= first else None
    prefix = _prefix(payload.get("prefix"))
    branch = next((row for row in data.what_if.branches if row.prefix == prefix), None)
    if branch is None:
        return None
    if kind == "open" and is_index(step, len(branch.tokens)):
        return OpenBranch(branch.prefix, step, report)
    if not branch.prefix:
        return None  # greedy decoding is always there, under its own name
    name = payload.get("name")
    if kind == "name" and isinstance(name, str) and len(name) <= MAX_NAME and name.isprintable():
        return NameBranch(branch.prefix, name, report)
    return RemoveBranch(branch.prefix, report) if kind == "remove" else None


def _weights(data: DecodeViewData) -> dict[Attention, np.ndarray]:
    return {"cross": data.weights, "self": data.self_weights, "encoder": data.encoder_weights}


def _explained(raw: Mapping[str, object], data: DecodeViewData) -> CellPlace | None:
    """The number that is asked about; None for one that is not here, or was never recorded."""
    what = raw.get("what")
    if what == "log_prob":
        return CellPlace("hypothesis.log_prob", ())
    if what == "prob":
        step, token_id = raw.get("step"), raw.get("token_id")
        if not is_index(step, len(data.output_tokens)) or not is_index(token_id, data.vocabulary_size):
            return None
        return CellPlace("hypothesis.prob", (step, token_id))
    weights = _weights(data)
    attention = next((name for name in weights if name == raw.get("attention")), None)
    place = [raw.get(name) for name in ("layer", "head", "row", "column")]
    if what != "weight" or attention is None:
        return None
    sizes = np.shape(weights[attention])
    found = [i for i, size in zip(place, sizes, strict=True) if is_index(i, size)]
    if len(found) < len(place):
        return None
    return CellPlace(data.sites[attention].format(layer=found[0]), (0, *found[1:]))


def _prefix(raw: object) -> tuple[int, ...] | None:
    return tuple(raw) if isinstance(raw, list | tuple) and all(is_index(i, MAX_REPORT) for i in raw) else None


LOOK: Event[ViewState, DecodeViewData] = Event("view", _read_view, owner="trace")
"""The visitor rests on something."""
ACTION: Event[Action, DecodeViewData] = Event("action", _read_action, owner="trace")
"""The visitor does something beyond looking."""
EVENTS: tuple[Event[ViewState | Action, DecodeViewData], ...] = (LOOK, ACTION)
