"""Lessons in a real browser: a student goes through one, a teacher shows one, and free play comes back."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from explorer.app import REGISTRY
from explorer.lessons.library import read_library
from explorer.lessons.reading import CONTENT
from tests.browser.lesson_player import column, expect_stop, heard, play_lesson, said
from tests.browser.soundness import findings, opened
from tests.marks import left_to_proofs

pytestmark = pytest.mark.browser

LESSONS = read_library(CONTENT, REGISTRY).lessons


# `make test` follows one that has every kind of question; what every stop says and opens is held by
# `tests/pages/test_lessons.py`, and `make proofs` follows every one.
AT_ONCE = {"heads"}


@pytest.mark.parametrize("key", left_to_proofs(LESSONS, AT_ONCE))
def test_a_student_goes_through_a_lesson(page: Page, key):
    play_lesson(page, LESSONS[key])


def press_while_the_column_is_made(page: Page, key: str) -> None:
    """Open the page anew, and press a key while the picture is there and the lesson's column still without its links.

    Whatever else brings the keys of a lesson comes after the key is pressed, and what draws links after that.
    """
    links: list[Route] = []
    page.add_init_script("""
        const othersMayCome = new Promise((done) => { window.letOthersCome = done; });
        Object.assign(window, { othersMayCome });
        window.Blob = class extends Blob {
            constructor(parts, options) {
                const has = (text) => String(parts[0]).includes(text);
                const waits = has("listenForLesson") && !has(".living-map");
                super(waits ? ["await window.othersMayCome;", ...parts] : parts, options);
            }
        };""")
    page.route("**/PageLink*.js", lambda route: links.append(route))
    page.reload()
    expect(page.get_by_role("heading", name="Why did it write dort?")).to_be_visible()
    expect(column(page)).to_contain_text("1 of 9")
    assert links, "the script that draws links has another name"
    named = column(page).get_by_text("← → stop")
    expect(named).to_be_hidden()
    page.keyboard.press(key)
    page.evaluate("window.letOthersCome()")
    expect(named).to_be_visible()
    expect(page.locator(".st-key-lesson_next").get_by_role("link")).to_have_count(0)
    for link in links:
        link.continue_()


def test_free_play_comes_back_to_the_same_stop(page: Page):
    lesson = LESSONS["one-query"]
    page.goto("/?lesson=one-query&stop=1&step=4")
    expect_stop(page, lesson, 1)
    page.get_by_role("link", name="Masks", exact=True).click()
    expect(page.get_by_role("heading", name="Masks", exact=True)).to_be_visible()
    expect(column(page)).to_contain_text("You are looking around.")
    column(page).get_by_role("link", name="Back to the stop").click()
    expect_stop(page, lesson, 1)
    press_while_the_column_is_made(page, "ArrowRight")
    expect_stop(page, lesson, 2)
    page.keyboard.press("ArrowRight")
    expect_stop(page, lesson, 3)
    # Both are views of one page, and still the address says which.
    page.wait_for_url(re.compile("stage=keys.*stop=3"))
    page.go_back()
    expect_stop(page, lesson, 2)


def test_a_teacher_shows_a_stop_by_keys(page: Page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("/?lesson=one-query&stop=1&step=4")
    expect_stop(page, LESSONS["one-query"], 1)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_text("A real model runs here")).to_be_hidden()
    expect(page.locator(".st-key-living_map")).to_be_in_viewport()
    page.keyboard.press("r")
    expect(heard(page)).to_contain_text("The answer: not")
    page.keyboard.press("r")
    expect(said(page)).to_have_count(0)
    page.get_by_role("button", name="Link").click()
    code = page.get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    assert code.evaluate("(image) => image.naturalWidth") > 50
    address = page.get_by_test_id("stCode").inner_text().strip()
    assert address.startswith(page.url.partition("?")[0])
    assert "demo" not in address
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect_stop(page, LESSONS["one-query"], 2)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    page.goto(address)
    expect_stop(page, LESSONS["one-query"], 1)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("/lessons?lesson=one-query&stop=1", id="list", marks=pytest.mark.proof),
        pytest.param("/?lesson=one-query&stop=1&step=4&demo=1", id="class"),
        pytest.param("/?lesson=one-query&stop=9&free=1", id="end", marks=pytest.mark.proof),
    ],
)
def test_a_lesson_keeps_nobody_out(link: str, browser: Browser, server: str):
    context = browser.new_context(base_url=server, reduced_motion="reduce")
    page = context.new_page()
    page.goto(link)
    assert findings(opened(page)) == {}
    context.close()
