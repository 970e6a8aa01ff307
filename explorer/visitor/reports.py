"""What the browser reports: one channel for every component.

A component reports an event with a payload, which Streamlit keeps under the component's key. Nothing of it is trusted.
What a view, the panel or the bar of the sentence reports is an `Event`, which says how its `Payload` is read; such
payloads are numbered, and each number is acted on once: the browser repeats its last payload with every run. What
needs no number, as a key that was pressed, Streamlit keeps for one run alone, and the component checks its `payload`
itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, TypeGuard, TypeVar

import streamlit as st

from core.numbers import is_number, is_whole
from explorer.tensors import CellPlace

P = TypeVar("P", covariant=True)
D = TypeVar("D", contravariant=True)
Text = TypeVar("Text", bound=str)

MAX_REPORT = 2**53
"""Below it JavaScript writes whole numbers exactly."""
VIEWS, PANEL, BOX = "views", "panel", "box"
"""Series of numbers: all views of a session share one, since a view that is drawn anew goes on from the last."""

_ACTED_ON, _ANSWERS = "explorer_reports", "explorer_reported"


def is_index(value: object, length: int) -> TypeGuard[int]:
    """Whether a value is a whole number from 0 up to but not including the length."""
    return is_whole(value, 0, length - 1)


class Refused(Exception):
    """A payload says something that is impossible."""


@dataclass(frozen=True)
class Payload:
    """What a browser has sent, or a part of it: anything that JSON can write. It is checked as it is read.

    Raises:
        Refused: it is not what it has to be; any of the methods.
    """

    value: object

    def __getitem__(self, name: str) -> Payload:
        """A part by its name; null where it is missing."""
        return Payload(self.value.get(name) if isinstance(self.value, Mapping) else None)

    def place(self, names: Sequence[str], shape: Sequence[int]) -> tuple[int, ...]:
        """A place in an array of a shape, whose indices are parts with these names."""
        return tuple(self[name].index(length) for name, length in zip(names, shape, strict=True))

    def items(self) -> list[Payload]:
        """Each item of a list."""
        if not isinstance(self.value, list | tuple):
            raise Refused
        return [Payload(each) for each in self.value]

    def index(self, length: int) -> int:
        """A whole number from 0 up to but not including the length."""
        return self.whole(0, length - 1)

    def index_or_none(self, length: int) -> int | None:
        """A whole number from 0 up to but not including the length, or null."""
        return None if self.value is None else self.index(length)

    def whole(self, least: float = -inf, most: float = inf) -> int:
        """A whole number within bounds, both included."""
        if not is_whole(self.value, least, most):
            raise Refused
        return self.value

    def number(self, least: float, most: float) -> float:
        """A finite number within bounds, both included."""
        if not is_number(self.value, least, most):
            raise Refused
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise Refused
        return self.value

    def text(self, most: float = inf) -> str:
        """A text of no more characters, none of them half of a surrogate pair: such a one can be stored in no link."""
        if not isinstance(self.value, str) or len(self.value) > most:
            raise Refused
        try:
            self.value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Refused from error
        return self.value

    def matching(self, pattern: str) -> str:
        """A text of which all fits a regular expression."""
        if not re.fullmatch(pattern, self.text()):
            raise Refused
        return self.text()

    def one_of(self, options: Iterable[Text]) -> Text:
        """One of some texts."""
        found = next((each for each in options if each == self.value), None)
        if found is None:
            raise Refused
        return found


@dataclass(frozen=True)
class Explain:
    """A visitor wants to have a number of the model explained."""

    cell: CellPlace


@dataclass(frozen=True)
class Event(Generic[P, D]):
    """Something that a component reports.

    Attributes:
        name: What the browser calls it.
        read: What a payload says to a component that was fed some data; raises `Refused` where that is impossible.
        owner: Part of the payload that must be the ``key`` of the data; empty where any payload is the component's.
        series: Of the numbers.
    """

    name: str
    read: Callable[[Payload, D], P]
    owner: str = "key"
    series: str = VIEWS

    def parse(self, raw: object, data: D) -> P | None:
        """What a payload says, or None unless it is numbered, belongs to the data, and each part of it is possible."""
        if self.number_of(raw) is None or not isinstance(raw, Mapping):
            return None
        if self.owner and raw.get(self.owner) != getattr(data, "key", None):
            return None
        try:
            return self.read(Payload(raw), data)
        except Refused:
            return None

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
    acted_on: dict[str, int] = st.session_state.get(_ACTED_ON, {})
    return acted_on.get(series, 0)


def handlers(*names: str) -> dict[str, Any]:
    """Return the callbacks of a component's events: each notes that the run answers a report and no link."""

    def note() -> None:
        st.session_state[_ANSWERS] = True

    return {f"on_{name}_change": note for name in names}


def answers_report() -> bool:
    """Whether this run answers a report; asked once in a run."""
    answers: bool = st.session_state.get(_ANSWERS, False)
    st.session_state[_ANSWERS] = False
    return answers


def _is_new(series: str, number: int) -> bool:
    """Whether a number was not acted on yet; from now on it was."""
    new = number > last_report(series)
    if new:
        st.session_state[_ACTED_ON] = {**st.session_state.get(_ACTED_ON, {}), series: number}
    return new
