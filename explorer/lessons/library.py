"""All lessons of the app, read from their folder; one that cannot be read takes none of the others away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from explorer.lessons.lesson import Lesson, LessonError
from explorer.lessons.reading import CONTENT, read_lesson_file
from explorer.models.listing import version_of
from explorer.view import Registry


@dataclass(frozen=True)
class Library:
    """The lessons that could be read, and what is wrong with the other files.

    Attributes:
        lessons: By their keys, in order.
        problems: A sentence for each file that is no lesson.
    """

    lessons: Mapping[str, Lesson]
    problems: tuple[str, ...]


def read_library(folder: Path, views: Registry) -> Library:
    """Every lesson of a folder, in the order of the files' names."""
    lessons: dict[str, Lesson] = {}
    problems: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            lesson = read_lesson_file(path, views)
        except LessonError as error:
            problems.append(str(error))
            continue
        if lesson.key in lessons:
            other = lessons[lesson.key].file
            problems.append(f"{path.name}, line 1: {other} is a lesson of the same name; call one otherwise.")
            continue
        lessons[lesson.key] = lesson
    return Library(lessons, tuple(problems))


def lesson_library(views: Registry) -> Library:
    """All lessons, read again when a file of them is another."""
    names = sorted(path.name for path in CONTENT.glob("*.toml"))
    return _lesson_library(repr((names, version_of(CONTENT, *names))), views)


@st.cache_resource(show_spinner=False, max_entries=2)
def _lesson_library(version: str, _views: Registry) -> Library:
    return read_library(CONTENT, _views)
