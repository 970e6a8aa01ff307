"""One Chromium for all tests that need it, and the marks of the test layers."""

import gc
import os
import shutil
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

pytest_plugins = ["tests.proof"]

# The shell first: it draws pages and no browser around them, for less of a busy machine.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), None)
FLAGS = [
    # Pages of one process share their compiled scripts, so parsing them again as they arrive is wasted.
    "--disable-features=ScriptStreaming",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # Fewer processes, whose start and messages cost more than they save on two cores.
    "--no-zygote",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    # As on a desktop: by itself the shell would draw letters more sharply than Chromium with its windows does.
    "--font-render-hinting=slight",
]
RETURNS = """
try { localStorage.setItem("explorer-first-visit", "dismissed"); } catch { /* A blank page keeps nothing. */ }
"""
"""Run before a page's own scripts, this makes the browser one of a visitor who has dismissed the first visit's card."""
FORGETS = """
try {
  if (!window.name) localStorage.clear();
  window.name = "opened";
} catch { /* A blank page keeps nothing. */ }
"""
"""Run before a page's own scripts, this clears once for each page what pages before it have stored."""
PATIENCE = 120
"""Seconds that a busy machine is given before a condition counts as not met."""
TRAINING_PATIENCE = 2 * PATIENCE
"""Seconds that a training, which gives way to all else on its machine, is given to get any further at all."""

# Measurements of workers side by side do not share a server.
if worker := os.environ.get("PYTEST_XDIST_WORKER", ""):
    os.environ["BENCH_PORT"] = str(8600 + int(worker.removeprefix("gw")))

# How fast examples are made says something about the machine, nothing about the project.
settings.register_profile(
    "thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=30)
settings.load_profile("quick")
expect.set_options(timeout=PATIENCE * 1000)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses the `browser` fixture, and of each sweep all but its ends as proofs; sort."""
    sweeps: dict[str, list[pytest.Item]] = {}
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("sweep") and not item.get_closest_marker("proof"):
            sweeps.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in sweeps.values():
        left = cases[1:-1] if len(cases) > 3 else cases[1:]
        for item in left:
            item.add_marker(pytest.mark.proof)
    # Each of two workers begins with long tests, so that none is left alone with one at the end.
    long = [item for item in items if item.get_closest_marker("long")]
    others = [item for item in items if not item.get_closest_marker("long")]
    middle, half = (len(long) + 1) // 2, len(items) // 2
    first, second = others[: half - middle], others[half - middle :]
    items[:] = [*long[:middle], *first, *long[middle:], *second] if len(items) > 2 * len(long) else items


def pytest_collection_finish() -> None:
    """Keep the garbage collector from searching libraries and collected tests, which live until the run ends."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole test run, whose contexts are those of visitors who have been here before.

    `browser.new_page` opens a page in a context that it shares with others, and that forgets what they stored. So
    all of them run in one process, which keeps the app's compiled scripts: a page loads in less than half the time.
    `browser.new_context` makes a context of its own; `Browser.new_context(browser)` makes that of a newcomer.
    """
    if CHROMIUM is None:
        pytest.skip(
            "no Chromium on this machine: install Debian's package chromium-headless-shell to run the browser tests"
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        contexts: dict[str | None, BrowserContext] = {}

        def returning_context(**options: Any) -> BrowserContext:
            context = Browser.new_context(chromium, **options)
            context.add_init_script(RETURNS)
            return context

        def shared_page(
            *,
            base_url: str | None = None,
            viewport: ViewportSize | None = None,
            reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
        ) -> Page:
            if base_url not in contexts:
                contexts[base_url] = Browser.new_context(chromium, base_url=base_url)
                contexts[base_url].new_page()  # It stays open, and with it the process.
            context = contexts[base_url]
            context.clear_cookies()
            context.clear_permissions()
            page = context.new_page()
            page.add_init_script(FORGETS + RETURNS)
            page.set_viewport_size(viewport or {"width": 1280, "height": 720})
            page.emulate_media(reduced_motion=reduced_motion)
            return page

        chromium.new_context = returning_context  # type: ignore[method-assign]
        chromium.new_page = shared_page  # type: ignore[method-assign, assignment]
        yield chromium
        chromium.close()
