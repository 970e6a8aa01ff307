"""What heads are worth, as a visitor finds out: measured, ordered, chosen, and tried in a sentence that needs one."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import PATIENCE
from tests.optional import unwrap

pytestmark = [pytest.mark.browser, pytest.mark.proof]

CHANGED = "You are looking at a changed model:"


def test_a_visitor_finds_the_head_that_aligns_looks_at_it_and_switches_it_off(page: Page):
    page.goto("/parts")
    table = page.get_by_role("table", name="What each part is worth")
    expect(table).to_be_visible(timeout=1000 * PATIENCE)
    expect(page.locator(".worth .picture .mark")).to_have_count(24)

    # Ordered by where they look, the first has a name, and says by what; the choice is in the address.
    table.get_by_role("button", name="gold", exact=True).click()
    expect(table.get_by_role("columnheader", name="gold")).to_have_attribute("aria-sort", "descending")
    first = table.locator("tbody").get_by_role("button").first
    expect(first).to_have_accessible_name(
        re.compile(r"cross-attention, layer 1, .*aligns: 0\.\d\d of gold rows")
    )
    expect(page.get_by_text("75 % of its rows")).to_be_attached()
    first.press("ArrowDown")
    second = table.locator("tbody").get_by_role("button").nth(1)
    expect(second).to_be_focused()
    second.press("Enter")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("order=gold.*part=|part=.*order=gold"))
    head = unwrap(re.search(r"head (\d)", unwrap(second.get_attribute("aria-label")))).group(1)

    # A sentence without it: What if, with the model changed.
    sentences = page.get_by_role("region", name=re.compile("^Sentences that need"))
    expect(sentences).to_have_accessible_name(re.compile(f"head {head}"))
    source = sentences.locator(".source").first.inner_text()
    sentences.get_by_role("button", name=f"What if it were off: {source}").click()
    expect(page.get_by_role("heading", name="What if", exact=True)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=CHANGED)).to_contain_text(f"head {head}")

    # And where it stands, in the model as it was trained.
    page.go_back()
    expect(second).to_have_attribute("aria-pressed", "true")
    sentences.get_by_role("button", name=f"Look at it where it stands: {source}").click()
    expect(page.get_by_role("heading", name="Cross-attention", exact=True)).to_be_visible()
    expect(page.get_by_text(CHANGED)).to_have_count(0)
    expect(page).to_have_url(re.compile(f"head={head}"))
