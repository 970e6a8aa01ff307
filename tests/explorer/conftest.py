"""The decoding view in a real Chromium, without Streamlit: for the tests of each of its parts."""

from pathlib import Path

import pytest

from explorer.browser.assets import view_style
from explorer.views.decoding import component as module
from explorer.views.decoding.component import DecodeViewData, decode_view, pack
from tests.app_tests import share_between_app_tests
from tests.explorer.mounting import MOUNT

share_between_app_tests()

FOLDER = Path(module.__file__).parent


@pytest.fixture
def mounted(page):
    """Mounts the view without Streamlit; ``window.feed`` hands it a message, ``window.reports`` hears it."""

    def mount(data: DecodeViewData):
        source = decode_view.js
        css = view_style(FOLDER / "view.css")
        page.set_viewport_size({"width": 1040, "height": 1000})
        page.evaluate(MOUNT, ["decode-view", source, css, list(pack(data))])
        return page

    return mount


@pytest.fixture(scope="module")
def page(browser):
    """A blank page in a real browser that has the functions of the view's script."""
    page = browser.new_page()
    page.add_script_tag(content=decode_view.js.replace("export default ", "void "))
    yield page
    page.close()
