"""The view that changes the running model: outputs beside one another, the way of changing, and what wrote a word.

It is fed what it shows in one message and reports what was done: a part that is changed, a row of weights, another
sentence to borrow from. Nothing is computed in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_json
from explorer.models.outputs import Attention
from explorer.visitor.reports import Event, Payload, Refused
from explorer.visitor.state import Way

MOST_TYPED = 2000
"""Letters of a second sentence that are taken."""


@dataclass(frozen=True, eq=False)
class WhatIfData:
    """What the view is fed.

    Attributes:
        key: Names model, changes, sentence and what is looked at; what a report must be about.
        header: What is drawn.
        cells: Of the map: its sites, each with how many positions it has.
        n_parts: How many parts can be switched off.
        n_keys: How many weights the row of attention has.
        is_causal: Whether a row of that attention has as many weights as there are queries up to it.
        n_heads: Of the model.
        n_layers: Of the stack whose attention is edited.
        n_queries: Rows of that attention.
        explainable: Whether there is a changed number to explain.
        report: Number of the last report that the view knows of.
        refusal: Why the change of that report was not made; empty if it was.
    """

    key: str
    header: Mapping[str, object] = field(repr=False)
    cells: tuple[tuple[str, int], ...] = ()
    n_parts: int = 0
    n_keys: int = 0
    is_causal: bool = False
    n_heads: int = 1
    n_layers: int = 1
    n_queries: int = 1
    explainable: bool = False
    report: int = 0
    refusal: str = ""


@dataclass(frozen=True)
class ChosenWay:
    """Another way of changing the model."""

    way: Way


@dataclass(frozen=True)
class Second:
    """Another second sentence, which nobody has read yet."""

    text: str


@dataclass(frozen=True)
class Borrowed:
    """A cell of the map: its site and position."""

    site: str
    position: int


@dataclass(frozen=True)
class Switched:
    """A part of the board, by its place."""

    part: int


@dataclass(frozen=True)
class Weighted:
    """Weights for the row of a query; none for those of the trained model."""

    query: int
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Attended:
    """Another row of attention: its kind, layer, head (None for all) and query."""

    attention: Attention
    layer: int
    head: int | None
    query: int


@dataclass(frozen=True)
class Went:
    """Away with the changed model: to the map, to the decoding, or to the explanation of a changed number."""

    to: str


@dataclass(frozen=True)
class Undone:
    """The last change is to be taken back."""


Report = ChosenWay | Second | Borrowed | Switched | Weighted | Attended | Went | Undone
WAYS_OUT = ("map", "steps", "explain")


def _read_second(payload: Payload, data: WhatIfData) -> Second:
    text = payload["text"].text()
    if not text.strip():
        raise Refused
    return Second(text[:MOST_TYPED])


def _read_borrowed(payload: Payload, data: WhatIfData) -> Borrowed:
    site, n_positions = data.cells[payload["row"].index(len(data.cells))]
    return Borrowed(site, payload["position"].index(n_positions))


def _read_weighted(payload: Payload, data: WhatIfData) -> Weighted:
    query = payload["query"].index(data.n_queries)
    weights = tuple(float(each.number(0, 1)) for each in payload["weights"].items())
    if len(weights) not in (0, query + 1 if data.is_causal else data.n_keys):
        raise Refused
    return Weighted(query, weights)


def _read_attended(payload: Payload, data: WhatIfData) -> Attended:
    return Attended(
        attention=payload["attention"].one_of(get_args(Attention)),
        layer=payload["layer"].index(data.n_layers),
        head=payload["head"].index_or_none(data.n_heads),
        query=payload["query"].index(data.n_queries),
    )


def _read_went(payload: Payload, data: WhatIfData) -> Went:
    return Went(payload["to"].one_of(WAYS_OUT if data.explainable else WAYS_OUT[:-1]))


EVENTS: tuple[Event[Report, WhatIfData], ...] = (
    Event("way", lambda payload, data: ChosenWay(payload["way"].one_of(get_args(Way)))),
    Event("second", _read_second),
    Event("borrowed", _read_borrowed),
    Event("switched", lambda payload, data: Switched(payload["part"].index(data.n_parts))),
    Event("weighted", _read_weighted),
    Event("attended", _read_attended),
    Event("went", _read_went),
    Event("undone", lambda payload, data: Undone()),
)


def pack(data: WhatIfData) -> bytes:
    """The message that the browser draws from."""
    return pack_json({"key": data.key, "report": data.report, "refusal": data.refusal, **data.header})


what_if_view = KeptView(__file__, "what_if", pack, EVENTS)
"""Draws the view in the browser."""
