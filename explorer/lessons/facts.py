"""Asks the recorded run what the facts of a lesson are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from core.errors import ExplorerError
from explorer.lessons.array_facts import ARRAY_ASKS
from explorer.lessons.asked import Asked
from explorer.lessons.findings import FactError, Finding, words
from explorer.lessons.lesson import Fact, LessonError
from explorer.lessons.run_facts import RUN_ASKS
from explorer.lessons.study_facts import STUDY_ASKS
from explorer.visitor.links import state_from_query
from explorer.visitor.scope import Runs


def find_facts(file: str, facts: Mapping[str, Fact], runs: Runs) -> dict[str, Finding]:
    """What the models say to the facts of a stop, by their names.

    Raises:
        LessonError: when one cannot be answered; the sentence names file and line.
    """
    found: dict[str, Finding] = {}
    for fact in _in_order(file, facts):
        try:
            state, notices = state_from_query(fact.view, runs)
            if notices:
                raise FactError(notices[0])
            found[fact.name] = ASKS[fact.ask](Asked(fact, state, runs, found))
        except ExplorerError as error:
            raise LessonError(f"{file}, line {fact.line}: the fact {fact.name!r}: {error}") from error
    return found


def _in_order(file: str, facts: Mapping[str, Fact]) -> list[Fact]:
    """Facts about other facts after those.

    Raises:
        LessonError: when one refers to a fact that is not there, or to itself.
    """
    ordered: dict[str, Fact] = {}

    def place(fact: Fact, above: tuple[str, ...]) -> None:
        for name in _named(fact):
            if name not in facts or name in above:
                problem = "is not there" if name not in facts else "refers back to it"
                raise LessonError(
                    f"{file}, line {fact.line}: the fact {fact.name!r}: the fact {name!r} {problem}."
                )
            place(facts[name], (*above, name))
        ordered.setdefault(fact.name, fact)

    for each in facts.values():
        place(each, (each.name,))
    return list(ordered.values())


def _named(fact: Fact) -> list[str]:
    """The facts that a fact is about."""
    names = fact.options.get("of") if fact.ask in _FACT_ASKS else []
    return [str(each) for each in names] if isinstance(names, list) else [str(names)]


# ---- facts about facts ---------------------------------------------------------------------------------------------


def _two(asked: Asked) -> tuple[Finding, Finding]:
    names = _named(asked.fact)
    if len(names) != 2:
        raise FactError("'of' is a list of two facts.")
    return asked.earlier[names[0]], asked.earlier[names[1]]


def _numbers(asked: Asked) -> list[float]:
    found = [asked.earlier[name].value for name in _named(asked.fact)]
    if not found or any(isinstance(each, bool | str) for each in found):
        raise FactError("'of' must name facts that are numbers.")
    return [float(each) for each in found]


def _difference(asked: Asked) -> Finding:
    _two(asked)
    first, second = _numbers(asked)
    return asked.number(first - second, _form(first, second))


def _ratio(asked: Asked) -> Finding:
    _two(asked)
    first, second = _numbers(asked)
    if not second:
        raise FactError("the second fact is 0; nothing can be divided by it.")
    return asked.number(first / second, "ratio")


def _total(asked: Asked) -> Finding:
    numbers = _numbers(asked)
    return asked.number(math.fsum(numbers), _form(*numbers))


def _form(*numbers: float) -> str:
    """The form of a number made of others: whole numbers make a count."""
    return "count" if all(each.is_integer() for each in numbers) else "value"


def _same(asked: Asked) -> Finding:
    first, second = _two(asked)
    return Finding(
        first.value == second.value,
        words("the same" if first.value == second.value else "not the same").pieces,
    )


def _compare(asked: Asked) -> Finding:
    _two(asked)
    first, second = _numbers(asked)
    return words("greater" if first > second else "less" if first < second else "equal")


_FACT_ASKS: Mapping[str, Callable[[Asked], Finding]] = {
    "difference": _difference,
    "ratio": _ratio,
    "total": _total,
    "same": _same,
    "compare": _compare,
}
"""Questions whose ``of`` names other facts."""
ASKS = {**ARRAY_ASKS, **RUN_ASKS, **STUDY_ASKS, **_FACT_ASKS}
"""The functions that answer everything that can be asked."""
