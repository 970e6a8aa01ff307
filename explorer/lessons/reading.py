"""Reads a lesson from its file and checks all that can be checked without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import cast, get_args

from explorer.lessons.asks import ASK_OPTIONS, AXES, VIEW_OF_FACT
from explorer.lessons.lesson import (
    Choice,
    Claim,
    Covers,
    Fact,
    Kind,
    Lesson,
    LessonError,
    Prediction,
    Relation,
    Stop,
    Target,
    Wrong,
)
from explorer.lessons.source import MAX_BYTES, Table, nearest, read_source
from explorer.view import LEARN, Registry, View
from explorer.visitor.links import VIEW_NAMES

CONTENT = Path(__file__).parent / "content"
FEWEST_STOPS, MOST_STOPS = 6, 12
FEWEST_PREDICTIONS = 3
MOST_FACTS = 40
LONGEST = {
    "title": 60,
    "summary": 200,
    "text": 600,
    "look": 200,
    "question": 200,
    "verdict": 300,
    "choice": 90,
    "site": 80,
}
"""Characters that a text may have: what is longer is not read on a screen beside a picture."""

_FILE = re.compile(r"\d\d-([a-z0-9]+(?:-[a-z0-9]+)*)\.toml")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
_RELATIONS: tuple[Relation, ...] = get_args(Relation)


def read_lesson_file(path: Path, views: Registry) -> Lesson:
    """A lesson from a file on disk, of which no more is read than a lesson may have.

    Raises:
        LessonError: as `read_lesson`, and when the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise LessonError(f"{path.name}, line 1: this file cannot be read: {error.strerror}.") from error
    return read_lesson(path.name, content, views)


def read_lesson(file: str, content: bytes, views: Registry) -> Lesson:
    """A lesson from its file.

    Args:
        file: Its name, such as ``03-one-query.toml``: the number orders the lessons, the rest is their name in links.
        content: What stands in it.

    Raises:
        LessonError: with a sentence that names the file, the line and what to change.
    """
    named = _FILE.fullmatch(file)
    if named is None:
        raise LessonError(
            f"{file}, line 1: call the file by two digits, a hyphen and small letters, such as 11-my-lesson.toml."
        )
    source, values = read_source(file, content)
    table = Table(source, values, "the lesson")
    title, summary = table.text("title", LONGEST["title"]), table.text("summary", LONGEST["summary"])
    covers = table.texts("covers", LONGEST["choice"])
    view = _view(table.table("view"))
    facts = _facts(table.table("facts"), view)
    tables = table.tables("stops")
    stops = tuple(_stop(each, place, view, facts, views) for place, each in enumerate(tables))
    table.finish()
    # Only now: who begins with one stop is told first what is wrong with it.
    if not FEWEST_STOPS <= len(tables) <= MOST_STOPS:
        table.fail(f"a lesson has {FEWEST_STOPS} to {MOST_STOPS} stops; this one has {len(tables)}.", "stops")
    asked = sum(stop.prediction is not None for stop in stops)
    if asked < FEWEST_PREDICTIONS:
        source.fail(
            stops[-1].line, f"a lesson asks {FEWEST_PREDICTIONS} times or more; this one asks {asked}."
        )
    return Lesson(named[1], file, title, summary, covers, stops)


def _view(table: Table) -> dict[str, str]:
    """The state of a page as a link has it."""
    for key, value in table.values.items():
        if key not in VIEW_NAMES:
            table.fail(f"a view has no {key!r}{nearest(key, VIEW_NAMES)}", key)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            table.fail(f"{key!r} of the view must be a word or a number.", key)
    return {key: str(value) for key, value in table.rest().items()}


def _stop(
    table: Table, place: int, view: Mapping[str, str], shared: Mapping[str, Fact], views: Registry
) -> Stop:
    table = replace(table, name=f"stop {place + 1}", stop=place, path=())
    page = table.choice("page", [view.key for view in views.values() if view.place != LEARN or view.parts])
    own_view = {**view, **_view(table.table("view"))}
    facts = {**shared, **_facts(table.table("facts"), own_view)}
    stop = Stop(
        title=table.text("title", LONGEST["title"]),
        page=page,
        view=own_view,
        text=_filled(table, "text", facts),
        look=_filled(table, "look", facts, needed=False),
        target=_target(table.table("target"), views[page]),
        facts=facts,
        claims=tuple(_claim(each, facts) for each in table.tables("claims")),
        prediction=_prediction(table.table("prediction"), facts) if table.has("prediction") else None,
        check=_prediction(table.table("check"), facts) if table.has("check") else None,
        line=table.line(),
    )
    table.finish()
    return stop


def _target(table: Table, view: View) -> Target:
    part = table.choice("part", [each for each in view.parts if each != "words"], default="")
    sites = _sites(table)
    target = Target(part, sites, _places(table) if sites else {}, table.line())
    table.finish(*AXES)
    return target


def _sites(table: Table) -> tuple[str, ...]:
    """The names under ``site``, which may be one or a list."""
    if not table.has("site"):
        return ()
    if isinstance(table.values["site"], list):
        return table.texts("site", LONGEST["site"])
    return (table.text("site", LONGEST["site"]),)


