"""What holds for every page: it opens from a link, at any width, with nothing cut off and no error."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.addresses import TITLES
from tests.browser.conftest import running_server

pytestmark = pytest.mark.browser

ADDRESSES = ["", *TITLES]
WIDTHS = (1440, 390)


def opened(page: Page) -> Page:
    """The page, once its view stands there and nothing runs any more."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    expect(page.locator("[data-test-script-state=notRunning]")).to_have_count(1)
    return page


@pytest.mark.parametrize("address", TITLES)
def test_the_first_visitor_of_a_server_sees_the_page_in_its_frame(address: str, browser: Browser):
    with running_server() as url:
        # A context of its own: for such an address Streamlit looks for two of its files in the wrong place, and the
        # browser's console tells of that.
        context = browser.new_context(base_url=url)
        page = context.new_page()
        page.goto(f"/{address}?step=2")
        opened(page)
        here = page.get_by_test_id("stSidebar").get_by_role("link", name=TITLES[address], exact=True)
        expect(here).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert re.fullmatch(rf"{re.escape(url)}/{address}\?step=2.*", page.url)
        context.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_page_is_cut_off_or_says_an_error(address: str, browser: Browser, server: str):
    context = browser.new_context(base_url=server, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    # Choices that another page has made, of which this one may have none.
    page.goto("/?stage=decoder-layers-1-cross_attn&layer=1&head=2&step=3&block=decoder.cross_attn")
    opened(page)
    if address:
        page.get_by_test_id("stSidebar").get_by_role("link", name=TITLES[address], exact=True).click()
        expect(page).to_have_url(re.compile(rf"/{address}(\?|$)"))
        opened(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for measure in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
            page.wait_for_function(f"{measure}.scrollWidth <= {measure}.clientWidth")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
    assert errors == []
    context.close()
