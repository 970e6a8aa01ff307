"""Measure the app during a training run: the time to its first progress, and how long page reruns take."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from benchmarks.ui.server import APP, ROOT, URL, open_page, run_server
from benchmarks.ui.visitor import Visitor

UPDATES = "20000"
"""More updates than the training makes during the measurement."""

# Record the duration of every rerun, from the browser's first notice of it to the last.
WATCH = """() => {
  const app = document.querySelector("[data-testid=stApp]"), running = () => app.dataset.testScriptState === "running";
  window.reruns = [];
  let since = running() ? performance.now() : null;
  new MutationObserver(() => {
    if (running()) since ??= performance.now();
    else if (since !== null) { window.reruns.push(performance.now() - since); since = null; }
  }).observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""


@dataclass(frozen=True)
class TrainingTimes:
    """Times measured while a run trains on the same cores.

    Attributes:
        first_progress: Seconds from the click to the first reported update.
        rerun: Median milliseconds of the server for a rerun of another page.
        train_page: Median milliseconds of a rerun of the training's page in the browser.
        other_page: Median milliseconds of a rerun of another page in the browser after a step.
    """

    first_progress: float
    rerun: float
    train_page: float
    other_page: float


def train_and_visit(browser: Browser, times: int) -> TrainingTimes:
    """Start a training of the first task; time its page and, at the same time, steps on another page."""
    with tempfile.TemporaryDirectory() as runs:
        variables = {"EXPLORER_RUNS": runs}
        try:
            with run_server(APP, variables), open_page(browser) as page, open_page(browser) as other:
                first_progress = _start_training(page)
                train_page = _time_reruns(page, times, lambda turn: None)
                other.goto(f"{URL}/step-by-step")
                chip = other.locator(".sentence-bar .chip[aria-checked=true]")
                chip.wait_for()
                chip.focus()
                # Otherwise the end of the page's first run would count as the answer to a step.
                other.locator("[data-test-script-state=notRunning]").wait_for()
                keys = ("ArrowLeft", "ArrowRight")
                other_page = _time_reruns(other, times, lambda turn: other.keyboard.press(keys[turn % 2]))
                other.close()
                page.close()
                rerun = _time_server(times)
        finally:
            command = [sys.executable, "-m", "explorer.trainings.stop"]
            subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.DEVNULL)
    return TrainingTimes(first_progress, rerun, train_page, other_page)


def _start_training(page: Page) -> float:
    page.goto(f"{URL}/train")
    page.get_by_role("button", name="Details").click()
    field = page.get_by_role("spinbutton", name="Updates")
    field.fill(UPDATES)
    field.press("Enter")
    page.get_by_role("button", name="Details").click()
    button = page.get_by_role("button", name="Start training")
    button.wait_for()
    # Users read the form before they start; the app prepares a process in the meantime.
    page.wait_for_timeout(15_000)
    progress = page.locator(".train-stands", has_text=re.compile("^Training: [1-9]"))
    start: float = page.evaluate("performance.now()")
    button.click()
    progress.wait_for()
    end: float = page.evaluate("performance.now()")
    return (end - start) / 1000


def _time_server(times: int) -> float:
    with Visitor(URL) as visitor:
        visitor.open()
        visitor.follow("Step by step")
        return 1000 * statistics.median(visitor.follow("Step by step").seconds for _ in range(times))


def _time_reruns(page: Page, times: int, act: Callable[[int], None]) -> float:
    page.evaluate(WATCH)
    for turn in range(times):
        # Pause between steps, as users do: a step that is undone at once never reaches the server.
        page.wait_for_timeout(300)
        act(turn)
        page.wait_for_function("count => window.reruns.length > count", arg=turn)
    reruns: list[float] = page.evaluate("window.reruns")
    return statistics.median(reruns)
