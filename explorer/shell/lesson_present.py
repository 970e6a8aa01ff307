"""A stop before an audience: one thing on the screen, the picture, then the question, then the truth."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import streamlit as st

from core.errors import ExplorerError
from explorer.browser.lesson import lesson_light
from explorer.browser.sentence_view import sentence_view
from explorer.lessons.answering import SHOWN, Findings, options, verdict
from explorer.lessons.findings import filled
from explorer.lessons.lesson import Covers
from explorer.lessons.lights import LightRow
from explorer.look.markdown_text import plain
from explorer.look.pieces import Piece, text_of
from explorer.shell.lesson_cut import draw_cut
from explorer.shell.lesson_style import PRESENT_CSS
from explorer.shell.lesson_way import LESSONS, Following, segments
from explorer.visitor.learning import PICTURE, QUESTION, TRUTH, answered
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState


def _phase(at: Following) -> int:
    """The thing that is on the screen: without a question there is none between picture and truth."""
    phase = at.state.learning.phase
    return TRUTH if phase == QUESTION and at.stop.prediction is None else phase


def _shown(at: Following, number: int, phase: int) -> tuple[str, ExplorerState]:
    """Page and state of another thing that is shown."""
    stop = at.lesson.stop(number)
    # What is shown may hang on whether the answer is known.
    answer = "shown" if phase == TRUTH and stop.prediction is not None else ""
    known = replace(at.state, learning=answered(at.state.learning, number, answer))
    there = replace(at, state=known).state_at(number)
    return stop.page, replace(there, learning=replace(there.learning, demo=True, phase=phase))


def _before(at: Following) -> tuple[str, ExplorerState] | None:
    """What was shown before this; None at the beginning."""
    phase = _phase(at)
    if phase == TRUTH:
        return _shown(at, at.number, PICTURE if at.stop.prediction is None else QUESTION)
    if phase == QUESTION:
        return _shown(at, at.number, PICTURE)
    return _shown(at, at.number - 1, TRUTH) if at.number > 1 else None


def _after(at: Following) -> tuple[str, ExplorerState]:
    """What is shown after this; after the last stop the list of the lessons."""
    phase = _phase(at)
    if phase == PICTURE and at.stop.prediction is not None:
        return _shown(at, at.number, QUESTION)
    if phase != TRUTH:
        return _shown(at, at.number, TRUTH)
    if at.number < len(at.lesson.stops):
        return _shown(at, at.number + 1, PICTURE)
    return LESSONS, _ended(at_page(at.state, LESSONS))


def _ended(state: ExplorerState) -> ExplorerState:
    """The state of who shows nothing to an audience any more."""
    return replace(state, learning=replace(state.learning, demo=False, phase=PICTURE))


def draw_presented(at: Following) -> None:
    """Draw a stop for an audience, in place of everything else."""
    st.html(f"<style>{PRESENT_CSS}</style>")
    with st.container(key="lesson"):
        _strip(at)
        with st.container(key="present_body", gap="medium"):
            said = _body(at)
        _foot(at)
        lesson_light(
            stop=f"{at.lesson.key}/{at.number}/{_phase(at)}",
            lesson=f"Lesson: {at.lesson.title}",
            part="",
            rows=(),
            said=said,
            line="",
            key="lesson_keys",
        )


def _strip(at: Following) -> None:
    # At its right end is the place for how many have answered.
    st.html(
        f'<header class="present-strip"><b title="{escape(at.lesson.title)}">{escape(at.lesson.title)}</b>'
        f"<span>{at.number} of {len(at.lesson.stops)}</span>{segments(at)}</header>"
    )


def _body(at: Following) -> str:
    """The one thing that is shown; returns the truth in words."""
    stop, phase = at.stop, _phase(at)
    try:
        found, rows = at.findings(), at.light()
    except ExplorerError as error:
        st.error(plain(error.sentence))
        return ""
    asked = stop.prediction
    if phase == QUESTION and asked is not None:
        st.subheader(text_of(filled(asked.question, found)), anchor=False)
        _answers(at, found, "")
    else:
        st.subheader(stop.title, anchor=False)
    if phase == TRUTH and asked is not None:
        return _truth(at, found, rows)
    if phase == PICTURE and stop.look:
        sentence_view(filled(stop.look, found), key="present_look")
    elif phase == TRUTH or not rows:
        sentence_view(filled(stop.text, found), key="present_text")
    if rows:
        covers = asked.covers if asked is not None else Covers()
        draw_cut(rows, stop.target, covers, key="present_cut")
    return ""


def _truth(at: Following, found: Findings, rows: tuple[LightRow, ...]) -> str:
    asked = at.stop.prediction
    assert asked is not None
    told = verdict(asked, found, SHOWN)
    right = text_of(told.answer)
    if rows:
        draw_cut(rows, at.stop.target, Covers(), key="present_cut")
    _answers(at, found, right)
    sentence_view(told.said, key="present_said")
    return text_of((Piece(f"The answer: {right}. "), *told.said))


def _answers(at: Following, found: Findings, right: str) -> None:
    """The answers to choose from, the right one framed once it is known; one that is no choice stands alone."""
    asked = at.stop.prediction
    assert asked is not None
    given = options(asked, found) if asked.kind in ("word", "choice") else ()
    each = given or ((right,) if right else ())
    boxes = "".join(f'<p class="{"right" if one == right else ""}">{escape(one)}</p>' for one in each)
    if boxes:
        st.html(f'<div class="present-answers">{boxes}</div>')


def _foot(at: Following) -> None:
    before, phase = _before(at), _phase(at)
    words = "Look first." if phase == PICTURE and at.stop.prediction is not None else ""
    with st.container(key="present_foot", horizontal=True, vertical_alignment="center"):
        if before is not None:
            at.keyed_link("lesson_previous", *before, "Back")
        st.html(f'<p class="present-said">{"What do you think?" if phase == QUESTION else words}</p>')
        at.keyed_link("lesson_end", at.stop.page, _ended(at.state), "End")
        at.keyed_link("lesson_next", *_after(at), "Reveal" if phase == QUESTION else "Next")
