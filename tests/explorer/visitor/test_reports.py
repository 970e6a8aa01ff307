"""What the browser reports is checked, acted on once and in its order, and left where it belongs to other data."""

from contextlib import suppress
from types import SimpleNamespace

import pytest
import streamlit as st
from hypothesis import given, strategies

from explorer.visitor.reports import (
    MAX_REPORT,
    PANEL,
    Event,
    Payload,
    Refused,
    answers_report,
    handlers,
    last_report,
    pending,
    take,
)

LOOK: Event[tuple[str, int], SimpleNamespace] = Event(
    "view", lambda payload, data: ("look", payload["report"].whole())
)
ASK: Event[tuple[str, int], SimpleNamespace] = Event(
    "ask", lambda payload, data: ("ask", payload["report"].whole())
)
DONE: Event[int, SimpleNamespace] = Event(
    "report", lambda payload, data: payload["report"].whole(), series=PANEL
)
RUN = SimpleNamespace(key="run-1")


@pytest.fixture
def session(monkeypatch):
    """A visitor's session, into which the test writes as a browser does."""
    values: dict = {}
    monkeypatch.setattr(st, "session_state", values)
    return values


def said(number: object, key: str = "run-1") -> dict:
    return {"key": key, "report": number}


def test_all_that_was_reported_is_acted_on_once_the_oldest_first(session):
    assert list(pending("map", RUN, (LOOK, ASK))) == []
    session["map"] = {"view": said(7), "ask": said(3)}
    assert list(pending("map", RUN, (LOOK, ASK))) == [("ask", 3), ("look", 7)]
    assert list(pending("map", RUN, (LOOK, ASK))) == []
    assert last_report() == 7


def test_views_share_their_numbers_and_the_panel_has_its_own(session):
    session |= {"map": {"view": said(7)}, "matrix": {"view": said(6)}, "panel": {"report": said(2)}}
    assert list(pending("map", RUN, (LOOK,))) == [("look", 7)]
    assert list(pending("matrix", RUN, (LOOK,))) == []
    assert list(pending("panel", RUN, (DONE,))) == [2]


def test_what_belongs_to_other_data_waits_for_it(session):
    session["map"] = {"view": said(7, key="run-2")}
    assert list(pending("map", RUN, (LOOK,))) == []
    assert last_report() == 0, "the browser would take it for acted on"
    assert list(pending("map", SimpleNamespace(key="run-2"), (LOOK,))) == [("look", 7)]


def test_what_is_taken_is_taken_whatever_it_belongs_to(session):
    session["panel"] = {"report": said(5, key="gone")}
    assert take("panel", DONE) == said(5, key="gone")
    assert take("panel", DONE) is None


@pytest.mark.parametrize("number", [None, -1, True, 1.0, "7", MAX_REPORT, float("nan"), [7]])
def test_a_number_that_no_browser_of_ours_gives_is_refused(session, number):
    session["map"] = {"view": said(number)}
    assert list(pending("map", RUN, (LOOK,))) == []
    assert take("map", LOOK) is None


anything = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.floats()
    | strategies.integers()
    | strategies.text()
    | strategies.just("\ud800"),
    lambda inner: strategies.lists(inner) | strategies.dictionaries(strategies.text(), inner),
)


@pytest.mark.proof
@given(anything)
def test_a_payload_without_its_owner_says_nothing(raw):
    assert LOOK.parse(raw, RUN) is None


READS = [
    (lambda part: part.index(3), lambda found: type(found) is int and 0 <= found < 3),
    (lambda part: part.index_or_none(3), lambda found: found is None or found in range(3)),
    (lambda part: part.whole(), lambda found: type(found) is int),
    (lambda part: part.number(0, 1), lambda found: type(found) in (int, float) and 0 <= found <= 1),
    (lambda part: part.flag(), lambda found: type(found) is bool),
    (lambda part: part.text(2), lambda found: len(found.encode()) >= len(found) <= 2),
    (lambda part: part.matching("[a-z]*"), lambda found: found == "" or found.islower()),
    (lambda part: part.one_of(("a", "b")), lambda found: found in ("a", "b")),
    (lambda part: part.place(("a", "b"), (2, 3)), lambda found: len(found) == 2),
    (lambda part: part.items(), lambda found: all(isinstance(each, Payload) for each in found)),
]
"""How a part may be read, and what is possible then."""


@pytest.mark.proof
@given(anything)
def test_a_part_is_what_it_must_be_or_refused(raw):
    for number, (read, is_possible) in enumerate(READS):
        with suppress(Refused):
            assert is_possible(read(Payload(raw))), number


@pytest.mark.parametrize(
    ("read", "possible"),
    [
        (lambda part: part.index(3), 2),
        (lambda part: part.index_or_none(3), None),
        (lambda part: part.whole(-1), -1),
        (lambda part: part.number(0, 1), 0.5),
        (lambda part: part.flag(), False),
        (lambda part: part.text(2), "é "),
        (lambda part: part.matching("[a-z]*"), "ab"),
        (lambda part: part.one_of(("a", "b")), "b"),
    ],
)
def test_a_possible_part_is_taken_as_it_is(read, possible):
    assert read(Payload(possible)) == possible


def test_the_parts_of_an_object_and_of_a_list_are_read_one_by_one():
    assert Payload({"a": 1, "b": 2}).place(("a", "b"), (2, 3)) == (1, 2)
    assert [each.whole() for each in Payload([1, 2]).items()] == [1, 2]


def test_handlers_mark_run_as_answer(session):
    callbacks = handlers("view", "ask")
    assert set(callbacks) == {"on_view_change", "on_ask_change"}
    assert not answers_report()
    callbacks["on_ask_change"]()
    assert answers_report()
