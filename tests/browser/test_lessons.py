"""Lessons in a real browser: a student goes through one, a teacher shows one, and free play comes back."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from explorer.app import REGISTRY
from explorer.lessons.lesson import Lesson
from explorer.lessons.library import lesson_library
from tests.browser.lesson_player import column, expect_rest, expect_stop, heard, play_lesson
from tests.browser.lesson_walk import FRAMES, IN_VIEW, address_of, expect_light_in_view
from tests.browser.navigation import go_to
from tests.browser.soundness import findings, opened
from tests.marks import left_to_proofs

pytestmark = pytest.mark.browser

LESSONS = lesson_library(REGISTRY).lessons


# These have every kind of question; what each stop of each lesson says and opens is held by
# `tests/pages/test_lessons.py`.
PLAYED, AT_ONCE = ("heads", "tokens"), {"heads"}


@pytest.mark.parametrize("key", left_to_proofs(PLAYED, AT_ONCE))
def test_a_student_goes_through_a_lesson(page: Page, key):
    play_lesson(page, LESSONS[key])


def views_of_stops() -> dict[str, list[tuple[Lesson, int]]]:
    """Return, by page, the last stop that shows each of its parts."""
    found: dict[str, dict[str, tuple[Lesson, int]]] = {}
    for lesson in LESSONS.values():
        for number, stop in enumerate(lesson.stops, 1):
            if stop.target.part:
                found.setdefault(stop.page, {})[stop.target.part] = (lesson, number)
    return {page: list(parts.values()) for page, parts in found.items()}


STOPS = views_of_stops()


@pytest.mark.proof
@pytest.mark.parametrize("key", STOPS)
def test_lit_parts_of_stops_are_in_view(page: Page, key: str):
    page.set_viewport_size({"width": 1280, "height": 720})
    for lesson, number in STOPS[key]:
        page.goto(address_of(lesson, number))
        expect_light_in_view(page, lesson, number)


def press_before_the_column_has_links(page: Page, key: str) -> None:
    """Reload the page, and press a key while the lesson's column is drawn but its links are not."""
    links: list[Route] = []
    page.route("**/PageLink*.js", lambda route: links.append(route))
    page.reload()
    expect(page.get_by_role("heading", name="What did it read to write dort?")).to_be_visible()
    expect(column(page)).to_contain_text(f"1 of {len(LESSONS['one-query'].stops)}")
    assert links, "the script that draws links has another name"
    expect(page.locator(".st-key-lesson_next").get_by_role("link")).to_have_count(0)
    page.keyboard.press(key)
    for link in links:
        link.continue_()


def test_free_play_comes_back_to_the_same_stop(page: Page):
    lesson = LESSONS["one-query"]
    page.goto("/?lesson=one-query&stop=1&step=4&answers=1:shown")
    expect_stop(page, lesson, 1)
    go_to(page, "Masks")
    expect(page.get_by_role("heading", name="Masks", exact=True)).to_be_visible()
    expect(column(page)).to_contain_text("You are looking around.")
    column(page).get_by_role("link", name="Back to the stop").click()
    expect_stop(page, lesson, 1)
    press_before_the_column_has_links(page, "ArrowRight")
    expect_stop(page, lesson, 2)
    page.keyboard.press("ArrowRight")
    expect_stop(page, lesson, 3)
    # Both are views of one page, and still the address says which.
    page.wait_for_url(re.compile("stage=keys.*stop=3"))
    page.go_back()
    expect_stop(page, lesson, 2)


def test_the_light_follows_its_token_into_the_sentence_that_an_answer_shows(page: Page):
    lesson, number = LESSONS["attention"], 4
    page.goto(address_of(lesson, number))
    expect_light_in_view(page, lesson, number)
    answered = page.evaluate(FRAMES)["frames"]
    page.goto("/?lesson=attention&stop=4")
    column(page).get_by_role("link", name="Back to the stop").click()
    expect_light_in_view(page, lesson, number)
    page.get_by_role("button", name="Show the answer").click()
    page.wait_for_function(
        f"(there) => JSON.stringify(({FRAMES})().frames) === JSON.stringify(there)", arg=answered
    )


