"""What a lesson is: stops on the pages of the app, facts that the recorded run must tell, and predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.errors import ExplorerError

Kind = Literal["word", "cell", "number", "choice"]
Relation = Literal["is", "above", "below"]
Value = str | float | bool
"""What an answer is compared with: a token or other text, a number, or whether something is so."""


class LessonError(ExplorerError, ValueError):
    """A lesson file that cannot be used; the sentence names the file and the line."""


@dataclass(frozen=True)
class Fact:
    """Something that the recorded run is asked.

    Attributes:
        name: By which texts, claims and predictions refer to it.
        ask: What is asked, one of `explorer.lessons.facts.ASKS`.
        options: What else the question needs, such as the site and places on its axes.
        view: Where it differs from the stop's view: another model, sentence or moment of the training.
        line: Where it stands in the file, from 1.
    """

    name: str
    ask: str
    options: Mapping[str, object]
    view: Mapping[str, str]
    line: int


@dataclass(frozen=True)
class Claim:
    """A condition that a fact must fulfil, so that a sentence of the lesson is true.

    Attributes:
        fact: Its name.
        relation: How it compares with the value.
        value: A number, text, or the name of another fact.
        line: Where it stands in the file.
    """

    fact: str
    relation: Relation
    value: Value
    line: int


@dataclass(frozen=True)
class Wrong:
    """A common wrong answer, and what is said to it.

    Attributes:
        value: The answer: a token, a number, a cell as two tokens or numbers with a comma, or the name of a fact.
        text: One or two sentences.
    """

    value: Value
    text: str


@dataclass(frozen=True)
class Choice:
    """One of the answers to choose from.

    Attributes:
        text: What the visitor reads.
        value: Of the fact, if this answer is right; None where it lies between limits.
        above: What the fact is above, if this answer is right; so is below what it is below.
        wrong: What is said to who chose it although it is wrong; empty for the general sentence.
    """

    text: str
    value: Value | None
    above: float
    below: float
    wrong: str


@dataclass(frozen=True)
class Prediction:
    """A question that is asked before it is answered.

    Attributes:
        kind: How it is answered: by a token, a cell, a number or one of some choices.
        question: One sentence.
        answer: Name of the fact that has the right answer.
        right: What is said to the right answer.
        otherwise: What is said to a wrong one that has no sentence of its own.
        wrong: Common wrong answers, with a sentence each.
        choices: Where it is one of some choices; else empty.
        tolerance: By how much a number may miss.
        covers: What would tell the answer, and is not on the page before it is given.
        before: Where the page shows something else until then: the state of the page beside the stop's own.
        line: Where it stands in the file.
    """

    kind: Kind
    question: str
    answer: str
    right: str
    otherwise: str
    wrong: tuple[Wrong, ...]
    choices: tuple[Choice, ...]
    tolerance: float
    covers: Covers
    before: Mapping[str, str]
    line: int


@dataclass(frozen=True)
class Target:
    """What a stop speaks of.

    Attributes:
        part: Part of the page, one of the view's; empty for none.
        sites: Recorded values or parameters, one row of each of which is in the light; none for the whole part.
        places: Where that row is on the axes of the sites, and which of its numbers are framed: by the name of the
            axis a number, a token, ``last`` or ``mean``, on the last axis a list of them.
        line: Where it stands in the file.
    """

    part: str
    sites: tuple[str, ...]
    places: Mapping[str, object]
    line: int


@dataclass(frozen=True)
class Covers:
    """What a question covers until it is answered.

    Attributes:
        below: Whether all that stands under the first picture.
        page: Whether the picture, too.
        sites: Values of which one row, or everything, is covered, with the places on their axes as a target has them.
        places: On the axes of these values.
    """

    below: bool = False
    page: bool = False
    sites: tuple[str, ...] = ()
    places: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Stop:
    """One view of the app, and what is said there.

    Attributes:
        title: What the stop is about.
        page: Address of its page; ``home`` for the first one.
        view: The state of the page, under the names that links use.
        text: Two or three sentences; a fact's name in braces stands for what the run says.
        look: What to look at, one sentence.
        target: What is in the light.
        facts: By their names; those of the lesson included.
        claims: What must be true of them.
        prediction: What is asked first; None for nothing.
        check: What is to be found in the picture after that, as a question; None for nothing.
        line: Where it begins in the file.
    """

    title: str
    page: str
    view: Mapping[str, str]
    text: str
    look: str
    target: Target
    facts: Mapping[str, Fact]
    claims: tuple[Claim, ...]
    prediction: Prediction | None
    check: Prediction | None
    line: int

    def view_with(self, *, is_answered: bool) -> Mapping[str, str]:
        """The state of the page before its question has an answer, or after."""
        if is_answered or self.prediction is None:
            return self.view
        # An empty one takes back what the stop's view says.
        return {key: value for key, value in {**self.view, **self.prediction.before}.items() if value}


@dataclass(frozen=True)
class Lesson:
    """A way through the app.

    Attributes:
        key: Its name in links, from the file's name.
        file: Name of the file.
        title: For the list of lessons.
        summary: One sentence.
        covers: What it teaches, in a few words each.
        stops: In order.
    """

    key: str
    file: str
    title: str
    summary: str
    covers: tuple[str, ...]
    stops: tuple[Stop, ...]

    def stop(self, number: int) -> Stop:
        """A stop by its number, from 1; the last one for a larger number."""
        return self.stops[min(max(number, 1), len(self.stops)) - 1]
