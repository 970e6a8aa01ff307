"""The line that starts a training, from random weights or on from those of a run; its details fold away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from core.run import load_run
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from core.training.plan import dataset_of
from explorer.histories.wishes import say_problem
from explorer.histories.words import called
from explorer.models.known import run_folder
from explorer.trainings.engine import NewRun, TrainingEngine
from explorer.views.training import controls, own_pairs_controls
from explorer.views.training.form import (
    describe,
    describe_train_on,
    is_usual,
    known_sentence,
    least_of,
    least_sentence,
    require_memory,
    size_sentence,
    time_sentence,
    title_of,
)
from explorer.views.training.own_pairs import NO_PAIRS
from explorer.views.training.view import ASKED, VIEW_KEY, StatePlaces
from explorer.visitor.values import SessionValue, is_drawn

START_KEY = "train_start"
SIZE_HEIGHT = 20
OPEN = SessionValue("train_details_open", False)
"""Whether the details are unfolded."""
PAIRS_OPEN = SessionValue[bool | None]("train_pairs_unfolded", None)
"""Whether the controls of own pairs are unfolded; None until a training with them begins, which folds them."""


@dataclass(frozen=True)
class Chosen:
    """What the line asks for.

    Attributes:
        new: The training; None where it cannot be begun, which is said.
        asked: Whether it is to begin now.
        places: Where it is said how a run stands.
        say_size: Says how large the model is and how long its training takes. On a new server that is measured, which
            takes seconds, so the page draws everything else before.
    """

    new: NewRun | None
    asked: bool
    places: StatePlaces
    say_size: Callable[[], None]


@dataclass(frozen=True)
class _Line:
    """The places of the line, in their order, and the one under it."""

    first: DeltaGenerator
    size: DeltaGenerator
    start: DeltaGenerator
    details: DeltaGenerator
    places: StatePlaces
    problem: DeltaGenerator
    below: DeltaGenerator
    is_busy: bool

    def offer(
        self, engine: TrainingEngine, new: NewRun | None, problem: str, *, is_known: bool = False
    ) -> Chosen:
        """Draw the button, or the reason why nothing can be trained; return the request.

        Args:
            engine: That is to train.
            new: The training; None where it cannot be begun.
            problem: Why not.
            is_known: Whether its settings have learned the task.
        """
        waiting = self.size.empty()
        if problem == NO_PAIRS:
            self.problem.text(problem)
        elif new is None:
            with self.problem:
                say_problem(problem)
        elif not is_drawn(VIEW_KEY):
            waiting.skeleton(height=SIZE_HEIGHT)
        self.start.button(
            "Start training",
            key=START_KEY,
            type="secondary" if self.is_busy else "primary",
            disabled=new is None,
            on_click=ASKED.set,
            args=(True,),
        )

        def say_size() -> None:
            if new is not None:
                self._say_size(engine, new, waiting, is_known=is_known)

        return Chosen(new, ASKED.take(), self.places, say_size)

    def _say_size(
        self, engine: TrainingEngine, new: NewRun, place: DeltaGenerator, *, is_known: bool
    ) -> None:
        """Say on the line how large the model is and how long it takes, and in the details all of it."""
        times = engine.part_times(new.description, new.dataset)
        training = new.description.train_config
        least = None if times else least_of(new.description, new.dataset)
        place.text(known_sentence(new.description, times, is_known=is_known, least=least))
        with self.details:
            known = " These settings are known to learn the task." * is_known
            st.caption(size_sentence(new.description) + known)
            expected = time_sentence(times, training) if least is None else least_sentence(least, training)
            if expected:
                with st.container(key="train_expected"):
                    st.caption(expected)


def _line(*, is_busy: bool) -> _Line:
    with st.container(horizontal=True, vertical_alignment="center", key="train_start_line"):
        first = st.container(key="train_first", width="content")
        size = st.container(key="train_size", width="content")
        start = st.container(width="content", key="train_start_place")
        st.button(
            "Details",
            icon=":material/expand_less:" if OPEN.value else ":material/expand_more:",
            icon_position="right",
            key="train_details",
            on_click=OPEN.set,
            args=(not OPEN.value,),
        )
        state = st.empty()
    places, problem = StatePlaces(state, st.empty()), st.container(key="train_problem")
    # They are drawn while folded as well: what has been typed into a field that is not drawn is forgotten.
    details = st.container(border=True, key="train_details_open" if OPEN.value else "train_details_folded")
    return _Line(first, size, start, details, places, problem, st.container(key="train_below"), is_busy)


def choose_new(engine: TrainingEngine, shown: str, *, is_busy: bool = False) -> Chosen:
    """Draw the line of a training that begins with random weights.

    Args:
        engine: That is to train.
        shown: The task of the run that is watched: what is offered before somebody chooses.
        is_busy: Whether a training is watched that goes on, to which the large buttons belong then.
    """
    own, problem, new = None, "", None
    line = _line(is_busy=is_busy)
    with line.first:
        task = controls.choose_task(shown)
    with line.details:
        controls.say_task(task)
        values = controls.choose_settings(task, engine.limits)
        title = controls.choose_name(title_of(task))
    try:
        if task == PAIRS:
            with _pairs_place(line.below):
                own = own_pairs_controls.choose_own_pairs(int(str(values["seed"])), engine.limits)
                own_pairs_controls.show_own_pairs(own)
        description, dataset = describe(task, values, own), own.dataset if own else None
        require_memory(description)
        engine.require_allowed(description, dataset)
        new = NewRun(description, dataset, title)
    except ExplorerError as error:
        problem = controls.form_problem(error)
    return line.offer(engine, new, problem, is_known=task != PAIRS and is_usual(task, values))


def _pairs_place(below: DeltaGenerator) -> DeltaGenerator:
    """Return the place of own pairs, which a button folds once a training has begun, to keep the training in sight."""
    if not any(SessionValue[object](key, None).value for key in own_pairs_controls.PAIRS_KEYS):
        PAIRS_OPEN.set(None)  # Uploads are lost when another page is opened.
    is_open = PAIRS_OPEN.value
    if is_open is not None:
        below.button(
            "Your pairs",
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            icon_position="right",
            type="tertiary",
            key="train_fold_pairs",
            on_click=PAIRS_OPEN.set,
            args=(not is_open,),
        )
    return below.container(border=True, key="train_own_folded" if is_open is False else "train_own_open")


def choose_on(engine: TrainingEngine, parent: SessionValue[str]) -> Chosen:
    """Draw the line of a training that goes on from a run; the value names it, and is emptied to leave the line."""
    run_id, problem, new = parent.value, "", None
    line = _line(is_busy=False)
    try:
        folder = run_folder(run_id)
        run = load_run(folder)
    except ExplorerError as error:
        parent.set("")
        return line.offer(engine, None, error.sentence)
    named = called(run_id)
    with line.first:
        # A title is somebody's text: it is drawn as it is, never as markup.
        st.text(f"Train on from “{named}”")
    with line.details:
        st.caption(
            "A new run begins with its weights, its tokens and its model, and a learning rate that rises anew. The run "
            "itself stays as it is."
        )
        st.button("Begin with random weights", key="train_on_leave", on_click=parent.set, args=("",))
        others = controls.choose_pairs_on(run.task)
        values = controls.choose_on_settings(run, engine.limits)
        title = controls.choose_name(f"{named}, trained on"[: controls.MOST_NAME])
    try:
        own = None
        if others:
            with _pairs_place(line.below):
                own = own_pairs_controls.choose_own_pairs(run.train_config.seed, engine.limits, run)
                own_pairs_controls.show_own_pairs(own)
        description: RunDescription = describe_train_on(run, values, own)
        dataset = own.dataset if own else dataset_of(folder, run) if run.task == PAIRS else None
        engine.require_allowed(description, dataset)
        new = NewRun(description, dataset, title, folder)
    except ExplorerError as error:
        problem = controls.form_problem(error)
    return line.offer(engine, new, problem)
