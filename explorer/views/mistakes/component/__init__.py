"""The view of the held-out pairs: what a run wrote for each, filters, and what its mistakes have in common.

It is fed once per evaluation; filters, search and order cost no round trip. Python hears what is looked at, for the
link, and which pair a visitor opens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event
from explorer.visitor.state import MISTAKES_PATTERNS, MistakesLook


@dataclass(frozen=True, eq=False)
class MistakesData:
    """What the view is fed.

    Attributes:
        key: Of the evaluation.
        header: Everything that is no number of a pair.
        arrays: Tokens as places in the header's ``tokens``, one pair's behind the other's, and numbers of the pairs.
        n_pairs: How many pairs it has.
    """

    key: str
    header: dict[str, object]
    arrays: dict[str, np.ndarray]
    n_pairs: int


@dataclass(frozen=True)
class Opened:
    """The pair that a visitor opens, by its place in the message."""

    pair: int


def pack(data: MistakesData) -> bytes:
    """The message that the browser draws the pairs from."""
    return pack_message({"key": data.key, **data.header, **data.arrays})


OPENED: Event[Opened, MistakesData] = Event(
    "opened", lambda payload, data: Opened(payload["pair"].index(data.n_pairs))
)
"""The visitor wants to see a pair step by step."""
LOOKED: Event[MistakesLook, MistakesData] = Event(
    "looked",
    lambda payload, data: MistakesLook(
        **{name: payload[name].matching(pattern) for name, pattern in MISTAKES_PATTERNS.items()}
    ),
)
"""The visitor looks at other pairs."""
EVENTS: tuple[Event[Opened | MistakesLook, MistakesData], ...] = (OPENED, LOOKED)

mistakes_view = KeptView(__file__, "mistakes", pack, EVENTS)
"""Draws the held-out pairs in the browser."""
