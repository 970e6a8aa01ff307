"""From a click on another token to the screen that shows what follows from it, and the bytes that this takes."""

import statistics
from dataclasses import dataclass

from playwright.sync_api import Browser

from benchmarks.ui.server import APP, PORT, rest, serving, visiting
from benchmarks.ui.wire import counted

# The click, then every millisecond whether the picture says so, then the frame that shows it.
FORCE = """(place) => new Promise(done => {
  const host = [...document.querySelectorAll("*")].find(node => node.shadowRoot?.querySelector(".living-map"));
  const view = (host?.shadowRoot ?? document).querySelector(".living-map");
  const said = () => view.querySelector("h1").textContent;
  const buttons = [...view.querySelectorAll("button.force")], before = said();
  const start = performance.now();
  buttons[place % buttons.length].click();
  const look = setInterval(() => {
    if (said() === before) return;   // forced back to its own choice, it is not called forced
    clearInterval(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }, 1);
})"""
CANDIDATES = ".living-map .candidate"


@dataclass(frozen=True)
class Forced:
    """Medians over several forced tokens: milliseconds and received KiB; and KiB to open the page."""

    shown: float
    received: float
    opened: float


def force_tokens(browser: Browser, query: str, times: int) -> Forced:
    """Force one candidate after the other at the same step."""
    with serving(APP), counted(PORT) as (port, received), visiting(browser) as page:
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(CANDIDATES).first.wait_for()  # the scripts and the model are there now
        before = received()
        page.goto(f"http://127.0.0.1:{port}/?{query}")
        page.locator(CANDIDATES).first.wait_for()
        rest(page)
        opened = received() - before
        shown, sizes = [], []
        for place in range(times):
            before = received()
            shown.append(page.evaluate(FORCE, place % 3))
            rest(page)
            sizes.append(received() - before)
    return Forced(statistics.median(shown), statistics.median(sizes) / 1024, opened / 1024)
