"""The navigation bar: menus and search by pointer and keys, and the choice of the model."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bar import chips, field, output_tokens
from tests.browser.navigation import go_to, link_to, open_model_menu
from tests.browser.soundness import opened
from tests.optional import unwrap

pytestmark = pytest.mark.browser


def button(page: Page, name: str):
    return page.locator(".st-key-pages").get_by_role("button", name=name, exact=True)


def search(page: Page):
    return page.get_by_role("searchbox", name="Search", exact=True)


def open_search(page: Page) -> None:
    expect(button(page, "Search, key /")).to_be_visible()
    page.keyboard.press("/")


def hits(page: Page, group: str):
    return page.locator(".st-key-pages").get_by_role("region", name=group).get_by_role("link")


def test_menus_open_and_close_by_keys_and_lead_to_their_pages(page: Page):
    page.goto("/?step=2")
    opened(page)
    decode = button(page, "Decode")
    decode.focus()
    page.keyboard.press("ArrowDown")
    expect(link_to(page, "Step by step")).to_be_focused()
    expect(decode).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(link_to(page, "Sampling lab")).to_be_focused()
    page.keyboard.press("Escape")
    expect(link_to(page, "Sampling lab")).to_be_hidden()
    expect(decode).to_be_focused()
    expect(decode).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/step-by-step\?step=2"))
    expect(decode).to_be_focused()
    expect(decode).to_have_attribute("aria-current", "true")
    expect(button(page, "Watch")).not_to_have_attribute("aria-current", "true")


def test_first_tab_stop_leads_past_the_bar_and_the_brand_leads_home(page: Page):
    page.goto("/output?step=2")
    opened(page)
    skip = button(page, "Skip to the page")
    skip.focus()
    box = unwrap(skip.bounding_box())
    assert box["width"] > 100
    page.keyboard.press("Enter")
    title = page.get_by_role("heading", name="Output", level=1)
    expect(title).to_be_focused()
    page.get_by_role("link", name="Transformer explorer").click()
    expect(page).to_have_url(re.compile(r":\d+/\?step=2"))
    expect(title).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 390])
def test_bar_stays_on_one_line_and_its_menus_in_the_window(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/runs")
    for place in ("Watch", "Learn", "Decode", "Change", "Train"):
        button(page, place).click()
        menu = page.locator(f"#place-{place}")
        expect(menu).to_be_visible()
        box = unwrap(menu.bounding_box())
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 800
        page.keyboard.press("Escape")
    tops = page.locator(".st-key-nav button:visible").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(box => [box.top >= 0, box.bottom <= 56, box.right])"
    )
    assert all(above and below and right <= width for above, below, right in tops)


def test_search_term_by_other_name_is_opened(page: Page):
    page.goto("/?sentence=the+dog+sleeps")
    opened(page)
    open_search(page)
    expect(search(page)).to_be_focused()
    expect(hits(page, "Lessons")).to_have_count(2)
    search(page).fill("kv cache")
    expect(hits(page, "Terms")).to_have_text([re.compile("^Key/value cache.*also: KV cache$")])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/glossary\?.*term=cache"))
    expect(page.get_by_role("heading", name="Key/value cache")).to_be_visible()
    go_to(page, "Watch it run")
    expect(field(page)).to_have_value("the dog sleeps")


def test_search_block_and_example_are_opened(page: Page):
    page.goto("/output")
    opened(page)
    open_search(page)
    search(page).fill("feed-forward decoder")
    block = hits(page, "Blocks").first
    expect(block).to_contain_text("decoder, layer 0")
    page.keyboard.press("ArrowDown")
    expect(block).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(search(page)).to_be_focused()
    block.click()
    expect(page).to_have_url(re.compile(r"/feed-forward\?.*layer=0"))
    expect(page.get_by_role("heading", name="Feed-forward", level=1)).to_be_visible()
    open_search(page)
    search(page).fill("mice")
    hits(page, "Examples").first.click()
    expect(field(page)).to_have_value("the small white mice are happy")
    expect(page).to_have_url(re.compile("/feed-forward"))
    open_search(page)
    search(page).fill("<img src=x onerror=alert(1)>")
    expect(page.get_by_text("Nothing has these words.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(search(page)).to_be_hidden()


def test_another_model_closes_the_menu_and_brings_its_own_example(page: Page):
    page.goto("/step-by-step")
    opened(page)
    menu = open_model_menu(page)
    expect(menu).to_contain_text("2 + 2 layers")
    menu.get_by_text("Copy letters", exact=True).click()
    expect(menu).to_be_hidden()
    expect(page.locator(".st-key-model_menu button")).to_have_text(re.compile("Copy letters"))
    expect(chips(page).first).to_have_text("c")
    assert output_tokens(page) == ["c", "a", "t", "</s>"]


def test_pages_of_place_stand_beside_the_title(page: Page):
    page.goto("/sampling-lab?step=2")
    opened(page)
    beside = page.get_by_role("navigation", name="Decode")
    expect(beside.get_by_role("link")).to_have_text(["Step by step", "Sampling lab", "Beam search"])
    expect(beside.locator("[aria-current]")).to_have_text("Sampling lab")
    beside.get_by_role("link", name="Beam search").click()
    expect(page).to_have_url(re.compile(r"/beams\?step=2"))
    expect(beside.locator("[aria-current]")).to_have_text("Beam search")


def test_link_of_view_is_shown_and_copied(page: Page):
    page.goto("/output?step=2")
    opened(page)
    opener = button(page, "Link and QR code of this view, key q")
    opener.focus()
    page.keyboard.press("q")
    dialog = page.get_by_role("dialog", name="This view as a QR code")
    # The server of the tests is on this computer alone.
    expect(dialog).to_contain_text("Only this computer can open the address")
    expect(dialog).to_contain_text("/output?step=2")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_role("status")).to_contain_text("take the link from the address bar")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()
    expect(page).to_have_url(re.compile(r"/output\?step=2$"))
