"""Measure page changes and the choice of another head or layer, up to the frame that shows them."""

import statistics

from playwright.sync_api import Browser, Page

from benchmarks.ui.server import APP, URL, locate_translation, open_page, run_server, wait_until_idle

PAGES = {
    "Self-attention": ".stop",
    "Masked self-attention": ".stop",
    "Cross-attention": ".stop",
    "Masks": ".stop",
    "Add & norm": ".stop",
    "Feed-forward": ".stop",
    "Output": ".stop",
    "Tensor inspector": ".tensor-view",
}
"""Selectors of the views of the model pages without Plotly, whose 4.5 MB load with the first chart."""

# Click the link, poll every millisecond until the new page has its view, then wait for the frame that paints it.
OPEN = """([title, view]) => new Promise(done => {
  const links = [...document.querySelectorAll(".st-key-pages a")];
  const start = performance.now();
  links.find(link => link.ariaLabel === title).click();
  const inside = root => [root, ...[...root.querySelectorAll("*")].filter(n => n.shadowRoot).map(n => n.shadowRoot)];
  const look = setInterval(() => {
    const here = document.querySelector("h1")?.textContent.trim() === title;
    if (!here || !inside(document).some(root => root.querySelector(view)?.childElementCount)) return;
    clearInterval(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }, 1);
})"""

# Press a key in the view, poll until it names another head or layer, then wait for the frame that paints it.
CHOOSE = """(key) => new Promise(done => {
  const host = [...document.querySelectorAll("*")].find(n => n.shadowRoot?.querySelector(".stop"));
  const view = host.shadowRoot.querySelector(".stop"), shown = () => [...view.querySelectorAll("[role=img]")]
    .map(node => node.getAttribute("aria-label")).join() + view.querySelector(".rail [aria-current]")?.ariaLabel;
  const before = shown(), start = performance.now();
  view.querySelector("[role=img]").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  const look = setInterval(() => {
    if (shown() === before) return;
    clearInterval(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }, 1);
})"""


def time_page_changes(browser: Browser, rounds: int) -> tuple[float, float, float]:
    """Return median milliseconds to open a model page, to choose another head, and to choose another layer."""
    with run_server(APP), open_page(browser) as page:
        page.goto(URL)
        locate_translation(page).wait_for()
        opened = [_time_page_change(page, title) for _ in range(rounds + 1) for title in PAGES][len(PAGES) :]
        _time_page_change(page, "Self-attention")
        heads = [_time_choice(page, key) for key in (".", ",") * rounds]
        layers = [_time_choice(page, key) for key in ("[", "]") * rounds]
    return statistics.median(opened), statistics.median(heads), statistics.median(layers)


def _time_page_change(page: Page, title: str) -> float:
    milliseconds: float = page.evaluate(OPEN, [title, PAGES[title]])
    wait_until_idle(page)
    return milliseconds


def _time_choice(page: Page, key: str) -> float:
    milliseconds: float = page.evaluate(CHOOSE, key)
    wait_until_idle(page)
    return milliseconds
