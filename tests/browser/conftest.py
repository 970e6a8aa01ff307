"""A freshly started server, and pages of it in a real Chromium."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.conftest import PATIENCE

ROOT = Path(__file__).parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(url: str, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended before it was ready"
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            # Nothing listens yet: ask again, at once enough to be quick and slowly enough to let it start.
            time.sleep(0.05)
    raise AssertionError("the server did not become healthy")


@contextmanager
def running_server() -> Iterator[str]:
    """The address of an app that nobody has visited yet."""
    with server_process() as (url, _):
        yield url


@contextmanager
def server_process() -> Iterator[tuple[str, subprocess.Popen]]:
    """Such an app and its process, which may be killed."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        wait_until_healthy(url, process)
        yield url, process
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the app."""
    with running_server() as url:
        yield url


@pytest.fixture(params=[(1440, 1000), (390, 844)], ids=["wide", "phone"])
def any_page(request, browser: Browser, server: str) -> Iterator[Page]:
    """A page at each width that the app is made for."""
    yield from _opened(browser, server, *request.param)


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A page as wide as a laptop's screen."""
    yield from _opened(browser, server, 1440, 1000)


def _is_error(message: ConsoleMessage) -> bool:
    """Whether the browser tells of a fault; Streamlit itself looks for two of its files beside a page's address."""
    is_streamlits = re.search(r"/[a-z-]+/_stcore/(health|host-config)$", message.location["url"])
    return message.type == "error" and not is_streamlits


def _opened(browser: Browser, server: str, width: int, height: int) -> Iterator[Page]:
    page = browser.new_page(
        base_url=server, viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    with clean(page):
        yield page


@contextmanager
def clean(page: Page) -> Iterator[Page]:
    """Use a page whose console must stay clean, and close it."""
    page.set_default_timeout(PATIENCE * 1000)
    errors = console_errors(page)
    yield page
    page.close()
    assert errors == [], "the browser's console must stay clean"


def console_errors(page: Page) -> list[str]:
    """Return a list to which each error of the page is added from now on."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if _is_error(message) else None)
    return errors
