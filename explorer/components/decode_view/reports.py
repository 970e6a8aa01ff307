"""What the decoding view reports to Python; all of it comes from a browser, and none of it is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.components.reporting import MAX_REPORT, is_index
from explorer.state import MAX_NAME, Attention

if TYPE_CHECKING:
    from explorer.components.decode_view import DecodeViewData


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


Action = Force | OpenBranch | NameBranch | RemoveBranch


def parse_view(raw: object, data: DecodeViewData) -> ViewState | None:
    """The reported choice, or None unless it belongs to this trace and each part is in range."""
    if not isinstance(raw, Mapping) or raw.get("trace") != data.key:
        return None
    step, attention, layer, head, overlay, report = (
        raw.get(name) for name in ("step", "attention", "layer", "head", "overlay", "report")
    )
    weights: dict[Attention, np.ndarray] = {
        "cross": data.weights,
        "self": data.self_weights,
        "encoder": data.encoder_weights,
    }
    chosen = next((name for name in weights if name == attention), None)
    if chosen is None:
        return None
    layers, heads = np.shape(weights[chosen])[:2]
    if not (
        is_index(step, len(data.output_tokens)) and is_index(layer, layers) and isinstance(overlay, bool)
    ):
        return None
    if not is_index(report, MAX_REPORT) or (head is not None and not is_index(head, heads)):
        return None
    return ViewState(step, chosen, layer, head, overlay and data.gold is not None, report)


def parse_action(raw: object, data: DecodeViewData) -> Action | None:
    """What the visitor wants done, or None unless it belongs to this trace and can be done in it."""
    if not isinstance(raw, Mapping) or raw.get("trace") != data.key or data.what_if is None:
        return None
    kind, report, step = raw.get("kind"), raw.get("report"), raw.get("step")
    if not is_index(report, MAX_REPORT):
        return None
    if kind == "force":
        token_id, first = raw.get("token_id"), data.what_if.first_id
        if not is_index(step, len(data.output_tokens)) or not is_index(
            token_id, first + len(data.what_if.words)
        ):
            return None
        return Force(step, token_id, report) if token_id >= first else None
    prefix = _prefix(raw.get("prefix"))
    branch = next((row for row in data.what_if.branches if row.prefix == prefix), None)
    if branch is None:
        return None
    if kind == "open" and is_index(step, len(branch.tokens)):
        return OpenBranch(branch.prefix, step, report)
    if not branch.prefix:
        return None  # greedy decoding is always there, under its own name
    name = raw.get("name")
    if kind == "name" and isinstance(name, str) and len(name) <= MAX_NAME and name.isprintable():
        return NameBranch(branch.prefix, name, report)
    return RemoveBranch(branch.prefix, report) if kind == "remove" else None


def _prefix(raw: object) -> tuple[int, ...] | None:
    return tuple(raw) if isinstance(raw, list | tuple) and all(is_index(i, MAX_REPORT) for i in raw) else None
