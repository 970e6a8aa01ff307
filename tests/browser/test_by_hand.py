"""Attention by hand in a real Chromium: numbers that are typed, bad ones that lose nothing, and answers."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.soundness import findings, opened

pytestmark = pytest.mark.browser


def cell(page: Page, name: str) -> Locator:
    """A cell that something can be written in."""
    return page.get_by_role("textbox", name=name, exact=True)


@pytest.mark.proof
def test_somebody_types_numbers_recovers_from_a_bad_one_and_computes_a_matrix(browser: Browser, server: str):
    context = browser.new_context(
        base_url=server, viewport={"width": 1280, "height": 720}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/attention-by-hand")
    opened(page)

    # A number says what it is made of: here the weighted values and their sum.
    page.get_by_role("img", name=re.compile("^output")).focus()
    terms = "0.245 · 2 + 0.090 · 1 + 0.665 · 4 = 3.24"
    expect(page.locator(".foot .sentence")).to_contain_text(terms)

    # Numbers: arrows lead from cell to cell, and the link follows.
    first = cell(page, "W_Q row 1 column 1")
    first.fill("3")
    expect(page).to_have_url(re.compile("hand_q=3"))
    first.press("ArrowRight")
    expect(cell(page, "W_Q row 1 column 2")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cell(page, "W_Q row 2 column 2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(cell(page, "W_Q row 2 column 3")).to_be_focused()

    # What is no small whole number stays to be mended, and everything else goes on.
    first.fill("1e99")
    expect(first).to_have_attribute("aria-invalid", "true")
    said = page.get_by_text(
        "W_Q row 1 column 1: “1e99” is no whole number from −9 to 9; 3 still counts."
    ).first
    expect(said).to_be_visible()
    cell(page, "Name of token 1").fill("We")
    expect(page).to_have_url(re.compile("hand_tokens=We"))
    expect(first).to_have_value("1e99")
    first.fill("-2")
    expect(first).not_to_have_attribute("aria-invalid", "true")
    expect(page).to_have_url(re.compile("hand_q=b"))

    # One's own answers, on the first example again.
    page.get_by_role("button", name="I love transformers").click()
    expect(first).to_have_value("1")
    page.locator(".st-key-by_hand_blanks").get_by_text("Q", exact=True).click()
    answer = cell(page, "Q row 1 column 3")
    answer.fill("5")
    answer.press("Enter")
    expect(page.get_by_text("It comes from 0 · 0 + 1 · 0 + 2 · 1 + 2 · 0.")).to_be_visible()
    wrong = page.get_by_role("textbox", name="Q row 1 column 3, wrong")
    wrong.fill("2")
    wrong.press("Enter")
    expect(page.get_by_text("Right: Q row 1 column 3 is")).to_be_visible()
    expect(page.get_by_role("textbox", name="Q row 1 column 3, right")).to_have_value("2")
    opened(page)
    assert findings(page) == {}
    context.close()
