"""From stop to stop: the state of the app at a stop of a lesson, and whether somebody still looks at it."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode, urlsplit

from explorer.lessons.lesson import Lesson, Prediction
from explorer.visitor.learning import Learning, answer_at, at_stop
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import ExplorerState, Runs

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


def stop_state(state: ExplorerState, lesson: Lesson, number: int, runs: Runs) -> ExplorerState:
    """The state in which a stop shows its page, which may be another one before its question has an answer.

    Depth of the words, and what is compared or watched, stay.
    """
    answers = state.learning if state.learning.lesson == lesson.key else Learning()
    view = lesson.stop(number).view_with(is_answered=bool(answer_at(answers, number)))
    there, _ = state_from_query(view, runs)
    return replace(
        there,
        sentence_id=state.sentence_id + (there.sentence != state.sentence),
        depth=there.depth if "depth" in view else state.depth,
        training=state.training,
        learning=at_stop(state.learning, lesson.key, number),
        inspector=replace(there.inspector, pinned=state.inspector.pinned),
    )


def is_away(view: str, state: ExplorerState, lesson: Lesson, runs: Runs) -> bool:
    """Whether what is on the screen is no longer what the stop speaks of.

    Args:
        view: Key of the view that is open.
        state: The visitor's choices.
        lesson: Of the stop.
        runs: All models.
    """
    if state.learning.free or view != lesson.stop(state.learning.stop).page:
        return True
    there = stop_state(state, lesson, state.learning.stop, runs)
    return _subject(state) != _subject(there)


def open_question(state: ExplorerState, lesson: Lesson) -> Prediction | None:
    """The question of the visitor's stop, as long as it has no answer."""
    number = min(state.learning.stop, len(lesson.stops))
    return None if answer_at(state.learning, number) else lesson.stop(number).prediction


def _subject(state: ExplorerState) -> tuple[object, ...]:
    """What a stop speaks of: which model makes what of which sentence."""
    return state.run, state.updates, state.changes, state.sentence, state.decoding.prefix


def class_link(url: str, state: ExplorerState, lesson: Lesson, runs: Runs) -> str:
    """The address of the present stop for others: without answers, and not as a demonstration.

    Args:
        url: Of the page in the browser of who shows it.
        state: Their choices.
        lesson: The lesson.
        runs: All models.
    """
    fresh = replace(state, learning=Learning(), training="", inspector=replace(state.inspector, pinned=None))
    there = stop_state(fresh, lesson, state.learning.stop, runs)
    there = replace(there, learning=replace(there.learning, reached=()))
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path or '/'}?{urlencode(query_of(there, runs))}"


def is_local(url: str) -> bool:
    """Whether an address works on this machine only."""
    return urlsplit(url).hostname in LOCAL_HOSTS
