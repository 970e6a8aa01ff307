"""The decoding view in a real Chromium, without Streamlit: for the tests of each of its parts."""

from pathlib import Path

import pytest

from explorer.views.decoding import component as module
from explorer.views.decoding.component import DecodeViewData, decode_view, pack
from tests.app_tests import share_between_app_tests
from tests.explorer.mounting import load_bundle, mount

share_between_app_tests()

FOLDER = Path(module.__file__).parent


@pytest.fixture
def mounted(page):
    """Mounts the view without Streamlit; ``window.feed`` hands it a message, ``window.reports`` hears it."""

    def show(data: DecodeViewData):
        page.set_viewport_size({"width": 1040, "height": 1000})
        mount(page, "decode-view", decode_view.path, pack(data))
        return page

    return show


@pytest.fixture(scope="module")
def page(browser):
    """A blank page in a real browser that has the functions of the view's script."""
    page = browser.new_page()
    load_bundle(page)
    page.evaluate("Object.assign(window, bundle.proven)")
    yield page
    page.close()
