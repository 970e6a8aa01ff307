"""A choice that the documented recipe adds to a record outlives every action that changes another choice of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import cast

import pytest

from explorer.models.translation import Translation
from explorer.shell.branches import usable_branches
from explorer.tensors import CellPlace
from explorer.views.by_hand.examples import EXAMPLES, example_of, opened
from explorer.views.experiments.looks import LOOKS
from explorer.views.inspector.data import as_trained
from explorer.views.inspector.slice import Slice, choose_sides
from explorer.visitor.by_hand import ByHand, with_answer, with_blanks, with_number, with_token
from explorer.visitor.forms import Branch
from explorer.visitor.learning import answered, at_stop, looking_around, noticed, settled, without_lesson
from explorer.visitor.state import (
    ExplorerState,
    Pinned,
    choose_block,
    choose_branch,
    choose_experiment,
    choose_parts,
    choose_row,
    choose_site,
    choose_update,
    choose_varied,
    default_state,
    explain_cell,
    keep_branch,
    look_anew,
    remove_branch,
)
from tests.explorer.visitor.foreign import has_kept, with_foreign_field, with_foreign_fields
from tests.explorer.visitor.test_state import RUNS

START = default_state(RUNS)
CELL = CellPlace("hypothesis.loss", ())
OF_STATE: Mapping[str, tuple[str, Callable[[ExplorerState], ExplorerState]]] = {
    "another branch": ("decoding", lambda state: choose_branch(state, (3, 4))),
    "a branch at a step": ("decoding", lambda state: choose_branch(state, (3, 4), 1)),
    "a branch kept": ("decoding", lambda state: keep_branch(state, (3,), "name")),
    "a branch removed": ("decoding", lambda state: remove_branch(state, (3,))),
    "another token varied": ("decoding", lambda state: choose_varied(state, 1)),
    "another step": ("decoding", lambda state: choose_row(state, "target", 2)),
    "another position": ("look", lambda state: choose_row(state, "source", 2)),
    "another block": ("look", lambda state: choose_block(state, "encoder")),
    "a number explained": ("look", lambda state: explain_cell(state, CELL)),
    "a stage of an arm": (
        "look",
        lambda state: LOOKS["copy-without-positions"][0].state_of(state, state.run, RUNS),
    ),
    "a stage of a moment": ("look", lambda state: look_anew(state, stage="softmax", layer=1)),
    "another tensor": ("inspector", lambda state: choose_site(state, "src_embed.tokens")),
    "another update": ("update", lambda state: choose_update(state, "seed-3")),
    "another experiment": ("experiment", lambda state: choose_experiment(state, "copy-without-positions")),
    "other parts": ("worth", lambda state: choose_parts(state, "encoder-0")),
}
OF_HAND: Mapping[str, Callable[[ByHand], ByHand]] = {
    "a number": lambda hand: with_number(hand, "x", 0, 0, 5),
    "a token": lambda hand: with_token(hand, 0, "you"),
    "an answer": lambda hand: with_answer(hand, "q-0-0", "1"),
    "blanks": lambda hand: with_blanks(hand, ("q",)),
    **{f"example {place}": partial(opened, example) for place, example in enumerate(EXAMPLES)},
}
OF_LEARNING = {
    "a stop": lambda learning: at_stop(learning, "beam", 2),
    "an answer": lambda learning: answered(learning, 1, "2"),
    "a finding": lambda learning: noticed(learning, 1, "2"),
    "a look around": looking_around,
    "the end of the lesson": without_lesson,
    "a link without a lesson": settled,
}


@pytest.mark.parametrize("action", OF_STATE)
def test_foreign_field_outlives_change_of_its_record(action):
    name, act = OF_STATE[action]
    moved = act(with_foreign_fields(START, name))
    assert moved != with_foreign_fields(START, name), "the action changes something"
    assert has_kept(getattr(moved, name))


@pytest.mark.parametrize("action", OF_HAND)
def test_foreign_field_outlives_change_by_hand(action):
    assert has_kept(OF_HAND[action](with_foreign_field(START.by_hand)))


@pytest.mark.parametrize("action", OF_LEARNING)
def test_foreign_field_outlives_change_of_lesson(action):
    assert has_kept(OF_LEARNING[action](with_foreign_field(START.learning)))


def test_opened_example_is_recognised_beside_a_foreign_field():
    hand = with_foreign_field(START.by_hand)
    assert [example_of(opened(example, hand)) for example in EXAMPLES] == list(EXAMPLES)


def test_leaving_a_lesson_clears_its_place_only():
    there = answered(at_stop(START.learning, "beam", 3), 1, "2")
    assert without_lesson(replace(there, demo=True, free=True)) == replace(
        START.learning, reached=there.reached
    )


def test_foreign_field_of_a_branch_outlives_its_new_name():
    branch = with_foreign_field(Branch((3,), "old"))
    state = replace(START, decoding=replace(START.decoding, branches=(branch,)))
    (renamed,) = keep_branch(state, (3,), "new").decoding.branches
    assert renamed.name == "new"
    assert has_kept(renamed)


def test_foreign_field_of_a_branch_outlives_its_check():
    branch = with_foreign_field(Branch((3, 4), "old"))
    state = replace(START, decoding=replace(START.decoding, branches=(branch,)))
    usable, _ = usable_branches(state, lambda prefix: cast(Translation, SimpleNamespace(branch=(3,))))
    assert usable.decoding.branches[0].prefix == (3,)
    assert has_kept(usable.decoding.branches[0])


def test_foreign_field_of_a_layout_outlives_other_sides():
    state = replace(START, inspector=replace(START.inspector, cut=with_foreign_field(START.inspector.cut)))
    shown = cast(Slice, SimpleNamespace(rows="query", columns="key"))
    assert has_kept(choose_sides(state, shown, rows="key", columns="query").inspector.cut)


def test_foreign_field_of_a_pinned_tensor_outlives_its_trained_model():
    pinned = with_foreign_field(Pinned("src_embed.tokens", START.run, START.sentence))
    state = replace(START, inspector=replace(START.inspector, pinned=pinned))
    assert has_kept(as_trained(state).inspector.pinned)
