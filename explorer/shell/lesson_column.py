"""The column of a lesson on every page: what a stop says, where to look, its question, and the ways to other stops."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import streamlit as st

from core.errors import ExplorerError
from explorer.browser.lesson import LitRow, lesson_light
from explorer.browser.sentence_view import sentence_view
from explorer.lessons.answering import Findings
from explorer.lessons.findings import filled
from explorer.lessons.lesson import Covers
from explorer.lessons.lights import LightRow
from explorer.look.markdown_text import plain
from explorer.shell.covering import COVERS
from explorer.shell.lesson_cut import draw_cut
from explorer.shell.lesson_question import Question, draw_check, draw_question
from explorer.shell.lesson_style import lesson_css
from explorer.shell.lesson_way import LESSONS, Following, following, segments
from explorer.view import Registry, View
from explorer.visitor.learning import looking_around, seen_at, without_lesson
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState
from explorer.visitor.values import is_drawn

KEY, TEXT_KEY, KEYS_KEY = "lesson", "lesson_text", "lesson_keys"
HEIGHT = 150
"""Pixels that are kept free for the words while their facts are found for the first time."""


def leaves_stop(view: View, before: ExplorerState, after: ExplorerState, runs: Runs, views: Registry) -> bool:
    """Whether the page itself has left what the stop speaks of, or come back to it, since the column was drawn.

    So it has when a cell was clicked in it that the stop asks for.
    """
    was = following(before, runs, views) if has_column(view, before) else None
    if was is None:
        return False
    asks = was.stop.check is not None
    if asks and before.look.trail != after.look.trail:
        return True
    return was.is_away(view.key) != replace(was, state=after).is_away(view.key)


def has_column(view: View, state: ExplorerState) -> bool:
    """Whether a lesson takes the place of what stands beside the picture otherwise."""
    return bool(state.learning.lesson) and view.key != LESSONS


def draw_lesson(view: View, state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Draw the column of the lesson that the visitor follows, if there is one, and say what it covers on the page.

    Call it before the page runs.

    Args:
        view: That is open.
        state: The visitor's choices.
        runs: All models.
        views: All of them.
    """
    COVERS.set(Covers())
    if not has_column(view, state):
        return
    at = following(state, runs, views)
    st.html(f"<style>{lesson_css(reads_sentence=view.reads_sentence)}</style>")
    with st.container(key=KEY, gap="small"):
        if at is None:
            st.info("There is no lesson of that name here.", icon=":material/link_off:")
            rest = at_page(replace(state, learning=without_lesson(state.learning)), LESSONS)
            st.page_link(views[LESSONS].page, label="All lessons", query_params=query_of(rest, runs))
            return
        _head(at)
        if at.is_away(view.key):
            _free_play(at, view)
            return
        if at.open_question:
            COVERS.set(at.open_question.covers)
        _content(at)
        _ways(at)


def _head(at: Following) -> None:
    """Which lesson it is, and how far one has come in it."""
    with st.container(key="lesson_head", horizontal=True, vertical_alignment="center", gap="small"):
        label = f"Lesson {at.place} · {plain(at.lesson.title)}"
        at.keyed_link("lesson_contents", LESSONS, at_page(at.state, LESSONS), label)
        with st.container(key="lesson_place", width="content"):
            st.markdown(f"**{at.number}** of {len(at.lesson.stops)}")
    st.html(segments(at))


def presented(view: View, state: ExplorerState, runs: Runs, views: Registry) -> Following | None:
    """The stop that is shown to an audience, in place of its page; None where none is."""
    if not has_column(view, state) or not state.learning.demo:
        return None
    at = following(state, runs, views)
    return None if at is None or at.is_away(view.key) else at


