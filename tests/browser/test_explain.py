"""“Explain this number” in a real browser: from a cell of the matrix into the panel, along its links, and out again."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

LINK = "/step-by-step?sentence=the+small+cats+do+not+sleep&step=4&layer=1&head=2"
SCORE = "decoder.layers.1.cross_attn.scores-0-2-4-5"
ACTIVE = """() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node.className;
}"""


def panel(page: Page):
    return page.get_by_role("dialog", name="Explain this number")


def heading(page: Page):
    return panel(page).get_by_role("heading", level=2)


def test_a_cell_is_explained_followed_and_left_by_the_keyboard(page: Page):
    page.goto(LINK)
    cells = page.locator("canvas.cells")
    expect(cells).to_be_visible()
    cells.focus()
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text(
        "The position that reads ne (and will write dorment) asks, sleep answers: attention weight"
    )
    expect(page).to_have_url(re.compile(r"explain=decoder\.layers\.1\.cross_attn\.weights-0-2-4-5"))
    assert "st-key-explain" in page.evaluate(ACTIVE), "the focus moves in"

    own = panel(page).locator("tr.own button.number")
    own.focus()
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text(
        "The position that reads ne (and will write dorment) asks, sleep answers: masked score"
    )
    expect(panel(page).locator(".way li")).to_have_text(["weight", "masked score"])
    page.keyboard.press("Backspace")
    expect(heading(page)).to_have_text(
        "The position that reads ne (and will write dorment) asks, sleep answers: attention weight"
    )
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("explain="))
    page.wait_for_function(f"({ACTIVE})() === 'cells'")  # and goes back


def test_a_probability_is_explained_down_to_a_logit(page: Page):
    page.goto(LINK)
    chosen = page.locator("table.candidates tbody tr").first
    chosen.get_by_role("button", name="explain").click()
    expect(heading(page)).to_have_text("Probability of dorment at step 4")
    panel(page).get_by_role("button", name=re.compile("log P")).click()
    expect(heading(page)).to_have_text("Log P of dorment at step 4")
    panel(page).locator("tr.own button.number").click()
    expect(heading(page)).to_have_text("Logit of dorment at step 4")
    expect(panel(page).locator(".check")).to_contain_text("recorded")


def test_the_formulas_stand_between_the_head_and_the_terms_and_nothing_is_pushed(any_page: Page):
    page = any_page
    page.goto(f"{LINK}&explain={SCORE}")
    formulas = panel(page).locator(".katex-display")
    expect(formulas).to_have_count(2)
    expect(heading(page)).to_be_visible()
    places = [
        panel(page).locator(name).first.bounding_box()
        for name in (
            "header",
            "h3.formula",
            ".katex-display >> nth=0",
            "h3.put-in",
            ".katex-display >> nth=1",
            "table",
        )
    ]
    tops = [box["y"] for box in places]
    assert tops == sorted(tops)
    assert all(above["y"] + above["height"] <= below["y"] + 1 for above, below in pairwise(places))
    box, window = panel(page).bounding_box(), page.viewport_size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] + box["height"] <= window["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= window["width"]
