"""The column of a lesson on every page: what a stop says, where to look, its question, and the ways to other stops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Literal

import streamlit as st

from core.errors import ExplorerError
from explorer.browser.lesson import LitRow, lesson_light
from explorer.lessons.lesson import Covers, Lesson, Stop
from explorer.lessons.library import lesson_library
from explorer.look.markdown_text import plain
from explorer.shell.covering import COVERS
from explorer.shell.lesson_present import Presented
from explorer.shell.lesson_question import Question, draw_check, draw_question
from explorer.shell.lesson_style import lesson_css
from explorer.shell.lesson_way import class_link, is_away, is_local, open_question, stop_state
from explorer.view import Registry, View
from explorer.visitor.learning import Learning, answer_at, looking_around, seen_at, without_lesson
from explorer.visitor.links import query_of
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, Runs
from explorer.visitor.values import is_drawn

if TYPE_CHECKING:
    from explorer.lessons.answering import Findings
    from explorer.lessons.lights import LightRow

Width = Literal["content", "stretch"]
KEY, TEXT_KEY, KEYS_KEY = "lesson", "lesson_text", "lesson_keys"
LESSONS = "lessons"
"""Key of the view with the contents, where no column is drawn."""
LINK_WIDTH = 300
"""Pixels of the QR code."""
HEIGHT = 150
"""Pixels that are kept free for the words while their facts are found for the first time."""


@dataclass(frozen=True)
class _Column:
    """What the column is drawn from.

    Attributes:
        view: Key of the view that is open.
        state: The visitor's choices.
        lesson: Which they follow.
        place: Of the lesson among all of them, from 1.
        runs: All models.
        views: All of them.
    """

    view: str
    state: ExplorerState
    lesson: Lesson
    place: int
    runs: Runs
    views: Registry

    @property
    def learning(self) -> Learning:
        """Where in the lesson the visitor is."""
        return self.state.learning

    @property
    def number(self) -> int:
        """The stop's number in the lesson, from 1."""
        return min(self.learning.stop, len(self.lesson.stops))

    @property
    def stop(self) -> Stop:
        """The stop that the visitor is at."""
        return self.lesson.stop(self.number)

    def link_to_stop(self, number: int, label: str, *, key: str, icon: str, width: Width = "content") -> None:
        """A link to a stop: its page with its state."""
        there = stop_state(self.state, self.lesson, number, self.runs)
        self.link(self.lesson.stop(number).page, there, label, key=key, icon=icon, width=width)

    def link_to_lessons(self, label: str, *, key: str, icon: str, width: Width = "content") -> None:
        """A link to the contents of the lesson."""
        self.link(LESSONS, at_page(self.state, LESSONS), label, key=key, icon=icon, width=width)

    def link(
        self, page: str, state: ExplorerState, label: str, *, key: str, icon: str, width: Width = "content"
    ) -> None:
        """A link to a page with a state."""
        with st.container(key=key, width=width):
            st.page_link(
                self.views[page].page,
                label=label,
                icon=f":material/{icon}:" if icon else None,
                width=width,
                query_params=query_of(state, self.runs),
            )


def leaves_stop(view: View, before: ExplorerState, after: ExplorerState, runs: Runs, views: Registry) -> bool:
    """Whether the page itself has left what the stop speaks of, or come back to it, since the column was drawn.

    So it has when a cell was clicked in it that the stop asks for.
    """
    if not before.learning.lesson or view.key == LESSONS:
        return False
    lesson = lesson_library(views).lessons.get(before.learning.lesson)
    if lesson is None:
        return False
    asks = lesson.stop(before.learning.stop).check is not None
    return (asks and before.look.trail != after.look.trail) or is_away(
        view.key, before, lesson, runs
    ) != is_away(view.key, after, lesson, runs)


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
    lessons = lesson_library(views).lessons
    lesson = lessons.get(state.learning.lesson)
    st.html(f"<style>{lesson_css(reads_sentence=view.reads_sentence)}</style>")
    with st.container(key=KEY, gap="small"):
        if lesson is None:
            st.info("There is no lesson of that name here.", icon=":material/link_off:")
            rest = at_page(replace(state, learning=without_lesson(state.learning)), LESSONS)
            st.page_link(views[LESSONS].page, label="All lessons", query_params=query_of(rest, runs))
            return
        column = _Column(view.key, state, lesson, [*lessons].index(lesson.key) + 1, runs, views)
        _head(column)
        is_here = not is_away(view.key, state, lesson, runs)
        asked = open_question(state, lesson) if is_here else None
        COVERS.set(asked.covers if asked else Covers())
        if not is_here:
            _free_play(column)
        else:
            _content(column)
            _ways(column)


def _head(column: _Column) -> None:
    """Which lesson it is, and how far one has come in it."""
    count, number = len(column.lesson.stops), column.number
    with st.container(key="lesson_head", horizontal=True, vertical_alignment="center", gap="small"):
        label = f"Lesson {column.place} · {plain(column.lesson.title)}"
        column.link_to_lessons(label, key="lesson_contents", icon="")
        with st.container(key="lesson_place", width="content"):
            st.markdown(f"**{number}** of {count}")
    st.html(segments(number, count))


def segments(number: int, count: int) -> str:
    """How far one has come in a lesson, as HTML."""
    kinds = ["done"] * (number - 1) + ["here"] + [""] * (count - number)
    each = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return f'<div class="lesson-segments" aria-hidden="true">{each}</div>'


