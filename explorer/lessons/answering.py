"""What can be answered to a prediction, what is right by the recorded run, and what is said to an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from explorer.lessons.findings import FactError, Finding, filled, label
from explorer.lessons.lesson import Choice, Prediction, Value, Wrong
from explorer.look.pieces import Piece
from explorer.look.token_text import told_apart

SHOWN = "shown"
"""Stands where an answer would: the answer was shown without one being given."""
MOST_OPTIONS = 14
"""More tokens than that are no longer to choose from."""

_PLACES = re.compile(r"\d{1,6}(,\d{1,6})?")
MOST_NUMBER = 10**9 - 1
"""Largest number that somebody may answer: as long as an address carries it."""
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?")

Findings = Mapping[str, Finding]


@dataclass(frozen=True)
class Verdict:
    """What is said to an answer.

    Attributes:
        right: Whether it was; None where the answer was only shown.
        given: The answer in words; empty where there was none.
        answer: What the run says, as it is shown.
        said: The sentences.
    """

    right: bool | None
    given: str
    answer: tuple[Piece, ...]
    said: tuple[Piece, ...]


def options(prediction: Prediction, findings: Findings) -> tuple[str, ...]:
    """What there is to choose from, in words; of a cell its rows. Empty for a number.

    Raises:
        FactError: when the fact of the answer does not fit the kind of the prediction.
    """
    found = findings[prediction.answer]
    if prediction.kind == "choice":
        return tuple(choice.text for choice in prediction.choices)
    if prediction.kind == "number":
        if isinstance(found.value, bool | str):
            raise FactError(f"the answer must be a number, but {prediction.answer!r} is “{found.text}”.")
        if not abs(found.value) <= MOST_NUMBER:
            raise FactError(f"nobody can type {prediction.answer!r}, which is “{found.text}”.")
        return ()
    axes = found.axes
    if len(axes) != (1 if prediction.kind == "word" else 2):
        raise FactError(
            f"the kind {prediction.kind!r} needs a fact that asks 'argmax' or 'argmin' of "
            f"{'one axis' if prediction.kind == 'word' else 'two axes'}."
        )
    if axes[0].size > MOST_OPTIONS:
        raise FactError(f"{axes[0].size} answers are too many to choose from; {MOST_OPTIONS} is the most.")
    return labels(found, 0)


def labels(found: Finding, axis: int) -> tuple[str, ...]:
    """Return the places of an axis to choose from; those with the same text begin with their numbers."""
    return told_apart([label(found.axes[axis], place) for place in range(found.axes[axis].size)])


def right_answer(prediction: Prediction, findings: Findings) -> str:
    """The answer that the run gives, as an address carries it.

    Raises:
        FactError: when it is none, or not exactly one, of the choices.
    """
    found = findings[prediction.answer]
    options(prediction, findings)
    if prediction.kind == "number":
        return f"{found.value:.9f}".rstrip("0").rstrip(".")
    if prediction.kind != "choice":
        return ",".join(map(str, found.place))
    right = [place for place, each in enumerate(prediction.choices) if _fits(each, found, findings)]
    if len(right) != 1:
        count = "none" if not right else f"{len(right)}"
        raise FactError(
            f"the run says “{found.text}”, and {count} of the choices is that; exactly one must be."
        )
    return str(right[0])


def read_answer(prediction: Prediction, findings: Findings, answer: str) -> str | None:
    """An answer from an address as `right_answer` writes it; None for one that cannot have been given."""
    if answer == SHOWN:
        return answer
    if prediction.kind == "number":
        return answer if _NUMBER.fullmatch(answer) else None
    if not _PLACES.fullmatch(answer):
        return None
    places = [int(each) for each in answer.split(",")]
    found = findings[prediction.answer]
    sizes = [len(prediction.choices)] if prediction.kind == "choice" else [axis.size for axis in found.axes]
    fits = len(places) == len(sizes) and all(at < size for at, size in zip(places, sizes, strict=True))
    return ",".join(map(str, places)) if fits else None


def verdict(prediction: Prediction, findings: Findings, answer: str) -> Verdict:
    """What is said to an answer that `read_answer` has read.

    Raises:
        FactError: when the run's answer is not exactly one of the choices.
    """
    found, best = findings[prediction.answer], right_answer(prediction, findings)
    shown = found.pieces
    if prediction.kind == "choice":
        shown = (Piece(prediction.choices[int(best)].text),)
    if answer == SHOWN:
        return Verdict(None, "", shown, filled(prediction.right, findings))
    right = _is_right(prediction, answer, best)
    said = prediction.right if right else _sentence(prediction, findings, answer)
    return Verdict(right, _in_words(prediction, found, answer), shown, filled(said, findings))


def wrong_matches(wrong: Wrong, prediction: Prediction, findings: Findings, answer: str) -> bool:
    """Whether a common wrong answer is this one."""
    found, value = findings[prediction.answer], wrong.value
    if prediction.kind == "number":
        if isinstance(value, str):
            value = findings[value].value if value in findings else value
        if isinstance(value, str | bool):
            return False
        return abs(float(answer) - float(value)) <= max(prediction.tolerance, 1e-9)
    given = [label(axis, int(at)) for axis, at in zip(found.axes, answer.split(","), strict=True)]
    return str(value) in (",".join(given), answer)


def _is_right(prediction: Prediction, answer: str, best: str) -> bool:
    if prediction.kind == "number":
        return abs(float(answer) - float(best)) <= prediction.tolerance + 1e-9
    return answer == best


def _sentence(prediction: Prediction, findings: Findings, answer: str) -> str:
    if prediction.kind == "choice":
        return prediction.choices[int(answer)].wrong or prediction.otherwise
    matching = (each.text for each in prediction.wrong if wrong_matches(each, prediction, findings, answer))
    return next(matching, prediction.otherwise)


def _in_words(prediction: Prediction, found: Finding, answer: str) -> str:
    if prediction.kind == "number":
        return answer.replace("-", "\N{MINUS SIGN}")
    if prediction.kind == "choice":
        return prediction.choices[int(answer)].text
    places = [int(each) for each in answer.split(",")]
    return ", ".join(labels(found, axis)[place] for axis, place in enumerate(places))


def _fits(choice: Choice, found: Finding, findings: Findings) -> bool:
    if choice.value is not None:
        return is_value(choice.value, found, findings)
    if isinstance(found.value, bool | str):
        raise FactError(f"only a number is above or below; “{found.text}” is none.")
    return choice.above < found.value < choice.below


def is_value(value: Value, found: Finding, findings: Findings) -> bool:
    """Whether a finding is what a lesson's file says: a number, a text as it is shown, or the value of another fact."""
    if isinstance(value, str) and isinstance(found.value, str):
        return value == found.value
    if isinstance(value, str) and value in findings:
        return findings[value].value == found.value
    if isinstance(value, bool) or isinstance(found.value, bool):
        return value is found.value
    if isinstance(value, str) or isinstance(found.value, str):
        return str(value) == found.text
    return abs(value - found.value) < 1e-9
