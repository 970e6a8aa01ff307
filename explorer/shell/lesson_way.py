"""From stop to stop: the state of the app at a stop of a lesson, whether somebody looks at it yet, and links there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from explorer.lessons.answering import Findings
from explorer.lessons.facts import find_facts
from explorer.lessons.lesson import Lesson, Prediction, Stop
from explorer.lessons.library import lesson_library
from explorer.lessons.lights import LightRow, light_of
from explorer.view import Registry
from explorer.visitor.learning import Learning, answer_at, at_stop
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState

Width = Literal["content", "stretch"]
LESSONS = "lessons"
"""Key of the view with the contents, where no lesson is drawn."""


@dataclass(frozen=True)
class Following:
    """A visitor's place in a lesson.

    Attributes:
        state: Their choices.
        lesson: Which they follow.
        place: Of the lesson among all of them, from 1.
        runs: All models.
        views: All of them.
    """

    state: ExplorerState
    lesson: Lesson
    place: int
    runs: Runs
    views: Registry

    @property
    def number(self) -> int:
        """The stop's number in the lesson, from 1."""
        return min(self.state.learning.stop, len(self.lesson.stops))

    @property
    def stop(self) -> Stop:
        """The stop that they are at."""
        return self.lesson.stop(self.number)

    @property
    def open_question(self) -> Prediction | None:
        """The question of the stop, as long as it has no answer."""
        return None if answer_at(self.state.learning, self.number) else self.stop.prediction

    def is_away(self, view: str) -> bool:
        """Whether the view of this key shows no longer what the stop speaks of."""
        return is_away(view, self.state, self.lesson, self.runs)

    def state_at(self, number: int) -> ExplorerState:
        """The state in which a stop shows its page."""
        return stop_state(self.state, self.lesson, number, self.runs)

    def findings(self) -> Findings:
        """What the run says to the facts of the stop.

        Raises:
            LessonError: when one cannot be answered.
        """
        return find_facts(self.lesson.file, self.stop.facts, self.runs)

    def light(self) -> tuple[LightRow, ...]:
        """The rows that the stop speaks of.

        Raises:
            LessonError: when the run has no such numbers.
        """
        return light_of(self.lesson.file, self.stop.target, self.state_at(self.number))

    def link(
        self, page: str, state: ExplorerState, label: str, *, icon: str = "", width: Width = "content"
    ) -> None:
        """Draw a link to a page with a state."""
        st.page_link(
            self.views[page].page,
            label=label,
            icon=f":material/{icon}:" if icon else None,
            width=width,
            query_params=query_of(state, self.runs),
        )

    def keyed_link(
        self,
        key: str,
        page: str,
        state: ExplorerState,
        label: str,
        *,
        icon: str = "",
        width: Width = "content",
    ) -> None:
        """Draw a link in a container of its own, by whose key the browser presses it."""
        with st.container(key=key, width=width):
            self.link(page, state, label, icon=icon, width=width)


def following(state: ExplorerState, runs: Runs, views: Registry) -> Following | None:
    """The visitor's place in the lesson that they follow; None where there is no lesson of that name."""
    if not state.learning.lesson:
        return None
    lessons = lesson_library(views).lessons
    lesson = lessons.get(state.learning.lesson)
    if lesson is None:
        return None
    return Following(state, lesson, [*lessons].index(lesson.key) + 1, runs, views)


def stop_state(state: ExplorerState, lesson: Lesson, number: int, runs: Runs) -> ExplorerState:
    """The state in which a stop shows its page, which may be another one before its question has an answer.

    Depth of the words, and what is compared or watched, stay.
    """
    answers = state.learning if state.learning.lesson == lesson.key else Learning()
    view = lesson.stop(number).view_with(is_answered=bool(answer_at(answers, number)))
    there, _ = state_from_query(view, runs)
    return replace(
        there,
        sentence_id=state.sentence_id + (there.sentence != state.sentence),
        depth=there.depth if "depth" in view else state.depth,
        training=state.training,
        learning=at_stop(state.learning, lesson.key, number),
        inspector=replace(there.inspector, pinned=state.inspector.pinned),
    )


def segments(at: Following) -> str:
    """How far one has come in a lesson, as HTML."""
    kinds = ["done"] * (at.number - 1) + ["here"] + [""] * (len(at.lesson.stops) - at.number)
    each = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return f'<div class="lesson-segments" aria-hidden="true">{each}</div>'


def is_away(view: str, state: ExplorerState, lesson: Lesson, runs: Runs) -> bool:
    """Whether what is on the screen is no longer what the stop speaks of.

    Args:
        view: Key of the view that is open.
        state: The visitor's choices.
        lesson: Of the stop.
        runs: All models.
    """
    if state.learning.free or view != lesson.stop(state.learning.stop).page:
        return True
    there = stop_state(state, lesson, state.learning.stop, runs)
    return _subject(state) != _subject(there)


def _subject(state: ExplorerState) -> tuple[object, ...]:
    """What a stop speaks of: which model makes what of which sentence."""
    return state.run, state.updates, state.changes, state.sentence, state.decoding.prefix


def shared_address(state: ExplorerState, runs: Runs, views: Registry) -> str:
    """Return the address for others of a visitor's stop of a lesson: without answers, and not as a demonstration.

    Args:
        state: The visitor's choices.
        runs: All models.
        views: All of them.

    Returns:
        The address, seen from any page; empty outside a lesson, and while somebody looks around freely.
    """
    at = None if state.learning.free else following(state, runs, views)
    if at is None:
        return ""
    fresh = replace(state, learning=Learning(), training="", inspector=replace(state.inspector, pinned=None))
    there = stop_state(fresh, at.lesson, at.number, runs)
    query = urlencode(query_of(replace(there, learning=replace(there.learning, reached=())), runs))
    return f"{views[at.stop.page].address or './'}?{query}"
