"""What is advised after a training, from the figures of runs that were measured, without training any."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from core.data.tokenizers import CharacterTokenizer, WordTokenizer
from core.data.vocabulary import Vocabulary
from core.presets import own_pairs_preset
from core.run_description import RunDescription
from core.training.loss import label_smoothed_cross_entropy
from core.training.outcome import FORM, ending_of, gentler_settings, outcome, training_loss
from core.training.plan import model_config
from core.training.schedule import learning_rate

UPDATES, N_SPECIAL = 1_000, 4


def run_of(
    *,
    size: int = 30,
    exact: float = 0.0,
    training_loss: float = 3.0,
    figures: dict[str, float] | None = None,
    task: str = "pairs",
    by: type[WordTokenizer] | type[CharacterTokenizer] = WordTokenizer,
    settings: dict[str, Any] | None = None,
    updates: int = UPDATES,
    **progress: float,
) -> RunDescription:
    """A finished run with a vocabulary of this size, which says this of its training."""
    words = [chr(0x4E00 + number) for number in range(size - N_SPECIAL)]
    tokenizer = by(Vocabulary.build(words))
    seen = {
        "lowest_loss": 1.0,
        "lowest_after": 500,
        "most_exact": 0.0,
        "most_exact_after": 0,
        "last_loss": 1.0,
        "stale": 0,
    }
    usual = {"steps": UPDATES, "n_train": 1_000, "patience": 0, "label_smoothing": 0.0}
    training = replace(own_pairs_preset().training, **{**usual, **(settings or {})})
    return RunDescription(
        name="run",
        task=task,
        config=model_config(tokenizer, tokenizer),
        src_tokenizer=tokenizer,
        tgt_tokenizer=tokenizer,
        train_config=training,
        evaluation={"n_pairs": 24, "exact_match": exact, "token_accuracy": 0.4, **(figures or {})},
        progress={**seen, **progress},
        history=({"index": updates - 1, "loss": training_loss},),
        best_after=400,
    )


DIVERGED = {
    "lowest 27.7, last 31.6": {"lowest_loss": 27.7, "lowest_after": 30, "last_loss": 31.6, "stale": 3},
    "falling at 29.4": {"lowest_loss": 29.4, "lowest_after": 1000, "last_loss": 29.4},
    "known words, then lost": {"size": 500, "lowest_loss": 4.0, "last_loss": 7.1, "stale": 5, "training_loss": 7.0},
    "a low training loss beside it": {"lowest_loss": 29.4, "last_loss": 31.6, "training_loss": 0.1},
    "just at chance": {"lowest_loss": math.log(30), "last_loss": math.log(30), "stale": 2},
    "of no pair seen twice": {"lowest_loss": 36.0, "last_loss": 48.0, "settings": {"n_train": 10**6}, "stale": 1},
}  # fmt: skip


@pytest.mark.parametrize("seen", DIVERGED.values(), ids=DIVERGED)
def test_loss_above_chance_names_learning_rate_and_warmup(seen):
    run = run_of(**seen)
    said = outcome(run)
    assert ending_of(run) == "diverged"
    assert "begin again with --overwrite, --peak-learning-rate 0.0003 instead of 0.001" in said
    assert "warm up longer" in said
    assert "by heart" not in said
    assert "train on" not in said.lower()


def test_loss_above_chance_after_learning_is_described():
    run = run_of(size=30, lowest_loss=1.2, last_loss=4.0, training_loss=0.2, stale=4)
    said = outcome(run)
    assert ending_of(run) == "diverged"
    assert "rose from 1.200 after 500 updates to 4.000" in said
    assert "sure of wrong answers" in said
    assert "diverged:" not in said


@pytest.mark.parametrize(("lowest", "said"), [(4.0, "loss is 4.000"), (3.8, "rose from 3.800")])
def test_model_sure_of_wrong_answers_has_not_diverged(lowest, said):
    run = run_of(size=30, lowest_loss=lowest, last_loss=4.0, training_loss=0.2)
    assert said in outcome(run)
    assert "diverged" not in outcome(run)
    assert "the training loss is 0.200: the model is sure of wrong answers" in outcome(run)


def test_loss_at_chance_after_few_updates_advises_more():
    run = run_of(lowest_loss=3.5, last_loss=3.5, updates=20)
    assert ending_of(run) == "too_short"
    assert "after only 20 updates the validation loss is 3.500, and 3.401 with all tokens equally" in outcome(
        run
    )
    assert "Make more updates" in outcome(run)
    for last, lowest in ((29.4, 29.4), (3.6, 3.5)):
        assert ending_of(run_of(last_loss=last, lowest_loss=lowest, updates=20)) == "diverged"


WORSE = {"lowest_loss": 1.0, "last_loss": 1.5, "stale": 5, "lowest_after": 400}
NOT_BY_HEART = {
    "half an epoch": {**WORSE, "training_loss": 0.2, "settings": {"n_train": 10**6}},
    "a training loss as high": {**WORSE, "training_loss": 1.4},
    "a training loss nearly as high": {**WORSE, "training_loss": 1.3},
}


@pytest.mark.parametrize("seen", NOT_BY_HEART.values(), ids=NOT_BY_HEART)
def test_worse_loss_without_evidence_is_not_called_overfitting(seen):
    run = run_of(**seen)
    assert ending_of(run) == "worsened"
    assert "by heart" not in outcome(run)
    assert "got worse from update 400 on (1.000 became 1.500)" in outcome(run)
    assert "--peak-learning-rate" in outcome(run)


def test_pairs_seen_and_known_far_better_are_called_overfitting():
    for seen in (
        {**WORSE, "training_loss": 0.2},
        {**WORSE, "training_loss": 0.9, "settings": {"n_train": 64_000}},
        {**WORSE, "training_loss": 0.71, "settings": {"label_smoothing": 0.1}},
    ):
        run = run_of(**seen)
        assert ending_of(run) == "overfitting"
        assert "training pairs by heart, which is overfitting" in outcome(run)
        assert "weights kept are those after 400 updates" in outcome(run)


NOT_FALLING = {
    "lowest 2.0 after 200, last 3.0, most exact after 1,000": 3.0,
    "the same for 2.18": 2.18,
    "4.529 became 4.568": 2.0 * 4.568 / 4.529,
}


@pytest.mark.parametrize("last", NOT_FALLING.values(), ids=NOT_FALLING)
def test_more_right_answers_beside_a_higher_loss_are_told(last):
    run = run_of(
        lowest_loss=2.0, lowest_after=200, last_loss=last, most_exact=0.1, most_exact_after=1000, exact=0.1
    )
    said = outcome(run)
    assert ending_of(run) == "more_right"
    assert "More answers were right after 1,000 updates than ever before" in said
    assert f"the validation loss rose from 2.000 after 200 updates to {last:.3f}" in said
    assert "falling" not in said


def test_falling_needs_the_lowest_loss_at_the_end():
    assert ending_of(run_of(lowest_loss=2.0, last_loss=2.0, exact=0.1)) == "falling"
    assert ending_of(run_of(lowest_loss=2.0, last_loss=1.99, exact=0.1)) == "falling"
    assert ending_of(run_of(lowest_loss=2.0, last_loss=2.0, stale=1, exact=0.1)) == "settled"
    # No validation of the warm-up is stale, even if its loss rises.
    assert ending_of(run_of(lowest_loss=2.0, last_loss=2.1, exact=0.1)) == "settled"


COLLAPSED = {
    "stale": ({"lowest_loss": 2.45, "last_loss": 2.5, "stale": 3}, {}),
    "worse than frequencies": ({"lowest_loss": 2.55, "last_loss": 2.9, "stale": 3}, {}),
    "a rate far too high": ({"lowest_loss": 3.1, "last_loss": 3.1}, {"peak_learning_rate": 0.3}),
    "collapsed at 0.02": ({"lowest_loss": 2.48, "last_loss": 2.48}, {"peak_learning_rate": 0.02}),
}


@pytest.mark.parametrize(("seen", "settings"), COLLAPSED.values(), ids=COLLAPSED)
def test_loss_of_token_frequencies_advises_a_lower_rate(seen, settings):
    run = run_of(**seen, settings=settings, frequency_loss=2.49)
    said = outcome(run)
    assert ending_of(run) == "collapsed"
    assert "2.490 without looking at the source" in said
    lower = "0.001" if settings else "0.0003"
    assert f"--peak-learning-rate {lower} instead of" in said
    assert "train on" not in said


def test_loss_of_token_frequencies_may_still_fall_at_a_usual_rate():
    assert ending_of(run_of(lowest_loss=2.5, last_loss=2.5, frequency_loss=2.49)) == "falling"
    assert ending_of(run_of(lowest_loss=1.5, last_loss=1.5, stale=2, frequency_loss=2.49)) == "settled"


UNKNOWN = {
    "while the loss rose": {"lowest_loss": 2.61, "last_loss": 2.96, "stale": 4, "training_loss": 0.3},
    "while it fell": {"lowest_loss": 2.0, "last_loss": 2.0},
    "above chance, with a low training loss": {"lowest_loss": 4.0, "last_loss": 5.0, "training_loss": 0.3},
}


@pytest.mark.parametrize("seen", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_tokens_are_named_before_any_other_cause(seen):
    run = run_of(**seen, figures={"n_unknown_sources": 24})
    said = outcome(run)
    assert ending_of(run) == "unknown_tokens"
    assert said.startswith(
        "A token that was never seen in training, which the model cannot read, stands in 24 of 24 held-out sources; "
        "use smaller pieces: --tokenizer character."
    )
    for other in ("by heart", "train on", "More pairs", "learning rate"):
        assert other not in said


def test_unknown_tokens_stand_beside_a_divergence():
    run = run_of(lowest_loss=29.0, last_loss=31.0, training_loss=30.0, figures={"n_unknown_sources": 12})
    said = outcome(run)
    assert ending_of(run) == "diverged"
    assert said.index("12 of 24 held-out sources") < said.index("The training diverged")


def test_unknown_targets_and_characters_have_remedies_of_their_own():
    run = run_of(figures={"n_unknown_targets": 20}, by=CharacterTokenizer)
    assert (
        "which the model cannot write, stands in 20 of 24 held-out targets; "
        "bring more training pairs with these characters"
    ) in outcome(run)


def test_few_unknown_tokens_are_no_cause():
    run = run_of(exact=0.5, figures={"n_unknown_sources": 2})
    assert ending_of(run) == "falling"
    assert "held-out sources" not in outcome(run)


def test_form_gets_its_own_words():
    said = outcome(run_of(last_loss=31.6, lowest_loss=27.7, figures={"n_unknown_sources": 24}), FORM)
    assert "start a new training, Peak learning rate 0.0003 instead of 0.001" in said
    assert "use smaller pieces: Characters under Tokens" in said
    assert "--" not in said


@pytest.mark.parametrize("rate", [0.002, 0.5, 300.0])
@pytest.mark.parametrize("schedule", ["linear", "paper", "inverse_sqrt", "constant"])
def test_gentler_settings_lower_the_largest_rate(rate, schedule):
    run = run_of(settings={"peak_learning_rate": rate, "schedule": schedule, "warmup_steps": 4})
    changes: dict[str, Any] = {**gentler_settings(run)}
    gentler = replace(run.train_config, **changes)

    def largest(training):
        return max(learning_rate(step, training, run.config.d_model) for step in range(UPDATES))

    assert largest(gentler) < 0.6 * largest(run.train_config)


def test_training_loss_undoes_label_smoothing():
    """A model that shares the rest evenly is the case in which the plain loss is known exactly."""
    size, labels = 30, torch.tensor([7])
    for p in (1 / size, 0.3, 0.8, 0.9):
        probabilities = torch.full((1, 1, size), (1 - p) / (size - 1), dtype=torch.float64)
        probabilities[0, 0, 7] = p
        smoothed = label_smoothed_cross_entropy(
            probabilities.log(), labels[None], smoothing=0.1, pad_id=0
        ).item()
        run = run_of(size=size, training_loss=smoothed, settings={"label_smoothing": 0.1})
        assert training_loss(run) == pytest.approx(-math.log(p), abs=1e-6)


def test_end_on_perfect_validations_is_explained():
    run = run_of(exact=1.0, perfect=2, settings={"steps": 9_000, "patience": 10})
    assert outcome(run) == (
        "The training ended after 1,000 of at most 9,000 updates, because every validation pair came out right 2 "
        "times in a row."
    )
