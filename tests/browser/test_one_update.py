"""One update in a real browser: from the loss of a label to a weight, number by number, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.navigation import go_to
from tests.optional import unwrap

pytestmark = pytest.mark.browser

CHOICES = "/?model=reverse&site=encoder.layers.0.feed_forward.linear1.bias"
WAY = (
    ("Δ", "Change of"),
    ("m̂", "Corrected first moment of"),
    ("m′", "First moment of"),
    ("g clipped", "Clipped gradient of"),
    ("g", "Gradient of"),
)
"""Operands that are followed from a weight on, and what each is called."""


def opened(page: Page, stage: str = "Loss") -> Page:
    """The page, by its link, with the view on it and a stage open."""
    page.goto(CHOICES)
    go_to(page, "One update")
    page.get_by_role("tab", name=re.compile(stage)).click()
    expect(page.get_by_role("tab", selected=True)).to_have_text(re.compile(stage))
    return page


def panel(page: Page):
    return page.locator(".st-key-explain")


@pytest.mark.proof
def test_the_batch_its_losses_one_gradient_and_its_step_are_pictures_above_all_words(page: Page):
    opened(page)
    story = page.locator(".update-story")
    expect(story.get_by_role("heading")).to_have_text(
        [
            re.compile(name)
            for name in ("The batch", "The loss of each label", "One weight’s gradient", "Its step")
        ]
    )
    assert (
        unwrap(story.bounding_box())["y"] < unwrap(page.get_by_text("Update 0 of 1,200").bounding_box())["y"]
    )
    story.get_by_role("button", name=re.compile("loss .*, explain")).first.click()
    expect(panel(page)).to_contain_text("Loss of")
    for number, words in (("g", "Gradient of"), ("Δ", "Change of"), ("w′", "Weight after")):
        story.get_by_role("button", name=re.compile(rf"^{number} \S+.*, explain$")).click()
        expect(panel(page)).to_contain_text(words)
    expect(
        story.get_by_role("img", name=re.compile("^The loss (rises|falls) with this weight"))
    ).to_be_visible()
    story.get_by_role("button", name=re.compile("^pair 2: ")).click()
    expect(page).to_have_url(re.compile("pair=2"))
    expect(story.get_by_role("button", name=re.compile("^pair 2: "))).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.proof
def test_a_weight_is_followed_back_to_a_token(page: Page):
    opened(page)
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text([re.compile(name) for name in (
        "Loss", "Labels", "Logits", "Gradient", "Clipping", "First moment", "Second moment", "Change", "Weights",
    )])  # fmt: skip
    tabs.first.press("End")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Weights")
    expect(page).to_have_url(re.compile("stage=weights"))
    page.get_by_role("button", name="Explain this number", exact=True).last.click()
    expect(panel(page)).to_contain_text("Weight after")
    for name, words in WAY:
        panel(page).get_by_role("button", name=re.compile(rf"^{re.escape(name)} .*, explain$")).click()
        expect(panel(page)).to_contain_text(words)
    expect(panel(page)).to_contain_text("One term for each token that came by")
    expect(panel(page).locator("tbody tr").first).to_be_visible()


def test_another_pair_and_another_parameter_are_chosen_in_the_view(page: Page):
    opened(page, "Logits")
    page.locator(".tensor-view select").select_option(index=3)
    expect(page).to_have_url(re.compile("pair=3"))
    expect(page.get_by_text("Pair 3 of 64.")).to_be_visible()
    page.get_by_role("tab", name=re.compile("Gradient")).click()
    page.locator(".tensor-view select").select_option("0")
    expect(page).to_have_url(re.compile(r"site=src_embed\.weight"))
    expect(page.get_by_role("heading", name=re.compile(r"parameter src_embed\.weight"))).to_be_visible()
