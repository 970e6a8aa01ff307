"""A stop before an audience: one thing on the screen, the picture, then the question, then the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import ExplorerError
from explorer.browser.kept_view import draw_scripts
from explorer.browser.lesson import lesson_light
from explorer.lessons.lesson import Covers, Lesson, Stop
from explorer.look.markdown_text import plain
from explorer.look.pieces import Piece
from explorer.shell.lesson_style import PRESENT_CSS
from explorer.shell.lesson_way import stop_state
from explorer.view import Registry
from explorer.visitor.learning import PICTURE, QUESTION, TRUTH, Learning, answered
from explorer.visitor.links import query_of
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, Runs

if TYPE_CHECKING:
    from explorer.lessons.answering import Findings

LESSONS = "lessons"


@dataclass(frozen=True)
class Presented:
    """A stop that is shown to an audience.

    Attributes:
        state: The visitor's choices.
        lesson: Which they follow.
        segments: How far one has come, as HTML.
        runs: All models.
        views: All of them.
    """

    state: ExplorerState
    lesson: Lesson
    segments: str
    runs: Runs
    views: Registry

    @property
    def number(self) -> int:
        """The stop's number, from 1."""
        return min(self.state.learning.stop, len(self.lesson.stops))

    @property
    def stop(self) -> Stop:
        """The stop that is shown."""
        return self.lesson.stop(self.number)

    @property
    def phase(self) -> int:
        """The thing that is on the screen: without a question there is none between picture and truth."""
        phase = self.state.learning.phase
        return TRUTH if phase == QUESTION and self.stop.prediction is None else phase

    def at(self, number: int, phase: int) -> tuple[str, ExplorerState]:
        """Page and state of another thing that is shown."""
        # What is shown may hang on whether the answer is known.
        state = replace(self.state, learning=self._learning(self.state.learning, number, phase))
        there = stop_state(state, self.lesson, number, self.runs)
        learning = replace(there.learning, demo=True, phase=phase)
        return self.lesson.stop(number).page, replace(there, learning=learning)

    def _learning(self, learning: Learning, number: int, phase: int) -> Learning:
        asks = self.lesson.stop(number).prediction is not None
        answer = "shown" if phase == TRUTH and asks else ""
        return answered(learning, number, answer)

    def before(self) -> tuple[str, ExplorerState] | None:
        """What was shown before this; None at the beginning."""
        if self.phase == TRUTH:
            return self.at(self.number, PICTURE if self.stop.prediction is None else QUESTION)
        if self.phase == QUESTION:
            return self.at(self.number, PICTURE)
        return self.at(self.number - 1, TRUTH) if self.number > 1 else None

    def after(self) -> tuple[str, ExplorerState]:
        """What is shown after this; after the last stop the list of the lessons."""
        if self.phase == PICTURE and self.stop.prediction is not None:
            return self.at(self.number, QUESTION)
        if self.phase != TRUTH:
            return self.at(self.number, TRUTH)
        if self.number < len(self.lesson.stops):
            return self.at(self.number + 1, PICTURE)
        rest = at_page(self.state, LESSONS)
        return LESSONS, replace(rest, learning=replace(rest.learning, demo=False, phase=PICTURE))


def draw_presented(shown: Presented) -> None:
    """Draw a stop for an audience, in place of everything else."""
    st.html(f"<style>{PRESENT_CSS}</style>")
    with st.container(key="lesson"):
        _strip(shown)
        with st.container(key="present_body", gap="medium"):
            said = _body(shown)
        _foot(shown)
        lesson_light(
            stop=f"{shown.lesson.key}/{shown.number}/{shown.phase}",
            lesson=f"Lesson: {shown.lesson.title}",
            part="",
            rows=(),
            said=said,
            line="",
            key="lesson_keys",
        )
    draw_scripts()


