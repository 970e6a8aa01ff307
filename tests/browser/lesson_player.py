"""A scripted student: goes through any lesson by its visible labels and keys, with answers from the lesson's file."""

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

from explorer.lessons.answering import labels, options, right_answer
from explorer.lessons.facts import find_facts
from explorer.lessons.findings import Finding
from explorer.lessons.lesson import Lesson, Prediction
from explorer.models.known import shipped_runs
from tests.browser.lesson_walk import LIT, expect_light_in_view
from tests.browser.navigation import go_to

Found = dict[str, Finding]


def play_lesson(page: Page, lesson: Lesson) -> None:
    """Go from the list to the last stop, each with its light in view.

    The first question is answered wrong and again, every one right in the end.
    """
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("/")
    go_to(page, "Lessons")
    card = page.locator(f".st-key-lesson_card_{lesson.key}")
    card.get_by_role("link", name="Start").click()
    asked = 0
    for number, stop in enumerate(lesson.stops, 1):
        expect_stop(page, lesson, number)
        if stop.prediction is not None:
            found = find_facts(lesson.file, stop.facts, shipped_runs())
            wrong = next(wrong_answers(stop.prediction, found), None)
            if not asked and wrong is not None:
                answer(page, stop.prediction, found, wrong)
                expect(heard(page)).to_contain_text("Not so:")
                # The sentence comes above the button and moves it down: before that it is pressed here, released there.
                expect(said(page)).to_contain_text(re.compile(r"\w"))
                expect_rest(page)
                page.get_by_role("button", name="Answer again").click()
            answer_correctly(page, stop.prediction, found)
            asked += 1
        if stop.prediction is not None and stop.target.part:
            bring_light(page)
        expect_light_in_view(page, lesson, number)
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Lessons", exact=True)).to_be_visible()
    expect(card.get_by_text("Done")).to_be_visible()


def bring_light(page: Page) -> None:
    """Scroll back to the light, which may leave the window while a question is answered."""
    page.wait_for_function(LIT)
    expect_rest(page)
    show = column(page).get_by_role("button", name="Show it")
    if show.is_visible():
        show.click()


def answer_correctly(page: Page, prediction: Prediction, found: Found) -> None:
    """Answer a question correctly and wait until the column listens to the arrow keys again."""
    answer(page, prediction, found, right_answer(prediction, found))
    expect(heard(page)).to_contain_text("Right:")
    # The control that took the answer keeps the arrow keys to itself until it is gone.
    expect(page.locator(".st-key-lesson_question").locator("[role=radio], input")).to_have_count(0)
    expect_rest(page)


def expect_stop(page: Page, lesson: Lesson, number: int) -> None:
    """The column is at a stop, and the page under it has no error."""
    expect(column(page)).to_contain_text(f"{number} of {len(lesson.stops)}")
    expect(column(page).get_by_role("heading", name=lesson.stop(number).title, exact=True)).to_be_visible()
    expect_rest(page)
    # The keys are heard as soon as the line that names them is there.
    expect(column(page).get_by_text("← → stop")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def expect_rest(page: Page) -> None:
    """No answer of the server is under way."""
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_attached()


def answer(page: Page, prediction: Prediction, found: Found, given: str) -> None:
    """Give an answer, written as in an address, with what the column offers."""
    question = page.locator(".st-key-lesson_question")
    if prediction.kind in ("word", "choice"):
        question.get_by_role("radio", name=options(prediction, found)[int(given)], exact=True).click()
        return
    if prediction.kind == "number":
        question.get_by_role("spinbutton").fill(given)
    else:
        for axis, (side, place) in enumerate(zip(("Row", "Column"), given.split(","), strict=True)):
            question.get_by_role("combobox", name=side).click()
            name = labels(found[prediction.answer], axis)[int(place)]
            page.get_by_role("option", name=name, exact=True).click()
    question.get_by_role("button", name="Check").click()


def wrong_answers(prediction: Prediction, found: Found) -> Iterator[str]:
    """Answers that are not right, written as in an address."""
    best = right_answer(prediction, found)
    if prediction.kind == "number":
        yield str(round(float(best)) + round(prediction.tolerance) + 2)
    elif prediction.kind == "cell":
        yield "0,0" if best != "0,0" else "1,1"
    else:
        yield from (str(place) for place in range(len(options(prediction, found))) if str(place) != best)


def column(page: Page) -> Locator:
    """The column of the lesson."""
    return page.locator(".st-key-lesson")


def said(page: Page) -> Locator:
    """What was said to the answer."""
    return page.locator(".st-key-lesson_said_verdict")


def heard(page: Page) -> Locator:
    """The same as those hear it who do not see the column."""
    return column(page).get_by_role("status")
