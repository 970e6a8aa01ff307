"""The view of the parts' worth: a picture of all of them, a table, and the sentences that need the chosen one most.

It is fed once per measurement; order and choice cost no round trip. Python hears of them for the link, and which
sentence a visitor opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event, Payload
from explorer.visitor.state import WORTH_PATTERNS


@dataclass(frozen=True, eq=False)
class WorthData:
    """What the view is fed.

    Attributes:
        key: Of the measurement.
        message: All that the browser draws from; the tokens of pairs are places in its ``tokens``.
        n_parts: How many parts it has.
        n_strongest: How many pairs are shown of each.
    """

    key: str
    message: Mapping[str, object]
    n_parts: int
    n_strongest: tuple[int, ...]


@dataclass(frozen=True)
class Looked:
    """The order of the table, and the part whose sentences are shown; None for the one that is worth most."""

    order: str
    chosen: int | None


@dataclass(frozen=True)
class Opened:
    """One of a part's strongest pairs, by its place among them, to be shown with the part or without it."""

    part: int
    pair: int
    without: bool


def _read_looked(payload: Payload, data: WorthData) -> Looked:
    order = payload["order"].matching(WORTH_PATTERNS["order"])
    return Looked(order, payload["chosen"].index_or_none(data.n_parts))


def _read_opened(payload: Payload, data: WorthData) -> Opened:
    part = payload["part"].index(data.n_parts)
    return Opened(part, payload["pair"].index(data.n_strongest[part]), payload["without"].flag())


EVENTS: tuple[Event[Looked | Opened, WorthData], ...] = (
    Event("looked", _read_looked),
    Event("opened", _read_opened),
)
worth_view: KeptView[WorthData] = KeptView(__file__, "worth", lambda data: pack_message(data.message), EVENTS)
"""Draws what the parts are worth in the browser."""
