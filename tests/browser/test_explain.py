"""“Explain this number” in a real browser: from a cell of the matrix into the panel, along its links, and out again."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.optional import unwrap

pytestmark = pytest.mark.browser

LINK = "/step-by-step?sentence=the+small+cats+do+not+sleep&step=4&layer=1&head=2"
SCORE = "decoder.layers.1.cross_attn.scores-0-2-4-5"
ACTIVE = """() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node.className;
}"""


def panel(page: Page):
    return page.get_by_role("region", name="This number")


def sentence(page: Page):
    return panel(page).locator(".sentence")


def test_a_cell_is_explained_followed_and_left_by_the_keyboard(page: Page):
    page.goto(LINK)
    cells = page.locator("canvas.cells")
    expect(cells).to_be_visible()
    cells.focus()
    page.keyboard.press("Enter")
    expect(sentence(page)).to_have_text("ne reads sleep with this weight.")
    expect(page).to_have_url(re.compile(r"explain=decoder\.layers\.1\.cross_attn\.weights-0-2-4-5"))
    assert "st-key-explain" in page.evaluate(ACTIVE), "the focus moves in"

    own = panel(page).locator("tr.own button.number")
    own.focus()
    page.keyboard.press("Enter")
    expect(sentence(page)).to_have_text("The query of ne meets the key of sleep.")
    expect(panel(page).locator(".way li")).to_have_text(["weight", "score"])
    page.keyboard.press("Backspace")
    expect(sentence(page)).to_have_text("ne reads sleep with this weight.")
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("explain="))
    page.wait_for_function(f"({ACTIVE})() === 'cells'")  # and goes back


def test_a_probability_is_explained_down_to_a_logit(page: Page):
    page.goto(LINK)
    chosen = page.locator("table.candidates tbody tr").first
    chosen.get_by_role("button", name="explain").click()
    expect(sentence(page)).to_have_text("The probability of dorment at step 4.")
    panel(page).locator("tr.own button.number").click()
    expect(sentence(page)).to_have_text("The logit of dorment at step 4.")
    expect(panel(page).locator(".check")).to_contain_text("recorded")


def test_the_sentence_comes_before_the_formula_and_the_terms_before_the_numbers_put_in(any_page: Page):
    page = any_page
    page.goto(f"{LINK}&explain={SCORE}")
    formulas = panel(page).locator(".formula")
    expect(formulas).to_have_count(2)
    expect(sentence(page)).to_be_visible()
    places = [
        panel(page).locator(name).first.bounding_box()
        for name in ("header", ".formula >> nth=0", "table", ".formula >> nth=1", ".check")
    ]
    assert all(above["y"] + above["height"] <= below["y"] + 1 for above, below in pairwise(places))
    box, window = unwrap(panel(page).bounding_box()), unwrap(page.viewport_size)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= window["width"]
    read = page.evaluate(READ)
    assert read.index("meets the") < read.index("head"), "and is read so"


READ = """() => {
    const walk = (node) => node.nodeType === 3 ? node.textContent
        : node.nodeName === "STYLE" ? "" : [...(node.shadowRoot ?? node).childNodes].map(walk).join(" ");
    return walk(document.querySelector(".st-key-explain"));
}"""


def expect_apart(one: Locator, other: Locator) -> None:
    """Wait until two boxes have no point in common: a picture makes room a moment after the panel is there."""
    one.page.wait_for_function(APART, arg=[one.element_handle(), other.element_handle()])


APART = """(nodes) => {
    const [one, other] = nodes.map((node) => node.getBoundingClientRect());
    return one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
}"""


@pytest.mark.parametrize(
    "size",
    [(1440, 900), pytest.param((1280, 720), marks=pytest.mark.proof), (390, 844)],
    ids=["1440", "1280", "390"],
)
def test_the_panel_covers_neither_the_number_that_led_to_it_nor_the_picture(page: Page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/tensors?site=decoder.layers.1.cross_attn.weights&sentence=the+small+cats+do+not+sleep")
    cells = page.locator("canvas.cells").first
    expect(cells).to_be_visible()
    cells.click(position={"x": 20, "y": 20})
    expect(panel(page)).to_be_visible()
    expect(panel(page).locator(".formula").first).to_be_visible()
    expect_apart(panel(page), cells)

    page.goto("/cross-attention?step=4")
    weights = page.get_by_role("img", name=re.compile("^weights = softmax"))
    box = unwrap(weights.bounding_box())
    page.mouse.click(box["x"] + 12, box["y"] + 12)
    expect(panel(page).locator(".value code")).to_contain_text("weights[0, 0, 0, 0]")
    expect(panel(page).locator(".formula").first).to_be_visible()
    for part in page.locator(".stop .part").all():
        expect_apart(panel(page), part)

    page.goto("/?step=4&layer=1")
    expect(page.get_by_role("heading", name="What did it read to write dort?")).to_be_visible()
    number = page.locator(".living-map .candidate .number").first
    number.click()
    expect(sentence(page)).to_have_text("The probability of dort at step 4.")
    if size[0] >= 1280:
        expect(number).to_be_hidden()  # what stood in the corner gives it its place
    else:
        expect_apart(panel(page), page.locator(".living-map"))
        assert 0 <= panel(page).bounding_box()["y"] < size[1] / 2, "and it is in sight"
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(number).to_be_visible()


def test_five_numbers_on_the_way_are_one_entry_of_the_browsers_history_and_the_link_opens_the_last(
    page: Page,
):
    page.goto("/step-by-step?step=4&layer=1")
    expect(page.locator("table.candidates")).to_be_visible()
    before = page.evaluate("history.length")
    page.locator("table.candidates tbody tr").first.get_by_role("button", name="explain").click()
    for site in (
        "generator.logits",
        "decoder.layers.1.feed_forward_add_norm.output",
        "decoder.layers.1.feed_forward_add_norm.normalized",
        "decoder.layers.1.feed_forward_add_norm.sum",
    ):
        panel(page).locator(f'button.number[title*="{site}["]').first.click()
        expect(panel(page).locator(".value code")).to_contain_text(f"{site}[")
        expect(page).to_have_url(re.compile(re.escape(site)))
    page.keyboard.press("Backspace")
    expect(panel(page).locator(".value code")).to_contain_text("normalized[")
    expect(page).not_to_have_url(re.compile(r"add_norm\.sum"))
    assert page.evaluate("history.length") <= before + 1
    page.reload()
    expect(panel(page).locator(".value code")).to_contain_text("feed_forward_add_norm.normalized[")
    expect(panel(page).locator(".way li")).to_have_count(4)
