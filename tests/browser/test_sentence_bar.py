"""The bar of the sentence above a page of the model: its height at every size, and a journey by keyboard."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bar import chips, chosen, expect_output, expect_step, field, focus_chips
from tests.browser.navigation import go_to
from tests.marks import proofs
from tests.optional import unwrap

pytestmark = pytest.mark.browser

LONG = "the two old women do not drink the cold water in front of the big white house of the small child"


@pytest.mark.parametrize(
    ("width", "height", "most"), [*proofs((1440, 900, 48), (1280, 720, 48), (768, 1024, 88)), (390, 844, 88)]
)
def test_bars_stay_at_the_top_and_the_current_chip_in_view(
    browser: Browser, server: str, width: int, height: int, most: int
):
    page = browser.new_page(base_url=server, viewport={"width": width, "height": height})
    # A branch too, whose second row has what the model writes by itself, and a wrong output, whose has the right one.
    for query, verdict in (
        (f"sentence={LONG}&step=13", "outside the grammar"),
        ("step=4&prefix=11-20-30-40-50", "not right"),
        ("model=copy&sentence=abcdefghijkl&step=3", "not right"),
    ):
        page.goto(f"/cross-attention?{query}")
        expect(chosen(page)).to_be_in_viewport()
        expect(page.locator(".judged span")).to_have_text(verdict)
        expect(page.locator(".judged")).to_be_in_viewport(ratio=1)
        page.get_by_test_id("stMain").evaluate("node => node.scrollTo(0, 300)")
        box = unwrap(page.locator(".sentence-bar").bounding_box())
        nav = unwrap(page.locator(".st-key-nav").bounding_box())
        assert (nav["y"], box["y"]) == (0, nav["height"])
        assert box["height"] <= most
        expect(chosen(page)).to_be_in_viewport(ratio=1)
    # The letters that the output lacks stand out in what it should be.
    expect(page.locator(".should b")).to_have_text(["k", "l"])
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.close()


@pytest.mark.parametrize(("width", "bar", "strip"), [*proofs((1440, 48, 33), (1000, 88, 33)), (390, 88, 51)])
def test_page_makes_room_for_the_strip_about_a_changed_model(
    browser: Browser, server: str, width: int, bar: int, strip: int
):
    page = browser.new_page(base_url=server, viewport={"width": width, "height": 800})
    body, said = page.locator(".st-key-page"), page.get_by_text("You are looking at a changed model:")

    def top() -> float:
        return unwrap(body.bounding_box())["y"] - unwrap(page.locator(".st-key-nav").bounding_box())["height"]

    page.goto("/cross-attention?step=4&changes=unmask:causal")
    expect(said).to_be_in_viewport(ratio=1)
    assert top() == bar + strip
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(said).to_have_count(0)
    assert top() == bar
    # Over the title of What if it takes no room, except on a phone, and scrolls away with it.
    page.goto("/what-if?step=4&changes=unmask:causal")
    expect(said).to_be_in_viewport(ratio=1)
    assert top() == bar + (strip if width == 390 else 0)
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo(0, 300)")
    if width == 390:
        expect(said).to_be_in_viewport(ratio=1)
    else:
        expect(said).not_to_be_in_viewport()
    page.close()


def test_a_sentence_and_a_step_are_chosen_by_keyboard_and_go_along_to_other_pages(page: Page):
    page.goto("/")
    go_to(page, "Cross-attention")
    expect_step(page, 4, "dort")
    field(page).focus()
    expect(page.get_by_role("option")).to_have_count(6)
    expect(page.get_by_role("option").nth(2)).to_contain_text('The first "the" becomes l\'')
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_output(page, ["l'", "homme", "aime", "le", "petit", "oiseau", "</s>"])
    expect(field(page)).to_be_focused()
    expect(page.get_by_role("option")).to_have_count(0)

    judged = page.locator(".judged")
    expect(judged).to_be_visible()
    page.keyboard.type(" snores")
    expect(judged).to_be_hidden()
    page.keyboard.press("Enter")
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".mirror u")).to_have_text(re.compile("snores"))
    expect(page.locator("#reason").get_by_text('does not know "snores"')).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("#reason").get_by_text('does not know "snores"')).to_be_visible()
    field(page).focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(field(page)).to_have_value("the man loves the small bird")
    expect(judged).to_be_visible()

    focus_chips(page)
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("step=0"))
    page.keyboard.press("ArrowRight")
    expect_step(page, 1, "homme")
    expect(chips(page).nth(1)).to_be_focused()
    expect(page).to_have_url(re.compile("step=1"))
    page.locator(".sentence-bar").evaluate("node => { window.bar = node; }")
    go_to(page, "Feed-forward")
    expect(page).to_have_url(re.compile("feed-forward.*step=1"))
    expect_step(page, 1, "homme")
    assert page.evaluate("bar.isConnected"), "the bar is not mounted anew"
    page.get_by_role("button", name="Step forward").click()
    expect(page).to_have_url(re.compile("step=2"))
    page.go_back()
    expect_step(page, 1, "homme")
