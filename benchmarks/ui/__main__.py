"""Measure how long a visitor waits in a real Chromium, and how the server copes with a class of thirty.

    make bench-ui, or python -m benchmarks.ui [--only crowd memory]

Start times count from `make run`, with everything installed and the browser already open.
"""

import argparse
import os
import shutil
import statistics
from collections.abc import Callable

from playwright.sync_api import Browser, sync_playwright

from benchmarks.ui.actions import measure_actions, measure_model_milliseconds
from benchmarks.ui.asking import ask_as_crowd
from benchmarks.ui.crowd import PAUSES, VISITORS, run_crowd
from benchmarks.ui.first_content import measure_first_visits
from benchmarks.ui.forcing import force_tokens
from benchmarks.ui.memory import ADDITIONAL, measure_memory_per_visitor
from benchmarks.ui.paging import time_page_changes
from benchmarks.ui.playing import measure_messages, time_frames
from benchmarks.ui.server import APP, PORT, URL, run_server
from benchmarks.ui.starting import time_empty_page, time_start
from benchmarks.ui.stepping import time_long_steps, time_short_steps
from benchmarks.ui.training import train_and_visit

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
LONG = "sentence=the+small+cat+does+not+sleep&prefix=" + "-".join(["10"] * 40)
"""Query with a forced prefix that repeats one word, which leads to the longest possible output of 50 tokens."""

Row = tuple[str, str, str]
"""Name of a measurement, its value and its goal."""


