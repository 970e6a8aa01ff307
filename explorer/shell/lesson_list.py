"""The list of the lessons: what each teaches, how far the visitor has come, and the way in."""

from __future__ import annotations

import streamlit as st

from explorer.lessons.lesson import Lesson
from explorer.lessons.library import Library
from explorer.look.markdown_text import plain
from explorer.shell.lesson_way import stop_state
from explorer.view import Registry
from explorer.visitor.links import query_of
from explorer.visitor.state import ExplorerState, Runs

WAY_WIDTH = 108
"""Pixels for the way in: "10 of 10 stops" on one line."""
# Targets of a finger's size, with the numbers one under the other.
_STYLE = """
.st-key-lesson_stops { gap: 8px; }
.st-key-lesson_stops a { min-height: 30px; }
.st-key-lesson_stops p { font-variant-numeric: tabular-nums; }
"""


def draw_lessons(library: Library, state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Draw a card for each lesson; that of the lesson that is followed has its contents."""
    st.html(f"<style>{_STYLE}</style>")
    for place, lesson in enumerate(library.lessons.values(), 1):
        with st.container(border=True, key=f"lesson_card_{lesson.key}", gap="xsmall"):
            _card(place, lesson, state, runs, views)


def _card(place: int, lesson: Lesson, state: ExplorerState, runs: Runs, views: Registry) -> None:
    reached, count = dict(state.learning.reached).get(lesson.key, 0), len(lesson.stops)
    followed = lesson.key == state.learning.lesson
    with st.container(horizontal=True, vertical_alignment="center"):
        words, way = st.container(gap="xsmall"), st.container(gap="xsmall", width=WAY_WIDTH)
    with words:
        st.subheader(f"{place} · {plain(lesson.title)}", anchor=False)
        st.markdown(plain(lesson.summary))
        st.caption(plain(" · ".join(lesson.covers)))
    with way:
        st.caption(progress_words(reached, count))
        if followed:
            _link(lesson, min(state.learning.stop, count), "Go on", state, runs, views)
        elif 1 < reached < count:
            _link(lesson, reached, "Go on", state, runs, views)
        else:
            _link(lesson, 1, "Again" if reached >= count else "Start", state, runs, views)
    if followed:
        with st.container(key="lesson_stops"):
            for number, stop in enumerate(lesson.stops, 1):
                label = f"{number} · {plain(stop.title)}"
                here = number == min(state.learning.stop, count)
                _link(lesson, number, f"**{label}**" if here else label, state, runs, views, icon="")


def progress_words(reached: int, count: int) -> str:
    """How far a lesson was gone."""
    if not reached:
        return f"{count} stops"
    return "Done" if reached >= count else f"{reached} of {count} stops"


def _link(
    lesson: Lesson,
    number: int,
    label: str,
    state: ExplorerState,
    runs: Runs,
    views: Registry,
    *,
    icon: str = "play_arrow",
) -> None:
    there = stop_state(state, lesson, number, runs)
    st.page_link(
        views[lesson.stop(number).page].page,
        label=label,
        icon=f":material/{icon}:" if icon else None,
        query_params=query_of(there, runs),
    )
