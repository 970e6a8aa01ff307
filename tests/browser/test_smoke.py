"""Five short journeys that `make test` drives in Chromium; all others are left to `make test-browser`."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from core.run import load_run
from explorer.app import REGISTRY
from explorer.lessons.facts import find_facts
from explorer.lessons.library import lesson_library
from explorer.look.theme import format_probability
from explorer.models.known import CHECKPOINTS, shipped_runs
from explorer.models.translation import translate
from tests.browser.bar import chips, expect_output, field, output_tokens
from tests.browser.conftest import clean
from tests.browser.lesson_player import answer_correctly, expect_stop
from tests.optional import unwrap

pytestmark = pytest.mark.smoke

SIZE = ViewportSize(width=1440, height=1000)
GREEDY = ["le", "petit", "chat", "ne", "dort", "pas", "</s>"]


@pytest.fixture(scope="module")
def visited(browser: Browser, server: str) -> str:
    """The address of a server that has been asked before."""
    with clean(browser.new_page(base_url=server, viewport=SIZE, reduced_motion="reduce")) as page:
        page.goto("/train")
        expect(page.locator(".theatre .place")).to_be_visible()
        page.goto("/step-by-step")
        expect_output(page, GREEDY)
    return server


@pytest.fixture
def page(browser: Browser, visited: str) -> Iterator[Page]:
    with clean(browser.new_page(base_url=visited, viewport=SIZE, reduced_motion="reduce")) as page:
        yield page


def test_typed_sentence_is_translated(page: Page):
    page.goto("/step-by-step")
    expect_output(page, GREEDY)
    field(page).fill("The woman doesn't love the man.")
    field(page).press("Escape")
    page.keyboard.press("Enter")
    expect(chips(page).first).to_have_text("la")
    assert output_tokens(page) == ["la", "femme", "n'", "aime", "pas", "l'", "homme", "</s>"]
    expect(page).to_have_url(re.compile(r"sentence="))


def test_candidate_is_forced_by_keyboard(page: Page):
    page.goto("/step-by-step?step=4")
    expect_output(page, GREEDY)
    following = page.get_by_role("region", name="Next token")
    expect(following).to_be_visible()
    page.locator(".decode-view").focus()
    page.keyboard.press("ArrowDown")
    button = following.get_by_role("button", name=re.compile("^Force .")).first
    expect(button).to_be_focused()
    token = unwrap(button.get_attribute("aria-label")).removeprefix("Force ")
    page.keyboard.press("Enter")
    expect(page.locator(".decode-view")).to_be_focused()
    expect(chips(page).nth(4)).to_have_accessible_name(re.compile(rf"^{re.escape(token)}.*forced"))
    expect(following).to_contain_text("forced here; greedy would take dort")
    expect(page).to_have_url(re.compile("prefix="))


def test_map_shows_recorded_probabilities_and_explains_one(page: Page):
    result = translate(load_run(CHECKPOINTS / "en-fr"), "the small cat does not sleep")
    page.goto("/?step=4")
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    numbers = page.locator(".living-map .candidate .number")
    shown = [format_probability(float(p)) for p in result.candidate_probs[4]]
    expect(numbers.first).to_have_text(shown[0])
    expect(numbers).to_have_text(shown[: numbers.count()])
    numbers.first.click()
    expect(page.locator(".st-key-explain .value strong")).to_contain_text(shown[0])


def test_lesson_question_is_answered_and_the_next_stop_opens(page: Page):
    lesson = lesson_library(REGISTRY).lessons["heads"]
    number = next(n for n, stop in enumerate(lesson.stops, 1) if stop.prediction is not None)
    stop = lesson.stop(number)
    found = find_facts(lesson.file, stop.facts, shipped_runs())
    page.goto(f"/{stop.page}?lesson={lesson.key}&stop={number}")
    expect_stop(page, lesson, number)
    answer_correctly(page, unwrap(stop.prediction), found)
    page.keyboard.press("ArrowRight")
    expect_stop(page, lesson, number + 1)


def test_recorded_training_is_moved_from_its_end_to_its_beginning(page: Page):
    page.goto("/train")
    place, word = page.locator(".theatre .place"), page.locator(".theatre .output").nth(3)
    expect(place).to_have_text(re.compile("^after 325 of 325"))
    expect(word).to_have_attribute("aria-label", re.compile("which is right$"))
    page.get_by_role("button", name="First moment").click()
    expect(place).to_have_text(re.compile("^after 0 of 325"))
    expect(word).to_have_attribute("aria-label", re.compile("should be"))
