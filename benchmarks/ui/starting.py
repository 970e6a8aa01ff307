"""Measure the start, from `make run` to the first translation, and that of an empty Streamlit page."""

import time

from playwright.sync_api import Browser

from benchmarks.ui.server import (
    APP,
    HERE,
    URL,
    locate_translation,
    make_script_command,
    open_page,
    run_server,
)


def time_start(browser: Browser) -> tuple[float, float, float]:
    """Return the seconds from `make run` to a healthy server, to the painted controls, and to the first translation."""
    start = time.perf_counter()
    with run_server(APP) as healthy, open_page(browser) as page:
        page.goto(URL, wait_until="commit")
        page.get_by_role("combobox", name="English sentence").wait_for()
        painted = time.perf_counter() - start
        locate_translation(page).wait_for()
        return healthy, painted, time.perf_counter() - start


def time_empty_page(browser: Browser) -> float:
    """Return the seconds until an empty Streamlit page shows its field, a lower bound for any page."""
    start = time.perf_counter()
    with run_server(make_script_command(HERE / "empty_page.py")), open_page(browser) as page:
        page.goto(URL, wait_until="commit")
        page.get_by_label("English sentence").wait_for()
        return time.perf_counter() - start
