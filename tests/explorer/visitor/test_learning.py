"""A place in the lessons: how it changes, and that an address carries it there and back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.app import REGISTRY
from explorer.lessons.library import lesson_library
from explorer.models.known import shipped_runs
from explorer.shell.lesson_list import progress_words
from explorer.shell.lesson_way import is_away, shared_address, stop_state
from explorer.visitor.learning import (
    Learning,
    answer_at,
    answered,
    at_stop,
    looking_around,
    without_lesson,
)
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import choose_run, choose_sentence, default_state

RUNS = shipped_runs()
LESSON = lesson_library(REGISTRY).lessons["one-query"]
NAMES = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}", fullmatch=True)
STOPS = st.integers(1, 99)
ANSWERS = st.one_of(st.just("shown"), st.from_regex(r"-?[0-9]{1,5}([.,][0-9]{1,3})?", fullmatch=True))


def reopened(learning: Learning) -> tuple[Learning, tuple[str, ...]]:
    """A place after it went through an address, and what was said of that address."""
    state, notices = state_from_query(query_of(replace(default_state(RUNS), learning=learning), RUNS), RUNS)
    return state.learning, notices


@pytest.mark.proof
@given(
    st.builds(
        Learning,
        lesson=NAMES,
        stop=STOPS,
        answers=st.dictionaries(STOPS, ANSWERS, max_size=12).map(lambda each: tuple(each.items())),
        reached=st.dictionaries(NAMES, STOPS, max_size=10).map(lambda each: tuple(each.items())),
        free=st.booleans(),
        demo=st.booleans(),
    )
)
def test_an_address_carries_a_place_there_and_back(learning):
    assert reopened(learning) == (learning, ())


@given(
    st.dictionaries(
        st.sampled_from(["lesson", "stop", "answers", "reached", "free", "demo"]), st.text(max_size=40)
    )
)
def test_any_address_is_a_place_or_is_refused_by_name(query):
    state, notices = state_from_query(query, RUNS)
    refused = {name for name in query for notice in notices if notice.startswith(f"The link's {name} ")}
    assert len(refused) == len(notices)
    assert reopened(state.learning) == (state.learning, ())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lesson", "<b>"),
        ("stop", "0"),
        ("stop", "１"),
        ("answers", "1:x"),
        ("answers", "1"),
        ("reached", "a:b"),
    ],
)
def test_what_cannot_be_used_is_said(name, value):
    state, notices = state_from_query({"lesson": "one-query", name: value}, RUNS)
    assert notices == (f"The link's {name} cannot be used here; it was left out.",)
    assert state.learning.lesson == ("" if name == "lesson" else "one-query")


def test_a_lesson_remembers_how_far_one_came_and_its_own_answers():
    learning = answered(at_stop(Learning(), "heads", 3), 3, "2")
    back = at_stop(learning, "heads", 1)
    assert dict(back.reached) == {"heads": 3}
    assert answer_at(back, 3) == "2"
    other = at_stop(back, "masks", 1)
    assert other.answers == ()
    assert dict(other.reached) == {"heads": 3, "masks": 1}
    assert without_lesson(other) == Learning(reached=other.reached)


def test_an_answer_can_be_taken_back():
    learning = answered(at_stop(Learning(), "heads", 3), 3, "2")
    assert answer_at(answered(learning, 3, "5"), 3) == "5"
    assert answer_at(answered(learning, 3, ""), 3) == ""


def test_an_answer_that_is_heard_late_does_not_lead_back():
    learning = at_stop(Learning(), "heads", 4)
    assert answered(learning, 3, "2").stop == 4
    assert answer_at(answered(learning, 3, "2"), 3) == "2"


def test_free_play_ends_at_any_stop():
    learning = looking_around(replace(at_stop(Learning(), "heads", 3), demo=True))
    assert learning.free
    assert not learning.demo
    assert not at_stop(learning, "heads", 3).free


def test_another_model_does_not_end_the_lesson():
    state = stop_state(default_state(RUNS), LESSON, 2, RUNS)
    assert choose_run(state, "copy", RUNS).learning == state.learning


def test_a_stop_sets_the_view_and_keeps_what_is_no_view():
    state = replace(default_state(RUNS, "copy"), depth="code", training="abcdefgh")
    there = stop_state(state, LESSON, 2, RUNS)
    assert (there.run, there.look.layer, there.look.head, there.look.stage, there.decoding.step) == (
        "en-fr",
        1,
        0,
        "queries",
        4,
    )
    assert (there.depth, there.training) == ("code", "abcdefgh")
    assert query_of(there, RUNS)["stop"] == "2"


def test_one_is_away_on_another_page_with_another_sentence_or_freely():
    there = stop_state(default_state(RUNS), LESSON, 2, RUNS)
    assert not is_away("cross-attention", there, LESSON, RUNS)
    assert not is_away(
        "cross-attention", replace(there, look=replace(there.look, head=3, trail=())), LESSON, RUNS
    )
    assert is_away("masks", there, LESSON, RUNS)
    assert is_away("cross-attention", choose_sentence(there, "the cat sleeps", typed=True), LESSON, RUNS)
    assert is_away("cross-attention", replace(there, learning=looking_around(there.learning)), LESSON, RUNS)
    first = stop_state(there, LESSON, 1, RUNS)
    assert not is_away("home", first, LESSON, RUNS)


def test_shared_address_has_the_stop_alone():
    state = stop_state(default_state(RUNS), LESSON, 2, RUNS)
    state = replace(state, learning=replace(answered(state.learning, 2, "16"), demo=True))
    assert shared_address(state, RUNS, REGISTRY) == (
        "cross-attention?step=4&layer=1&head=0&stage=queries&lesson=one-query&stop=2"
    )
    first = stop_state(default_state(RUNS), LESSON, 1, RUNS)
    assert shared_address(first, RUNS, REGISTRY).startswith("./?"), "the first page has no name"
    assert shared_address(replace(state, learning=looking_around(state.learning)), RUNS, REGISTRY) == ""
    assert shared_address(default_state(RUNS), RUNS, REGISTRY) == ""


@pytest.mark.parametrize(
    ("reached", "words"), [(0, "9 stops"), (1, "1 of 9 stops"), (8, "8 of 9 stops"), (9, "Done")]
)
def test_progress_in_words(reached, words):
    assert progress_words(reached, 9) == words
