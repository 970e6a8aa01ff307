"""The visitor's state: a link reopens the same view, and a bad link falls back with a sentence."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.config import TrainConfig
from core.data.tasks import get_task
from core.run_description import RunDescription
from core.train import model_config
from explorer.state import (
    ExplorerState,
    choose_run,
    choose_sentence,
    choose_view,
    default_state,
    query_of,
    state_from_query,
)


def description(name: str, task_name: str) -> RunDescription:
    task = get_task(task_name)
    src, tgt = task.tokenizers()
    return RunDescription(
        name=name,
        task=task_name,
        config=model_config(task),
        src_tokenizer=src,
        tgt_tokenizer=tgt,
        train_config=TrainConfig(),
        max_source_tokens=task.max_source_tokens,
    )


RUNS = {"copy": description("copy", "copy"), "en-fr": description("en-fr", "en_fr")}
FIRST = get_task("en_fr").examples[0].source


def test_without_a_query_the_default_models_first_example_is_shown():
    state, notices = state_from_query({}, RUNS)
    assert state == ExplorerState(run="en-fr", sentence=FIRST)
    assert notices == ()
    assert query_of(state, RUNS) == {}


@pytest.mark.parametrize(
    "state",
    [
        ExplorerState(run="en-fr", sentence="the cats sleep"),
        ExplorerState(run="copy", sentence="hello", decode_step=3, layer=1, head=0, gold=True),
        ExplorerState(run="copy", sentence=get_task("copy").examples[0].source, head=3),
        ExplorerState(run="en-fr", sentence=FIRST, decode_step=0),
    ],
)
def test_a_link_reopens_the_same_view(state):
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"model": "../../etc"}, "names a model that is not here"),
        ({"sentence": "the dragon sleeps"}, "could not be used. The model does not know “dragon”"),
        ({"sentence": ""}, "Type at least one word"),
        ({"sentence": "the " * 400}, "24 words at most"),
        ({"layer": "2"}, "The link's layer is not one"),
        ({"head": "-1"}, "The link's head is not one"),
        ({"step": "٣"}, "The link's step is not one"),
        ({"step": "1e3"}, "The link's step is not one"),
    ],
)
def test_what_cannot_be_used_falls_back_with_a_sentence(query, sentence):
    state, notices = state_from_query(query, RUNS)
    assert state == default_state(RUNS)
    assert len(notices) == 1
    assert sentence in notices[0]


def test_the_rest_of_a_link_survives_one_bad_part():
    state, notices = state_from_query({"model": "copy", "sentence": "abc", "head": "99", "step": "2"}, RUNS)
    assert (state.run, state.sentence, state.decode_step, state.head) == ("copy", "abc", 2, None)
    assert len(notices) == 1


KEYS = st.sampled_from(["model", "sentence", "step", "layer", "head", "gold", "other"])


@given(st.dictionaries(KEYS, st.text(max_size=80)))
def test_no_query_breaks_the_state_and_what_is_kept_is_stable(query):
    state, _ = state_from_query(query, RUNS)
    assert state.run in RUNS
    RUNS[state.run].source_ids(state.sentence)
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


def test_another_model_starts_with_its_own_first_example():
    state = choose_run(ExplorerState(run="en-fr", sentence=FIRST, layer=1, head=2), "copy", RUNS)
    assert (state.run, state.sentence) == ("copy", get_task("copy").examples[0].source)
    assert (state.layer, state.head, state.decode_step) == (None, None, None)
    assert choose_run(state, "nothing", RUNS) is state


def test_another_sentence_keeps_the_head_and_starts_over():
    before = ExplorerState(run="en-fr", sentence=FIRST, decode_step=4, layer=1, head=2, gold=True)
    after = choose_sentence(before, "the cats sleep", typed=True)
    assert after == replace(before, sentence="the cats sleep", decode_step=None)
    assert choose_sentence(before, "x", typed=False).sentence_id == before.sentence_id + 1


def test_another_view_changes_nothing_else():
    before = default_state(RUNS)
    after = choose_view(before, decode_step=2, layer=0, head=None, gold=True)
    assert (after.run, after.sentence, after.sentence_id) == (before.run, before.sentence, 0)