def measure_start(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time the start up to the first translation, alternating with an empty Streamlit page."""
    pairs = [(time_start(browser), time_empty_page(browser)) for _ in range(options.starts)]
    times, baselines = zip(*pairs, strict=True)
    healthy, painted, translated = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(start[1] / baseline for start, baseline in pairs)
    return [
        ("start: server answers", f"{healthy:.1f} s", ""),
        ("start: title, controls and skeleton painted", f"{painted:.1f} s", "≤ 3.5 s"),
        ("start: empty Streamlit page painted", f"{statistics.median(baselines):.1f} s", ""),
        ("start: ratio of the two", f"{ratio:.2f}", ""),
        ("start: first translation painted", f"{translated:.1f} s", "≤ 8 s"),
    ]


def measure_steps(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time one step of a decoding that is already on the screen."""
    work, shown = time_short_steps(browser, options.presses)
    long_work, long_shown = time_long_steps(browser, options.presses)
    return [
        ("step on the home page: main-thread work", f"{work:.1f} ms", ""),
        ("step on the home page: key press to frame", f"{shown:.1f} ms", "≤ 16 ms"),
        ("step with 64 × 64 tokens and 8 heads: main-thread work", f"{long_work:.1f} ms", ""),
        ("step with 64 × 64 tokens and 8 heads: key press to frame", f"{long_shown:.1f} ms", "≤ 16 ms"),
    ]


def measure_map(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time the living map while a step plays, and measure its messages."""
    del options
    median, p95 = time_frames(browser)
    short, long = measure_messages()
    return [
        ("living map while a step plays: script per frame, median", f"{median:.1f} ms", "≤ 4 ms"),
        ("living map while a step plays: script per frame, 95th percentile", f"{p95:.1f} ms", "≤ 8 ms"),
        ("living map: message for 7 source and 7 target tokens", f"{short:.1f} kB", "≤ 60 kB"),
        ("living map: message for 7 source and 50 target tokens", f"{long:.0f} kB", ""),
    ]


def measure_forcing(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time a forced token and count the bytes received for it."""
    del options
    short, long = force_tokens(browser, "step=3", 9), force_tokens(browser, f"step=30&{LONG}", 9)
    return [
        ("forced token, output of 7 tokens: click to frame", f"{short.shown:.0f} ms", "≤ 120 ms"),
        ("forced token, output of 50 tokens: click to frame", f"{long.shown:.0f} ms", "≤ 200 ms"),
        ("forced token, output of 7 tokens: received", f"{short.received:.0f} KiB", "≤ 100 KiB"),
        ("forced token, output of 50 tokens: received", f"{long.received:.0f} KiB", "≤ 100 KiB"),
        ("home page, output of 7 tokens, opened again: received", f"{short.opened:.0f} KiB", "≤ 1,024 KiB"),
    ]


def measure_pages(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time a page change, and the choice of another head or layer."""
    del options
    opened, head, layer = time_page_changes(browser, 5)
    return [
        ("page of the model: click on its link to its view", f"{opened:.0f} ms", "≤ 180 ms"),
        ("another head: key press to frame", f"{head:.0f} ms", "≤ 100 ms"),
        ("another layer: key press to frame", f"{layer:.0f} ms", "≤ 100 ms"),
    ]


def measure_training(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time the first progress of a training, and page reruns while it runs."""
    del options
    times = train_and_visit(browser, 15)
    return [
        ("training: click to first progress", f"{times.first_progress:.1f} s", "≤ 3 s"),
        ("rerun of another page during a training: server time", f"{times.rerun:.0f} ms", "≤ 50 ms"),
        ("rerun of another page during a training: in Chromium", f"{times.other_page:.0f} ms", ""),
        ("rerun of the training's page with its charts: in Chromium", f"{times.train_page:.0f} ms", ""),
    ]


def measure_memory(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Measure the server's memory per additional visitor."""
    del browser, options
    with run_server(APP):
        size = measure_memory_per_visitor(URL, PORT)
    return [(f"memory per additional visitor, mean of {ADDITIONAL}", f"{size:.1f} MiB", "≤ 2 MiB")]


def measure_action_costs(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Count the messages of an action, and the processor time that it takes beyond the model's own work."""
    del browser, options
    with run_server(APP):
        costs = measure_actions(URL, PORT)
    model = {"forced token": measure_model_milliseconds()}
    rows = []
    for name, cost in costs.items():
        beyond = cost.milliseconds - model.get(name, 0.0)
        rows += [
            (f"{name}: messages from the server", f"{cost.messages:.0f}", ""),
            (f"{name}: processor time of the server", f"{cost.milliseconds:.1f} ms", ""),
            (f"{name}: processor time beyond the model's own work", f"{beyond:.1f} ms", ""),
        ]
    return rows


def measure_first_content(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time the first content of every page, each on a fresh server."""
    del browser, options
    rows = []
    for title, times in measure_first_visits():
        rows += [
            (f"{title}: first content", f"{times.content:.1f} s", "≤ 3 s"),
            (f"{title}: neither content nor skeleton", f"{times.empty:.1f} s", "≤ 0.5 s"),
        ]
    return rows


def measure_crowd(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time the answers to a class that acts continuously, and count wrong ones."""
    del browser
    return [row for visitors in options.visitors for row in _measure_crowd_of(visitors, options.seconds)]


def _measure_crowd_of(visitors: int, seconds: float) -> list[Row]:
    pause = PAUSES.get(visitors, 2.0)
    with run_server(APP):
        result = run_crowd(URL, visitors=visitors, seconds=seconds, pause=pause)
    wrong = len(result.mistakes) + len(result.exceptions)
    crowd = f"{visitors} visitors, one action each every {pause:g} s"
    return [
        (f"{crowd}: server time, median", f"{result.median:.0f} ms", "≤ 30 ms"),
        (f"{crowd}: server time, 95th percentile", f"{result.p95:.0f} ms", "≤ 150 ms"),
        (f"{crowd}: wrong answers and stack traces", f"{wrong} of {len(result.all_seconds):,}", "0"),
        (f"{crowd}: load average of the machine", f"{result.load:.1f}", ""),
    ]


def measure_asking(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Time the answers to visitors of the first page who force tokens, and count wrong ones."""
    del browser
    rows: list[Row] = []
    for visitors in (1, *options.visitors):
        pause = PAUSES.get(visitors, 2.0 if visitors > 1 else 0.2)
        with run_server(APP):
            result = ask_as_crowd(URL, PORT, visitors=visitors, seconds=options.seconds, pause=pause)
        crowd = f"first page, {visitors} visitors, a new token each every {pause:g} s"
        rows += [
            (f"{crowd}: answer, median / 95th percentile", f"{result.median:.0f} / {result.p95:.0f} ms", ""),
            (f"{crowd}: processor time of an answer", f"{result.processor:.1f} ms", ""),
            (f"{crowd}: wrong answers", f"{len(result.mistakes)} of {len(result.seconds):,}", "0"),
        ]
    return rows


MEASUREMENTS: dict[str, Callable[[Browser, argparse.Namespace], list[Row]]] = {
    "starting": measure_start,
    "stepping": measure_steps,
    "playing": measure_map,
    "forcing": measure_forcing,
    "paging": measure_pages,
    "first-content": measure_first_content,
    "training": measure_training,
    "memory": measure_memory,
    "actions": measure_action_costs,
    "crowd": measure_crowd,
    "asking": measure_asking,
}


def find_chromium() -> str | None:
    """Return the path of the installed Chromium; None lets Playwright use its own."""
    return shutil.which("chromium") or shutil.which("chromium-headless-shell")


def main() -> None:
    """Print a Markdown table of the measurements."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ui",
        description="Measure how long a visitor of the app waits, and print the results as a table.",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=MEASUREMENTS,
        default=list(MEASUREMENTS),
        metavar="NAME",
        help=f"measurements to run: {', '.join(MEASUREMENTS)} (default: all)",
    )
    parser.add_argument(
        "--starts", type=int, default=5, metavar="N", help="server starts to take the median of (default: 5)"
    )
    parser.add_argument(
        "--presses", type=int, default=60, metavar="N", help="key presses per measured step (default: 60)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=60.0,
        metavar="N",
        help="seconds for which the visitors act (default: 60)",
    )
    parser.add_argument(
        "--visitors",
        type=int,
        nargs="+",
        default=[VISITORS],
        metavar="N",
        help=f"numbers of visitors at once, measured one after the other (default: {VISITORS})",
    )
    options = parser.parse_args()
    print(f"Load average before: {os.getloadavg()[0]:.1f}.\n\n| measurement | value | goal |\n|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name in options.only:
            for row in MEASUREMENTS[name](browser, options):
                print(f"| {' | '.join(row)} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
