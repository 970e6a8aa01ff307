"""The forms of the page that starts a training: from random weights, and on from those of a run."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.errors import ExplorerError
from core.run import load_run
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from core.training.plan import dataset_of
from explorer.histories.wishes import say_problem
from explorer.histories.words import called
from explorer.models.known import run_folder
from explorer.trainings.engine import NewRun, TrainingEngine
from explorer.views.training import controls
from explorer.views.training.form import (
    describe,
    describe_train_on,
    is_usual,
    size_sentence,
    time_sentence,
    title_of,
)
from explorer.visitor.values import SessionValue


@dataclass(frozen=True)
class Chosen:
    """What a form asks for.

    Attributes:
        new: The training; None where it cannot be begun, which the form has said.
    """

    new: NewRun | None


def choose_new(engine: TrainingEngine) -> Chosen:
    """Draw the form of a training that begins with random weights."""
    own, problem, description = None, "", None
    task = controls.choose_task()
    pairs_place = st.container()
    values = controls.choose_settings(task, engine.limits)
    try:
        if task == PAIRS:
            with pairs_place:
                own = controls.choose_own_pairs(int(str(values["seed"])), engine.limits)
                controls.show_own_pairs(own)
        description = describe(task, values, own)
        engine.require_allowed(description, own.dataset if own else None)
    except ExplorerError as error:
        description, problem = None, error.sentence
    title = controls.choose_name(title_of(task))
    if description is None:
        say_problem(problem)
        return Chosen(None)
    new = NewRun(description, own.dataset if own else None, title)
    _say_size(
        engine,
        new,
        " These settings are known to learn the task." * (task != PAIRS and is_usual(task, values)),
    )
    return Chosen(new)


def choose_on(engine: TrainingEngine, parent: SessionValue[str]) -> Chosen:
    """Draw the form of a training that goes on from a run; the value names it, and is emptied to leave the form."""
    run_id, problem, new = parent.value, "", None
    try:
        folder = run_folder(run_id)
        run = load_run(folder)
    except ExplorerError as error:
        parent.set("")
        say_problem(error.sentence)
        return Chosen(None)
    named = called(run_id)
    with st.container(horizontal=True, vertical_alignment="center", key="train_on_head"):
        # A title is somebody's text: it is drawn as it is, never as markup.
        st.text(f"Train on from “{named}”")
        st.button("Begin with random weights", key="train_on_leave", on_click=parent.set, args=("",))
    st.caption(
        "A new run begins with its weights, its tokens and its model, and a rate that rises anew. The run itself stays "
        "as it is."
    )
    others = controls.choose_pairs_on(run.task)
    pairs_place = st.container()
    values = controls.choose_on_settings(run, engine.limits)
    try:
        own = None
        if others:
            with pairs_place:
                own = controls.choose_own_pairs(run.train_config.seed, engine.limits, run)
                controls.show_own_pairs(own)
        description: RunDescription = describe_train_on(run, values, own)
        dataset = own.dataset if own else dataset_of(folder, run) if run.task == PAIRS else None
        engine.require_allowed(description, dataset)
        new = NewRun(description, dataset, parent=folder)
    except ExplorerError as error:
        problem = error.sentence
    title = controls.choose_name(f"{named}, trained on"[: controls.MOST_NAME])
    if new is None:
        say_problem(problem)
        return Chosen(None)
    _say_size(engine, new)
    return Chosen(NewRun(new.description, new.dataset, title, folder))


def _say_size(engine: TrainingEngine, new: NewRun, known: str = "") -> None:
    st.caption(size_sentence(new.description) + known)
    times = engine.part_times(new.description, new.dataset)
    if expected := time_sentence(times, new.description.train_config):
        with st.container(key="train_expected"):
            st.caption(expected)
