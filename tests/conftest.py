"""One Chromium for all tests that need it, and the marks of the test layers."""

import gc
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

pytest_plugins = ["tests.proof"]

# The shell first: it draws pages and no browser around them, for less of a busy machine.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # As on a desktop: by itself the shell would draw letters more sharply than Chromium with its windows does.
    "--font-render-hinting=slight",
]
RETURNS = """
try { localStorage.setItem("explorer-first-visit", "dismissed"); } catch { /* A blank page keeps nothing. */ }
"""
"""Run before a page's own scripts, this makes the browser one of a visitor who has dismissed the first visit's card."""
PATIENCE = 120
"""Seconds that a busy machine is given before a condition counts as not met."""
TRAINING_PATIENCE = 2 * PATIENCE
"""Seconds that a training, which gives way to all else on its machine, is given to get any further at all."""

# How fast examples are made says something about the machine, nothing about the project.
settings.register_profile(
    "thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=40)
settings.load_profile("quick")
expect.set_options(timeout=PATIENCE * 1000)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses the `browser` fixture, so that a layer cannot miss one."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from searching libraries and collected tests, which live until the run ends."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole test run, whose contexts are those of visitors who have been here before.

    `Browser.new_context(browser)` makes the context of a newcomer.
    """
    if CHROMIUM is None:
        pytest.skip(
            "no Chromium on this machine: install Debian's package chromium-headless-shell to run the browser tests"
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        def returning_context(**options: Any) -> BrowserContext:
            context = Browser.new_context(chromium, **options)
            context.add_init_script(RETURNS)
            return context

        chromium.new_context = returning_context  # type: ignore[method-assign]
        yield chromium
        chromium.close()