def test_a_teacher_shows_a_stop_by_keys(page: Page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(address_of(LESSONS["one-query"], 5).replace("answers=5%3Ashown", ""))
    expect_stop(page, LESSONS["one-query"], 5)
    page.keyboard.press("q")
    link = page.get_by_role("dialog", name="This view as a QR code")
    expect(link).to_contain_text("lesson=one-query&stop=5")
    expect(link).not_to_contain_text("answers")
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    page.locator(".st-key-lesson h3").click()
    page.keyboard.press("d")
    expect(page.locator(".st-key-nav")).to_have_count(0)
    picture = page.get_by_role("img", name="weights, ne: covered.")
    expect(picture).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="The score of “does” is about three quarters")).to_be_visible()
    expect(page.get_by_role("link", name="Reveal")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(heard(page)).to_contain_text("The answer: A tenth, or less.")
    expect(page.get_by_role("img", name="weights, ne: sleep 0.94")).to_be_in_viewport(ratio=0.95)
    assert page.evaluate(SMALLEST_WORDS) >= 22
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(f"6 of {len(LESSONS['one-query'].stops)}")).to_be_visible()
    expect(page.locator(".st-key-lesson_next a")).to_have_attribute("href", re.compile("stop=6.*phase=1"))
    # Each press counts once and in its order, however fast they come: to the truth, on to the next stop, and back.
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".st-key-lesson_previous a")).to_have_attribute("href", re.compile("stop=6.*phase=1"))
    expect(page.get_by_text(f"6 of {len(LESSONS['one-query'].stops)}")).to_be_visible()
    expect_rest(page)
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-nav")).to_be_visible()
    expect_stop(page, LESSONS["one-query"], 6)


SMALLEST_WORDS = """() => {
    const lesson = document.querySelector(".st-key-lesson"), sizes = [];
    const walker = document.createTreeWalker(lesson, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement, box = node.getBoundingClientRect();
        if (walker.currentNode.data.trim() && box.width > 2 && node.checkVisibility() && node.tagName !== "STYLE")
            sizes.push(parseFloat(getComputedStyle(node).fontSize));
    }
    return Math.min(...sizes);
}"""
"""How large the smallest words before an audience are, in px."""


@pytest.mark.parametrize("number", [5, pytest.param(7, marks=pytest.mark.proof)], ids=lambda n: f"stop {n}")
def test_a_sheet_on_a_phone_leaves_what_it_speaks_of_in_view_and_can_be_folded(page: Page, number: int):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address_of(LESSONS["one-query"], number))
    expect_light_in_view(page, LESSONS["one-query"], number)
    title = page.locator(".st-key-lesson h3")
    page.get_by_role("button", name="Show the picture").click()
    expect(title).to_be_hidden()
    expect_light_in_view_of_all_but(page, 70)
    page.get_by_role("button", name="Show the lesson").click()
    expect(title).to_be_visible()
    page.wait_for_function(IN_VIEW)


def expect_light_in_view_of_all_but(page: Page, height: int) -> None:
    """What is in the light is seen, and the sheet takes no more than so many pixels."""
    found = page.wait_for_function(IN_VIEW).json_value()
    assert 844 - found["column"]["top"] <= height


def test_the_light_goes_out_where_somebody_looks_elsewhere(page: Page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(address_of(LESSONS["one-query"], 5))
    expect_light_in_view(page, LESSONS["one-query"], 5)
    frames = page.locator("[data-light=frame]")
    first = frames.first.bounding_box()
    assert first is not None
    # The picture itself goes on with what was clicked: that number is explained.
    page.mouse.click(first["x"] + first["width"] / 2, first["y"] - first["height"] / 2)
    expect(frames).to_have_count(0)
    page.locator(".st-key-lesson h3").click()
    page.keyboard.press("l")
    expect(frames).not_to_have_count(0)


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("/lessons?lesson=one-query&stop=1", id="list", marks=pytest.mark.proof),
        pytest.param("/?lesson=one-query&stop=1&step=4&demo=1", id="class"),
        pytest.param("/?lesson=one-query&stop=9&free=1", id="end", marks=pytest.mark.proof),
    ],
)
def test_a_lesson_keeps_nobody_out(link: str, browser: Browser, server: str):
    page = browser.new_page(base_url=server, reduced_motion="reduce")
    page.goto(link)
    assert findings(opened(page)) == {}
    page.close()
