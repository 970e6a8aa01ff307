"""From `make run` to the first translation, in turn with an empty Streamlit page."""

import time

from playwright.sync_api import Browser

from benchmarks.ui.server import APP, HERE, URL, first_translation, script, serving, visiting


def start_once(browser: Browser) -> tuple[float, float, float]:
    """Seconds from `make run` to: a healthy server, the page with its controls, the first translation."""
    begin = time.perf_counter()
    with serving(APP) as healthy, visiting(browser) as page:
        page.goto(URL, wait_until="commit")
        page.get_by_role("combobox", name="English sentence").wait_for()
        painted = time.perf_counter() - begin
        first_translation(page).wait_for()
        return healthy, painted, time.perf_counter() - begin


def start_empty_page(browser: Browser) -> float:
    """Seconds until an empty Streamlit page shows its field: the floor for any page."""
    begin = time.perf_counter()
    with serving(script(HERE / "empty_page.py")), visiting(browser) as page:
        page.goto(URL, wait_until="commit")
        page.get_by_label("English sentence").wait_for()
        return time.perf_counter() - begin
