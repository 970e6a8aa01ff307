"""The navigation bar, as a visitor uses it."""

from playwright.sync_api import Locator, Page

from explorer.app import REGISTRY

_PLACES = {view.title: view.place for view in REGISTRY.values()}


def link_to(page: Page, title: str) -> Locator:
    """Return the link to a page, in a menu that may be closed."""
    return page.locator(".st-key-pages").get_by_role("link", name=title, exact=True, include_hidden=True)


def go_to(page: Page, title: str) -> None:
    """Open the menu with a page, and click its link."""
    link = link_to(page, title)
    if not link.is_visible():
        page.locator(".st-key-pages").get_by_role("button", name=_PLACES[title], exact=True).click()
    link.click()


def open_model_menu(page: Page) -> Locator:
    """Open the choice of the model, and return what it shows."""
    page.locator(".st-key-model_menu button").click()
    return page.get_by_test_id("stPopoverBody")
