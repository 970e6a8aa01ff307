"""The view of the held-out pairs: what a run wrote for each, filters, and what its mistakes have in common.

It is fed once per evaluation; filters, search and order cost no round trip. Python hears what is looked at, for the
link, and which pair a visitor opens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.evaluation.pair_result import PairResult
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.visitor.reports import Event, Payload, Refused
from explorer.visitor.state import MISTAKES_PATTERNS, MistakesLook


@dataclass(frozen=True, eq=False)
class MistakesData:
    """What the view is fed.

    Attributes:
        key: Name of the evaluation, the same before and after its end.
        results: Results so far.
        build: Returns all that the browser draws from; tokens are places in its ``tokens``, one pair's behind the
            other's.
        report: Number of the last report that was acted on.
    """

    key: str
    results: Sequence[PairResult]
    build: Callable[[], Mapping[str, object]]
    report: int = 0


@dataclass(frozen=True)
class Opened:
    """The pair that a visitor opens."""

    pair: PairResult


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


def _read_opened(payload: Payload, data: MistakesData) -> Opened:
    # Its place among the listed pairs may have changed since, its number in the split has not.
    number = payload["number"].whole()
    pair = next((each for each in data.results if each.number == number), None)
    if pair is None:
        raise Refused
    return Opened(pair)


def _read_looked(payload: Payload, data: MistakesData) -> Filtered:
    return Filtered({name: payload[name].matching(each) for name, each in MISTAKES_PATTERNS.items()})


EVENTS: tuple[Event[Opened | Filtered, MistakesData], ...] = (
    Event("opened", _read_opened),
    Event("looked", _read_looked),
)
mistakes_view: KeptView[MistakesData] = KeptView(
    __file__,
    "mistakes",
    lambda data: pack_message({"key": data.key, "report": data.report, **data.build()}),
    EVENTS,
)
"""Draws the held-out pairs in the browser."""
