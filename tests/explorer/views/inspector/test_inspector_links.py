"""The inspector's choices in an address: what is written comes back, what is impossible is left out with a notice."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.models.known import shipped_runs
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import Cut, Pinned, choose_run, choose_sentence, choose_site, default_state
from tests.states import with_choices

RUNS = shipped_runs()
NAMES = st.sampled_from(
    [
        "site",
        "rows",
        "columns",
        "at",
        "first_row",
        "first_column",
        "pinned",
        "pinned_model",
        "pinned_sentence",
        "pinned_prefix",
        "pinned_at",
        "model",
    ]
)
TEXTS = st.text(max_size=30) | st.sampled_from(
    [
        "head-2",
        "head-2;query-3",
        "query-3;head-2",
        "none",
        "query",
        "copy",
        "reverse",
        "cat",
        "5-7",
        "64",
        "0",
        "decoder.layers.0.cross_attn.weights",
        "head-",
        "head-1;head-2",
    ]
)
PINNED = Pinned("encoder.output", "reverse", "tap", (5,), (("head", 2), ("query", 0)))


@given(st.dictionaries(NAMES, TEXTS))
def test_no_query_breaks_the_state_and_what_is_kept_is_stable(query):
    state, _ = state_from_query(query, RUNS)
    if state.inspector.pinned is not None:
        RUNS[state.inspector.pinned.run].source_ids(state.inspector.pinned.sentence)
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


@pytest.mark.parametrize(
    "pinned",
    [
        PINNED,
        replace(PINNED, run="copy"),
        replace(PINNED, run="copy", sentence="catalogue"),
        Pinned("src", "copy", "cat"),
    ],
)
def test_a_link_reopens_the_same_comparison(pinned):
    state = with_choices(default_state(RUNS, "copy"), site="decoder.output", pinned=pinned)
    state = with_choices(state, cut=Cut("none", "d_model", (("position", 3),), 64, 256), sentence="cat")
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"pinned": "<script>"},
        {"pinned": "src", "pinned_model": "../copy"},
        {"pinned": "src", "pinned_model": "copy", "pinned_sentence": "ÄÖ 12"},
        {"pinned": "src", "pinned_prefix": "99999"},
        {"pinned": "src", "pinned_at": "head"},
    ],
)
def test_an_impossible_pin_is_left_out_with_a_notice(wrong):
    state, notices = state_from_query(wrong, RUNS)
    assert state.inspector.pinned is None
    assert notices == ("The link's pinned tensor cannot be used here; it was left out.",)


def test_the_comparison_outlives_another_model_and_another_sentence():
    state = with_choices(
        default_state(RUNS, "copy"), pinned=PINNED, site="decoder.output", cut=Cut(columns="d_model")
    )
    after = choose_sentence(choose_run(state, "sort", RUNS), "tap", typed=True)
    assert after.inspector == state.inspector


def test_another_tensor_begins_at_the_first_rows_and_keeps_the_layout():
    state = with_choices(default_state(RUNS), cut=Cut("query", "key", (("head", 1),), 64, 256))
    assert choose_site(state, "src").inspector.cut == Cut("query", "key", (("head", 1),))
