"""Charts, which are made in Python, follow the theme of the page."""

import pytest
from playwright.sync_api import Page, Route, expect

from explorer.look.theme import ROLES
from tests.browser.navigation import go_to
from tests.browser.test_every_page import opened

pytestmark = pytest.mark.browser


def css(colour: str) -> str:
    """As a browser writes it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_page_follows_theme_changed_while_loading(page: Page):
    page.emulate_media(color_scheme="light")
    held: list[Route] = []
    page.route("**/bundle/*", lambda route: held.append(route))
    with page.expect_request("**/bundle/*"):
        page.goto("/positions")
    # Streamlit has drawn the page for the light theme by now.
    page.locator("[data-test-script-state=notRunning]").wait_for()
    page.emulate_media(color_scheme="dark")
    held.pop().continue_()
    page.unroute("**/bundle/*")
    label = page.locator(".js-plotly-plot .xtick text").first
    expect(label).to_have_css("fill", css(ROLES["dark"]["mute"]))


def test_chart_follows_the_theme(page: Page):
    page.emulate_media(color_scheme="light")
    page.goto("/")
    go_to(page, "Positions")
    opened(page)
    label = page.locator(".js-plotly-plot .xtick text").first
    expect(label).to_have_css("fill", css(ROLES["light"]["mute"]))
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        expect(label).to_have_css("fill", css(ROLES[theme]["mute"]))
