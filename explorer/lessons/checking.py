"""Plays a lesson against the models: every view, fact, claim and right answer, and a sentence for each fault."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.errors import ExplorerError
from core.explanation.explain import explain
from explorer.lessons.answering import is_value, options, right_answer, verdict, wrong_matches
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
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState


@dataclass
class Played:
    """A lesson that was played.

    Attributes:
        file: Its name.
        lines: What each stop says, for reading.
        faults: One sentence for each fault, with file and line; none in a lesson that can be shown.
    """

    file: str
    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def fault(self, line: int, problem: str) -> None:
        """Add the sentence of a fault that stands in a line of the file."""
        self.faults.append(f"{self.file}, line {line}: {problem}")


def play(lesson: Lesson, runs: Runs, views: Registry) -> Played:
    """Go through all stops of a lesson on these models."""
    played = Played(lesson.file)
    for number, stop in enumerate(lesson.stops, 1):
        played.lines.append(f"Stop {number} of {len(lesson.stops)}: {stop.title} (page {stop.page})")
        for is_answered in (False, True):
            state, notices = state_from_query(stop.view_with(is_answered=is_answered), runs)
            for problem in notices or view_problems(views[stop.page], state):
                played.fault(stop.line, problem)
            _play_light(stop, state, played)
            if stop.prediction is None or not stop.prediction.before:
                break
        try:
            found = find_facts(lesson.file, stop.facts, runs)
        except LessonError as error:
            played.faults.append(str(error))
            continue
        played.lines += [f"  {name} = {each.text}" for name, each in found.items()]
        for claim in stop.claims:
            _play_claim(claim, found, played)
        for asked in filter(None, (stop.prediction, stop.check)):
            if asked is stop.check and asked.kind == "cell":
                _play_cell(stop, asked, found, state, played)
            else:
                _play_prediction(asked, found, played)
    return played


def _play_light(stop: Stop, state: ExplorerState, played: Played) -> None:
    try:
        played.lines += [f"  in the light: {row.said}" for row in light_of(played.file, stop.target, state)]
    except LessonError as error:
        played.faults.append(str(error))


def _play_cell(
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
        played.fault(check.line, f"the check: {error}")
        return
    played.lines += [f"  then: {check.question}", f"  cell: {cell.site}{list(cell.index)}"]


def _play_claim(claim: Claim, found: dict[str, Finding], played: Played) -> None:
    value, limit = found[claim.fact].value, claim.value
    if isinstance(limit, str) and limit in found:
        limit = found[limit].value
    if claim.relation == "is":
        holds = is_value(limit, found[claim.fact], found) or str(limit) == found[claim.fact].text
    elif isinstance(value, str | bool) or isinstance(limit, str | bool):
        played.fault(claim.line, f"only numbers are above or below; {claim.fact!r} is none.")
        return
    else:
        holds = value > limit if claim.relation == "above" else value < limit
    if not holds:
        relation = "" if claim.relation == "is" else f"{claim.relation} "
        played.fault(
            claim.line,
            f"the lesson claims that {claim.fact!r} is {relation}{claim.value}, "
            f"but the run says {found[claim.fact].text}.",
        )


def _play_prediction(prediction: Prediction, found: dict[str, Finding], played: Played) -> None:
    try:
        best = right_answer(prediction, found)
        shown = verdict(prediction, found, best)
        given = options(prediction, found)
    except ExplorerError as error:
        played.fault(prediction.line, f"the prediction: {error}")
        return
    played.lines.append(f"  asks: {prediction.question}")
    if given:
        played.lines.append(f"  of: {' | '.join(given)}")
    played.lines.append(f"  answer: {text_of(shown.answer)}")
    if prediction.kind == "number" and not prediction.tolerance and float(best) != round(float(best)):
        played.fault(prediction.line, f"nobody types {best} exactly; give the prediction a 'tolerance'.")
    for wrong in prediction.wrong:
        if wrong_matches(wrong, prediction, found, best):
            played.fault(prediction.line, f"the wrong answer {wrong.value!r} is what the run says.")
        elif prediction.kind == "word" and str(wrong.value) not in found[prediction.answer].axes[0].labels:
            played.fault(
                prediction.line, f"nobody can answer {wrong.value!r}, which is not one of the tokens."
            )
