"""The secret of a browser, in a real one: made up once, kept for this site, and told but never shown."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.explorer.mounting import feed, mount

SITE = "http://explorer.test/"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    yield context
    context.close()


def told(page: Page) -> str:
    """What the component reports."""
    mount(page, "owner-key", "browser/owner_key/key", b"")
    page.wait_for_function("window.reports.length")
    ((name, secret),) = page.evaluate("window.reports")
    assert name == "secret"
    assert re.fullmatch("[0-9a-f]{64}", secret)
    return secret


def opened(context: BrowserContext, address: str = SITE) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


def test_a_browser_has_one_secret_for_a_site_whatever_is_loaded_again(context):
    page = opened(context)
    first = told(page)
    page.reload()
    assert told(page) == told(opened(context)) == first
    assert told(opened(context, "http://other.test/")) != first
    assert told(opened(context, "http://explorer.test:8080/")) != first
    assert first not in page.url
    assert first not in page.content()
    assert context.cookies() == []


def test_two_browsers_have_two(browser, context):
    other = browser.new_page()
    assert told(other) != told(opened(context)), "a page that may keep nothing makes one up for itself"
    other.close()


@pytest.mark.parametrize("kept", ["", "x" * 64, "0" * 63, "<script>"])
def test_what_is_no_secret_is_replaced(context, kept):
    page = opened(context)
    page.evaluate("kept => localStorage.setItem('transformer-explorer-owner', kept)", kept)
    secret = told(page)
    page.reload()
    assert told(page) == secret


def test_another_message_tells_nothing_twice(context):
    page = opened(context)
    told(page)
    feed(page, b"")
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert len(page.evaluate("window.reports")) == 1
