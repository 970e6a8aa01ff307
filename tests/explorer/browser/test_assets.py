"""The components' script and styles: served whole, kept by browsers for ever, and named by their text."""

import re

import pytest
from playwright.sync_api import Browser
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config

from explorer.browser import note
from explorer.browser.assets import BUNDLE, bundle_routes, script
from tests.explorer.mounting import load_bundle
from tests.optional import unwrap


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=bundle_routes()))


@pytest.mark.parametrize("accepted", ["gzip, br", "identity"])
def test_script_is_served_whole_and_kept_for_ever(client, accepted):
    answer = client.get(bundle_routes()[0].path, headers={"Accept-Encoding": accepted})
    assert answer.text == BUNDLE
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert ("content-encoding" in answer.headers) == ("gzip" in accepted)


def test_script_lies_below_the_servers_base_path(monkeypatch):
    read = config.get_option
    monkeypatch.setattr(
        config, "get_option", lambda name: "/sub/path/" if name == "server.baseUrlPath" else read(name)
    )
    address = bundle_routes()[0].path
    assert re.fullmatch(r"/sub/path/bundle/[0-9a-f]{16}\.js", address)
    assert f'"{address}"' in script(unwrap(note.__file__), "note")


def test_every_imported_style_sheet_is_served():
    imported = set(re.findall(r'STYLES\["([^"]+)"\]', BUNDLE))
    assert len(imported) > 20
    assert all(f'"{path}": ' in BUNDLE.partition("\n")[0] for path in imported)


@pytest.mark.browser
def test_component_without_bundle_shows_sentence(browser: Browser):
    page = browser.new_page()
    load_bundle(page)
    said = page.evaluate(
        """async (source) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const parentElement = document.createElement("div");
            (await import(address)).default({ parentElement });
            return parentElement.textContent;
        }""",
        script(unwrap(note.__file__), "note"),
    )
    assert said == "The script of this page could not be loaded. Load the page again."
    page.close()
