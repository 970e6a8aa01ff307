"""All lessons of the app, read from their folder; one that cannot be read takes none of the others away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.lessons.lesson import Lesson, LessonError
from explorer.lessons.reading import read_lesson_file


@dataclass(frozen=True)
class Library:
    """The lessons.

    Attributes:
        lessons: By their keys, in order.
        problems: A sentence for each file that is no lesson.
    """

    lessons: Mapping[str, Lesson]
    problems: tuple[str, ...]


def read_library(folder: Path) -> Library:
    """Every lesson of a folder, in the order of the files' names."""
    lessons: dict[str, Lesson] = {}
    problems: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            lesson = read_lesson_file(path)
        except LessonError as error:
            problems.append(str(error))
            continue
        if lesson.key in lessons:
            other = lessons[lesson.key].file
            problems.append(f"{path.name}, line 1: {other} is a lesson of the same name; call one otherwise.")
            continue
        lessons[lesson.key] = lesson
    return Library(lessons, tuple(problems))
