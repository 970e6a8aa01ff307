"""What the decoding view reports to Python; all of it comes from a browser, and none of it is trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.models.outputs import Attention
from explorer.models.translation import SITES
from explorer.tensors import CellPlace
from explorer.visitor.forms import MAX_NAME
from explorer.visitor.reports import Event, Explain, Payload, Refused

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


@dataclass(frozen=True)
class Force:
    """Go on from another token than the one that was produced at a step."""

    step: int
    token_id: int


@dataclass(frozen=True)
class OpenBranch:
    """Look at another of the branches, at a step of it."""

    prefix: tuple[int, ...]
    step: int


@dataclass(frozen=True)
class NameBranch:
    """Call a branch by another name; by an empty one it gets its own back."""

    prefix: tuple[int, ...]
    name: str


@dataclass(frozen=True)
class RemoveBranch:
    """Forget a branch."""

    prefix: tuple[int, ...]


Action = Force | OpenBranch | NameBranch | RemoveBranch | Explain


def _read_view(payload: Payload, data: DecodeViewData) -> ViewState:
    attention = payload["attention"].one_of(data.attentions)
    layers, heads = data.attentions[attention].shape[:2]
    return ViewState(
        step=payload["step"].index(len(data.output_tokens)),
        attention=attention,
        layer=payload["layer"].index(layers),
        head=payload["head"].index_or_none(heads),
        overlay=payload["overlay"].flag() and data.gold is not None,
    )


def _read_action(payload: Payload, data: DecodeViewData) -> Action:
    kind = payload["kind"].text()
    if kind == "explain":
        return Explain(_explained(payload, data))
    if data.what_if is None:
        raise Refused
    if kind == "force":
        first = data.what_if.first_id
        step = payload["step"].index(len(data.output_tokens))
        return Force(step, payload["token_id"].whole(first, first + data.what_if.n_words - 1))
    branches = {row.prefix: row for row in data.what_if.branches}
    prefix = tuple(each.whole() for each in payload["prefix"].items())
    if prefix not in branches:
        raise Refused
    if kind == "open":
        return OpenBranch(prefix, payload["step"].index(len(branches[prefix].tokens)))
    # Greedy decoding is always there, under its own name.
    if kind == "name" and prefix and (name := payload["name"].text(MAX_NAME)).isprintable():
        return NameBranch(prefix, name)
    if kind == "remove" and prefix:
        return RemoveBranch(prefix)
    raise Refused


def _explained(payload: Payload, data: DecodeViewData) -> CellPlace:
    """The number that is asked about."""
    what = payload["what"].one_of(("log_prob", "prob", "weight"))
    if what == "log_prob":
        return CellPlace("hypothesis.log_prob", ())
    if what == "prob":
        step = payload["step"].index(len(data.output_tokens))
        return CellPlace("hypothesis.prob", (step, payload["token_id"].index(data.vocabulary_size)))
    attention = payload["attention"].one_of(data.attentions)
    layer, *place = payload.place(("layer", "head", "row", "column"), data.attentions[attention].shape)
    return CellPlace(SITES[attention].format(layer=layer), (0, *place))


LOOK: Event[ViewState, DecodeViewData] = Event("view", _read_view, owner="trace")
"""The visitor rests on something."""
ACTION: Event[Action, DecodeViewData] = Event("action", _read_action, owner="trace")
"""The visitor does something beyond looking."""
EVENTS: tuple[Event[ViewState | Action, DecodeViewData], ...] = (LOOK, ACTION)
