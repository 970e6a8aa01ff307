"""What the page of an experiment says: sentences with measured numbers, a verdict, and the rows of its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import median

from core.config import TransformerConfig
from core.experiments.experiment import Arm, Choice, Claim, Experiment, Figures
from core.experiments.measured import ArmMeasured
from explorer.histories.words import duration
from explorer.look.theme import format_count, format_share, format_signed
from explorer.visitor.state import JUST_SEE

MISSING = "–"
_FIGURE = re.compile(r"\{([a-z_]+)\.([a-z0-9_]+)\}")
_SETTINGS = {
    "positional": "positions",
    "causal": "causal mask",
    "scale_scores": "division by √d_head",
    "norm_position": "LayerNorm",
    "warmup_steps": "warm-up",
    "unseen_pairs": "pairs kept out",
}
_VALUES = {"pre": "before each sub-layer", "post": "after each sub-layer", "True": "on", "False": "off"}


def is_share(name: str) -> bool:
    """Whether a figure lies between 0 and 1; a loss does not."""
    return not name.endswith("loss")


def figure_text(name: str, value: float) -> str:
    """A figure as people read it."""
    return format_share(value) if is_share(name) else format_signed(value)


def filled(sentence: str, figures: Figures) -> str:
    """A sentence of an experiment with the median of each figure that it names."""

    def value(found: re.Match[str]) -> str:
        values = figures.get(found[0][1:-1], ())
        return figure_text(found[2], median(values)) if values else MISSING

    return _FIGURE.sub(value, sentence)


def predicted_choice(experiment: Experiment, predicted: str) -> Choice | None:
    """The answer that a visitor has predicted; None where there is none."""
    place = int(predicted) if predicted.isdigit() else len(experiment.choices)
    return experiment.choices[place] if place < len(experiment.choices) else None


def is_predicted(experiment: Experiment, predicted: str) -> bool:
    """Whether the visitor has predicted, or rather would not."""
    return predicted == JUST_SEE or predicted_choice(experiment, predicted) is not None


def verdict(experiment: Experiment, predicted: str, measured: Figures, here: Figures | None = None) -> str:
    """What became of a prediction, and why, in two or three sentences of Markdown.

    Args:
        experiment: That was predicted.
        predicted: The answer's place, or `JUST_SEE`.
        measured: What several seeds gave.
        here: What the run in this app gave; None where only the measured numbers are looked at.
    """
    right, chosen = experiment.right_choice(measured), predicted_choice(experiment, predicted)
    if right is None:
        return "The measured seeds do not agree on an answer."
    if here is not None and experiment.right_choice(here) is not right:
        start = "**This seed came out otherwise than the measured ones**, which the table shows beside it."
        return f"{start} They gave: {filled(right.reply, measured)}"
    numbers = measured if here is None else here
    if chosen is None:
        return f"**{right.text}.** {filled(right.reply, numbers)}"
    if chosen is right:
        return f"**Your prediction was right.** {filled(right.reply, numbers)}"
    return f"**Not so; the answer is “{right.text}”.** {filled(chosen.reply, numbers)}"


def claim_sentences(claims: Sequence[Claim], measured: Figures, here: Figures | None = None) -> list[str]:
    """The claims that the measured seeds support, and this run too where there is one, with its numbers."""
    return [
        filled(claim.sentence, measured if here is None else here)
        for claim in claims
        if claim.holds(measured) and (here is None or claim.holds(here))
    ]


def differences(arm: Arm, control: TransformerConfig, warmup: int) -> str:
    """What an arm has otherwise than the control, which is given by its model and its warm-up."""
    usual = {**vars(control), "warmup_steps": warmup, "unseen_pairs": False}
    changes = {**arm.model, **arm.training}
    named = (
        f"{_SETTINGS.get(name, name)}: {_value(value)} (not {_value(usual.get(name))})"
        for name, value in changes.items()
    )
    return ", ".join(named) or MISSING


def arm_columns(
    experiment: Experiment, measured: Mapping[str, ArmMeasured], control: TransformerConfig
) -> dict[str, list[str]]:
    """The table of the models that are trained."""
    arms = experiment.arms
    warmup = experiment.training.warmup_steps
    return {
        "Model": [arm.label for arm in arms],
        "Differs in": ["control", *(differences(arm, control, warmup) for arm in arms[1:])],
        "Parameters": [format_count(measured[arm.key].parameters) for arm in arms],
        "Updates": [format_count(measured[arm.key].updates) for arm in arms],
    }


def result_columns(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    here: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, list[str]]:
    """The table of the results: a row for each figure of each model, this run beside the measured seeds."""
    rows = [(name, label, arm) for name, label in experiment.figures.items() for arm in experiment.arms]
    found = [(name, measured[arm.key].figures[name]) for name, _, arm in rows]
    columns = {"Figure": [label for _, label, _ in rows], "Model": [arm.label for _, _, arm in rows]}
    if here is not None:
        columns["This run"] = [
            figure_text(name, here[arm.key][name]) if name in here.get(arm.key, {}) else MISSING
            for name, _, arm in rows
        ]
    return columns | {
        "Median of the seeds": [figure_text(name, median(values)) for name, values in found],
        "Lowest": [figure_text(name, min(values)) for name, values in found],
        "Highest": [figure_text(name, max(values)) for name, values in found],
    }


def extent(experiment: Experiment, measured: Mapping[str, ArmMeasured]) -> str:
    """How much there is to train, in one line."""
    arms = list(measured.values())
    seconds = sum(median(arm.cpu_seconds) for arm in arms)
    updates = format_count(measured[experiment.control.key].updates)
    return f"{len(arms)} models, {updates} updates each, about {duration(seconds)} of one core"


def pairs_words(experiment: Experiment) -> str:
    """Whether the models of one seed learn the same pairs: not where the pairs are what differs."""
    if any("unseen_pairs" in arm.training for arm in experiment.arms):
        return "each model with the pairs that it may see, and with test sources of its own"
    return "every model with the same"


def seeds_words(seeds: Sequence[int]) -> str:
    """Seeds in a sentence: 0, 1 and 2."""
    *first, last = map(str, seeds)
    return f"{', '.join(first)} and {last}" if first else last


def _value(value: object) -> str:
    return _VALUES.get(str(value), str(value))
