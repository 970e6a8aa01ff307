"""Where a visitor is in the lessons, and the ways in which that changes; all pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.visitor.declared import choice, cleared
from explorer.visitor.forms import FLAG, pairs, text_of, whole

PICTURE, QUESTION, TRUTH = range(3)
"""What of a stop is shown to an audience, one after the other."""
MAX_ANSWERS = 40
MAX_REACHED = 60

_KEY = r"[a-z0-9]{1,30}(-[a-z0-9]{1,30}){0,6}"
_STOP = whole(100, least=1)
_PHASE = whole(TRUTH + 1, least=PICTURE)
_ANSWERS = pairs(_STOP, text_of(r"shown|-?[0-9]{1,9}([.,][0-9]{1,9})?"), MAX_ANSWERS)
_REACHED = pairs(text_of(_KEY), _STOP, MAX_REACHED)
_OF_LESSON = ("learning.lesson",)


@dataclass(frozen=True)
class Learning:
    """A visitor's place in the lessons.

    Attributes:
        lesson: Key of the lesson; empty for none.
        stop: Its stop, from 1, as its column counts them.
        answers: What was answered at stops of this lesson, by their numbers.
        seen: What was found in the picture after that, by the same numbers.
        reached: The farthest stop of each lesson that was begun.
        free: Whether the visitor looks around by themselves.
        demo: Whether the stop is shown to an audience: large, one thing at a time.
        phase: Which thing that is: the picture, the question, the truth.
    """

    lesson: str = choice("", link="lesson", form=text_of(f"({_KEY})?"))
    stop: int = choice(1, link="stop", form=_STOP, beside="lesson", depends_on=_OF_LESSON)
    answers: tuple[tuple[int, str], ...] = choice((), link="answers", form=_ANSWERS, depends_on=_OF_LESSON)
    seen: tuple[tuple[int, str], ...] = choice((), link="seen", form=_ANSWERS, depends_on=_OF_LESSON)
    reached: tuple[tuple[str, int], ...] = choice((), link="reached", form=_REACHED)
    free: bool = choice(False, link="free", form=FLAG, depends_on=_OF_LESSON)
    demo: bool = choice(False, link="demo", form=FLAG, depends_on=_OF_LESSON)
    phase: int = choice(0, link="phase", form=_PHASE, beside="demo", depends_on=_OF_LESSON)


NO_LESSON = Learning()
"""Where somebody is who follows no lesson."""


def at_stop(learning: Learning, lesson: str, stop: int) -> Learning:
    """At a stop of a lesson; the answers of another lesson are forgotten, how far it went is not."""
    reached = dict(learning.reached)
    reached[lesson] = max(stop, reached.get(lesson, 1))
    return replace(
        learning,
        lesson=lesson,
        stop=stop,
        answers=learning.answers if lesson == learning.lesson else (),
        seen=learning.seen if lesson == learning.lesson else (),
        reached=tuple(reached.items())[-MAX_REACHED:],
        free=False,
        phase=PICTURE,
    )


def answered(learning: Learning, stop: int, answer: str) -> Learning:
    """With an answer to the question of a stop; an empty one takes it back, and what was seen after it."""
    seen = learning.seen if answer else _with(learning.seen, stop, "")
    return replace(learning, answers=_with(learning.answers, stop, answer), seen=seen)


def noticed(learning: Learning, stop: int, answer: str) -> Learning:
    """With what was found in the picture of a stop; an empty one takes it back."""
    return replace(learning, seen=_with(learning.seen, stop, answer))


def _with(answers: tuple[tuple[int, str], ...], stop: int, answer: str) -> tuple[tuple[int, str], ...]:
    others = tuple(each for each in answers if each[0] != stop)
    return (*others, (stop, answer)) if answer else others


def answer_at(learning: Learning, stop: int) -> str:
    """What was answered at a stop; empty for nothing."""
    return dict(learning.answers).get(stop, "")


def seen_at(learning: Learning, stop: int) -> str:
    """What was found in the picture of a stop; empty for nothing."""
    return dict(learning.seen).get(stop, "")


def looking_around(learning: Learning) -> Learning:
    """Away from the stop, to which one can come back."""
    return replace(learning, free=True, demo=False, phase=PICTURE)


def without_lesson(learning: Learning) -> Learning:
    """Out of the lesson; how far it went stays."""
    return replace(cleared(learning, *_OF_LESSON), lesson="")


def settled(learning: Learning) -> Learning:
    """A place that a link says; without a lesson there is no stop in it."""
    return learning if learning.lesson else without_lesson(learning)
