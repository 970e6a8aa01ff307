"""From the probability of a word down to the table it began with: every level explained, clicked and added up."""

import math
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.bar import expect_step
from tests.browser.navigation import go_to
from tests.optional import unwrap

pytestmark = pytest.mark.browser

DOWN_TO_KEYS = (
    "generator.logits",
    "decoder.layers.1.feed_forward_add_norm.output",
    "decoder.layers.1.feed_forward_add_norm.normalized",
    "decoder.layers.1.feed_forward_add_norm.sum",
    "decoder.layers.1.cross_attn_add_norm.output",
    "decoder.layers.1.cross_attn_add_norm.normalized",
    "decoder.layers.1.cross_attn_add_norm.sum",
    "decoder.layers.1.cross_attn.output",
    "decoder.layers.1.cross_attn.context",
    "decoder.layers.1.cross_attn.weights",
    "decoder.layers.1.cross_attn.scores",
)
DOWN_TO_THE_SUM = (
    "encoder.layers.1.feed_forward_add_norm.output",
    "encoder.layers.1.feed_forward_add_norm.normalized",
    "encoder.layers.1.feed_forward_add_norm.sum",
    "encoder.layers.1.self_attn_add_norm.output",
    "encoder.layers.1.self_attn_add_norm.normalized",
    "encoder.layers.1.self_attn_add_norm.sum",
    "encoder.layers.0.feed_forward_add_norm.output",
    "encoder.layers.0.feed_forward_add_norm.normalized",
    "encoder.layers.0.feed_forward_add_norm.sum",
    "encoder.layers.0.self_attn_add_norm.output",
    "encoder.layers.0.self_attn_add_norm.normalized",
    "encoder.layers.0.self_attn_add_norm.sum",
    "src_embed.output",
)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="This number")


def expect_site(page: Page, site: str) -> None:
    expect(panel(page).locator(".value code")).to_have_text(re.compile(rf"^{re.escape(site)}\["))


def follow(page: Page, site: str) -> None:
    """Click the first operand that is a number of this site."""
    panel(page).locator(f'button.number[title*="{site}["]').first.click()
    expect_site(page, site)


TOOLTIPS = """(rows) => rows.map((row) =>
  [...row.querySelectorAll("button.number")].map((number) => number.title))"""
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def exact(tooltip: str) -> float:
    """The number behind a rounded one, from its tooltip."""
    text = tooltip.splitlines()[0].replace("\N{MINUS SIGN}", "-")
    digits, _, power = text.partition(" · 10")
    return float(f"{digits}e{power.translate(POWERS) or 0}")


def value(page: Page) -> float:
    """The number that is explained."""
    return exact(unwrap(panel(page).locator(".value strong").get_attribute("title")))


def expect_arithmetic(page: Page) -> None:
    """The panel says that it agrees; and where it is a sum of products, adding them up again gives the number."""
    box = panel(page)
    expect(box.locator(".check")).to_contain_text("recorded")
    expect(box.locator(".check.bad")).to_have_count(0)
    if box.locator("table.terms").count() == 0:
        return
    if box.get_by_role("button", name="Show all").count():
        box.get_by_role("button", name="Show all").click()
    rows = box.locator("table.terms tbody tr:not(.rest)").evaluate_all(TOOLTIPS)
    products = [[exact(each) for each in row] for row in rows]
    if not all(products) or max(map(len, products)) < 2:
        return
    total = math.fsum(math.prod(row) for row in products)
    size = math.fsum(abs(math.prod(row)) for row in products)
    if "scores" in box.locator(".value code").inner_text():
        total /= math.sqrt(len(products))
    assert value(page) == pytest.approx(total, abs=1e-5 * size + 1e-6)


@pytest.mark.proof
def test_a_probability_is_followed_down_to_an_embedding_and_a_sinusoid(page: Page):
    page.goto("/?step=4&layer=1&head=0")
    go_to(page, "Step by step")
    expect_step(page, 4, "dort")
    table = page.get_by_role("region", name="Next token")
    table.get_by_role("button", name=re.compile(r"^0\.\d+, explain$")).first.click()
    expect_site(page, "hypothesis.prob")
    expect_arithmetic(page)
    for site in DOWN_TO_KEYS:
        follow(page, site)
        expect_arithmetic(page)

    follow(page, "decoder.layers.1.cross_attn.q")
    expect_arithmetic(page)
    page.keyboard.press("Backspace")
    expect_site(page, "decoder.layers.1.cross_attn.scores")
    follow(page, "decoder.layers.1.cross_attn.k")
    expect_arithmetic(page)
    for site in DOWN_TO_THE_SUM:
        follow(page, site)
        expect_arithmetic(page)

    follow(page, "src_embed.tokens")
    expect_arithmetic(page)
    follow(page, "src_embed.weight")
    expect(panel(page)).to_contain_text("learned")
    page.keyboard.press("Backspace")
    expect_site(page, "src_embed.tokens")
    page.keyboard.press("Backspace")
    expect_site(page, "src_embed.output")
    follow(page, "src_embed.positions")
    expect_arithmetic(page)
    position, place = (
        float(part) for part in re.findall(r"\d+", panel(page).locator(".value code").inner_text())[-2:]
    )
    wave = (math.sin, math.cos)[int(place) % 2]
    expected = wave(position / 10000 ** (2 * (place // 2) / 64))
    assert value(page) == pytest.approx(expected, abs=1e-6)

    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)


def test_the_page_of_a_block_opens_from_the_picture_and_shows_the_values_that_its_card_lists(page: Page):
    page.goto("/?step=4")
    expect(page.get_by_role("heading", name="What did it read to write dort?")).to_be_visible()
    # A button of the picture is for whoever uses no pointer.
    block = page.get_by_role("button", name="Feed-forward, encoder.layers.1.feed_forward", exact=True)
    block.focus()
    page.keyboard.press("i")
    card = page.locator(".corner")
    expect(card.get_by_role("heading", name="Feed-forward")).to_be_visible()
    expect(card.get_by_text("hidden", exact=True)).to_be_visible()
    card.get_by_role("button", name="Open Feed-forward").click()
    expect(page.get_by_role("heading", name="Feed-forward", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/feed-forward\?.*step=4.*layer=1.*block=encoder.feed_forward"))
