"""What the page of an experiment says: sentences with measured numbers, a verdict, and the rows of its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import median

from core.config import TransformerConfig
from core.experiments.experiment import Arm, Choice, Claim, Experiment, Figures, Observation
from core.experiments.measured import ArmMeasured
from explorer.histories.words import duration
from explorer.look.theme import format_count, format_share, format_signed
from explorer.visitor.state import JUST_SEE

MISSING = "–"
_FIGURE = re.compile(r"\{([a-z_]+)\.([a-z0-9_]+)\}")
_SETTINGS = {
    "positional": "positions",
    "causal": "causal mask",
    "scale_scores": "division by √d_k",
    "norm_position": "LayerNorm",
    "warmup_steps": "warm-up",
    "unseen_pairs": "pairs kept out",
}
_VALUES = {"pre": "before each sub-layer", "post": "after each sub-layer", "True": "on", "False": "off"}


def is_share(name: str) -> bool:
    """Return True if a figure lies between 0 and 1; a loss and a gradient's norm do not."""
    return not name.endswith("loss") and "gradient" not in name


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


def answer_words(
    experiment: Experiment, predicted: str, measured: Figures, here: Figures | None = None
) -> str:
    """What came of it, beside what the visitor had guessed: the verdict's first line.

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
        return "This seed turned out differently from the measured ones."
    if chosen is None:
        return f"{right.short}."
    if chosen is right:
        return f"{right.short}, as you said."
    return f"{right.short}; you said “{chosen.short}”."


def reason(experiment: Experiment, predicted: str, measured: Figures, here: Figures | None = None) -> str:
    """Why it came so, or not as somebody guessed, as Markdown; the arguments are those of `answer_words`."""
    right, chosen = experiment.right_choice(measured), predicted_choice(experiment, predicted)
    if right is None:
        return ""
    if here is not None and experiment.right_choice(here) is not right:
        return f"The measured seeds gave “{right.short}”: {filled(right.reply, measured)}"
    return filled((chosen or right).reply, measured if here is None else here)


def seeds_sentence(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    here: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """The figure that the verdict is about, of every seed of every model, and of this run where there is one."""
    name = experiment.headline
    seeds = seeds_words(measured[experiment.control.key].seeds)
    models = "; ".join(
        f"**{listed([figure_text(name, value) for value in measured[arm.key].figures[name]])}** ({arm.label})"
        for arm in experiment.arms
    )
    sentence = f"{experiment.figures[name]}, with seeds {seeds}: {models}."
    if here is None:
        return sentence
    own = [
        figure_text(name, here[arm.key][name]) if name in here[arm.key] else MISSING
        for arm in experiment.arms
    ]
    return f"{sentence} In this run: {listed(own)}."


def claim_sentences(claims: Sequence[Claim], measured: Figures, here: Figures | None = None) -> list[str]:
    """The claims that the measured seeds support, and this run too where there is one, with its numbers."""
    return [
        filled(claim.sentence, measured if here is None else here)
        for claim in claims
        if claim.holds(measured) and (here is None or claim.holds(here))
    ]


def reply_words(seen: Observation, answer: int, figures: Figures) -> str:
    """What there was to see, beside what somebody has seen, as Markdown."""
    start = (
        "That is what happened" if answer == seen.right else f"Look once more: “{seen.answers[seen.right]}”"
    )
    return f"**{start}.** {filled(seen.reply, figures)}"


def differences(arm: Arm, control: TransformerConfig, warmup: int) -> str:
    """How an arm differs from the control, which is given by its model and its warm-up."""
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


def together(experiment: Experiment) -> str:
    """All of its models, in two words at most."""
    count = len(experiment.arms)
    return "both" if count == 2 else f"all {('three', 'four')[count - 3]}"


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


def listed(texts: Sequence[str]) -> str:
    """Some things in a sentence: 0, 1 and 2."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def seeds_words(seeds: Sequence[int]) -> str:
    """Seeds in a sentence."""
    return listed([str(seed) for seed in seeds])


def measured_with(experiment: Experiment, measured: Mapping[str, ArmMeasured]) -> str:
    """Name the seeds and the machine of what was measured."""
    machines = listed(sorted({arm.machine for arm in measured.values()}))
    return f"seeds {seeds_words(measured[experiment.control.key].seeds)} on {machines}"


def _value(value: object) -> str:
    return _VALUES.get(str(value), str(value))
