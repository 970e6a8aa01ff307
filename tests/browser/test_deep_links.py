"""A link to any page works as the very first request to a server."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import running_server

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("step-by-step?step=4", "Step by step"),
        ("sampling-lab?seed=3", "Sampling lab"),
        ("beams?beam=3", "Beam search"),
    ],
)
def test_the_first_visitor_of_a_server_sees_the_page_in_its_frame(address, title, browser):
    with running_server() as url:
        # A context of its own: for such an address Streamlit looks for two of its files in the wrong place, and the
        # browser's console tells of that.
        context = browser.new_context(base_url=url)
        page = context.new_page()
        page.goto(f"/{address}")
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect(page.get_by_test_id("stSidebar").get_by_role("link", name="Watch it run")).to_be_visible()
        expect(page.get_by_role("region").first).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.url == f"{url}/{address}"
        context.close()
