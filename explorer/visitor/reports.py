"""What the browser reports: one channel for every component.

A component reports an event with a payload, which Streamlit keeps under the component's key. Nothing of it is trusted.
What a view, the panel or the bar of the sentence reports is an `Event`, which says how its payload is checked and read;
such payloads are numbered, and each number is acted on once: the browser repeats its last payload with every run. What
needs no number, as a key that was pressed, Streamlit keeps for one run alone, and the component checks its `payload`
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeGuard, TypeVar

import streamlit as st

from core.numbers import is_whole

P = TypeVar("P", covariant=True)
D = TypeVar("D", contravariant=True)
Payload = Mapping[str, object]

MAX_REPORT = 2**53
"""Below it JavaScript writes whole numbers exactly."""
VIEWS, PANEL, BOX = "views", "panel", "box"
"""Series of numbers: all views of a session share one, since a view that is drawn anew goes on from the last."""

_ACTED_ON, _ANSWERS = "explorer_reports", "explorer_reported"


def is_index(value: object, length: int) -> TypeGuard[int]:
    """Whether a value is a whole number from 0 up to but not including the length."""
    return is_whole(value, 0, length - 1)


@dataclass(frozen=True)
class Event(Generic[P, D]):
    """Something that a component reports.

    Attributes:
        name: What the browser calls it.
        read: What a payload with a number says to a component that was fed some data; None where that is impossible.
        owner: Part of the payload that must be the ``key`` of the data; empty where any payload is the component's.
        series: Of the numbers.
    """

    name: str
    read: Callable[[Payload, int, D], P | None]
    owner: str = "key"
    series: str = VIEWS

    def parse(self, raw: object, data: D) -> P | None:
        """What a payload says, or None unless it belongs to the data and each part of it is possible."""
        number = self.number_of(raw)
        if number is None or not isinstance(raw, Mapping):
            return None
        if self.owner and raw.get(self.owner) != getattr(data, "key", None):
            return None
        return self.read(raw, number, data)

    def number_of(self, raw: object) -> int | None:
        """The number of a payload; None where it has none."""
        number = raw.get("report") if isinstance(raw, Mapping) else None
        return number if is_index(number, MAX_REPORT) else None


def payload(key: str, name: str) -> object:
    """What a browser has sent last as an event of a component; None for nothing."""
    return st.session_state.get(key, {}).get(name)


def latest(key: str, data: D, event: Event[P, D]) -> P | None:
    """What a component reported last, whether or not that was acted on; None before that."""
    return event.parse(payload(key, event.name), data)


def pending(key: str, data: D, events: Sequence[Event[P, D]]) -> Iterator[P]:
    """What a component has reported and nobody has acted on, the oldest first; from now on somebody has.

    A payload that belongs to other data is left: the browser knows from the numbers that it was not acted on.

    Args:
        key: Of the component in the session.
        data: What the browser showed when it reported.
        events: Of the component.
    """
    raw = [(event, payload(key, event.name)) for event in events]
    found = [
        (number, event.series, parsed)
        for event, each in raw
        if (number := event.number_of(each)) is not None and (parsed := event.parse(each, data)) is not None
    ]
    for number, series, parsed in sorted(found, key=lambda each: each[0]):
        if _is_new(series, number):
            yield parsed


def take(key: str, event: Event[Any, Any]) -> object:
    """A payload that nobody has acted on, whatever it belongs to; None for none. From now on somebody has."""
    raw = payload(key, event.name)
    number = event.number_of(raw)
    return raw if number is not None and _is_new(event.series, number) else None


def last_report(series: str = VIEWS) -> int:
    """Number of the last report that was acted on; 0 before the first."""
    return st.session_state.get(_ACTED_ON, {}).get(series, 0)


def handlers(*names: str, handler: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The callbacks of a component, as Streamlit calls them: each notes that the run answers a report and no link.

    Args:
        names: Of the events.
        handler: Called with each of them.
    """

    def note() -> None:
        st.session_state[_ANSWERS] = True
        handler()

    return {f"on_{name}_change": note for name in names}


def answers_report() -> bool:
    """Whether this run answers a report; asked once in a run."""
    answers = st.session_state.get(_ANSWERS, False)
    st.session_state[_ANSWERS] = False
    return answers


def _is_new(series: str, number: int) -> bool:
    """Whether a number was not acted on yet; from now on it was."""
    new = number > last_report(series)
    if new:
        st.session_state[_ACTED_ON] = {**st.session_state.get(_ACTED_ON, {}), series: number}
    return new
