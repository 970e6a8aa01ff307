"""The outcome of a finished training: how it ended, the likely cause, and what to try next. It needs no torch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.config import MAX_NUMBER
from core.errors import ConfigError
from core.numbers import decimal
from core.presets import Preset, own_pairs_preset, preset

if TYPE_CHECKING:
    from core.config import TrainConfig
    from core.run_description import RunDescription

Ending = Literal[
    "unknown_tokens",
    "too_short",
    "diverged",
    "overfitting",
    "collapsed",
    "worsened",
    "more_right",
    "falling",
    "settled",
    "",
]
"""How a training ended, by its figures; empty where the run has none, or every answer is right."""
CAN_GO_ON: frozenset[Ending] = frozenset({"falling", "more_right"})
"""Endings after which more updates help."""
NEEDS_GENTLER: frozenset[Ending] = frozenset({"diverged", "collapsed"})
"""Endings after which a new training with a lower learning rate helps."""
WORSE = 0.1
"""Share by which the last validation loss is above the lowest where it has got worse; less is chance."""
WELL_BELOW = 0.8
"""Largest training loss, as a share of the validation loss, that shows that training pairs are known by heart."""
FEW_UPDATES = 100
"""Updates below which a loss about that of a guess means only that the training has hardly begun."""
ABOUT = 0.95
"""Least share of the loss of token frequencies at which a model knows little more than these."""
MANY_UNKNOWN = 0.1
"""Share of held-out texts with an unknown token above which these are the cause of a result."""
LAST_UPDATES = 5
"""Kept updates at the end of a history whose mean is the training loss."""


@dataclass(frozen=True)
class Controls:
    """Names of the settings on the command line, or in the form of the app.

    Attributes:
        again: How a training is begun again.
        learning_rate: Name of the peak learning rate.
        warmup: Name of the number of updates of the warm-up.
        smaller_pieces: How a text is cut into characters.
    """

    again: str
    learning_rate: str
    warmup: str
    smaller_pieces: str


COMMAND_LINE = Controls(
    "begin again with --overwrite", "--peak-learning-rate", "--warmup-steps", "--tokenizer character"
)
FORM = Controls("start a new training", "Peak learning rate", "Warm-up", "Characters under Tokens")


def ending_of(run: RunDescription) -> Ending:
    """Return how a finished training ended; of several causes the one that explains the others."""
    seen, exact = run.progress, run.evaluation.get("exact_match", 0.0)
    if exact == 1:
        return ""
    if _mostly_unknown(run) and not (_is_above_chance(run) and not _has_learned(run)):
        return "unknown_tokens"
    if not seen:
        return ""
    if _is_above_chance(run):
        return "too_short" if _is_too_short(run) else "diverged"
    # A loss that rises beside more and more exact answers is confidence, not what overfitting is feared for.
    has_worsened = seen["last_loss"] > seen["lowest_loss"] * (1 + WORSE)
    if has_worsened and seen["most_exact_after"] <= seen["lowest_after"]:
        if _knows_by_heart(run):
            return "overfitting"
        return "collapsed" if _has_collapsed(run) else "worsened"
    if _has_collapsed(run):
        return "collapsed"
    if seen["stale"]:
        return "settled"
    if seen["last_loss"] <= seen["lowest_loss"]:
        return "falling"
    return "more_right" if seen["most_exact_after"] > seen["lowest_after"] else "settled"


def outcome(run: RunDescription, controls: Controls = COMMAND_LINE) -> str:
    """Return what the end of a training means and what to try, in a few sentences; empty if there is nothing to say."""
    said = (_early_end(run), _unknown_tokens(run, controls), _ending(run, controls), nothing_right(run))
    return " ".join(filter(None, said))


def nothing_right(run: RunDescription) -> str:
    """Return what a result without one exact answer means, and what to try; empty for any other result."""
    figures = run.evaluation
    if figures.get("exact_match") != 0:
        return ""
    accuracy = figures.get("token_accuracy", 0.0)
    means = (
        "An answer counts only if every token of it is right, so 0 need not mean that nothing was learned: "
        f"{accuracy:.0%} of the tokens are in their place."
    )
    pairs, updates, ending = run.train_config.n_train, run.updates or run.train_config.steps, ending_of(run)
    if ending in NEEDS_GENTLER:
        return ""  # It would be read as a comfort.
    if ending not in ("settled", ""):
        return means  # What to do has been said.
    return (
        f"{means} Try more than {updates:,} updates, and more than {pairs:,} training pairs if there are any. "
        "If the loss has hardly fallen, try a lower learning rate or a longer warm-up."
    )


def gentler_settings(run: RunDescription) -> dict[str, float]:
    """Return the settings of a training that is less likely to diverge than the run's: its rate and its warm-up.

    Rates far above the one that is known to learn the task become that one; others a third of what they were.
    """
    training, known = run.train_config, _known_training(run)
    rate, good = peak_of(run), known.peak_learning_rate
    lower = good if rate > 2 * good else rate / 3
    if training.schedule == "paper":
        return {"warmup_steps": min(int(MAX_NUMBER), math.ceil(1 / (run.config.d_model * lower**2)))}
    warmup = max(training.warmup_steps, min(known.warmup_steps, training.steps // 4))
    return {"peak_learning_rate": float(f"{lower:.1g}"), "warmup_steps": warmup}


def peak_of(run: RunDescription) -> float:
    """Return the largest learning rate of a training, which the paper's schedule derives from the warm-up."""
    training = run.train_config
    if training.schedule == "paper":
        return float((run.config.d_model * training.warmup_steps) ** -0.5)
    return training.peak_learning_rate


