"""A lesson's file as tables whose every fault is told with the line that it stands in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import NoReturn

from core.errors import excerpt
from core.numbers import is_number, is_whole
from explorer.lessons.lesson import LessonError

MAX_BYTES = 64 * 2**10
"""Far more than any lesson has."""
MAX_TABLES = 50
"""Most tables in one list of tables."""
MAX_PROBLEM = 1000
"""Characters of a sentence, which may quote what stands there."""
MAX_DOTS, MAX_DIGITS = 100, 60
"""In a line, and in a row: TOML's reader takes the square of a dotted key's parts, and any number of digits."""

Step = str | tuple[str, int]
"""A name on the way to a line; of a list's table with its place, from 0."""

_STOP = re.compile(r"^\s*\[\[\s*stops\s*\]\]")
_MANY_DIGITS = re.compile(rf"\b[0-9][0-9a-fA-Fox_]{{{MAX_DIGITS}}}")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END = re.compile(r" \(at end of document\)$")


@dataclass(frozen=True)
class Source:
    """The text of a file, for finding lines in it.

    Attributes:
        file: Its name.
        lines: Its lines.
    """

    file: str
    lines: Sequence[str]

    @cached_property
    def _stops(self) -> list[int]:
        """Indices of the lines that begin a stop."""
        return [place for place, text in enumerate(self.lines) if _STOP.match(text)]

    def line(self, stop: int | None, *names: Step) -> int:
        """The line, from 1, of the last of some names that is found in order; of the stop itself without one.

        Args:
            stop: Place of the stop, from 0; None for what stands before the first.
            names: Of tables and keys, outermost first; one of a list with its place in there.
        """
        starts = self._stops
        found, end = 0, starts[0] + 1 if starts else len(self.lines)
        if stop is not None and stop < len(starts):
            found, end = starts[stop], [*starts, len(self.lines)][stop + 1]
        for step in names:
            name, place = (step, 0) if isinstance(step, str) else step
            written = re.compile(rf"(?:^|[\s{{,\[.\"]){re.escape(name)}\"?\s*(?:=|\.|\]|$)")
            at = [
                line
                for line in range(found, end)
                if name in self.lines[line] and written.search(self.lines[line])
            ]
            if at and isinstance(step, tuple):
                # A table by its own head, or one of a list in brackets.
                heads = [line for line in at if self.lines[line].lstrip().startswith("[[")]
                at = (
                    heads
                    or [line for line in range(at[0], end) if self.lines[line].lstrip().startswith("{")]
                    or at
                )
            found = at[min(place, len(at) - 1)] if at else found
        return found + 1

    def fail(self, line: int, problem: str) -> NoReturn:
        """
        Raises:
            LessonError: always.
        """
        raise LessonError(f"{self.file}, line {line}: {excerpt(problem, MAX_PROBLEM)}")


