"""The view of the parts' worth: a picture of all of them, a table, and the sentences that need the chosen one most.

It is fed once per measurement; order and choice cost no round trip. Python hears of them for the link, and which
sentence a visitor opens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.interventions.intervention import ZeroAblation
from core.interventions.worth import PairCost
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.views.worth.measured import Measured
from explorer.visitor.reports import Event, Payload, Refused
from explorer.visitor.state import WORTH_PATTERNS


@dataclass(frozen=True, eq=False)
class WorthData:
    """What the view is fed.

    Attributes:
        key: Name of the measurement, the same before and after its end.
        n_parts: Number of parts.
        found: What is measured so far; None before the first figures.
        build: Returns all that the browser draws from; the tokens of pairs are places in its ``tokens``.
        report: Number of the last report that was acted on.
    """

    key: str
    n_parts: int
    found: Measured | None
    build: Callable[[], Mapping[str, object]]
    report: int = 0


@dataclass(frozen=True)
class Looked:
    """The order of the table, and the part whose sentences are shown; None for the one that is worth most."""

    order: str
    chosen: int | None


@dataclass(frozen=True)
class Opened:
    """A sentence that needs a part, to be shown with the part or without it.

    Attributes:
        change: The change that switches the part off.
        cost: What that costs the sentence.
        source: The sentence.
        without: Whether to show it without the part.
    """

    change: ZeroAblation
    cost: PairCost
    source: str
    without: bool


def _read_looked(payload: Payload, data: WorthData) -> Looked:
    order = payload["order"].matching(WORTH_PATTERNS["order"])
    return Looked(order, payload["chosen"].index_or_none(data.n_parts))


def _read_opened(payload: Payload, data: WorthData) -> Opened:
    # The place of a sentence among the strongest may have changed since, its row among the pairs has not.
    part, row, found = payload["part"].index(data.n_parts), payload["row"].whole(), data.found
    costs = found.worths[part].strongest if found else ()
    cost = next((each for each in costs if each.row == row), None)
    if found is None or cost is None:
        raise Refused
    return Opened(found.parts[part], cost, found.pairs[row].source, payload["without"].flag())


EVENTS: tuple[Event[Looked | Opened, WorthData], ...] = (
    Event("looked", _read_looked),
    Event("opened", _read_opened),
)
worth_view: KeptView[WorthData] = KeptView(
    __file__,
    "worth",
    lambda data: pack_message({"key": data.key, "report": data.report, **data.build()}),
    EVENTS,
)
"""Draws what the parts are worth in the browser."""
