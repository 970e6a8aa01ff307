"""A server that is started for a measurement and ended after it, and a browser's page on it."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PORT = int(os.environ.get("BENCH_PORT", "8599"))
URL = f"http://127.0.0.1:{PORT}"
APP = ["make", "run", f"PORT={PORT}"]
"""The app as a new user starts it."""
SHOWN = 60_000
"""Milliseconds after which something that never appears ends the measurement."""


def script(path: Path) -> list[str]:
    """The command that serves another Streamlit script than the app."""
    return [sys.executable, "-m", "streamlit", "run", str(path), "--server.port", str(PORT)]


@contextmanager
def serving(command: list[str], place: Mapping[str, str] | None = None) -> Iterator[float]:
    """Run a server, with these variables in its environment; gives the seconds that it took to answer."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(place or {})},
    )
    try:
        while not _answers():
            time.sleep(0.02)
        if process.poll() is not None:
            raise RuntimeError(f"port {PORT} is another server's; end that, or set BENCH_PORT")
        yield time.perf_counter() - begin
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


@contextmanager
def visiting(browser: Browser) -> Iterator[Page]:
    """A page in a browser that has seen nothing before."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce")
    context.set_default_timeout(SHOWN)
    # The card of a first visit would lie over buttons that are pressed.
    context.add_init_script("localStorage.setItem('explorer-first-visit', 'dismissed')")
    try:
        yield context.new_page()
    finally:
        context.close()


def first_translation(page: Page) -> Locator:
    """What the first page says once a model has written something."""
    return page.locator(".living-map h1", has_text="Why did it")


def rest(page: Page) -> None:
    """Wait until the rerun has ended and the view has told where it rests."""
    page.wait_for_timeout(600)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def _answers() -> bool:
    try:
        with urllib.request.urlopen(f"{URL}/_stcore/health", timeout=1):
            return True
    except OSError:
        return False
