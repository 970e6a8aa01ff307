"""A word for a result of nothing: what it means, and what to try."""

from dataclasses import replace

import pytest

from core.errors import RunError
from core.run_description import RunDescription, parse_description, read_description
from core.training.outcome import nothing_right, outcome
from explorer.histories.words import result_sentence
from explorer.models.known import CHECKPOINTS


@pytest.fixture(scope="module")
def run():
    return read_description(CHECKPOINTS / "copy")


def with_result(run, **figures: float):
    return replace(run, evaluation={"n_pairs": 1000, **figures})


def test_nothing_right_is_explained_with_the_share_of_tokens_and_what_to_try(run):
    said = result_sentence(with_result(run, exact_match=0.0, token_accuracy=0.426))
    assert "**0 of 1,000** test sources" in said
    assert "43% of the tokens are in their place" in said
    assert f"more than {run.updates:,} updates" in said
    assert f"more than {run.train_config.n_train:,} training pairs" in said


@pytest.mark.parametrize("figures", [{}, {"exact_match": 0.001}, {"exact_match": 1.0}])
def test_any_other_result_stands_alone(run, figures):
    known = with_result(run, **figures)
    assert nothing_right(known) == ""
    assert result_sentence(known) == "" or result_sentence(known).endswith("come out exactly right.")


def ended(run, *, exact: float = 0.5, **progress: float):
    seen = {
        "lowest_loss": 0.2, "lowest_after": 400, "most_exact": 0.5, "most_exact_after": 400, "last_loss": 0.2,
        "stale": 0,
    } | progress  # fmt: skip
    return replace(with_result(run, exact_match=exact, token_accuracy=0.8), progress=seen, best_after=450)


def test_a_loss_that_still_falls_is_a_reason_to_train_on(run):
    said = outcome(ended(run, stale=0))
    assert said.startswith(f"The validation loss was still falling after the last of {run.updates:,} updates")
    assert said.endswith("train on, and it may get better."), "which nobody can promise"


def test_a_loss_that_got_worse_is_overfitting_and_says_which_weights_are_kept(run):
    said = outcome(ended(run, last_loss=0.3, stale=4))
    assert "got worse from update 400 on (0.200 became 0.300)" in said
    assert f"its {run.train_config.n_train:,} training pairs by heart, which is overfitting" in said
    assert "weights kept are those after 450 updates" in said


def test_a_loss_that_rises_while_more_comes_out_right_is_no_overfitting(run):
    assert outcome(ended(run, last_loss=0.3, most_exact_after=800, stale=2)) == ""


def test_nothing_right_beside_a_falling_loss_gives_one_advice(run):
    said = outcome(ended(run, exact=0.0))
    assert "train on" in said
    assert "80% of the tokens" in said
    assert "Try more than" not in said


def test_where_every_answer_is_right_nothing_is_advised(run):
    assert outcome(ended(run, exact=1.0)) == ""


def test_patience_that_ended_is_told_with_what_it_waited_for(run):
    patient = replace(run.train_config, patience=3, steps=9_000)
    said = outcome(replace(ended(run, exact=1.0, stale=3), train_config=patient))
    assert f"ended after {run.updates:,} of at most 9,000 updates, because 3 validations in a row" in said


def test_a_description_keeps_what_was_seen_and_refuses_a_part_of_it(run):
    known = ended(run)
    assert parse_description("copy", known.to_json()).progress == known.progress
    assert b'"outcome"' in known.to_json()
    assert b'"outcome"' not in run.to_json()
    with pytest.raises(RunError, match="progress lacks last_loss"):
        RunDescription.from_dict("copy", run.to_dict() | {"progress": {"stale": 1}})
