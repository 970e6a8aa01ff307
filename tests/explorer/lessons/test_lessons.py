"""The shipped lessons on the shipped models: every claim holds, every right answer is right, every wrong one wrong."""

import math
import re
from itertools import product

import pytest

from explorer.app import REGISTRY
from explorer.lessons.answering import SHOWN, options, read_answer, right_answer, verdict, wrong_matches
from explorer.lessons.asks import ASK_OPTIONS
from explorer.lessons.checking import play
from explorer.lessons.facts import ASKS, find_facts
from explorer.lessons.lesson import Lesson, Prediction
from explorer.lessons.library import lesson_library
from explorer.models.known import shipped_runs
from tests.test_structure import ROOT

LIBRARY = lesson_library(REGISTRY)
LESSONS = pytest.mark.parametrize("lesson", LIBRARY.lessons.values(), ids=lambda lesson: lesson.key)


def predictions(lesson: Lesson):
    """Each prediction of a lesson with what its stop's facts are."""
    for stop in lesson.stops:
        if stop.prediction is not None:
            yield stop.prediction, find_facts(lesson.file, stop.facts, shipped_runs())


def other_answers(prediction: Prediction, found) -> list[str]:
    """Answers that are not the right one."""
    best = right_answer(prediction, found)
    if prediction.kind == "number":
        return [f"{float(best) + 2 * prediction.tolerance + 1:g}"]
    if prediction.kind == "cell":
        return [",".join(reversed(best.split(",")))] if len(set(best.split(","))) == 2 else []
    return [str(place) for place in range(len(options(prediction, found))) if str(place) != best]


def test_every_file_is_a_lesson():
    assert LIBRARY.problems == ()
    assert len(LIBRARY.lessons) >= 5


@pytest.mark.sweep
@pytest.mark.proof
@pytest.mark.parametrize("key", LIBRARY.lessons)
def test_a_lesson_plays_without_a_fault(key):
    lesson = LIBRARY.lessons[key]
    played = play(lesson, shipped_runs(), REGISTRY)
    assert played.faults == []
    assert sum(line.startswith("Stop ") for line in played.lines) == len(lesson.stops)


@pytest.mark.sweep
@LESSONS
def test_the_right_answer_is_right_and_others_are_not(lesson):
    for prediction, found in predictions(lesson):
        best = right_answer(prediction, found)
        assert read_answer(prediction, found, best) == best
        told = verdict(prediction, found, best)
        assert told.right
        assert told.said
        for answer in other_answers(prediction, found):
            assert read_answer(prediction, found, answer) == answer
            wrong = verdict(prediction, found, answer)
            assert wrong.right is False
            assert wrong.said != told.said, (prediction.question, answer)


@pytest.mark.sweep
@LESSONS
def test_an_answer_that_is_only_shown_is_neither_right_nor_wrong(lesson):
    for prediction, found in predictions(lesson):
        told = verdict(prediction, found, SHOWN)
        assert told.right is None
        assert "".join(piece.text for piece in told.answer)


@pytest.mark.sweep
@LESSONS
def test_read_answer_refuses_impossible_answers(lesson):
    answers = ("", "-", "99", "0,99", "1e9", "1;2", "<b>", "nan", "9" * 400)
    for (prediction, found), answer in product(predictions(lesson), answers):
        read = read_answer(prediction, found, answer)
        assert read is None or (prediction.kind == "number" and math.isfinite(float(read)))


@pytest.mark.sweep
@LESSONS
def test_every_common_wrong_answer_can_be_given_and_has_its_sentence(lesson):
    for prediction, found in predictions(lesson):
        for wrong in prediction.wrong:
            answers = [
                each
                for each in possible_answers(prediction, found, wrong)
                if read_answer(prediction, found, each)
            ]
            assert any(wrong_matches(wrong, prediction, found, each) for each in answers), wrong


def possible_answers(prediction: Prediction, found, wrong) -> list[str]:
    axes = found[prediction.answer].axes
    if prediction.kind == "number":
        value = found[wrong.value].value if wrong.value in found else wrong.value
        return [f"{value:.9f}".rstrip("0").rstrip(".")]
    if prediction.kind == "cell":
        return [f"{row},{column}" for row in range(axes[0].size) for column in range(axes[1].size)]
    return [str(place) for place in range(axes[0].size)]


def test_everything_that_can_be_asked_is_answered_and_documented():
    assert set(ASK_OPTIONS) == set(ASKS)
    text = (ROOT / "docs" / "lessons.md").read_text()
    table = text[text.index("| ask | answer") : text.index("Any measured number may take")]
    rows = [row for row in table.splitlines() if row.startswith("|")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])} == set(ASK_OPTIONS)
    for ask, needs in ASK_OPTIONS.items():
        row = next(row for row in rows if f"`{ask}`" in row.split("|")[1])
        assert set(re.findall(r"`(\w+)`", row.split("|")[3])) >= set(needs), ask


def test_every_part_of_a_page_is_documented():
    text = (ROOT / "docs" / "lessons.md").read_text()
    table = text[text.index("### Target") : text.index("### Facts")]
    parts = {name for view in REGISTRY.values() for name in view.parts}
    # A lesson stands where the words do.
    assert parts - {"words"} <= set(re.findall(r"`([a-z-]+)`", table))
