"""A lesson on paper: what each stop says and shows, its questions with room to answer, and the key on its own page."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.lessons.answering import labels, options, right_answer, verdict
from explorer.lessons.facts import find_facts
from explorer.lessons.findings import Finding, filled
from explorer.lessons.lesson import Lesson, Prediction, Stop
from explorer.look.pieces import Piece
from explorer.look.theme import format_count
from explorer.models.task_facts import run_title
from explorer.view import Registry
from explorer.visitor.links import state_from_query
from explorer.visitor.running import recorded_run
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import (
    LINES,
    Block,
    Heading,
    Line,
    PageBreak,
    Paragraph,
    Picture,
    Sheet,
    html_of,
    paragraph,
    visible_text,
)

MOST_PICTURES = 1
"""Pictures of a stop, the last ones; its view in the app has them all."""


def lesson_sheet(lesson: Lesson, runs: Runs, views: Registry) -> str:
    """The HTML of a lesson's questions and, after a page break, the key to them.

    Raises:
        ExplorerError: when a fact of the lesson cannot be found; the sentence names file and line.
    """
    found = [find_facts(lesson.file, stop.facts, runs) for stop in lesson.stops]
    questions = (
        block
        for number, (stop, facts) in enumerate(zip(lesson.stops, found, strict=True), 1)
        for block in (*_stop(number, stop, facts, runs, views), *_after(stop, lesson))
    )
    answers = (
        block
        for number, (stop, facts) in enumerate(zip(lesson.stops, found, strict=True), 1)
        if stop.prediction is not None
        for block in _answer(number, stop, stop.prediction, facts, runs, views)
    )
    covers = (("Summary", lesson.summary), ("Teaches", ", ".join(lesson.covers)), ("Name", " "))
    blocks = (*questions, PageBreak(), Heading(f"Answers: {lesson.title}"), *answers)
    return html_of(Sheet(lesson.title, covers, blocks))


def _after(stop: Stop, lesson: Lesson) -> tuple[Block, ...]:
    """The next stop often tells what a question asks: it begins on another page."""
    return (PageBreak(),) if stop.prediction is not None and stop is not lesson.stops[-1] else ()


def _stop(number: int, stop: Stop, found: dict[str, Finding], runs: Runs, views: Registry) -> Iterator[Block]:
    state, _ = state_from_query(stop.view, runs)
    yield Heading(f"{number}. {stop.title}")
    yield paragraph(_where(stop, state, runs), quiet=True)
    yield Paragraph(filled(stop.text, found))
    # The view may show what the question asks for: it stands with the answers, and a stop that asks has none.
    if stop.prediction is None:
        yield from _pictures(stop, state, views)
        return
    if stop.look:
        yield Paragraph(filled(stop.look, found))
    yield Paragraph((Piece("Question: ", "number"), *filled(stop.prediction.question, found)))
    yield from _boxes(stop.prediction, found)
    for _ in range(LINES):
        yield Line()


def _boxes(prediction: Prediction, found: dict[str, Finding]) -> Iterator[Block]:
    """What there is to tick, of a cell its row and its column; nothing where a number is written."""
    groups = [("", options(prediction, found))]
    if prediction.kind == "cell":
        groups = [("Row: ", groups[0][1]), ("Column: ", labels(found[prediction.answer], 1))]
    for lead, texts in groups:
        if texts:
            yield paragraph(lead + "   ".join(f"☐ {text}" for text in texts))


def _where(stop: Stop, state: ExplorerState, runs: Runs) -> str:
    """The page, the model and the source of a stop, in a line."""
    moment = "" if state.updates is None else f", after {format_count(state.updates)} updates"
    model = f"{run_title(state.run, runs[state.run])}{moment}"
    return f"Page {stop.page} · {model} · {visible_text(state.sentence)}"


def _pictures(stop: Stop, state: ExplorerState, views: Registry) -> Iterator[Block]:
    sheet = views[stop.page].contents.sheet
    if sheet is None:
        return
    recorded = recorded_run(state)
    pictures = [block for block in sheet(Scene(recorded, state)) if isinstance(block, Picture)]
    yield from pictures[-MOST_PICTURES:]


def _answer(
    number: int, stop: Stop, prediction: Prediction, found: dict[str, Finding], runs: Runs, views: Registry
) -> Iterator[Block]:
    told = verdict(prediction, found, right_answer(prediction, found))
    yield Paragraph((Piece(f"{number}. "), *filled(prediction.question, found)))
    yield Paragraph((*told.answer, Piece(". "), *told.said))
    yield from _pictures(stop, state_from_query(stop.view, runs)[0], views)