def draw_cover(state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Draw what stands where the whole page of a stop is covered: the row that it speaks of."""
    at = following(state, runs, views)
    assert at is not None
    with st.container(key="lesson_covered"):
        try:
            if rows := at.light():
                draw_cut(rows, at.stop.target, COVERS.value, key="lesson_cut")
        except ExplorerError as error:
            st.error(plain(error.sentence))
        st.markdown("The picture comes with your answer.")


def _free_play(at: Following, view: View) -> None:
    st.markdown("You are looking around.")
    at.keyed_link("lesson_next", at.stop.page, at.state_at(at.number), "Back to the stop", icon="undo")
    left = replace(at.state, learning=without_lesson(at.state.learning))
    at.keyed_link("lesson_leave", view.key, left, "Leave the lesson", icon="close")


def _ways(at: Following) -> None:
    """The ways to the other stops, and out of them."""
    number, lesson, learning = at.number, at.lesson, at.state.learning
    with st.container(key="lesson_ways", gap="small"):
        with st.container(
            key=f"lesson_steps_{'solid' if _is_done(at) else 'open'}", horizontal=True, gap="small"
        ):
            if number > 1:
                before = lesson.stop(number - 1).page
                at.keyed_link("lesson_previous", before, at.state_at(number - 1), "Back", icon="arrow_back")
            if number < len(lesson.stops):
                after, there = lesson.stop(number + 1).page, at.state_at(number + 1)
                at.keyed_link("lesson_next", after, there, "Next", icon="arrow_forward", width="stretch")
            else:
                lessons = at_page(at.state, LESSONS)
                at.keyed_link("lesson_next", LESSONS, lessons, "To the lessons", icon="done", width="stretch")
        with st.container(key="lesson_links", horizontal=True, gap="small"):
            free = replace(at.state, learning=looking_around(learning))
            at.keyed_link("lesson_free", at.stop.page, free, "Look around freely")
            shown = replace(at.state, learning=replace(learning, demo=True))
            at.keyed_link("lesson_demo", at.stop.page, shown, "Present")


def _is_done(at: Following) -> bool:
    """Whether nothing of the stop is left to be answered."""
    is_seen = at.stop.check is None or bool(seen_at(at.state.learning, at.number))
    return at.open_question is None and is_seen


def _content(at: Following) -> None:
    """What the stop says, where to look, and what it asks."""
    place, stop = st.empty(), at.stop
    if not is_drawn(TEXT_KEY):
        place.skeleton(height=HEIGHT)
    try:
        found, rows = at.findings(), at.light()
    except ExplorerError as error:
        # The page has nothing to do with it, and what is not asked covers nothing.
        COVERS.set(Covers())
        place.error(plain(error.sentence))
        return
    place.empty()
    st.subheader(stop.title, anchor=False)
    sentence_view(filled(stop.text, found), key=TEXT_KEY)
    with st.container(key="lesson_card", gap=None):
        if stop.look:
            sentence_view(filled(stop.look, found), key="lesson_look")
        if rows and COVERS.value == Covers():
            st.html(f'<p class="lesson-heard">{escape(" ".join(row.said for row in rows))}</p>')
        light = st.container(key="lesson_light_place")
    said = _asked(at, found)
    with light:
        lesson_light(
            stop=f"{at.lesson.key}/{at.number}",
            lesson=f"Lesson {at.place}: {at.lesson.title}",
            part=at.views[stop.page].parts.get(stop.target.part, ""),
            rows=[_lit(row) for row in rows],
            said=said,
            line="← → stop · r answer · l light",
            key=KEYS_KEY,
        )


def _lit(row: LightRow) -> LitRow:
    return LitRow(row.site, row.index, len(row.values), row.columns)


def _asked(at: Following, found: Findings) -> str:
    """The question of the stop and what is to be seen after it; returns what was said to the last answer."""
    prediction, check, said = at.stop.prediction, at.stop.check, ""
    if prediction is not None:
        with st.container(key="lesson_question", gap="xsmall"):
            said = draw_question(Question(at, prediction, "answer", found))
    if check is not None and at.open_question is None:
        with st.container(key="lesson_check", gap="xsmall"):
            said = draw_check(Question(at, check, "seen", found)) or said
    return said
