"""The strip of a lesson on every page: what a stop says, its question, and the ways to the other stops."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from explorer.browser.lesson_keys import lesson_keys
from explorer.lessons.lesson import Lesson, Stop
from explorer.lessons.library import lesson_library
from explorer.look.markdown_text import plain
from explorer.shell.lesson_question import Question, draw_question
from explorer.shell.lesson_style import lesson_css
from explorer.shell.lesson_way import class_link, is_away, is_local, stop_state
from explorer.view import Registry, View
from explorer.visitor.learning import Learning, looking_around, without_lesson
from explorer.visitor.links import query_of
from explorer.visitor.session import at_page
from explorer.visitor.state import ExplorerState, Runs
from explorer.visitor.values import is_drawn

KEY, TEXT_KEY, KEYS_KEY = "lesson", "lesson_text", "lesson_keys"
LESSONS = "lessons"
"""Key of the view with the contents, where no strip is drawn."""
LINK_WIDTH = 300
"""Pixels of the QR code; a demonstration enlarges it with all of the strip."""
HEIGHT = 150
"""Pixels that are kept free for the strip while its facts are found for the first time."""


@dataclass(frozen=True)
class _Strip:
    """What the strip is drawn from.

    Attributes:
        view: Key of the view that is open.
        state: The visitor's choices.
        lesson: Which they follow.
        runs: All models.
        views: All of them.
    """

    view: str
    state: ExplorerState
    lesson: Lesson
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

    def link_to_stop(self, number: int, label: str, *, key: str, icon: str) -> None:
        """A link to a stop: its page with its state."""
        there = stop_state(self.state, self.lesson, number, self.runs)
        self.link(self.lesson.stop(number).page, there, label, key=key, icon=icon)

    def link_to_lessons(self, label: str, *, key: str, icon: str) -> None:
        """A link to the contents of the lesson."""
        self.link(LESSONS, at_page(self.state, LESSONS), label, key=key, icon=icon)

    def link(self, page: str, state: ExplorerState, label: str, *, key: str, icon: str) -> None:
        """A link to a page with a state."""
        with st.container(key=key, width="content"):
            st.page_link(
                self.views[page].page,
                label=label,
                icon=f":material/{icon}:",
                query_params=query_of(state, self.runs),
            )


def leaves_stop(view: View, before: ExplorerState, after: ExplorerState, runs: Runs, views: Registry) -> bool:
    """Whether the page itself has left what the stop speaks of, or come back to it, since the strip was drawn."""
    if not before.learning.lesson or view.key == LESSONS:
        return False
    lesson = lesson_library(views).lessons.get(before.learning.lesson)
    return lesson is not None and is_away(view.key, before, lesson, runs) != is_away(
        view.key, after, lesson, runs
    )


def draw_lesson(view: View, state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Draw the strip of the lesson that the visitor follows, if there is one.

    Call it before the page runs.

    Args:
        view: That is open.
        state: The visitor's choices.
        runs: All models.
        views: All of them.
    """
    if not state.learning.lesson or view.key == LESSONS:
        return
    lesson = lesson_library(views).lessons.get(state.learning.lesson)
    if lesson is None:
        with st.container(key=KEY):
            st.info("There is no lesson of that name here.", icon=":material/link_off:")
            rest = at_page(replace(state, learning=without_lesson(state.learning)), LESSONS)
            st.page_link(views[LESSONS].page, label="All lessons", query_params=query_of(rest, runs))
        return
    strip = _Strip(view.key, state, lesson, runs, views)
    away = is_away(view.key, state, lesson, runs)
    part = "" if away else views[strip.stop.page].parts.get(strip.stop.highlight, "")
    st.html(f"<style>{lesson_css(part, demo=state.learning.demo and not away)}</style>")
    with st.container(key=KEY, gap="xsmall"):
        if away:
            _bar_of_free_play(strip)
        else:
            keys_place = _bar(strip)
            said = _content(strip)
            with keys_place:
                lesson_keys(
                    stop=f"{lesson.key}/{strip.number}",
                    part=part,
                    said=said,
                    line="← → stop · r answer · d class",
                    key=KEYS_KEY,
                )


