"""The arms of an experiment while they train and afterwards: the picture, its buttons, and where to look into them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.errors import ExplorerError
from core.experiments.experiment import Experiment
from explorer.browser.theatre import LAYER, Layer
from explorer.histories.wishes import BETWEEN_LOOKS, problem_of, say_problem, try_wish
from explorer.models.known import known_runs
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import NOT_YOURS, Visitor
from explorer.trainings.status import GOING_ON, RunStatus
from explorer.views.experiments.arms import resume_arms, stop_arms
from explorer.views.experiments.component import END, HAVE, Asked, experiment_view
from explorer.views.experiments.looks import LOOKS
from explorer.views.experiments.watched import Watched, watch_arms
from explorer.visitor.links import query_of
from explorer.visitor.live import draw_live
from explorer.visitor.reports import latest, pending
from explorer.visitor.session import visitor_state
from explorer.visitor.values import SessionValue

SEEN_GOING_ON = SessionValue[frozenset[str]]("experiment_seen_going_on", frozenset())
"""Runs that this visitor has watched: their verdict waits for the end of what is played."""
ENDED = SessionValue[frozenset[str]]("experiment_ended", frozenset())
"""Runs of which the last moment was shown, or that had ended before anybody came."""


LAYER_SHOWN = SessionValue[tuple[str, int]]("experiment_layer", ("", 0))
"""Runs, and the layer that is looked at of them."""


def has_ended(run_ids: Sequence[str]) -> bool:
    """Whether the last moment of these runs was shown to this visitor."""
    return "-".join(run_ids) in ENDED.value


def look_at(engine: TrainingEngine, experiment: Experiment, run_ids: Sequence[str], *, key: str) -> Watched:
    """The arms as they are now, with the moments that the browser lacks.

    Args:
        engine: Of their trainings.
        experiment: Of the arms.
        run_ids: In the experiment's order.
        key: Of the view in the session.

    Raises:
        ExplorerError: when one of them is not here any more, or its files are damaged.
    """
    name = "-".join(run_ids)
    if any(engine.status(run_id).state in GOING_ON for run_id in run_ids):
        SEEN_GOING_ON.set(SEEN_GOING_ON.value | {name})
    of, layer = LAYER_SHOWN.value

    def has(asked: Asked) -> Sequence[frozenset[int]]:
        have = latest(key, asked, HAVE)
        return have.updates if have else [frozenset()] * asked.n_arms

    return watch_arms(
        engine,
        experiment,
        run_ids,
        newest_first=name not in SEEN_GOING_ON.value,
        layer=layer if of == name else None,
        has=has,
    )


def draw_arms(
    engine: TrainingEngine, experiment: Experiment, first: Watched, by: Visitor, *, key: str
) -> bool:
    """Draw the arms, again each second as long as there may be more of one of them.

    Args:
        engine: Of their trainings.
        experiment: Of the arms.
        first: The arms as they are now.
        by: Who watches.
        key: Of the view in the session.

    Returns:
        Whether all have finished.

    Raises:
        RunError: when there is no such run any more.
    """
    run_ids = tuple(status.run_id for status in first.statuses)
    name, states = "-".join(run_ids), [status.state for status in first.statuses]
    if any(state in GOING_ON for state in states):
        ENDED.set(ENDED.value - {name})
    elif name not in SEEN_GOING_ON.value:
        ENDED.set(ENDED.value | {name})
    every = BETWEEN_LOOKS if first.may_grow else None
    # The first look is taken out once it is drawn: the next one looks again.
    draw_live(_live, engine, experiment, run_ids, by, key, [first], first.may_grow, run_every=every)
    return all(state == "finished" for state in states)


def _live(
    engine: TrainingEngine,
    experiment: Experiment,
    run_ids: tuple[str, ...],
    by: Visitor,
    key: str,
    first: list[Watched],
    is_live: bool,
) -> None:
    try:
        if is_live:
            engine.statuses()  # Starts what waits.
        watched = first.pop() if first else look_at(engine, experiment, run_ids, key=key)
    except ExplorerError as error:
        say_problem(error.sentence)
        return
    for report in pending(key, watched.data, (END, LAYER)):
        if isinstance(report, Layer):
            LAYER_SHOWN.set(("-".join(run_ids), report.layer))
        else:
            ENDED.set(ENDED.value | {"-".join(run_ids)})
        st.rerun()
    if watched.may_grow != is_live:
        st.rerun()
    experiment_view(watched.data, key=key)
    _buttons(engine, watched.statuses, by)


def _buttons(engine: TrainingEngine, statuses: Sequence[RunStatus], by: Visitor) -> None:
    run_ids = [status.run_id for status in statuses]
    going_on = any(status.state in GOING_ON for status in statuses)
    if not going_on and not any(status.can_resume for status in statuses):
        return
    if not all(engine.may_steer(run_id, by) for run_id in run_ids):
        st.caption(NOT_YOURS)
        return
    problem_key = f"experiment_problem_{'-'.join(run_ids)}"
    with st.container(horizontal=True, vertical_alignment="center", key="experiment_buttons"):
        wish = partial(stop_arms if going_on else resume_arms, engine, run_ids, by)
        st.button(
            "Stop" if going_on else "Resume",
            key="experiment_stop" if going_on else "experiment_resume",
            icon=":material/stop:" if going_on else ":material/play_arrow:",
            on_click=try_wish,
            args=(wish, problem_key),
        )
    if problem := problem_of(problem_key).value:
        say_problem(problem)


def draw_looks(experiment: Experiment, run_ids: Sequence[str]) -> None:
    """Draw where to look into each arm's model."""
    runs = known_runs()
    for arm, run_id in zip(experiment.arms, run_ids, strict=True):
        if run_id not in runs:
            continue
        with st.container(horizontal=True, vertical_alignment="center", key=f"experiment_look_{arm.key}"):
            st.caption(f"Look inside {arm.label}:", width="content")
            for look in LOOKS[experiment.key]:
                there = look.state_of(visitor_state(runs), run_id, runs)
                st.page_link(look.page, label=look.label, query_params=query_of(there, runs), width="content")
