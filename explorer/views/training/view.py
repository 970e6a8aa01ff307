"""A run as somebody watches it: how it stands, its theatre, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from explorer.browser.theatre import Layer
from explorer.histories.figures import Figures
from explorer.histories.wishes import problem_of, say_problem, try_wish
from explorer.histories.words import (
    duration,
    explanation,
    parent_sentence,
    progress_words,
    result_sentence,
    state_words,
    turn_sentence,
)
from explorer.models.task_facts import title_of
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import NOT_YOURS, Visitor
from explorer.trainings.status import GOING_ON, RunStatus
from explorer.view import MISTAKES_PAGE
from explorer.views.training.data import Shown, theatre_of, wishes_of, with_moments
from explorer.views.training.more import draw_more
from explorer.views.training.subject import Subject, own_subject
from explorer.views.training.theatre import (
    ACTS,
    HAVE,
    Opened,
    Picked,
    TheatreData,
    Wished,
    theatre_view,
)
from explorer.visitor.live import draw_live
from explorer.visitor.reports import last_report, latest, pending
from explorer.visitor.values import SessionValue

VIEW_KEY = "train_theatre"
BETWEEN_TICKS = 0.5
"""Seconds between two looks at a training that goes on."""
PARENT = SessionValue("train_parent", "")
"""The run that the form trains on; empty where it begins with random weights."""
ASKED = SessionValue("train_asked", False)
"""Whether the form's training is to begin."""
ONE_UPDATE = "pages/training/one_update.py"
_SHOWN = SessionValue[tuple[str, Shown]]("train_shown", ("", Shown()))
"""A run, and what is looked at of it."""
_BAD = ("failed", "interrupted", "silent")


@dataclass(frozen=True)
class Ways:
    """Where one can go from a training; each is called before the page is drawn again.

    Attributes:
        travel: Opens the app with a run, the weights after so many updates, and a source; the last says whether in
            the living map.
        train_on: Opens the form that trains a run on.
    """

    travel: Callable[[str, int, str, bool], None]
    train_on: Callable[[str], None]


@dataclass(frozen=True)
class StatePlaces:
    """Where it is said how a run stands.

    Attributes:
        line: At the end of the first line.
        why: Below it, over the whole width: what has gone wrong.
    """

    line: DeltaGenerator
    why: DeltaGenerator


def lead_of(subject: Subject) -> str:
    """What the page says of the run in its first line."""
    status, run = subject.status, subject.run
    if status is None:
        learned = f"“{title_of(run.task)}”" if run else "its task"
        return f"A recorded run plays: a new model learns {learned} in {subject.span:,} updates."
    told = {
        "starting": "A new model is made: all of its weights are random.",
        "training": "Live: every kept moment appears here as soon as it is made.",
        "paused": "The model waits. Make one update, or go on.",
    }.get(status.state)
    if told:
        return told
    if status.state in ("finished", "stopped") and run and (sentence := result_sentence(run)):
        way_on = "" if status.state == "finished" else explanation(status)
        return f"{sentence.replace('**', '')} {way_on}".rstrip()
    return explanation(status)


def draw_state(places: StatePlaces, subject: Subject, problem: str = "") -> None:
    """Say how a run stands; what somebody wrote in it is drawn as it is, never as markup.

    Args:
        places: Where.
        subject: The run.
        problem: Why what was asked for last could not be; empty where it could.
    """
    status = subject.status
    left = (
        f", about {duration(status.seconds_left)} left" if status and status.seconds_left is not None else ""
    )
    stands = f"{state_words(status)}: {progress_words(status)}{left}" if status else "Recorded run, finished"
    why = problem or (status.reason if status else "")
    is_bad = bool(problem) or subject.state in _BAD
    kind = "bad" if is_bad else "run" if subject.state == "training" else ""
    role = "alert" if is_bad else "status"
    with places.line.container(horizontal=True, vertical_alignment="center", key="train_state"):
        if status:
            with st.container(key="train_title", width="content"):
                st.text(status.title)
        st.html(f'<p class="train-stands {kind}" role="{role}"><i></i>{escape(stands)}</p>', width="content")
    with places.why.container(key="train_why"):
        if why:
            st.text(why)


def watch(engine: TrainingEngine, subject: Subject, places: StatePlaces, ways: Ways, by: Visitor) -> None:
    """Draw a run, again and again as long as it goes on.

    Args:
        engine: Of the trainings.
        subject: The run.
        places: Where it is said how it stands.
        ways: Where one can go from here.
        by: Who watches.
    """
    every = BETWEEN_TICKS if subject.state in GOING_ON else None
    draw_live(_live, engine, subject, places, ways, by, run_every=every)


