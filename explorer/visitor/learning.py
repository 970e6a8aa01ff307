"""Where a visitor is in the lessons, the ways in which that changes, and how an address carries it; all pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

MAX_ANSWERS = 40
MAX_REACHED = 60

_KEY = re.compile(r"[a-z0-9]{1,30}(-[a-z0-9]{1,30}){0,6}")
_ANSWER = re.compile(r"shown|-?[0-9]{1,9}([.,][0-9]{1,9})?")


@dataclass(frozen=True)
class Learning:
    """A visitor's place in the lessons.

    Attributes:
        lesson: Key of the lesson; empty for none.
        stop: Its stop, from 1, as the strip counts them.
        answers: What was answered at stops of this lesson, by their numbers.
        reached: The farthest stop of each lesson that was begun.
        free: Whether the visitor looks around by themselves.
        demo: Whether the stop is shown to a class: large, without controls.
    """

    lesson: str = ""
    stop: int = 1
    answers: tuple[tuple[int, str], ...] = ()
    reached: tuple[tuple[str, int], ...] = ()
    free: bool = False
    demo: bool = False


NO_LESSON = Learning()
"""Of somebody who follows none."""


def at_stop(learning: Learning, lesson: str, stop: int) -> Learning:
    """At a stop of a lesson; the answers of another lesson are forgotten, how far it went is not."""
    reached = dict(learning.reached)
    reached[lesson] = max(stop, reached.get(lesson, 1))
    return replace(
        learning,
        lesson=lesson,
        stop=stop,
        answers=learning.answers if lesson == learning.lesson else (),
        reached=tuple(reached.items())[-MAX_REACHED:],
        free=False,
    )


def answered(learning: Learning, stop: int, answer: str) -> Learning:
    """With an answer to the question of a stop; an empty one takes it back."""
    others = tuple(each for each in learning.answers if each[0] != stop)
    return replace(learning, answers=(*others, (stop, answer)) if answer else others)


def answer_at(learning: Learning, stop: int) -> str:
    """What was answered at a stop; empty for nothing."""
    return dict(learning.answers).get(stop, "")


def looking_around(learning: Learning) -> Learning:
    """Away from the stop, to which one can come back."""
    return replace(learning, free=True, demo=False)


def without_lesson(learning: Learning) -> Learning:
    """Out of the lesson; how far it went stays."""
    return Learning(reached=learning.reached)


def learning_query(learning: Learning) -> dict[str, str]:
    """The part of an address that says where in the lessons somebody is."""
    query: dict[str, str] = {}
    if learning.lesson:
        query = {"lesson": learning.lesson, "stop": str(learning.stop)}
    if learning.answers:
        query["answers"] = ";".join(f"{stop}:{answer}" for stop, answer in learning.answers)
    if learning.reached:
        query["reached"] = ";".join(f"{lesson}:{stop}" for lesson, stop in learning.reached)
    return query | {name: "1" for name in ("free", "demo") if getattr(learning, name)}


def learning_of(query: Mapping[str, str]) -> tuple[Learning, tuple[str, ...]]:
    """The place that an address names, and the names of its parts that cannot be used."""
    refused: list[str] = []

    lesson = query.get("lesson", "")
    if lesson and not _KEY.fullmatch(lesson):
        refused.append("lesson")
        lesson = ""
    stop = _stop(query.get("stop", "1"))
    if stop is None:
        refused.append("stop")
    learning = Learning(
        lesson=lesson,
        stop=stop or 1,
        answers=_answers(query, refused),
        reached=_reached(query, refused),
        free=query.get("free") == "1",
        demo=query.get("demo") == "1",
    )
    return (learning if learning.lesson else without_lesson(learning)), tuple(dict.fromkeys(refused))


def _stop(text: str) -> int | None:
    return int(text) if re.fullmatch("[1-9][0-9]?", text) else None


def _answers(query: Mapping[str, str], refused: list[str]) -> tuple[tuple[int, str], ...]:
    found: dict[int, str] = {}
    for stop, answer in _pairs(query, "answers", MAX_ANSWERS):
        number = _stop(stop)
        if number is None or not _ANSWER.fullmatch(answer):
            # The others stay: nothing that was answered is lost.
            refused.append("answers")
        else:
            found[number] = answer
    return tuple(found.items())


def _reached(query: Mapping[str, str], refused: list[str]) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for lesson, stop in _pairs(query, "reached", MAX_REACHED):
        number = _stop(stop)
        if number is None or not _KEY.fullmatch(lesson):
            refused.append("reached")
        else:
            found[lesson] = number
    return tuple(found.items())


def _pairs(query: Mapping[str, str], name: str, most: int) -> Iterator[tuple[str, str]]:
    """The parts of ``a:b;c:d``, the first ones of them."""
    for part in query[name].split(";")[:most] if query.get(name) else ():
        before, _, after = part.partition(":")
        yield before, after
