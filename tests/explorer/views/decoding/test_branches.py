"""Branches: what is forced goes on by itself, greedy stays what it is, and rows compare both honestly."""

import pytest

from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.translation import translate
from explorer.shell.branches import usable_branches
from explorer.views.decoding.branches import (
    branch_rows,
    first_difference,
    reported_state,
    what_if,
)
from explorer.views.decoding.component.reports import Force, NameBranch, OpenBranch, RemoveBranch, ViewState
from explorer.visitor.forms import Branch
from explorer.visitor.state import Decoding, ExplorerState

SENTENCE = "the small cats do not sleep"
START = ExplorerState(run="en-fr", sentence=SENTENCE)


@pytest.fixture(scope="module")
def run():
    return load_run(CHECKPOINTS / "en-fr")


@pytest.fixture(scope="module")
def decoded(run):
    known = {}

    def decode(prefix):
        if prefix not in known:
            known[prefix] = translate(run, SENTENCE, prefix)
        return known[prefix]

    return decode


@pytest.fixture
def ids(run):
    return lambda text: tuple(map(run.tgt_tokenizer.vocabulary.id, text.split()))


def test_a_forced_token_opens_a_branch_at_its_step(decoded, ids):
    state = reported_state(START, Force(4, *ids("chantent")), decoded)
    assert (state.decoding.prefix, state.decoding.step) == (ids("les petits chats ne chantent"), 4)
    assert decoded(state.decoding.prefix).output_tokens[4:] == ("chantent", "pas", "</s>")


@pytest.mark.parametrize("step", range(6))
def test_forcing_the_greedy_token_is_exactly_greedy(decoded, step):
    token_id = decoded(()).output_ids[step]
    state = reported_state(START, Force(step, token_id), decoded)
    assert (state.decoding.prefix, state.decoding.branches) == ((), ())


def test_forcing_the_greedy_token_inside_a_branch_leads_back_to_greedy(decoded, ids):
    forked = reported_state(START, Force(4, *ids("chantent")), decoded)
    back = reported_state(forked, Force(4, *ids("dorment")), decoded)
    assert back.decoding.prefix == ()
    assert [branch.prefix for branch in back.decoding.branches] == [forked.decoding.prefix], (
        "the branch is kept"
    )


def test_a_branch_of_a_branch_has_both_tokens_forced(decoded, ids):
    state = reported_state(START, Force(0, *ids("le")), decoded)
    state = reported_state(state, Force(4, *ids("mange")), decoded)
    assert decoded(state.decoding.prefix).forced[:5] == (True, False, False, False, True)


def test_rows_put_greedy_first_and_measure_the_others_against_it(decoded, ids):
    late, early = ids("les petits chats ne chantent"), ids("le")
    state = ExplorerState(
        run="en-fr",
        sentence=SENTENCE,
        decoding=Decoding(prefix=late, branches=(Branch(early, "singular"), Branch(late))),
    )
    rows = branch_rows(state, decoded)
    assert [row.label for row in rows] == ["greedy", "forced chantent", "singular"]
    assert [row.prefix for row in rows] == [(), late, early]
    assert [row.differs for row in rows] == [None, 4, 0]
    assert [row.shown for row in rows] == [False, True, False]
    for row in rows:
        translation = decoded(row.prefix)
        assert row.tokens == translation.output_tokens
        assert row.log_prob == pytest.approx(translation.log_probs.astype(float).sum(), abs=1e-6)
        for step, probability in enumerate(row.probs):
            assert probability == translation.candidate_probs[step, translation.chosen[step]]


def test_branches_with_the_same_forced_token_are_told_apart(decoded, ids):
    prefixes = (ids("chats"), ids("les chats"))
    state = ExplorerState(
        run="en-fr", sentence=SENTENCE, decoding=Decoding(branches=tuple(map(Branch, prefixes)))
    )
    labels = [row.label for row in branch_rows(state, decoded)]
    assert labels == ["greedy", "forced chats", "forced chats, step 0"]


def test_branches_are_opened_named_and_removed(decoded, ids):
    one, two = ids("le"), ids("les petits chats ne chantent")
    state = reported_state(START, Force(0, *one), decoded)
    state = reported_state(state, OpenBranch((), 3), decoded)
    assert (state.decoding.prefix, state.decoding.step) == ((), 3)
    assert state.decoding.branches == (Branch(one),)
    state = reported_state(state, NameBranch(one, "singular"), decoded)
    state = reported_state(state, Force(4, two[-1]), decoded)
    assert [row.label for row in branch_rows(state, decoded)] == ["greedy", "forced chantent", "singular"]
    state = reported_state(state, RemoveBranch(two), decoded)
    assert (state.decoding.prefix, state.decoding.branches) == ((), (Branch(one, "singular"),))
    state = reported_state(state, RemoveBranch(one), decoded)
    assert [row.label for row in branch_rows(state, decoded)] == ["greedy"]


def test_a_look_changes_no_branch(decoded):
    seen = ViewState(2, "encoder", 0, 3, False)
    state = reported_state(START, seen, decoded)
    assert (state.decoding.step, state.look.attention, state.look.layer, state.look.head) == (
        2,
        "encoder",
        0,
        3,
    )
    assert (state.decoding.prefix, state.decoding.branches) == ((), ())


def test_what_cannot_be_forced_is_left_out_with_a_sentence(decoded, ids):
    bad = (10,) * 60
    state = ExplorerState(
        run="en-fr",
        sentence=SENTENCE,
        decoding=Decoding(prefix=bad, branches=(Branch(bad), Branch(ids("le"), "kept"))),
    )
    usable, problems = usable_branches(state, decoded)
    assert (usable.decoding.prefix, usable.decoding.branches) == ((), (Branch(ids("le"), "kept"),))
    (problem,) = problems
    assert "60 tokens, but 50 at most" in problem


def test_prefixes_are_as_short_as_they_can_be(decoded, ids):
    long = decoded(ids("le")).output_ids[:5]
    greedy = decoded(()).output_ids[:3]
    state = ExplorerState(
        run="en-fr",
        sentence=SENTENCE,
        decoding=Decoding(prefix=long, branches=(Branch(greedy), Branch(long, "a"), Branch(ids("le")))),
    )
    usable, problems = usable_branches(state, decoded)
    assert usable.decoding.prefix == ids("le")
    assert usable.decoding.branches == (Branch(ids("le"), "a"),)
    assert problems == ()


def test_every_word_and_the_end_can_be_forced(run, decoded):
    offered = what_if(run, START, decoded)
    vocabulary = run.tgt_tokenizer.vocabulary
    assert [vocabulary.id(word) for word in offered.words] == list(range(offered.first_id, len(vocabulary)))
    assert offered.words[0] == "</s>"
    assert {run.config.pad_id, run.config.bos_id} == set(range(offered.first_id))


def test_a_forced_end_is_a_branch_that_ends_there(run, decoded, ids):
    les, end = ids("les")[0], run.config.eos_id
    state = reported_state(START, Force(1, end), decoded)
    assert state.decoding.prefix == (les, end)
    branch = branch_rows(state, decoded)[1]
    assert branch.tokens == ("les", "</s>")
    assert branch.ended
    assert branch.forced == (False, True)


@pytest.mark.parametrize(
    ("one", "other", "step"),
    [((1, 2), (1, 2), None), ((1, 2), (1, 3), 1), ((1,), (1, 2), 1), ((4, 2), (1, 2), 0)],
)
def test_first_difference(one, other, step):
    assert first_difference(one, other) == step
    assert first_difference(other, one) == step
