"""What a finished training has shown: whether to train on, whether it overfitted, what to try. It needs no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from core.run_description import RunDescription

Ending = Literal["falling", "overfitting", "settled", ""]
"""How the validation loss stood in the end; nothing where the run does not say, or every answer was right."""
WORSE = 0.1
"""Share by which the last validation loss is above the lowest where a training has overfitted; less is chance."""


def ending_of(run: RunDescription) -> Ending:
    """How the validation loss stood at the end of a finished training."""
    seen = run.progress
    if not seen or run.evaluation.get("exact_match", 0.0) == 1:
        return ""
    has_worsened = seen["last_loss"] > seen["lowest_loss"] * (1 + WORSE)
    # A loss that rises beside more and more exact answers is confidence, not what overfitting is feared for.
    if has_worsened and seen["most_exact_after"] <= seen["lowest_after"]:
        return "overfitting"
    return "settled" if seen["stale"] else "falling"


def outcome(run: RunDescription) -> str:
    """What the end of a training means and what to try, in a few sentences; empty where there is nothing to say."""
    return " ".join(filter(None, (_patience(run), _ending(run), nothing_right(run))))


def nothing_right(run: RunDescription) -> str:
    """What a result without one exact answer means, and what to try; empty for any other result."""
    figures = run.evaluation
    if figures.get("exact_match") != 0:
        return ""
    accuracy = figures.get("token_accuracy", 0.0)
    means = (
        "An answer counts only if every token of it is right, so 0 need not mean that nothing was learned: "
        f"{accuracy:.0%} of the tokens are in their place."
    )
    pairs, updates = run.train_config.n_train, run.updates or run.train_config.steps
    if ending_of(run) in ("overfitting", "falling"):
        return means  # What to do has been said.
    return (
        f"{means} Try more than {updates:,} updates, and more than {pairs:,} training pairs if there are any. "
        "If the loss has hardly fallen, try a lower learning rate or a longer warm-up."
    )


def _patience(run: RunDescription) -> str:
    training = run.train_config
    if not run.progress or not training.patience or run.updates >= training.steps:
        return ""
    validations = "1 validation" if training.patience == 1 else f"{training.patience:,} validations in a row"
    return (
        f"The training ended after {run.updates:,} of at most {training.steps:,} updates, because {validations} "
        "brought neither a lower loss nor more exact answers."
    )


def _ending(run: RunDescription) -> str:
    seen, ending = run.progress, ending_of(run)
    if ending == "falling":
        return (
            f"The validation loss was still falling after the last of {run.updates:,} updates: train on, and it "
            "will get better."
        )
    if ending == "overfitting":
        return (
            f"The validation loss got worse from update {seen['lowest_after']:,.0f} on ({seen['lowest_loss']:.3f} "
            f"became {seen['last_loss']:.3f}): the model was learning its {run.train_config.n_train:,} training "
            f"pairs by heart, which is overfitting. The weights kept are those after {run.best_after or 0:,} updates. "
            "More pairs help most; dropout or a smaller model may."
        )
    return ""
