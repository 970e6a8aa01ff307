"""Measure one step of a decoding on the screen: main-thread work, and the time from key press to frame."""

import statistics
from collections.abc import Sequence

from playwright.sync_api import Browser, Locator, Page

from benchmarks.ui.server import (
    APP,
    HERE,
    URL,
    locate_translation,
    make_script_command,
    open_page,
    run_server,
)

# Record the time from each key press (its event's timestamp) to the animation frame that draws its effect.
LISTEN = """() => {
  window.shown = [];
  window.addEventListener("keydown", event => requestAnimationFrame(
    () => window.shown.push(performance.now() - event.timeStamp)), true);
}"""


def time_short_steps(browser: Browser, presses: int) -> tuple[float, float]:
    """Return the milliseconds of main-thread work and from key press to frame for a step on the home page."""
    with run_server(APP), open_page(browser) as page:
        page.goto(f"{URL}/?step=6")
        locate_translation(page).wait_for()
        return _time_steps(page, page.get_by_role("img", name="The whole network"), presses)


def time_long_steps(browser: Browser, presses: int) -> tuple[float, float]:
    """Return the same times for a decode of 64 × 64 tokens and 8 heads."""
    with run_server(make_script_command(HERE / "long_decode.py")), open_page(browser) as page:
        page.goto(URL)
        view = page.locator(".decode-view")
        view.locator("canvas.cells").wait_for()
        return _time_steps(page, view, presses)


def _time_steps(page: Page, stepped: Locator, presses: int) -> tuple[float, float]:
    """Return the work beyond that of a key without effect, and the time from key press to frame."""
    page.evaluate(LISTEN)
    stepped.focus()
    steps = ["ArrowLeft" if index % 12 < 6 else "ArrowRight" for index in range(presses)]
    _time_presses(page, steps[:12])
    work, shown = _time_presses(page, steps)
    idle, _ = _time_presses(page, ["x"] * presses)
    return work - idle, shown


def _time_presses(page: Page, keys: Sequence[str]) -> tuple[float, float]:
    """Return the milliseconds per press: mean main-thread work, and median time from key press to frame."""
    page.evaluate("window.shown.length = 0")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def read_task_milliseconds() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        seconds: float = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        return 1000 * seconds

    before = read_task_milliseconds()
    for index, key in enumerate(keys, start=1):
        page.keyboard.press(key)
        page.wait_for_function("count => window.shown.length === count", arg=index)
    return (read_task_milliseconds() - before) / len(keys), statistics.median(page.evaluate("window.shown"))
