"""While a training goes on on the same cores: how soon it is seen, and how long pages take to be drawn again."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from benchmarks.ui.server import APP, ROOT, URL, serving, visiting
from benchmarks.ui.visitor import Visitor

UPDATES = "20000"
"""More than are made while somebody measures."""

# How long the page's script has run, each time: from the browser's first word of it to its last.
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
class WhileTraining:
    """While one run trains.

    Attributes:
        first_point: Seconds from the click to it.
        rerun: Milliseconds that the server takes to make another page again, the median.
        train_page: Milliseconds until a browser on the same cores has the page of the training again, likewise.
        other_page: Milliseconds until it has another page again after a step, likewise.
    """

    first_point: float
    rerun: float
    train_page: float
    other_page: float


def train_and_visit(browser: Browser, times: int) -> WhileTraining:
    """Start a training of the first task, watch it, and step on another page meanwhile."""
    with tempfile.TemporaryDirectory() as runs:
        place = {"EXPLORER_RUNS": runs}
        try:
            with serving(APP, place), visiting(browser) as page, visiting(browser) as other:
                first_point = _start(page)
                watched = _reruns(page, times, lambda turn: None)
                other.goto(f"{URL}/step-by-step")
                chip = other.locator(".sentence-bar .chip[aria-checked=true]")
                chip.wait_for()
                chip.focus()
                # The end of the page's first run must not be taken for the answer to a step.
                other.locator("[data-test-script-state=notRunning]").wait_for()
                keys = ("ArrowLeft", "ArrowRight")
                stepped = _reruns(other, times, lambda turn: other.keyboard.press(keys[turn % 2]))
                other.close()
                page.close()
                rerun = _served(times)
        finally:
            command = [sys.executable, "-m", "explorer.trainings.stop"]
            subprocess.run(command, cwd=ROOT, env={**os.environ, **place}, stdout=subprocess.DEVNULL)
    return WhileTraining(first_point, rerun, watched, stepped)


def _start(page: Page) -> float:
    page.goto(f"{URL}/train")
    page.get_by_role("button", name="Details").click()
    field = page.get_by_role("spinbutton", name="Updates")
    field.fill(UPDATES)
    field.press("Enter")
    page.get_by_role("button", name="Details").click()
    button = page.get_by_role("button", name="Start training")
    button.wait_for()
    # Somebody reads the form before they press it; a process is made ready meanwhile.
    page.wait_for_timeout(15_000)
    progress = page.locator(".train-stands", has_text=re.compile("^Training: [1-9]"))
    begun: float = page.evaluate("performance.now()")
    button.click()
    progress.wait_for()
    ended: float = page.evaluate("performance.now()")
    return (ended - begun) / 1000


def _served(times: int) -> float:
    with Visitor(URL) as visitor:
        visitor.open()
        visitor.follow("Step by step")
        return 1000 * statistics.median(visitor.follow("Step by step").seconds for _ in range(times))


def _reruns(page: Page, times: int, act: Callable[[int], None]) -> float:
    page.evaluate(WATCH)
    for turn in range(times):
        # Somebody looks before they go on; a step and its way back in one breath are no question to the server.
        page.wait_for_timeout(300)
        act(turn)
        page.wait_for_function("count => window.reruns.length > count", arg=turn)
    reruns: list[float] = page.evaluate("window.reruns")
    return statistics.median(reruns)
