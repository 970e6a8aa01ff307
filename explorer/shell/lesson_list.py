"""The list of the lessons: what each teaches, how far the visitor has come, and the way in."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from explorer.lessons.lesson import Lesson
from explorer.lessons.library import Library
from explorer.look.markdown_text import plain
from explorer.shell.lesson_way import stop_state
from explorer.view import Registry
from explorer.visitor.links import query_of
from explorer.visitor.state import ExplorerState, Runs

PICTURE_WIDTH = 92
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
    pictures = []
    for place, lesson in enumerate(library.lessons.values(), 1):
        with st.container(border=True, key=f"lesson_card_{lesson.key}", gap="xsmall"):
            pictures.append(_card(place, lesson, state, runs, views))
    # The list is there before the models are, whose numbers the pictures show.
    for picture, lesson in zip(pictures, library.lessons.values(), strict=True):
        with picture:
            _picture(lesson, state, runs)


def _picture(lesson: Lesson, state: ExplorerState, runs: Runs) -> None:
    """A small picture of the first matrix that a lesson speaks of, as it is recorded now."""
    number, stop = next(
        ((number, stop) for number, stop in enumerate(lesson.stops, 1) if stop.target.sites), (0, None)
    )
    if stop is None:
        return
    try:
        from explorer.lessons.lights import light_of
        from explorer.shell.lesson_cut import draw_thumbnail

        row = light_of(lesson.file, stop.target, stop_state(state, lesson, number, runs))[-1]
        draw_thumbnail(row, key=f"lesson_picture_{lesson.key}")
    except ExplorerError as error:
        st.caption(plain(error.sentence))


def _card(place: int, lesson: Lesson, state: ExplorerState, runs: Runs, views: Registry) -> DeltaGenerator:
    """Draw a lesson's card; returns the place of its picture."""
    reached, count = dict(state.learning.reached).get(lesson.key, 0), len(lesson.stops)
    followed = lesson.key == state.learning.lesson
    with st.container(horizontal=True, vertical_alignment="center"):
        picture = st.container(width=PICTURE_WIDTH)
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
    return picture


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
