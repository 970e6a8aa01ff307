"""The journey of somebody who has no mouse: every stop of the focus is seen, and no rerun takes it away."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.bar import chips, field

pytestmark = pytest.mark.browser

MOST_STOPS = 60
"""Presses of Tab after which something counts as out of reach."""

# What has the focus, as a screen reader would name it, and whether it shows: by an outline, or by a ring beside it.
FOCUS = """() => {
    let node = document.activeElement;
    while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    const named = node.labels?.[0]?.textContent ?? node.textContent;
    const shows = (each) => {
        const style = getComputedStyle(each);
        return style.display !== "none" && (parseFloat(style.outlineWidth) >= 1 && style.outlineStyle !== "none");
    };
    const ring = node.parentElement?.querySelector(":scope > .ring");
    return {
        name: (node.getAttribute("aria-label") ?? named).trim().slice(0, 80),
        isSeen: shows(node) || [...node.children].some(shows) || (!!ring && getComputedStyle(ring).display !== "none"),
        tag: node.tagName,
    };
}"""


def tab_to(page: Page, name: str, *, key: str = "Tab") -> None:
    """Press the key until something of this name has the focus; wherever it rests on the way, it is seen."""
    passed = []
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        focus = page.evaluate(FOCUS)
        passed.append(focus["name"])
        if focus["tag"] == "BODY":
            continue
        assert focus["isSeen"], f"the focus is not seen on the last of {passed}"
        if re.match(name, focus["name"]):
            return
    raise AssertionError(f"“{name}” was not reached; on the way were {passed}")


def expect_focus(page: Page, name: str) -> None:
    """The focus rests, or comes to rest, on something of this name."""
    page.wait_for_function(f"(name) => new RegExp(`^${{name}}`).test(({FOCUS})().name)", arg=name)
    assert page.evaluate(FOCUS)["isSeen"]


def heading(page: Page) -> Locator:
    return page.get_by_role("region", name="This number").locator(".sentence")


def test_a_number_is_explained_from_the_first_key_to_the_last_without_a_mouse(page: Page):
    page.goto("/step-by-step")
    expect(page.locator("canvas.cells")).to_be_visible()
    # Each view comes when its own script has run; on a busy machine the bar may be the last.
    expect(field(page)).to_be_visible()
    tab_to(page, "Skip to main content")
    page.keyboard.press("Enter")
    tab_to(page, "English sentence")
    page.keyboard.press("Control+A")
    page.keyboard.type("the woman does not sleep")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(chips(page).first).to_have_text("la")
    expect_focus(page, "English sentence")

    tab_to(page, "dort")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1"))
    expect_focus(page, "femme")

    tab_to(page, "Cross-attention weights")
    tab_to(page, "Layer 1, head 2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("head=2"))
    expect_focus(page, "Layer 1, head 2")

    tab_to(page, "Cross-attention weights", key="Shift+Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(heading(page)).to_contain_text("with this weight")
    tab_to(page, ".*, explain$")
    page.keyboard.press("Enter")
    expect(heading(page)).to_contain_text("meets the key")
    page.keyboard.press("Backspace")
    expect(heading(page)).to_contain_text("with this weight")
    page.keyboard.press("Escape")
    expect(heading(page)).to_have_count(0)
    expect_focus(page, "Cross-attention weights")
    expect(page.locator(".readout")).to_contain_text("reads")


def test_the_living_map_is_walked_forced_and_opened_without_a_mouse(page: Page):
    page.goto("/")
    question = page.get_by_role("heading", level=1)
    expect(question).to_have_text("What did it read to write dort?")
    tab_to(page, "Skip to main content")
    page.keyboard.press("Enter")
    tab_to(page, "The whole network")
    page.keyboard.press("ArrowLeft")
    expect(question).to_have_text("What did it read to write ne?")
    expect(page).to_have_url(re.compile("step=3"))
    expect_focus(page, "The whole network")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=4"))

    tab_to(page, "Cross-attention, decoder.layers.1.cross_attn")
    page.keyboard.press("i")
    expect(page.locator(".corner").get_by_role("heading", name="Cross-attention")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".corner").get_by_role("heading", name="Next token")).to_be_visible()

    tab_to(page, "force ")
    page.keyboard.press("Enter")
    expect(question).to_have_text(re.compile("^Forced: "))
    expect(page).to_have_url(re.compile("prefix="))
    expect_focus(page, "The whole network")
