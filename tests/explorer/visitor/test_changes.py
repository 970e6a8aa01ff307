"""Changes of the running model among a visitor's choices: their link, what takes them back, and bad links."""

import pytest

from core.errors import CaptureError
from core.interventions.intervention import AttentionRow, Patch, Unmask, ZeroAblation
from core.interventions.links import MOST_IN_A_LINK, write_link
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import (
    choose_run,
    choose_sentence,
    default_state,
    toggle_change,
    undo_change,
    undo_changes,
)
from tests.explorer.visitor.test_state import FIRST, RUNS

HEAD = ZeroAblation("decoder.layers.1.cross_attn.context", head=1)
WORD = Patch("src_embed.output", "the cats sleep", positions=(1,))
ROW = AttentionRow("decoder.layers.1.cross_attn.weights", (0.5, 0.5), head=0, positions=(2,))
MASK = Unmask("causal")


@pytest.fixture
def state():
    return default_state(RUNS, "en-fr")


def changed(state, *changes):
    for change in changes:
        state = toggle_change(state, change)
    return state


def test_a_link_carries_the_changes_and_reopens_them(state):
    moved = changed(state, HEAD, WORD, ROW, MASK)
    reopened, notices = state_from_query(query_of(moved, RUNS), RUNS)
    assert (reopened.changes, notices) == ((HEAD, WORD, ROW, MASK), ())
    assert "changes" not in query_of(state, RUNS)


def test_the_same_once_more_takes_a_change_back(state):
    assert changed(state, HEAD, MASK, HEAD).changes == (MASK,)


def test_a_row_takes_the_place_of_the_row_that_was_set_there(state):
    other = AttentionRow(ROW.site, (0.1, 0.9), head=0, positions=(2,))
    elsewhere = AttentionRow(ROW.site, (0.1, 0.9), head=1, positions=(2,))
    assert changed(state, ROW, HEAD, elsewhere, other).changes == (HEAD, elsewhere, other)


def test_undo_takes_the_last_change_or_all_of_them(state):
    moved = changed(state, HEAD, WORD)
    assert undo_change(moved).changes == (HEAD,)
    assert undo_changes(moved).changes == ()


def test_another_sentence_keeps_the_changes_that_are_not_at_places_of_it(state):
    moved = changed(state, HEAD, WORD, ROW, MASK, ZeroAblation("src_embed.output", positions=(0,)))
    assert choose_sentence(moved, "the cats sleep", typed=True).changes == (HEAD, MASK)


def test_another_model_is_as_it_was_trained(state):
    assert choose_run(changed(state, HEAD), "copy", RUNS).changes == ()


def test_more_changes_than_a_link_can_carry_are_refused_with_a_sentence(state):
    site = "decoder.layers.1.cross_attn.context"
    full = changed(state, *(ZeroAblation(site, head=head) for head in range(MOST_IN_A_LINK)))
    with pytest.raises(CaptureError, match="8 changes at most, not 9"):
        toggle_change(full, MASK)
    assert changed(full, ZeroAblation(site, head=0)).changes == full.changes[1:]


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("off:a;" * 10_000, "8 changes at most, not 10,001"),
        ("melt:src_embed.output", "begins with one of"),
        ("row:decoder.layers.0.cross_attn.weights:0:1:nan,1", "weights must be finite numbers"),
        ("scale:src_embed.output::1e99", "the factor must be a finite number"),
        ("off:decoder.layers.0.cross_attn.context:-1", "count each head from 0"),
        ("borrow:src_embed.output:2:", "name a sentence as text"),
    ],
)
def test_a_bad_link_says_one_sentence_and_changes_nothing(link, said):
    state, notices = state_from_query({"model": "en-fr", "sentence": FIRST, "changes": link}, RUNS)
    assert state.changes == ()
    (notice,) = notices
    assert notice.startswith("The link's changes of the model were left out: ")
    assert said in notice
    assert notice.endswith(".")


def test_what_is_written_is_what_core_writes(state):
    assert query_of(changed(state, HEAD, WORD), RUNS)["changes"] == write_link((HEAD, WORD))
