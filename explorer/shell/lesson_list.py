"""The list of the lessons: what each teaches, how far the visitor has come, and the way in."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from explorer.lessons.library import Library
from explorer.lessons.lights import light_of
from explorer.look.markdown_text import plain
from explorer.shell.lesson_cut import draw_thumbnail
from explorer.shell.lesson_way import Following
from explorer.view import Registry
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState

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
    cards = [
        Following(state, lesson, place, runs, views)
        for place, lesson in enumerate(library.lessons.values(), 1)
    ]
    pictures = []
    for at in cards:
        with st.container(border=True, key=f"lesson_card_{at.lesson.key}", gap="xsmall"):
            pictures.append(_card(at))
    # The list is there before the models are, whose numbers the pictures show.
    for picture, at in zip(pictures, cards, strict=True):
        with picture:
            _picture(at)


def _picture(at: Following) -> None:
    """A small picture of the first matrix that a lesson speaks of, as it is recorded now."""
    numbered = enumerate(at.lesson.stops, 1)
    number, stop = next(((number, stop) for number, stop in numbered if stop.target.sites), (0, None))
    if stop is None:
        return
    try:
        row = light_of(at.lesson.file, stop.target, at.state_at(number))[-1]
        draw_thumbnail(row, key=f"lesson_picture_{at.lesson.key}")
    except ExplorerError as error:
        st.caption(plain(error.sentence))


def _card(at: Following) -> DeltaGenerator:
    """Draw a lesson's card; returns the place of its picture."""
    learning, lesson, count = at.state.learning, at.lesson, len(at.lesson.stops)
    reached, followed = dict(learning.reached).get(lesson.key, 0), lesson.key == learning.lesson
    with st.container(horizontal=True, vertical_alignment="center"):
        picture = st.container(width=PICTURE_WIDTH)
        words, way = st.container(gap="xsmall"), st.container(gap="xsmall", width=WAY_WIDTH)
    with words:
        st.subheader(f"{at.place} · {plain(lesson.title)}", anchor=False)
        st.markdown(plain(lesson.summary))
        st.caption(plain(" · ".join(lesson.covers)))
    with way:
        st.caption(progress_words(reached, count))
        if followed:
            _link(at, at.number, "Go on", icon="play_arrow")
        elif 1 < reached < count:
            _link(at, reached, "Go on", icon="play_arrow")
        else:
            _link(at, 1, "Again" if reached >= count else "Start", icon="play_arrow")
    if followed:
        with st.container(key="lesson_stops"):
            for number, stop in enumerate(lesson.stops, 1):
                label = f"{number} · {plain(stop.title)}"
                _link(at, number, f"**{label}**" if number == at.number else label)
    return picture


def progress_words(reached: int, count: int) -> str:
    """How far a lesson was gone."""
    if not reached:
        return f"{count} stops"
    return "Done" if reached >= count else f"{reached} of {count} stops"


def _link(at: Following, number: int, label: str, *, icon: str = "") -> None:
    at.link(at.lesson.stop(number).page, at.state_at(number), label, icon=icon)