def training_loss(run: RunDescription) -> float | None:
    """Return the plain cross-entropy of the last training batches, as far as the smoothed one tells; None if unknown.

    With label smoothing even a perfect model has a high loss. The plain one is that of a model which gives the
    label a probability p and shares the rest evenly, with p such that its smoothed loss is the one observed.
    """
    losses = [point["loss"] for point in run.history[-LAST_UPDATES:] if "loss" in point]
    if not losses:
        return None
    return _plain_loss(math.fsum(losses) / len(losses), run.train_config.label_smoothing, _n_target(run))


def _plain_loss(smoothed: float, smoothing: float, n_tokens: int) -> float:
    if not smoothing:
        return smoothed
    label = 1 - smoothing + smoothing / n_tokens

    def loss_of(p: float) -> float:
        return -label * math.log(p) - (1 - label) * math.log((1 - p) / (n_tokens - 1))

    low, high = 1 / n_tokens, label  # The smoothed loss falls between these.
    if smoothed >= loss_of(low):
        return smoothed
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if loss_of(middle) > smoothed else (low, middle)
    return -math.log(high)


def _n_target(run: RunDescription) -> int:
    return len(run.tgt_tokenizer.vocabulary)


def _is_above_chance(run: RunDescription) -> bool:
    """Return True if the last validation loss is not below that of a model that takes all tokens for as probable."""
    return bool(run.progress) and run.progress["last_loss"] >= math.log(_n_target(run))


def _is_too_short(run: RunDescription) -> bool:
    """Return True if a loss above chance is still falling, is not far above, and few updates were made."""
    seen, far = run.progress, math.log(_n_target(run)) + math.log(2)
    return run.updates < FEW_UPDATES and seen["last_loss"] < far and seen["last_loss"] <= seen["lowest_loss"]


def _has_learned(run: RunDescription) -> bool:
    """Return True if the training loss is well below the validation loss, and below that of a guess."""
    loss, guess = training_loss(run), math.log(_n_target(run))
    return (
        loss is not None and bool(run.progress) and loss < WELL_BELOW * min(guess, run.progress["last_loss"])
    )


def _knows_by_heart(run: RunDescription) -> bool:
    """Return True if the training pairs were all seen, and are known far better than the validation pairs."""
    training = run.train_config
    return _has_learned(run) and run.updates * training.batch_size >= training.n_train


def _has_collapsed(run: RunDescription) -> bool:
    """Return True if the model knows little more than token frequencies, and more updates promise nothing."""
    seen = run.progress
    if "frequency_loss" not in seen or seen["last_loss"] < ABOUT * seen["frequency_loss"]:
        return False
    return seen["stale"] > 0 or peak_of(run) > 2 * _known_training(run).peak_learning_rate


def _mostly_unknown(run: RunDescription) -> bool:
    most = max(run.evaluation.get(name, 0.0) for name in ("n_unknown_sources", "n_unknown_targets"))
    return most > MANY_UNKNOWN * run.evaluation.get("n_pairs", 0.0)


def _known_training(run: RunDescription) -> TrainConfig:
    """Return the settings with which the task is known to be learned; of other tasks those of own pairs."""
    return _known_preset(run).training


def _known_preset(run: RunDescription) -> Preset:
    try:
        return preset(run.task)
    except ConfigError:
        return own_pairs_preset()


def _early_end(run: RunDescription) -> str:
    training, seen = run.train_config, run.progress
    if not run.is_complete or not seen or not training.patience or run.updates >= training.steps:
        return ""
    if seen["stale"] < training.patience:
        cause = f"every validation pair came out right {seen.get('perfect', 0):,.0f} times in a row"
    else:
        validations = (
            "1 validation" if training.patience == 1 else f"{training.patience:,} validations in a row"
        )
        cause = f"{validations} brought neither a lower loss nor more exact answers"
    return f"The training ended after {run.updates:,} of at most {training.steps:,} updates, because {cause}."


