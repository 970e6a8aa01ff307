"""A word for a result of nothing: what it means, and what to try."""

from dataclasses import replace

import pytest

from core.run_description import read_description
from core.training.outcome import nothing_right
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
    assert "43% of the tokens are predicted right" in said
    assert f"more than {run.train_config.steps:,} updates" in said
    assert f"more than {run.train_config.n_train:,} training pairs" in said


@pytest.mark.parametrize("figures", [{}, {"exact_match": 0.001}, {"exact_match": 1.0}])
def test_any_other_result_stands_alone(run, figures):
    known = with_result(run, **figures)
    assert nothing_right(known) == ""
    assert result_sentence(known) == "" or result_sentence(known).endswith("come out exactly right.")
