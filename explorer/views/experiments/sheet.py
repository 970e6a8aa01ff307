"""An experiment on paper: its question and its possible answers, and on a page of its own what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.errors import ExplorerError
from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm
from core.experiments.experiment import Experiment
from core.experiments.measured import ArmMeasured, figures_by_arm, read_measured
from explorer.models.known import own_description
from explorer.models.loaded import figures_of_arm
from explorer.models.server import training_engine
from explorer.views.experiments.arms import seed_of
from explorer.views.experiments.words import (
    answer_words,
    arm_columns,
    claim_sentences,
    extent,
    filled,
    measured_with,
    pairs_words,
    reason,
    result_columns,
    seeds_sentence,
)
from explorer.visitor.state import JUST_SEE, ExplorerState
from explorer.worksheets.document import (
    Block,
    Heading,
    Line,
    PageBreak,
    Sheet,
    Together,
    html_of,
    paragraph,
    paragraph_of_markdown,
    table_of,
)


@dataclass(frozen=True)
class OwnRun:
    """What a visitor's run of an experiment gave: its seed, and the figures of each arm."""

    seed: int
    figures: Mapping[str, Mapping[str, float]]


def document(title: str, state: ExplorerState, address: str) -> str:
    """The HTML of the worksheet of the chosen experiment, or of the questions of all.

    Raises:
        RunError: when what was measured cannot be read.
    """
    measured, experiment = read_measured(), EXPERIMENTS.get(state.experiment.key)
    if experiment is None:
        asked = tuple(
            Together((Heading(each.title), *_question(each, measured[each.key])))
            for each in EXPERIMENTS.values()
        )
        return html_of(Sheet(title, (), asked, address))
    found, own = measured[experiment.key], _own_run(experiment, state)
    blocks = [*_question(experiment, found), PageBreak(), *_answer(experiment, found, own)]
    return html_of(Sheet(experiment.title, (), tuple(blocks), address))


def _question(experiment: Experiment, measured: Mapping[str, ArmMeasured]) -> Iterator[Block]:
    control = experiment.control
    described = describe_arm(experiment, control, measured[control.key].seeds[0])
    yield paragraph_of_markdown(experiment.summary)
    yield table_of(arm_columns(experiment, measured, described.config), ("Model", "Differs in"))
    yield paragraph(f"To train: {extent(experiment, measured)}.", quiet=True)
    yield paragraph_of_markdown(f"**{experiment.question}**")
    for choice in experiment.choices:
        yield paragraph(f"☐ {choice.text}")
    yield paragraph("Why do you think so?")
    yield Line()


def _answer(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    own: OwnRun | None,
) -> Iterator[Block]:
    known = figures_by_arm(measured)
    yield Heading("What it showed")
    yield paragraph_of_markdown(f"**{answer_words(experiment, JUST_SEE, known)}**")
    yield paragraph_of_markdown(reason(experiment, JUST_SEE, known))
    yield paragraph_of_markdown(seeds_sentence(experiment, measured, own.figures if own else None))
    right = experiment.right_choice(known)
    for choice in experiment.choices:
        if choice is not right:
            yield paragraph_of_markdown(f"“{choice.text}”: {filled(choice.reply, known)}")
    yield from map(paragraph_of_markdown, claim_sentences(experiment.claims, known))
    this_run = f"; this run has seed {own.seed}" if own else ""
    yield table_of(
        result_columns(experiment, measured, own.figures if own else None),
        ("Figure", "Model"),
        f"Measured with {measured_with(experiment, measured)}, each with pairs of its own and "
        f"{pairs_words(experiment)}{this_run}",
    )


def _own_run(experiment: Experiment, state: ExplorerState) -> OwnRun | None:
    """The visitor's own run; None where there is none, or it has not ended."""
    if not state.experiment.arms:
        return None
    try:
        seed = seed_of(experiment, state.experiment.arms, own_description)
        engine = training_engine()
        if any(engine.status(run_id).state != "finished" for run_id in state.experiment.arms):
            return None
        figures = {
            arm.key: figures_of_arm(run_id, tuple(experiment.figures))
            for arm, run_id in zip(experiment.arms, state.experiment.arms, strict=True)
        }
        return OwnRun(seed, figures)
    except ExplorerError:
        return None