def _unknown_tokens(run: RunDescription, controls: Controls) -> str:
    if run.evaluation.get("exact_match", 0.0) == 1 or not _mostly_unknown(run):
        return ""
    figures, said = run.evaluation, []
    for side, tokenizer, effect in (
        ("sources", run.src_tokenizer, "which the model cannot read"),
        ("targets", run.tgt_tokenizer, "which the model cannot write"),
    ):
        count, of = figures.get(f"n_unknown_{side}", 0.0), figures["n_pairs"]
        if count <= MANY_UNKNOWN * of:
            continue
        has_small_pieces = tokenizer.kind in ("character", "bpe")
        remedy = (
            "bring more training pairs with these characters"
            if has_small_pieces
            else f"use smaller pieces: {controls.smaller_pieces}"
        )
        said.append(
            f"A token that was never seen in training, {effect}, stands in {count:,.0f} of {of:,.0f} held-out {side}; "
            f"{remedy}."
        )
    return " ".join(said)


def _ending(run: RunDescription, controls: Controls) -> str:
    write = {
        "too_short": _too_short,
        "diverged": _diverged,
        "overfitting": _overfitting,
        "collapsed": _collapsed,
        "worsened": _worsened,
        "more_right": _more_right,
        "falling": _falling,
    }.get(ending_of(run))
    return write(run, controls) if write else ""


def _diverged(run: RunDescription, controls: Controls) -> str:
    seen, chance = run.progress, math.log(_n_target(run))
    least = f"{chance:.3f}, the loss of a model that takes all {_n_target(run):,} tokens for equally probable"
    if _has_learned(run):
        rise = f"rose from {seen['lowest_loss']:.3f} after {seen['lowest_after']:,.0f} updates to"
        return (
            f"The validation loss {rise if seen['lowest_loss'] < seen['last_loss'] else 'is'} "
            f"{seen['last_loss']:.3f}, above {least}, while the training loss is {training_loss(run):.3f}: the model "
            f"is sure of wrong answers. {_kept(run)} {_gentler(run, controls)} "
            "More pairs or more dropout may help as well."
        )
    return (
        f"The training diverged: after {run.updates:,} updates the validation loss is {seen['last_loss']:.3f}, not "
        f"below {least}. {_gentler(run, controls)}"
    )


def _too_short(run: RunDescription, controls: Controls) -> str:
    return (
        f"The model has learned nothing so far: after only {run.updates:,} updates the validation loss is "
        f"{run.progress['last_loss']:.3f}, and {math.log(_n_target(run)):.3f} with all tokens equally probable. Make "
        f"more updates, and lower the learning rate ({controls.learning_rate}) if the loss does not fall then."
    )


def _collapsed(run: RunDescription, controls: Controls) -> str:
    seen = run.progress
    return (
        f"The model has learned little more than how frequent each token is: its validation loss is "
        f"{seen['last_loss']:.3f}, and {seen['frequency_loss']:.3f} without looking at the source. "
        f"{_gentler(run, controls)}"
    )


def _overfitting(run: RunDescription, controls: Controls) -> str:
    return (
        f"{_got_worse(run)}: the model was learning its {run.train_config.n_train:,} training "
        f"pairs by heart, which is overfitting; their loss is {training_loss(run):.3f}. {_kept(run)} "
        "More pairs help most; dropout or a smaller model may."
    )


def _worsened(run: RunDescription, controls: Controls) -> str:
    return f"{_got_worse(run)}. {_kept(run)} {_gentler(run, controls)}"


def _more_right(run: RunDescription, controls: Controls) -> str:
    seen = run.progress
    return (
        f"More answers were right after {seen['most_exact_after']:,.0f} updates than ever before, though the "
        f"validation loss rose from {seen['lowest_loss']:.3f} after {seen['lowest_after']:,.0f} updates to "
        f"{seen['last_loss']:.3f}: more updates may bring more right answers."
    )


def _falling(run: RunDescription, controls: Controls) -> str:
    return (
        f"The validation loss was still falling after the last of {run.updates:,} updates: train on, and it "
        "may get better."
    )


def _got_worse(run: RunDescription) -> str:
    seen = run.progress
    return (
        f"The validation loss got worse from update {seen['lowest_after']:,.0f} on ({seen['lowest_loss']:.3f} "
        f"became {seen['last_loss']:.3f})"
    )


def _kept(run: RunDescription) -> str:
    return f"The weights kept are those after {run.best_after or 0:,} updates."


def _gentler(run: RunDescription, controls: Controls) -> str:
    """Return the advice to begin again with a lower learning rate or a longer warm-up, with the values."""
    training, settings = run.train_config, gentler_settings(run)
    warmup = f"{controls.warmup} {decimal(settings['warmup_steps'])} instead of {training.warmup_steps}"
    if training.schedule == "paper":
        return (
            "Lower the learning rate, which the paper's schedule sets by the warm-up: "
            f"{controls.again}, {warmup}."
        )
    peak = decimal(settings["peak_learning_rate"])
    rate = f"{controls.learning_rate} {peak} instead of {decimal(training.peak_learning_rate)}"
    longer = settings["warmup_steps"] > training.warmup_steps
    return f"Lower the learning rate or warm up longer: {controls.again}, {rate}{f', {warmup}' if longer else ''}."