def read_source(file: str, content: bytes) -> tuple[Source, Mapping[str, object]]:
    """The lines and the values of a TOML file.

    Raises:
        LessonError: when it is too large, no UTF-8, or no TOML.
    """
    if len(content) > MAX_BYTES:
        raise LessonError(
            f"{file}, line 1: a lesson has at most {MAX_BYTES // 1024} KiB; this file is larger."
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise LessonError(f"{file}, line {line}: save the file as UTF-8 text; this is none.") from error
    source = Source(file, text.splitlines())
    _check_lines(source, text)
    try:
        return source, tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        problem, place = str(error), _AT_LINE.search(str(error))
        line = int(place[1]) if place else max(1, len(source.lines))
        problem = (
            _AT_END.sub("", _AT_LINE.sub("", problem))
            if isinstance(error, ValueError)
            else "too many brackets"
        )
        source.fail(line, f"this is not TOML: {problem[:1].lower()}{problem[1:]}.")


def _check_lines(source: Source, text: str) -> None:
    """Refuse what would take TOML's reader gigabytes before it reads; its lines end in a line feed and nothing else."""
    for number, line in enumerate(text.split("\n"), 1):
        if (dots := line.count(".")) > MAX_DOTS:
            source.fail(number, f"this line has {dots:,} dots; {MAX_DOTS} is the most.")
        if _MANY_DIGITS.search(line):
            source.fail(
                number, f"this line has a number of more than {MAX_DIGITS} digits; write a shorter one."
            )


@dataclass
class Table:
    """One table of the file; what is never taken from it is a fault.

    Attributes:
        source: The file.
        values: What the table holds.
        name: What it is called in a sentence: ``stop 3``.
        stop: Place of the stop that it belongs to; None for none.
        path: Names of the tables around it, within the stop.
    """

    source: Source
    values: Mapping[str, object]
    name: str
    stop: int | None = None
    path: tuple[Step, ...] = ()
    _taken: set[str] = field(default_factory=set, init=False)

    def line(self, *names: str) -> int:
        """The line of the file in which one of the table's keys stands."""
        return self.source.line(self.stop, *self.path, *names)

    def fail(self, problem: str, *names: str) -> NoReturn:
        """
        Raises:
            LessonError: always, with the line of the named key.
        """
        self.source.fail(self.line(*names), problem)

    def text(self, key: str, most: int, *, needed: bool = True) -> str:
        """A text of at most so many characters; empty where it may be missing and is."""
        value = self._take(key, needed)
        if value is None:
            return ""
        if not isinstance(value, str) or (needed and not value.strip()):
            self.fail(f"{self.name} needs words in quotes as {key!r}.", key)
        words = " ".join(value.split())
        if len(words) > most:
            self.fail(f"{key!r} of {self.name} has {len(words)} characters; {most} is the most.", key)
        return words

    def choice(self, key: str, allowed: Collection[str], *, default: str | None = None) -> str:
        """One of some words."""
        value = self._take(key, default is None)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or value not in allowed:
            self.fail(f"{key!r} of {self.name} cannot be {_quoted(value)}{nearest(value, allowed)}", key)
        return value

    def number(self, key: str, *, least: float, default: float) -> float:
        """A number of at least so much."""
        value = self._take(key, needed=False)
        if value is None:
            return default
        if not is_number(value, least):
            self.fail(
                f"{key!r} of {self.name} must be a number of at least {least:g}, not {_quoted(value)}.", key
            )
        return float(value)

    def scalar(self, key: str) -> str | float | bool:
        """A text, a number, or true or false."""
        value = self._take(key, needed=True)
        if not isinstance(value, bool | str | int | float):
            self.fail(f"{key!r} of {self.name} must be a word, a number, true or false.", key)
        return value

    def places(self, key: str) -> object:
        """A word or a whole number, or a list of these."""
        value = self._take(key, needed=True)
        each = value if isinstance(value, list) else [value]
        if not each or not all(isinstance(one, str) or is_whole(one, 0) for one in each):
            self.fail(f"{key!r} of {self.name} must be a token, a place from 0 on, or a list of these.", key)
        return value

    def table(self, key: str) -> Table:
        """A table in it; an empty one where there is none."""
        value = self._take(key, needed=False)
        if value is None:
            value = {}
        if not isinstance(value, Mapping):
            self.fail(f"{key!r} of {self.name} must be a table of names and values.", key)
        return replace(self, values=value, name=f"{key!r} of {self.name}", path=(*self.path, key))

    def tables(self, key: str) -> list[Table]:
        """A list of tables; empty where there is none."""
        value = self._take(key, needed=False)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
            self.fail(f"{key!r} of {self.name} must be a list of tables.", key)
        if len(value) > MAX_TABLES:
            self.fail(f"{key!r} of {self.name} has {len(value):,} entries; {MAX_TABLES} is the most.", key)
        return [
            replace(
                self,
                values=each,
                name=f"number {place + 1} of {key!r} of {self.name}",
                path=(*self.path, (key, place)),
            )
            for place, each in enumerate(value)
        ]

    def texts(self, key: str, most: int) -> tuple[str, ...]:
        """A list of texts of at most so many characters each."""
        value = self._take(key, needed=True)
        if (
            not isinstance(value, list)
            or not value
            or not all(isinstance(each, str) and each for each in value)
        ):
            self.fail(f"{key!r} of {self.name} must be a list of words in quotes.", key)
        if any(len(each) > most for each in value):
            self.fail(f"Each of {key!r} of {self.name} has at most {most} characters.", key)
        return tuple(value)

    def has(self, key: str) -> bool:
        """Whether it holds a key."""
        return key in self.values

    def finish(self, *known: str) -> None:
        """Refuse what was never asked for.

        Raises:
            LessonError: when there is any.
        """
        for key in self.values:
            if key not in self._taken:
                hint = nearest(key, {*self._taken, *known})
                self.fail(f"{self.name} knows no {_quoted(key)}{hint}", key)

    def rest(self) -> dict[str, object]:
        """What was not asked for so far; from now on it was."""
        found = {key: value for key, value in self.values.items() if key not in self._taken}
        self._taken |= set(found)
        return found

    def _take(self, key: str, needed: bool) -> object:
        self._taken.add(key)
        if key not in self.values and needed:
            self.fail(f"{self.name} has no {key!r}; add one.")
        return self.values.get(key)


def nearest(word: object, allowed: Collection[str]) -> str:
    """How a sentence about an impossible word ends: with what is near to it, or with all that is possible."""
    near = get_close_matches(word, sorted(allowed), n=1) if isinstance(word, str) else []
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; use {_listed(sorted(allowed))}." if allowed else "."


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _quoted(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
