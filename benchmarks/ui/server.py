"""Start and stop a server for a measurement, and open pages on it."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PORT = int(os.environ.get("BENCH_PORT", "8599"))
URL = f"http://127.0.0.1:{PORT}"
APP = ["make", "run", f"PORT={PORT}"]
"""Command that starts the app, as a new user types it."""
TIMEOUT = 60_000
"""Milliseconds to wait for an element before the measurement fails."""


def make_script_command(path: Path) -> list[str]:
    """Return the command that serves another Streamlit script instead of the app."""
    return [sys.executable, "-m", "streamlit", "run", str(path), "--server.port", str(PORT)]


@contextmanager
def run_server(command: list[str], variables: Mapping[str, str] | None = None) -> Iterator[float]:
    """Run a server with extra environment variables; yield the seconds until its first answer."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(variables or {})},
    )
    try:
        while not _is_healthy():
            time.sleep(0.02)
        if process.poll() is not None:
            raise RuntimeError(f"port {PORT} is in use by another server; stop that server or set BENCH_PORT")
        yield time.perf_counter() - start
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


@contextmanager
def open_page(browser: Browser) -> Iterator[Page]:
    """Open a page in a new browser context with empty caches."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT)
    # The card of a first visit would cover buttons that are pressed.
    context.add_init_script("localStorage.setItem('explorer-first-visit', 'dismissed')")
    try:
        yield context.new_page()
    finally:
        context.close()


def locate_translation(page: Page) -> Locator:
    """Return the heading that the home page shows once a translation is finished."""
    return page.locator(".living-map h1", has_text="What did it read to write")


def wait_until_idle(page: Page) -> None:
    """Wait until the rerun has finished, including the one for the view's debounced selection."""
    page.wait_for_timeout(600)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def _is_healthy() -> bool:
    try:
        with urllib.request.urlopen(f"{URL}/_stcore/health", timeout=1):
            return True
    except OSError:
        return False