def _strip(shown: Presented) -> None:
    # At its right end is the place for how many have answered.
    st.html(
        f'<header class="present-strip"><b title="{escape(shown.lesson.title)}">{escape(shown.lesson.title)}</b>'
        f"<span>{shown.number} of {len(shown.lesson.stops)}</span>{shown.segments}</header>"
    )


def _body(shown: Presented) -> str:
    """The one thing that is shown; returns the truth in words."""
    stop, state = shown.stop, shown.state
    try:
        from explorer.browser.sentence_view import sentence_view
        from explorer.lessons.facts import find_facts
        from explorer.lessons.findings import filled
        from explorer.lessons.lights import light_of
        from explorer.shell.lesson_cut import draw_cut

        found = find_facts(shown.lesson.file, stop.facts, shown.runs)
        there = stop_state(state, shown.lesson, shown.number, shown.runs)
        rows = light_of(shown.lesson.file, stop.target, there)
    except ExplorerError as error:
        st.error(plain(error.sentence))
        return ""
    asked = stop.prediction
    if shown.phase == QUESTION and asked is not None:
        st.subheader("".join(piece.text for piece in filled(asked.question, found)), anchor=False)
        _answers(shown, found, "")
    else:
        st.subheader(stop.title, anchor=False)
    if shown.phase == TRUTH and asked is not None:
        return _truth(shown, found, rows)
    if shown.phase == PICTURE and stop.look:
        sentence_view(filled(stop.look, found), key="present_look")
    elif shown.phase == TRUTH or not rows:
        sentence_view(filled(stop.text, found), key="present_text")
    if rows:
        covers = asked.covers if asked is not None else Covers()
        draw_cut(rows, stop.target, covers, key="present_cut")
    return ""


def _truth(shown: Presented, found: Findings, rows: tuple) -> str:
    from explorer.browser.sentence_view import sentence_view
    from explorer.lessons.answering import SHOWN, verdict
    from explorer.shell.lesson_cut import draw_cut

    asked = shown.stop.prediction
    assert asked is not None
    told = verdict(asked, found, SHOWN)
    right = "".join(piece.text for piece in told.answer)
    if rows:
        draw_cut(rows, shown.stop.target, Covers(), key="present_cut")
    _answers(shown, found, right)
    sentence_view(told.said, key="present_said")
    return "".join(piece.text for piece in (Piece(f"The answer: {right}. "), *told.said))


def _answers(shown: Presented, found: Findings, right: str) -> None:
    """The answers to choose from, the right one framed once it is known; one that is no choice stands alone."""
    from explorer.lessons.answering import options

    asked = shown.stop.prediction
    assert asked is not None
    given = options(asked, found) if asked.kind in ("word", "choice") else ()
    each = given or ((right,) if right else ())
    boxes = "".join(f'<p class="{"right" if one == right else ""}">{escape(one)}</p>' for one in each)
    if boxes:
        st.html(f'<div class="present-answers">{boxes}</div>')


def _foot(shown: Presented) -> None:
    before, after = shown.before(), shown.after()
    with st.container(key="present_foot", horizontal=True, vertical_alignment="center"):
        if before is not None:
            _link(shown, *before, "Back", "lesson_previous")
        st.html(f'<p class="present-said">{_foot_words(shown)}</p>')
        ended = replace(shown.state, learning=replace(shown.state.learning, demo=False, phase=PICTURE))
        _link(shown, shown.stop.page, ended, "End", "lesson_end")
        label = "Reveal" if shown.phase == QUESTION else "Next"
        _link(shown, *after, label, "lesson_next")


def _foot_words(shown: Presented) -> str:
    if shown.phase == QUESTION:
        return "What do you think?"
    return "Look first." if shown.phase == PICTURE and shown.stop.prediction is not None else ""


def _link(shown: Presented, page: str, state: ExplorerState, label: str, key: str) -> None:
    with st.container(key=key, width="content"):
        st.page_link(shown.views[page].page, label=label, query_params=query_of(state, shown.runs))
