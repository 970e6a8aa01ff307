"""Charts, which are made in Python, follow the page when its colours change."""

import pytest
from playwright.sync_api import Page, expect

from explorer.look.theme import ROLES
from tests.browser.test_every_page import opened

pytestmark = pytest.mark.browser


def css(colour: str) -> str:
    """As a browser writes it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_a_chart_has_the_colours_that_the_page_has_now(page: Page):
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Positions", exact=True).click()
    opened(page)
    label = page.locator(".js-plotly-plot .xtick text").first
    expect(label).to_have_css("fill", css(ROLES["light"]["mute"]))
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        expect(label).to_have_css("fill", css(ROLES[theme]["mute"]))
