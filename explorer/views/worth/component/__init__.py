"""The view of the parts' worth: a picture of all of them, a table, and the sentences that need the chosen one most.

It is fed once per measurement; order and choice cost no round trip. Python hears of them for the link, and which
sentence a visitor opens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event, Payload
from explorer.visitor.state import WORTH_PATTERNS


@dataclass(frozen=True, eq=False)
class WorthData:
    """What the view is fed.

    Attributes:
        key: Of the measurement.
        header: Everything that is no number of a part or a pair.
        arrays: Figures of the parts, and their strongest pairs with tokens as places in the header's ``tokens``.
        n_parts: How many parts it has.
        n_strongest: How many pairs are shown of each.
    """

    key: str
    header: dict[str, object]
    arrays: dict[str, np.ndarray]
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


def pack(data: WorthData) -> bytes:
    """The message that the browser draws them from."""
    return pack_message({**data.header, **data.arrays})


def _read_looked(payload: Payload, data: WorthData) -> Looked:
    order = payload["order"].matching(WORTH_PATTERNS["order"])
    return Looked(order, payload["chosen"].index_or_none(data.n_parts))


def _read_opened(payload: Payload, data: WorthData) -> Opened:
    part = payload["part"].index(data.n_parts)
    return Opened(part, payload["pair"].index(data.n_strongest[part]), payload["without"].flag())


LOOKED: Event[Looked, WorthData] = Event("looked", _read_looked)
"""The visitor orders the table otherwise, or looks at another part."""
OPENED: Event[Opened, WorthData] = Event("opened", _read_opened)
"""The visitor wants to see a sentence."""
EVENTS: tuple[Event[Looked | Opened, WorthData], ...] = (LOOKED, OPENED)

worth_view = KeptView(__file__, "worth", pack, EVENTS)
"""Draws what the parts are worth in the browser."""
