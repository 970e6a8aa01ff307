"""The bar of the sentence as a person uses it: the field, and the output as chips of which each is a step."""

import re

from playwright.sync_api import Locator, Page, expect


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="English sentence")


def chips(page: Page) -> Locator:
    return page.get_by_role("radiogroup", name="Output, choose a step").get_by_role("radio")


def output_tokens(page: Page) -> list[str]:
    return chips(page).locator(".word").all_inner_texts()


def expect_output(page: Page, tokens: list[str]) -> None:
    expect(chips(page).locator(".word")).to_have_text(tokens)


def expect_step(page: Page, step: int, token: str = "") -> None:
    expect(chips(page).nth(step)).to_be_checked()
    expect(chips(page).nth(step)).to_have_accessible_name(re.compile(f"^{re.escape(token)}"))


def chosen(page: Page) -> Locator:
    """The chip of the step that is shown, the one that Tab comes to."""
    return chips(page).and_(page.get_by_role("radio", checked=True))


def focus_chips(page: Page) -> None:
    """From where arrows lead to the other steps."""
    chosen(page).focus()


def go_to_step(page: Page, step: int) -> None:
    focus_chips(page)
    page.keyboard.press("Home")
    for _ in range(step):
        page.keyboard.press("ArrowRight")
    expect_step(page, step)
