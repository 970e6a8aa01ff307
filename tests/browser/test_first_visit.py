"""A card over the page tells a newcomer what they look at, and goes for good when it is dismissed.

Everything works without a mouse.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.soundness import barriers, opened, wear
from tests.browser.test_keyboard import expect_focus, tab_to
from tests.conftest import PATIENCE
from tests.optional import unwrap

pytestmark = pytest.mark.browser

HEIGHT = "document.querySelector('[data-testid=stMain]').scrollHeight"
PICTURE = ".living-map"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied'); } })"


@pytest.fixture(params=[(1280, 720), (390, 844)], ids=["wide", "phone"])
def context(request, browser: Browser, server: str) -> Iterator[BrowserContext]:
    """A newcomer's browser, which unlike those of other tests remembers nothing."""
    width, height = request.param
    size = ViewportSize(width=width, height=height)
    context = Browser.new_context(browser, base_url=server, viewport=size, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1000)
    yield context
    context.close()


def card(page: Page) -> Locator:
    return page.get_by_role("complementary", name="What you are looking at")


def test_newcomer_dismisses_the_card_by_keyboard_for_good(context: BrowserContext):
    page = context.new_page()
    page.goto("/")
    opened(page)
    expect(card(page)).to_contain_text("A real Transformer reads the text at the top")
    expect(card(page).locator("p")).to_have_count(3)
    for theme in ("dark", "light"):
        wear(page, theme)
        # On a phone, the menu of the words lies over three pixels of an answer to the first guess.
        assert [line for line in barriers(page) if 'class="answer"' not in line] == []
    box, size = unwrap(card(page).bounding_box()), unwrap(page.viewport_size)
    assert box["height"] <= 0.2 * size["height"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]

    picture, height = page.locator(PICTURE).bounding_box(), page.evaluate(HEIGHT)
    tab_to(page, "Skip to main content")
    page.keyboard.press("Enter")
    tab_to(page, "Got it")
    page.keyboard.press("Space")
    expect(card(page)).to_be_hidden()
    # The key only pressed the button: nothing moved, and Tab continues from the place of the card.
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert (page.locator(PICTURE).bounding_box(), page.evaluate(HEIGHT)) == (picture, height)
    page.keyboard.press("Tab")
    expect_focus(page, "the$")

    page.reload()
    opened(page)
    expect(card(page)).to_be_hidden()
    page.get_by_role("button", name="Step back").click()
    expect(page.get_by_role("heading", name="What did it read to write ne?")).to_be_visible()


def test_card_stays_dismissed_without_storage(context: BrowserContext):
    context.add_init_script(NO_STORAGE)
    page = context.new_page()
    page.goto("/self-attention")
    opened(page)
    expect(card(page)).to_contain_text("This app shows a real Transformer at work")
    card(page).get_by_role("button").press("Escape")
    expect(card(page)).to_be_hidden()
    page.get_by_role("button", name="Step back").click()
    expect(page).to_have_url(re.compile("step=3"))
    opened(page)
    expect(card(page)).to_be_hidden()


@pytest.mark.parametrize("link", ["/?lesson=one-query&stop=1", "/?lesson=one-query&stop=1&step=4&demo=1"])
def test_lesson_has_no_card(link: str, context: BrowserContext):
    page = context.new_page()
    page.goto(link)
    opened(page)
    expect(card(page)).to_be_hidden()
