"""The arms of an experiment as somebody watches them: how each stands, their curves in one chart, and where to look."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from core.experiments.experiment import Experiment
from explorer.histories.chart import draw_chart
from explorer.histories.figures import Figures, Line, read_figures
from explorer.histories.wishes import BETWEEN_LOOKS, problem_of, say_problem, try_wish
from explorer.histories.words import progress_words, state_words
from explorer.look.curves import Curve
from explorer.look.number_table import number_table
from explorer.look.theme import format_count, format_share, format_signed
from explorer.models.known import known_runs
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import NOT_YOURS, Visitor
from explorer.trainings.status import GOING_ON, RunStatus
from explorer.views.experiments.arms import resume_arms, stop_arms
from explorer.views.experiments.looks import LOOKS
from explorer.visitor.links import query_of
from explorer.visitor.session import visitor_state
from explorer.visitor.state import Runs

_LOOKS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("source", (1, 0)),
    ("target", (7, 4)),
    ("k", (2, 3)),
    ("q", (9, 3, 2, 3)),
)
"""Colour and dash of each arm's curve; both differ, so that colour is never alone."""


def watch_arms(engine: TrainingEngine, experiment: Experiment, arms: Sequence[str], by: Visitor) -> bool:
    """Draw the arms, again each second as long as one of them goes on.

    Args:
        engine: Of their trainings.
        experiment: Of the arms.
        arms: Ids of their runs, in the experiment's order.
        by: Who watches.

    Returns:
        Whether all have finished.

    Raises:
        RunError: when there is no such run any more.
    """
    states = [engine.status(run_id).state for run_id in arms]
    is_going_on = any(state in GOING_ON for state in states)
    fragment = st.fragment(_live, run_every=BETWEEN_LOOKS if is_going_on else None)
    fragment(engine, experiment, tuple(arms), is_going_on, by)
    return all(state == "finished" for state in states)


def _live(
    engine: TrainingEngine, experiment: Experiment, arms: tuple[str, ...], is_going_on: bool, by: Visitor
) -> None:
    try:
        if is_going_on:
            engine.statuses()  # Starts what waits.
        statuses = [engine.status(run_id) for run_id in arms]
        figures = [read_figures(engine.run_folder(run_id)) for run_id in arms]
    except ExplorerError as error:
        say_problem(error.sentence)
        return
    if any(status.state in GOING_ON for status in statuses) != is_going_on:
        st.rerun()
    _standing(experiment, statuses)
    _buttons(engine, statuses, by)
    _charts(experiment, figures)


def _standing(experiment: Experiment, statuses: Sequence[RunStatus]) -> None:
    """How each arm stands, and where to look into it."""
    runs = known_runs()
    for place, arm, status in zip(st.columns(len(statuses)), experiment.arms, statuses, strict=True):
        with place, st.container(border=True, height="stretch", key=f"experiment_arm_{arm.key}"):
            st.subheader(arm.label, anchor=False)
            st.progress(
                status.share,
                f"{state_words(status)}: {progress_words(status)}",
            )
            if status.reason:
                say_problem(status.reason, key=f"experiment_reason_{arm.key}")
            if status.run_id in runs:
                _look_links(experiment, status.run_id, runs)


def _look_links(experiment: Experiment, run_id: str, runs: Runs) -> None:
    for look in LOOKS[experiment.key]:
        there = look.state_of(visitor_state(runs), run_id, runs)
        st.page_link(
            look.page,
            label=f"Look inside: {look.label}",
            icon=":material/visibility:",
            query_params=query_of(there, runs),
        )


def _buttons(engine: TrainingEngine, statuses: Sequence[RunStatus], by: Visitor) -> None:
    arms = [status.run_id for status in statuses]
    if not all(engine.may_steer(run_id, by) for run_id in arms):
        st.caption(NOT_YOURS)
        return
    problem_key = f"experiment_problem_{'-'.join(arms)}"
    with st.container(horizontal=True, vertical_alignment="center", key="experiment_buttons"):
        if any(status.state in GOING_ON for status in statuses):
            st.button(
                "Stop",
                key="experiment_stop",
                icon=":material/stop:",
                on_click=try_wish,
                args=(partial(stop_arms, engine, arms, by), problem_key),
            )
        elif any(status.can_resume for status in statuses):
            st.button(
                "Resume",
                key="experiment_resume",
                icon=":material/play_arrow:",
                on_click=try_wish,
                args=(partial(resume_arms, engine, arms, by), problem_key),
            )
    if problem := problem_of(problem_key).value:
        say_problem(problem)


def _charts(experiment: Experiment, figures: Sequence[Figures]) -> None:
    """The loss of all arms in one chart, and what they get right in another."""
    left, right = st.columns(2)
    _chart(
        left, experiment, [each.smoothed for each in figures], "loss of the batches, smoothed", share=False
    )
    _chart(right, experiment, [each.exact_match for each in figures], "exact match, validation", share=True)
    with st.expander("Tables of these curves"):
        number_table(
            validation_table(experiment, figures),
            key="experiment_validations",
            alt="Loss and exact match of the validation pairs of every model",
        )


def _chart(
    place: DeltaGenerator, experiment: Experiment, lines: Sequence[Line], title: str, *, share: bool
) -> None:
    curves = [
        Curve(arm.label, line.updates, line.values, role, 2.0, dash, points=share)
        for arm, line, (role, dash) in zip(experiment.arms, lines, _LOOKS, strict=False)
    ]
    draw_chart(
        place,
        curves,
        of=experiment.training.steps,
        title=title,
        alt=f"{title.capitalize()}, of {' and '.join(arm.label for arm in experiment.arms)}",
        in_turn=True,
        share=share,
    )


def validation_table(experiment: Experiment, figures: Sequence[Figures]) -> dict[str, list[str]]:
    """The validations of all arms by the updates, the newest first."""
    times = sorted({each.updates for arm in figures for each in arm.validations}, reverse=True)
    columns = {"after updates": [format_count(updates) for updates in times]}
    for arm, found in zip(experiment.arms, figures, strict=True):
        known = {each.updates: each.figures for each in found.validations}
        columns[f"loss, {arm.label}"] = [
            format_signed(known[updates].loss) if updates in known else "" for updates in times
        ]
        columns[f"exact, {arm.label}"] = [
            format_share(known[updates].exact_match) if updates in known else "" for updates in times
        ]
    return columns
