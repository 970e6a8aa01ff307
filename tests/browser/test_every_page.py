"""What holds for every page: it opens from a link, and at any width and in both themes nobody is kept from using it."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.addresses import TITLES
from tests.browser.conftest import running_server
from tests.browser.soundness import findings, opened

pytestmark = pytest.mark.browser

ADDRESSES = ["", *TITLES]


@pytest.mark.parametrize("address", TITLES)
def test_the_first_visitor_of_a_server_sees_the_page_in_its_frame(address: str, browser: Browser):
    with running_server() as url:
        # A context of its own: for such an address Streamlit looks for two of its files in the wrong place, and the
        # browser's console tells of that.
        context = browser.new_context(base_url=url)
        page = context.new_page()
        page.goto(f"/{address}?step=2")
        # The view itself is not waited for: it needs torch, once for each server.
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        here = page.get_by_test_id("stSidebar").get_by_role("link", name=TITLES[address], exact=True)
        expect(here).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert re.fullmatch(rf"{re.escape(url)}/{address}\?step=2.*", page.url)
        context.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_page_is_cut_off_says_an_error_or_keeps_anybody_out(address: str, browser: Browser, server: str):
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

    assert findings(page) == {}
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
    assert errors == []
    context.close()


@pytest.mark.parametrize(
    "link",
    [
        "step-by-step?step=4&prefix=10&branches=11:another&depth=formula"
        "&explain=decoder.layers.1.cross_attn.scores-0-2-4-5",
        "tensors?site=decoder.layers.1.cross_attn.weights&pinned=decoder.layers.0.cross_attn.weights&depth=code",
        "self-attention?stage=values&depth=idea",
        "?model=copy&step=zzz&depth=code",
    ],
    ids=["explained", "compared", "stage", "letters"],
)
def test_no_open_part_of_a_page_keeps_anybody_out(link: str, browser: Browser, server: str):
    context = browser.new_context(base_url=server, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"/{link}")
    opened(page)
    assert findings(page) == {}
    context.close()
