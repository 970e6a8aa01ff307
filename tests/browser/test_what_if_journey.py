"""What carries the number of a verb, as somebody finds it: by visible labels alone, changed, looked at, taken back."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from core.interventions.findings import read_findings
from tests.optional import unwrap

pytestmark = pytest.mark.browser

FOUND = read_findings()
OWN, OTHER = FOUND["tokens"]
CARRIER = FOUND["carrier"]
CHANGED = "You are looking at a changed model:"


def outputs(page: Page, name: str) -> Locator:
    return page.get_by_role("table", name="What is written").get_by_role("row", name=re.compile(f"^{name}"))


def cells(page: Page, panel: str) -> Locator:
    return page.get_by_role("grid", name=f"{panel}: share of the difference").get_by_role("gridcell")


def share(cell: Locator) -> float:
    return float(
        unwrap(cell.get_attribute("aria-label"))
        .partition(": ")[2]
        .partition(",")[0]
        .replace("\N{MINUS SIGN}", "-")
    )


def largest(found: Locator) -> Locator:
    """The cell that brings most along, as its colour and its number say."""
    return max(found.all(), key=share)


def test_a_visitor_finds_which_word_carries_the_number_changes_it_looks_explains_and_undoes(page: Page):
    page.goto(f"/what-if?step=4&sentence={FOUND['sentence']}")
    expect(outputs(page, "As trained")).to_contain_text(OWN)
    expect(outputs(page, "Second sentence")).to_contain_text(OTHER)
    heading = page.get_by_role("heading", name=re.compile("^Where does the model keep"))
    expect(heading).to_have_text(f"Where does the model keep {OWN} or {OTHER}?")

    # Attention and use are both held against the known alignment, in the figures of the findings.
    rates = FOUND["alignment_error_rates"]
    said = (
        f"the alignment error rate is {rates['attention']:.2f} by what is read most, "
        f"and {rates['direct attribution']:.2f} by what adds most"
    )
    expect(page.get_by_role("region", name="What wrote the word")).to_contain_text(said)

    # The map says which word it is: not the noun.
    found = largest(page.get_by_role("gridcell", name=re.compile(", embedding: ")))
    assert unwrap(found.get_attribute("aria-label")).startswith(f"{CARRIER}, embedding")
    found.click()
    expect(outputs(page, "Changed").get_by_text(OTHER, exact=True)).to_be_visible()
    expect(page.get_by_text(CHANGED)).to_be_visible()
    expect(page.get_by_text("Left to itself the changed model writes")).to_contain_text(OTHER)

    # The changed run on the map of the whole network.
    page.get_by_role("button", name="See this run on the map").click()
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect(page.get_by_text(CHANGED)).to_be_visible()
    expect(
        page.get_by_role("radiogroup", name="Output").or_(page.locator(".sentence-bar")).first
    ).to_contain_text(OTHER)

    # What the change has changed: by its row and its place alone, and nothing of it is explained as the model's own.
    drawn = page.get_by_role("group", name="Whose values are drawn")
    expect(drawn.get_by_role("button", pressed=True)).to_have_text("A: changed")
    drawn.get_by_role("button", name="A − B").click()
    expect(page.get_by_role("heading", name="What the change has changed")).to_be_visible()
    expect(page.get_by_title("Step 4, A − B:")).to_contain_text(f"the logit of {OTHER} by +")
    expect(page).to_have_url(re.compile("compared=difference"))
    drawn.get_by_role("button", name="B: as trained").click()
    expect(page.get_by_title("Step 4, as trained:")).to_contain_text(f"and writes {OWN}")
    drawn.get_by_role("button", name="A: changed").click()
    expect(page.get_by_role("heading", name=f"What did it read to write {OTHER}?")).to_be_visible()

    # Back, and a number that was set is explained as such.
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="Explain a changed number").click()
    panel = page.get_by_role("region", name="This number")
    expect(panel).to_contain_text(f"This number was set: encoder, embedding, at {CARRIER}, taken from")

    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text(CHANGED)).to_have_count(0)
    expect(outputs(page, "Changed")).to_contain_text("nothing yet")
    expect(page).not_to_have_url(re.compile("changes="))


def test_parts_and_weights_are_changed_by_keys_alone(page: Page):
    page.goto(f"/what-if?step=4&way=off&sentence={FOUND['sentence']}")
    whole = page.get_by_role("gridcell", name=re.compile("^decoder 1 · cross-attention, all of it: "))
    whole.focus()
    page.keyboard.press("Enter")
    expect(outputs(page, "Changed")).to_contain_text("differs where framed")
    expect(page.get_by_role("gridcell", name=re.compile("all of it: off"))).to_be_focused()
    page.keyboard.press("z")
    expect(outputs(page, "Changed")).to_contain_text("nothing yet")

    page.get_by_role("radio", name="Edit attention").click()
    weight = page.get_by_role("slider", name=f"Weight of {CARRIER}")
    weight.focus()
    page.keyboard.press("End")
    expect(weight).to_have_attribute("aria-valuenow", "1.00")
    expect(page.get_by_text(CHANGED)).to_be_visible()
    expect(page.get_by_role("button", name="As trained")).to_be_enabled()
    page.get_by_role("button", name="As trained").click()
    expect(page.get_by_text(CHANGED)).to_have_count(0)