def _bar(strip: _Strip) -> DeltaGenerator:
    """Where one is, and the ways from here; returns the place of the keys."""
    count, number, learning = len(strip.lesson.stops), strip.number, strip.learning
    with st.container(key="lesson_bar", horizontal=True, vertical_alignment="center", gap="small"):
        if number > 1:
            strip.link_to_stop(number - 1, "Previous", key="lesson_previous", icon="arrow_back")
        with st.container(key="lesson_place", width="content"):
            st.markdown(f"Stop **{number}** of {count}")
        if number < count:
            strip.link_to_stop(number + 1, "Next", key="lesson_next", icon="arrow_forward")
        else:
            strip.link_to_lessons("To the lessons", key="lesson_next", icon="done")
        if not learning.demo:
            strip.link_to_lessons(strip.lesson.title, key="lesson_contents", icon="toc")
            free = replace(strip.state, learning=looking_around(learning))
            strip.link(strip.view, free, "Look around freely", key="lesson_free", icon="explore")
        shown = replace(strip.state, learning=replace(learning, demo=not learning.demo))
        label = "End the demo" if learning.demo else "For a class"
        strip.link(strip.view, shown, label, key="lesson_demo", icon="co_present")
        _class_link(strip)
        return st.container(width="content")


def _bar_of_free_play(strip: _Strip) -> None:
    with st.container(key="lesson_bar", horizontal=True, vertical_alignment="center", gap="small"):
        strip.link_to_stop(strip.number, "Back to the stop", key="lesson_next", icon="undo")
        with st.container(key="lesson_place", width="content"):
            st.markdown(f"You are looking around. Stop **{strip.number}** of {len(strip.lesson.stops)}")
        strip.link_to_lessons(strip.lesson.title, key="lesson_contents", icon="toc")
        left = replace(strip.state, learning=without_lesson(strip.learning))
        strip.link(strip.view, left, "Leave the lesson", key="lesson_leave", icon="close")


def _class_link(strip: _Strip) -> None:
    """The address of this stop for others, as text and as a picture to photograph."""
    with st.popover("Link", icon=":material/qr_code_2:", key="lesson_link"):
        url = st.context.url
        if not url:
            st.markdown("The address of this page is not known.")
            return
        import segno

        address = class_link(url, strip.state, strip.lesson, strip.runs)
        picture = segno.make(address, micro=False).svg_inline(scale=4, border=2, light="#fff", dark="#000")
        with st.container(width=LINK_WIDTH):
            st.image(picture, alt="QR code of the address below", width=LINK_WIDTH)
            st.code(address, language=None, wrap_lines=True)
            if is_local(url):
                st.markdown(
                    "This address works on this machine only. Start the app with `make serve` and open it by the "
                    "machine's name in the network."
                )


def _content(strip: _Strip) -> str:
    """What the stop says, and its question; returns what was said to the answer."""
    place, stop = st.empty(), strip.stop
    if not is_drawn(TEXT_KEY):
        place.skeleton(height=HEIGHT)
    try:
        from explorer.browser.sentence_view import sentence_view
        from explorer.lessons.facts import find_facts
        from explorer.lessons.findings import filled

        found = find_facts(strip.lesson.file, stop.facts, strip.runs)
    except ExplorerError as error:
        # The page below has nothing to do with it.
        place.error(plain(error.sentence))
        return ""
    place.empty()
    text, look = filled(stop.text, found), filled(stop.look, found)
    words, question = st.columns((3, 2), gap="medium") if stop.prediction else (st.container(), None)
    with words:
        st.subheader(stop.title, anchor=False)
        sentence_view(text, key=TEXT_KEY)
        if look:
            sentence_view(look, key="lesson_look")
    if stop.prediction is None or question is None:
        return ""
    with question, st.container(key="lesson_question", gap="xsmall"):
        asked = Question(strip.state, strip.lesson, strip.number, stop.prediction, found, strip.runs)
        return draw_question(asked)
