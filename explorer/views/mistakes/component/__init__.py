"""The view of the held-out pairs: what a run wrote for each, filters, and what its mistakes have in common.

It is fed once per evaluation; filters, search and order cost no round trip. Python hears what is looked at, for the
link, and which pair a visitor opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event, Payload
from explorer.visitor.state import MISTAKES_PATTERNS, MistakesLook


@dataclass(frozen=True, eq=False)
class MistakesData:
    """What the view is fed.

    Attributes:
        key: Of the evaluation.
        message: All that the browser draws from; tokens are places in its ``tokens``, one pair's behind the other's.
        n_pairs: How many pairs it has.
    """

    key: str
    message: Mapping[str, object]
    n_pairs: int


@dataclass(frozen=True)
class Opened:
    """The pair that a visitor opens, by its place in the message."""

    pair: int


@dataclass(frozen=True)
class Filtered:
    """Filters, order and search of a visitor.

    Attributes:
        values: The chosen value of each field of `MISTAKES_PATTERNS`.
    """

    values: Mapping[str, str]

    def applied_to(self, looked: MistakesLook) -> MistakesLook:
        """Return the visitor's choices with these values."""
        return replace(looked, **self.values)


def _read_looked(payload: Payload, data: MistakesData) -> Filtered:
    return Filtered({name: payload[name].matching(each) for name, each in MISTAKES_PATTERNS.items()})


EVENTS: tuple[Event[Opened | Filtered, MistakesData], ...] = (
    Event("opened", lambda payload, data: Opened(payload["pair"].index(data.n_pairs))),
    Event("looked", _read_looked),
)
mistakes_view: KeptView[MistakesData] = KeptView(
    __file__, "mistakes", lambda data: pack_message(data.message), EVENTS
)
"""Draws the held-out pairs in the browser."""
