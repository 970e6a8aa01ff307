"""One step of a decoding that is on the screen: the main thread's work, and the time from key to frame."""

import statistics
from collections.abc import Sequence

from playwright.sync_api import Browser, Locator, Page

from benchmarks.ui.server import APP, HERE, URL, first_translation, script, serving, visiting

# From the key press (the event's own time) to the animation frame in which its effect is drawn.
LISTEN = """() => {
  window.shown = [];
  window.addEventListener("keydown", event => requestAnimationFrame(
    () => window.shown.push(performance.now() - event.timeStamp)), true);
}"""


def step_short(browser: Browser, presses: int) -> tuple[float, float]:
    """Milliseconds of one step on the home page: work, and key to frame."""
    with serving(APP), visiting(browser) as page:
        page.goto(f"{URL}/?step=6")
        first_translation(page).wait_for()
        return _step_times(page, page.get_by_role("img", name="The whole network"), presses)


def step_long(browser: Browser, presses: int) -> tuple[float, float]:
    """The same in a decode of 64 by 64 tokens and 8 heads."""
    with serving(script(HERE / "long_decode.py")), visiting(browser) as page:
        page.goto(URL)
        view = page.locator(".decode-view")
        view.locator("canvas.cells").wait_for()
        return _step_times(page, view, presses)


def _step_times(page: Page, stepped: Locator, presses: int) -> tuple[float, float]:
    """Work beyond that of a key that does nothing, and key to frame."""
    page.evaluate(LISTEN)
    stepped.focus()
    steps = ["ArrowLeft" if index % 12 < 6 else "ArrowRight" for index in range(presses)]
    _press(page, steps[:12])
    work, shown = _press(page, steps)
    idle, _ = _press(page, ["x"] * presses)
    return work - idle, shown


def _press(page: Page, keys: Sequence[str]) -> tuple[float, float]:
    """Milliseconds a press: the main thread's whole work (mean), and key to frame (median)."""
    page.evaluate("window.shown.length = 0")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        seconds: float = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        return 1000 * seconds

    before = busy()
    for index, key in enumerate(keys, start=1):
        page.keyboard.press(key)
        page.wait_for_function("count => window.shown.length === count", arg=index)
    return (busy() - before) / len(keys), statistics.median(page.evaluate("window.shown"))