def _live(engine: TrainingEngine, before: Subject, places: StatePlaces, ways: Ways, by: Visitor) -> None:
    subject = before
    try:
        if before.status:
            if before.state in GOING_ON:
                engine.statuses()  # Starts what waits.
            subject = own_subject(engine.status(before.name), engine)
    except ExplorerError as error:
        say_problem(error.sentence)
        return
    if subject.state != before.state:
        st.rerun()
    problem = problem_of(f"train_problem_{subject.name}")
    figures, damage = _figures(subject)
    said = problem.value or ("" if subject.status and subject.status.reason else damage)
    draw_state(places, subject, said)
    may_steer = bool(subject.status) and engine.may_steer(subject.name, by)
    try:
        _theatre(engine, subject, figures, ways, by, may_steer=may_steer)
    except ExplorerError as error:
        say_problem(error.sentence, key="train_problem_theatre")
    _remarks(engine, subject, ways, may_steer=may_steer)
    if not damage:
        draw_more(subject, figures)


def _figures(subject: Subject) -> tuple[Figures, str]:
    """What a training has told, and the sentence where that is damaged: it takes nobody's buttons away."""
    try:
        return subject.figures(), ""
    except ExplorerError as error:
        return Figures(), error.sentence


def _theatre(
    engine: TrainingEngine, subject: Subject, figures: Figures, ways: Ways, by: Visitor, *, may_steer: bool
) -> None:
    data = _data(subject, figures, may_steer=may_steer)
    for report in pending(VIEW_KEY, data, ACTS):
        if isinstance(report, Opened):
            ways.travel(subject.name, report.updates, data.probes[report.probe].text, report.walks)
        elif isinstance(report, Layer | Picked):
            change = (
                {"layer": report.layer}
                if isinstance(report, Layer)
                else {"tensor": report.name, "probe": report.probe}
            )
            _SHOWN.set((subject.key, replace(_shown(subject), **change)))
            data = _data(subject, figures, may_steer=may_steer)
        elif isinstance(report, Wished) and report.wish in data.wishes:
            _ask(engine, subject.name, report, by)
    have = latest(VIEW_KEY, data, HAVE)
    theatre_view(with_moments(data, subject, have.count if have else 0, _shown(subject)), key=VIEW_KEY)


def _data(subject: Subject, figures: Figures, *, may_steer: bool) -> TheatreData:
    wishes = wishes_of(subject.status, may_steer=may_steer)
    data = theatre_of(subject, figures, wishes, _shown(subject))
    return replace(data, header={**data.header, "report": last_report()})


def _shown(subject: Subject) -> Shown:
    """What is looked at of a run; nothing that was chosen of another one."""
    key, shown = _SHOWN.value
    return shown if key == subject.key else Shown()


def _ask(engine: TrainingEngine, run_id: str, report: Wished, by: Visitor) -> None:
    wish = {
        "pause": engine.pause,
        "go_on": engine.go_on,
        "step": engine.step,
        "stop": engine.stop,
        "resume": engine.resume,
    }[report.wish]
    try_wish(partial(wish, run_id, by=by), f"train_problem_{run_id}")
    # Whatever came of it is drawn by a run of the page of its own.
    st.rerun()


def _remarks(engine: TrainingEngine, subject: Subject, ways: Ways, *, may_steer: bool) -> None:
    """What is said under the theatre, and the ways on; nothing above moves with it."""
    status, run = subject.status, subject.run
    with st.container(horizontal=True, vertical_alignment="center", key="train_remarks"):
        # In the order in which they appear, so that none takes the place of another under the pointer.
        if subject.has_model:
            st.page_link(
                MISTAKES_PAGE,
                label="See its mistakes",
                icon=":material/rule:",
                query_params={"model": subject.name},
            )
        if status and status.has_checkpoint and subject.has_model:
            st.page_link(
                ONE_UPDATE,
                label="Take an update apart",
                icon=":material/search:",
                query_params={"model": subject.name},
            )
        if status and status.state == "finished" and subject.has_model:
            st.button(
                "Train on",
                key="train_on",
                icon=":material/resume:",
                on_click=ways.train_on,
                args=(subject.name,),
            )
        for sentence in _sentences(engine, status, may_steer=may_steer):
            st.caption(sentence)
        if run and run.parent:
            # A title is somebody's text: it is drawn as it is, never as markup.
            st.text(parent_sentence(run.parent))


def _sentences(engine: TrainingEngine, status: RunStatus | None, *, may_steer: bool) -> list[str]:
    if status is None:
        return []
    found = []
    if status.state == "paused" and (most := engine.limits.paused_seconds):
        found.append(f"If another training waits, this one is stopped after {duration(most)} of pause.")
    if status.state in GOING_ON and (turn := turn_sentence(engine.limits)):
        found.append(turn)
    if not may_steer and (status.state in GOING_ON or status.can_resume):
        found.append(NOT_YOURS)
    return found
