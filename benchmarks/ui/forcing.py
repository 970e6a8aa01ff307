"""Measure a forced token: the time from the click to the updated screen, and the bytes received for it."""

import statistics
from dataclasses import dataclass

from playwright.sync_api import Browser

from benchmarks.ui.server import APP, PORT, open_page, run_server, wait_until_idle
from benchmarks.ui.wire import count_received

# Click a candidate, poll every millisecond until the heading changes, then wait for the frame that paints it.
FORCE = """(place) => new Promise(done => {
  const host = [...document.querySelectorAll("*")].find(node => node.shadowRoot?.querySelector(".living-map"));
  const view = (host?.shadowRoot ?? document).querySelector(".living-map");
  const heading = () => view.querySelector("h1").textContent;
  const buttons = [...view.querySelectorAll("button.force")], before = heading();
  const start = performance.now();
  buttons[place % buttons.length].click();
  const look = setInterval(() => {
    if (heading() === before) return;
    clearInterval(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }, 1);
})"""
CANDIDATES = ".living-map .candidate"


@dataclass(frozen=True)
class ForcedTokenCost:
    """Cost of forcing a token.

    Attributes:
        shown: Median time from the click to the frame that shows the token, in milliseconds.
        received: Median size of the server's answer on the wire, in KiB.
        opened: Bytes received when the page is opened, in KiB.
    """

    shown: float
    received: float
    opened: float


def force_tokens(browser: Browser, query: str, times: int) -> ForcedTokenCost:
    """Force several candidates in turn at the same step."""
    with run_server(APP), count_received(PORT) as (port, received), open_page(browser) as page:
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(
            CANDIDATES
        ).first.wait_for()  # The scripts are cached and the model is loaded from here on.
        before = received()
        page.goto(f"http://127.0.0.1:{port}/?{query}")
        page.locator(CANDIDATES).first.wait_for()
        wait_until_idle(page)
        opened = received() - before
        shown, sizes = [], []
        for place in range(times):
            before = received()
            shown.append(page.evaluate(FORCE, place % 3))
            wait_until_idle(page)
            sizes.append(received() - before)
    return ForcedTokenCost(statistics.median(shown), statistics.median(sizes) / 1024, opened / 1024)