def _places(table: Table) -> dict[str, object]:
    """Places on axes by their names: a number, a word, or a list of these."""
    found: dict[str, object] = {}
    for name in AXES:
        if table.has(name):
            value = table.places(name)
            found[name] = value
    return found


def _covers(table: Table) -> Covers:
    below, page = (bool(table.has(each) and table.scalar(each) is True) for each in ("below", "page"))
    sites = _sites(table)
    covers = Covers(below, page, sites, _places(table) if sites else {})
    table.finish(*AXES)
    return covers


def _facts(table: Table, view: Mapping[str, str]) -> dict[str, Fact]:
    if len(table.values) > MOST_FACTS:
        table.fail(f"{table.name} has {len(table.values)} facts; {MOST_FACTS} is the most.")
    found: dict[str, Fact] = {}
    for name in table.values:
        if not _NAME.fullmatch(name):
            table.fail(f"call a fact by small letters, digits and _; {name!r} is none such.", name)
        found[name] = _fact(table.table(name), name, view, {*table.values})
    return found


def _fact(table: Table, name: str, view: Mapping[str, str], named: set[str]) -> Fact:
    table.name = f"the fact {name!r}"
    ask = table.choice("ask", ASK_OPTIONS)
    known = {*ASK_OPTIONS[ask], "decimals", *VIEW_OF_FACT}
    for key, value in table.values.items():
        if key == "ask":
            continue
        if key not in known and not ("site" in known and key in AXES):
            more = AXES if "site" in known else ()
            table.fail(
                f"{table.name} asks {ask!r}, which takes no {key!r}{nearest(key, {*known, *more})}", key
            )
        if not isinstance(value, str | int | float | list):
            table.fail(f"{key!r} of {table.name} must be a word, a number or a list.", key)
    options = {key: value for key, value in table.rest().items() if key not in VIEW_OF_FACT}
    for key, needed in ASK_OPTIONS[ask].items():
        if needed and key not in options:
            table.fail(f"{table.name} asks {ask!r} and so needs {key!r}.")
    line = table.source.line(table.stop, *table.path)
    own = {key: str(table.values[key]) for key in VIEW_OF_FACT if key in table.values}
    # An empty one takes back what the stop's view says.
    there = {key: value for key, value in {**view, **own}.items() if value}
    return Fact(name, ask, options, there, line)


def _claim(table: Table, facts: Mapping[str, Fact]) -> Claim:
    fact = table.choice("fact", facts)
    relations = [each for each in _RELATIONS if table.has(each)]
    if len(relations) != 1:
        table.fail(f"{table.name} needs one of 'is', 'above' or 'below'.")
    relation = relations[0]
    value = table.scalar(relation)
    table.finish(*_RELATIONS)
    return Claim(fact, relation, value, table.line("fact"))


def _prediction(table: Table, facts: Mapping[str, Fact]) -> Prediction:
    table.name = f"the {table.path[-1]} of {table.name.rpartition(' of ')[2]}"
    kind = cast(Kind, table.choice("kind", get_args(Kind)))
    choices = tuple(_choice(each, facts) for each in table.tables("choices"))
    if (kind == "choice") != bool(choices) or len(choices) == 1:
        table.fail(
            f"{table.name} needs two or more 'choices' if its kind is 'choice', and else none.", "kind"
        )
    prediction = Prediction(
        kind=kind,
        question=_filled(table, "question", facts, most="question"),
        answer=table.choice("answer", facts),
        right=_filled(table, "right", facts, most="verdict"),
        otherwise=_filled(table, "otherwise", facts, most="verdict"),
        wrong=tuple(_wrong(each, facts) for each in table.tables("wrong")),
        choices=choices,
        tolerance=table.number("tolerance", least=0.0, default=0.0),
        covers=_covers(table.table("covers")),
        before=_view(table.table("before")),
        line=table.line(),
    )
    table.finish()
    return prediction


def _choice(table: Table, facts: Mapping[str, Fact]) -> Choice:
    value = table.scalar("is") if table.has("is") else None
    if (value is None) == (not table.has("above") and not table.has("below")):
        table.fail(f"{table.name} needs either 'is' or one or both of 'above' and 'below'.")
    text = table.text("text", LONGEST["choice"], needed=not isinstance(value, str)) or str(value)
    choice = Choice(
        text=text,
        value=value,
        above=table.number("above", least=-inf, default=-inf),
        below=table.number("below", least=-inf, default=inf),
        wrong=_filled(table, "wrong", facts, most="verdict", needed=False),
    )
    table.finish("is")
    return choice


def _wrong(table: Table, facts: Mapping[str, Fact]) -> Wrong:
    wrong = Wrong(table.scalar("is"), _filled(table, "text", facts, most="verdict"))
    table.finish()
    return wrong


def _filled(table: Table, key: str, facts: Mapping[str, Fact], *, most: str = "", needed: bool = True) -> str:
    """A text whose words in braces are facts."""
    text = table.text(key, LONGEST[most or key], needed=needed)
    for found in _BRACES.finditer(text):
        if found[1] is None or found[1] not in facts:
            hint = nearest(found[1], facts) if found[1] else "; facts go in braces, such as {name}."
            table.fail(f"{key!r} of {table.name} names no fact with {found[0]!r}{hint}", key)
    return text