def presented(view: View, state: ExplorerState, runs: Runs, views: Registry) -> Presented | None:
    """The stop that is shown to an audience, in place of its page; None where none is."""
    if not has_column(view, state) or not state.learning.demo:
        return None
    lesson = lesson_library(views).lessons.get(state.learning.lesson)
    if lesson is None or is_away(view.key, state, lesson, runs):
        return None
    number, count = min(state.learning.stop, len(lesson.stops)), len(lesson.stops)
    return Presented(state, lesson, segments(number, count), runs, views)


def draw_cover(state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Draw what stands where the whole page of a stop is covered: the row that it speaks of."""
    lesson = lesson_library(views).lessons[state.learning.lesson]
    stop = lesson.stop(state.learning.stop)
    with st.container(key="lesson_covered"):
        try:
            from explorer.lessons.lights import light_of
            from explorer.shell.lesson_cut import draw_cut

            rows = light_of(lesson.file, stop.target, state)
            if rows:
                draw_cut(rows, stop.target, COVERS.value, key="lesson_cut")
        except ExplorerError as error:
            st.error(plain(error.sentence))
        st.markdown("The picture comes with your answer.")


def _free_play(column: _Column) -> None:
    st.markdown("You are looking around.")
    column.link_to_stop(column.number, "Back to the stop", key="lesson_next", icon="undo")
    left = replace(column.state, learning=without_lesson(column.learning))
    column.link(column.view, left, "Leave the lesson", key="lesson_leave", icon="close")


def _ways(column: _Column) -> None:
    """The ways to the other stops, and out of them."""
    count, number, learning = len(column.lesson.stops), column.number, column.learning
    with st.container(key="lesson_ways", gap="small"):
        with st.container(
            key=f"lesson_steps_{'solid' if _is_done(column) else 'open'}", horizontal=True, gap="small"
        ):
            if number > 1:
                column.link_to_stop(number - 1, "Back", key="lesson_previous", icon="arrow_back")
            if number < count:
                column.link_to_stop(
                    number + 1, "Next", key="lesson_next", icon="arrow_forward", width="stretch"
                )
            else:
                column.link_to_lessons("To the lessons", key="lesson_next", icon="done", width="stretch")
        with st.container(key="lesson_links", horizontal=True, gap="small"):
            free = replace(column.state, learning=looking_around(learning))
            column.link(column.view, free, "Look around freely", key="lesson_free", icon="")
            shown = replace(column.state, learning=replace(learning, demo=True))
            column.link(column.view, shown, "Present", key="lesson_demo", icon="")
            _class_link(column)


def _is_done(column: _Column) -> bool:
    """Whether nothing of the stop is left to be answered."""
    asked, learning = column.stop, column.learning
    return (asked.prediction is None or bool(answer_at(learning, column.number))) and (
        asked.check is None or bool(seen_at(learning, column.number))
    )


def _class_link(column: _Column) -> None:
    """The address of this stop for others, as text and as a picture to photograph."""
    with st.popover("Link", type="tertiary", key="lesson_link"):
        url = st.context.url
        if not url:
            st.markdown("The address of this page is not known.")
            return
        import segno

        address = class_link(url, column.state, column.lesson, column.runs)
        picture = segno.make(address, micro=False).svg_inline(scale=4, border=2, light="#fff", dark="#000")
        with st.container(width=LINK_WIDTH):
            st.image(picture, alt="QR code of the address below", width=LINK_WIDTH)
            st.code(address, language=None, wrap_lines=True)
            if is_local(url):
                st.markdown(
                    "This address works on this machine only. Start the app with `make serve` and open it by the "
                    "machine's name in the network."
                )


def _content(column: _Column) -> None:
    """What the stop says, where to look, and what it asks."""
    place, stop = st.empty(), column.stop
    if not is_drawn(TEXT_KEY):
        place.skeleton(height=HEIGHT)
    try:
        from explorer.browser.sentence_view import sentence_view
        from explorer.lessons.facts import find_facts
        from explorer.lessons.findings import filled
        from explorer.lessons.lights import light_of

        found = find_facts(column.lesson.file, stop.facts, column.runs)
        there = stop_state(column.state, column.lesson, column.number, column.runs)
        rows = light_of(column.lesson.file, stop.target, there)
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
    said = _asked(column, found)
    with light:
        lesson_light(
            stop=f"{column.lesson.key}/{column.number}",
            lesson=f"Lesson {column.place}: {column.lesson.title}",
            part=column.views[stop.page].parts.get(stop.target.part, ""),
            rows=[_lit(row) for row in rows],
            said=said,
            line="← → stop · r answer · l light",
            key=KEYS_KEY,
        )


def _lit(row: LightRow) -> LitRow:
    return LitRow(row.site, row.index, len(row.values), row.columns)


def _asked(column: _Column, found: Findings) -> str:
    """The question of the stop and what is to be seen after it; returns what was said to the last answer."""
    prediction, check = column.stop.prediction, column.stop.check
    said, of_stop = "", (column.state, column.lesson, column.number)
    if prediction is not None:
        with st.container(key="lesson_question", gap="xsmall"):
            said = draw_question(Question(*of_stop, prediction, "answer", found, column.runs))
    if check is not None and (prediction is None or answer_at(column.learning, column.number)):
        with st.container(key="lesson_check", gap="xsmall"):
            said = draw_check(Question(*of_stop, check, "seen", found, column.runs)) or said
    return said
