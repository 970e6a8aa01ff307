"""From a click on a page's link to its view, and from another head or layer to the frame that shows it."""

import statistics

from playwright.sync_api import Browser, Page

from benchmarks.ui.server import APP, URL, first_translation, rest, serving, visiting

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
"""Pages of the model without Plotly, whose own 4.5 MB come with the first chart."""

# The link, then every millisecond whether the new page's view stands there, then the frame that shows it.
OPEN = """([title, view]) => new Promise(done => {
  const links = [...document.querySelectorAll("[data-testid=stSidebar] a")];
  const start = performance.now();
  links.find(link => link.textContent.trim() === title).click();
  const inside = root => [root, ...[...root.querySelectorAll("*")].filter(n => n.shadowRoot).map(n => n.shadowRoot)];
  const look = setInterval(() => {
    const here = document.querySelector("h1")?.textContent.trim() === title;
    if (!here || !inside(document).some(root => root.querySelector(view)?.childElementCount)) return;
    clearInterval(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }, 1);
})"""

# A key of the view, until it says another head or layer to be chosen, then the frame that shows it.
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


def open_pages(browser: Browser, rounds: int) -> tuple[float, float, float]:
    """Milliseconds, medians: to open a page of the model, to choose another head, to choose another layer."""
    with serving(APP), visiting(browser) as page:
        page.goto(URL)
        first_translation(page).wait_for()
        opened = [_open(page, title) for _ in range(rounds + 1) for title in PAGES][len(PAGES) :]
        _open(page, "Self-attention")
        heads = [_choose(page, key) for key in (".", ",") * rounds]
        layers = [_choose(page, key) for key in ("[", "]") * rounds]
    return statistics.median(opened), statistics.median(heads), statistics.median(layers)


def _open(page: Page, title: str) -> float:
    taken: float = page.evaluate(OPEN, [title, PAGES[title]])
    rest(page)
    return taken


def _choose(page: Page, key: str) -> float:
    taken: float = page.evaluate(CHOOSE, key)
    rest(page)
    return taken
