"""Terms in a real Chromium: explained on focus and hover, closed by Escape, opened in the glossary without a reload."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_every_page import opened

pytestmark = pytest.mark.browser


def opened_with_tips(page: Page) -> None:
    """Wait until the page is drawn and the box of its terms listens; before that, a term is a plain link."""
    opened(page)
    expect(page.locator(".term-tip")).to_be_attached()


def test_a_term_is_explained_where_it_stands_and_opens_the_glossary_which_keys_walk_through(page: Page):
    page.goto("/?sentence=the+dog+sleeps&depth=idea")
    opened_with_tips(page)
    tip, term = page.get_by_role("tooltip"), page.get_by_role("link", name="token", exact=True).first
    expect(tip).to_have_count(0)
    page.get_by_role("button", name="Words").click()
    page.locator(".sentence-view").get_by_role("link", name="encoder").hover()
    expect(tip).to_contain_text("reads the whole source at once")
    page.get_by_role("heading", level=1).hover()
    expect(tip).to_have_count(0)
    page.goto("/step-by-step?sentence=the+dog+sleeps&depth=idea")
    opened_with_tips(page)
    # The sentence beside the title begins with another term.
    page.get_by_test_id("stMain").get_by_role("link", name="decoder", exact=True).first.focus()
    page.keyboard.press("Tab")
    expect(term).to_be_focused()
    expect(tip).to_contain_text("The unit that the model reads and writes")
    expect(term).to_have_accessible_description(re.compile("The unit that the model reads"))
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    expect(term).to_be_focused()
    term.press("Enter")
    expect(page.get_by_role("heading", name="Token", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/glossary\?sentence=the\+dog\+sleeps&depth=idea&term=token"))

    field = page.get_by_role("combobox", name="Search the glossary")
    expect(field).to_be_visible()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("norm")
    expect(page.get_by_role("option").first).to_have_text("Gradient norm")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Layer norm", exact=True)).to_be_visible()
    expect(page.locator("[data-testid=stMain] .katex-error")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="T", exact=True).click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Temperature", exact=True)).to_be_visible()
    page.get_by_role("link", name=re.compile("See it: Sampling lab")).click()
    expect(page.get_by_role("heading", name="Sampling lab", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile("temperature=2"))


def test_a_term_that_the_page_slides_under_a_pointer_at_rest_covers_nothing(page: Page):
    page.goto("/step-by-step?sentence=the+dog+sleeps&depth=idea")
    opened_with_tips(page)
    tip, term = page.get_by_role("tooltip"), page.get_by_role("link", name="token", exact=True).first
    expect(term).to_be_visible()
    page.mouse.move(640, 400)
    term.evaluate(
        """link => {
            link.style.cssText = "position: fixed; left: 600px; top: 380px; width: 80px; height: 40px; z-index: 9999";
            document.body.append(link);
        }"""
    )
    moved = page.locator("body > a")
    page.wait_for_function("document.querySelector('body > a').matches(':hover')")
    # Where a pointer has come to a term the box is there after 120 ms.
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 360))")
    expect(tip).to_have_count(0)
    expect(moved).to_be_visible()
    page.mouse.move(642, 400)
    expect(tip).to_contain_text("The unit that the model reads and writes")


def test_a_fingers_first_tap_explains_and_its_second_opens(browser: Browser, server: str):
    context = browser.new_context(base_url=server, viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto("/masks")
    opened_with_tips(page)
    term, tip = page.get_by_role("link", name="padding", exact=True).first, page.get_by_role("tooltip")
    term.tap()
    expect(tip).to_contain_text("fill a short sentence")
    place = tip.bounding_box()
    assert place is not None
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 390
    term.tap()
    expect(page.get_by_role("heading", name="Padding", exact=True)).to_be_visible()
    context.close()
