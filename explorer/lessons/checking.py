"""Plays a lesson against the models: every view, fact, claim and right answer, and a sentence for each fault."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.errors import ExplorerError
from core.explanation.explain import explain
from explorer.lessons.answering import options, right_answer, verdict, wrong_matches
from explorer.lessons.facts import find_facts
from explorer.lessons.findings import Finding
from explorer.lessons.lesson import Claim, Lesson, LessonError, Prediction, Stop
from explorer.lessons.lights import light_of
from explorer.lessons.seeing import cell_of
from explorer.lessons.views import view_problems
from explorer.look.pieces import text_of
from explorer.view import Registry
from explorer.visitor.links import state_from_query
from explorer.visitor.running import recorded_run
from explorer.visitor.state import ExplorerState, Runs


@dataclass
class Played:
    """A lesson that was played.

    Attributes:
        lines: What each stop says, for reading.
        faults: One sentence for each fault, with file and line; none in a lesson that can be shown.
    """

    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def play(lesson: Lesson, runs: Runs, views: Registry) -> Played:
    """Go through all stops of a lesson on these models."""
    played = Played()
    for number, stop in enumerate(lesson.stops, 1):
        played.lines.append(f"Stop {number} of {len(lesson.stops)}: {stop.title} (page {stop.page})")
        for is_answered in (False, True):
            state, notices = state_from_query(stop.view_with(is_answered=is_answered), runs)
            problems = notices or view_problems(views[stop.page], state)
            played.faults += [f"{lesson.file}, line {stop.line}: {problem}" for problem in problems]
            _play_light(lesson, stop, state, played)
            if stop.prediction is None or not stop.prediction.before:
                break
        try:
            found = find_facts(lesson.file, stop.facts, runs)
        except LessonError as error:
            played.faults.append(str(error))
            continue
        played.lines += [f"  {name} = {each.text}" for name, each in found.items()]
        played.faults += [fault for claim in stop.claims if (fault := _claim_fault(lesson, claim, found))]
        for asked in filter(None, (stop.prediction, stop.check)):
            if asked is stop.check and asked.kind == "cell":
                _play_cell(lesson, stop, asked, found, state, played)
            else:
                _play_prediction(lesson, stop, asked, found, played)
    return played


def _play_light(lesson: Lesson, stop: Stop, state: ExplorerState, played: Played) -> None:
    try:
        played.lines += [f"  in the light: {row.said}" for row in light_of(lesson.file, stop.target, state)]
    except LessonError as error:
        played.faults.append(str(error))


def _play_cell(
    lesson: Lesson,
    stop: Stop,
    check: Prediction,
    found: dict[str, Finding],
    state: ExplorerState,
    played: Played,
) -> None:
    """A number that is to be clicked must be one that the page explains."""
    try:
        recorded = recorded_run(state)
        cell = cell_of(stop.facts[check.answer], found[check.answer], recorded)
        explain(recorded.run, recorded.trace, cell.site, cell.index)
    except ExplorerError as error:
        played.faults.append(f"{lesson.file}, line {check.line}: the check: {error}")
        return
    played.lines += [f"  then: {check.question}", f"  cell: {cell.site}{list(cell.index)}"]


def _claim_fault(lesson: Lesson, claim: Claim, found: dict[str, Finding]) -> str:
    value, limit = found[claim.fact].value, claim.value
    if isinstance(limit, str) and limit in found:
        limit = found[limit].value
    if claim.relation == "is":
        holds = (
            value == limit
            if isinstance(value, str | bool)
            else str(limit) in (str(value), found[claim.fact].text)
        )
        holds = holds or (not isinstance(limit, str) and value == limit)
    elif isinstance(value, str | bool) or isinstance(limit, str | bool):
        return f"{lesson.file}, line {claim.line}: only numbers are above or below; {claim.fact!r} is none."
    else:
        holds = value > limit if claim.relation == "above" else value < limit
    if holds:
        return ""
    relation = "" if claim.relation == "is" else f"{claim.relation} "
    return (
        f"{lesson.file}, line {claim.line}: the lesson claims that {claim.fact!r} is {relation}{claim.value}, "
        f"but the run says {found[claim.fact].text}."
    )


def _play_prediction(
    lesson: Lesson, stop: Stop, prediction: Prediction, found: dict[str, Finding], played: Played
) -> None:
    try:
        best = right_answer(prediction, found)
        shown = verdict(prediction, found, best)
        given = options(prediction, found)
    except ExplorerError as error:
        played.faults.append(f"{lesson.file}, line {prediction.line}: the prediction: {error}")
        return
    played.lines.append(f"  asks: {prediction.question}")
    if given:
        played.lines.append(f"  of: {' | '.join(given)}")
    played.lines.append(f"  answer: {text_of(shown.answer)}")
    if prediction.kind == "number" and not prediction.tolerance and float(best) != round(float(best)):
        played.faults.append(
            f"{lesson.file}, line {prediction.line}: nobody types {best} exactly; give the prediction a 'tolerance'."
        )
    for wrong in prediction.wrong:
        if wrong_matches(wrong, prediction, found, best):
            played.faults.append(
                f"{lesson.file}, line {prediction.line}: the wrong answer {wrong.value!r} is what the run says."
            )
        elif prediction.kind == "word" and str(wrong.value) not in found[prediction.answer].axes[0].labels:
            played.faults.append(
                f"{lesson.file}, line {prediction.line}: nobody can answer {wrong.value!r}, "
                "which is not one of the tokens."
            )
