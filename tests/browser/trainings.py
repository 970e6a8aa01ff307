"""How a training stands, as its page says it, and the wait for its end."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.conftest import TRAINING_PATIENCE
from tests.optional import unwrap


def stands(page: Page, words: str) -> None:
    """The training stands like this."""
    expect(_said(page)).to_have_text(re.compile(words), timeout=1000 * TRAINING_PATIENCE)


def updates(page: Page) -> int:
    """How many updates it has made."""
    return int(unwrap(re.search(r": ([\d,]+) of", _said(page).inner_text()))[1].replace(",", ""))


def goes_on_to_its_end(page: Page, of: int) -> None:
    """It makes all its updates; however long they take, each is waited for anew."""
    end = f"Finished: {of} of {of} updates"
    while (stood := _said(page).inner_text()) != end:
        expect(_said(page)).not_to_have_text(stood, timeout=1000 * TRAINING_PATIENCE)


def _said(page: Page) -> Locator:
    return page.locator(".train-stands")


def choose_what_it_learns(page: Page, title: str) -> None:
    """Choose the task of the next training."""
    page.get_by_role("combobox", name="What it learns").click()
    page.get_by_role("option", name=title).click()


def set_updates(page: Page, count: int) -> None:
    """Change how many updates the next training makes, in its details, and close them."""
    page.get_by_role("button", name="Details").click()
    field = page.get_by_role("spinbutton", name="Updates")
    field.fill(str(count))
    field.press("Enter")
    page.get_by_role("button", name="Details").click()
    expect(field).to_be_hidden()


def paste(page: Page, text: str) -> Locator:
    """Paste pairs to learn, and hand them over; the field."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    field = page.get_by_role("textbox", name="or paste them")
    field.focus()
    field.press("Control+v")
    field.press("Control+Enter")
    return field
