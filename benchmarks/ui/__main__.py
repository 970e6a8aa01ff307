"""How long a visitor waits, and a class of thirty, in a real Chromium and without one.

    python -m benchmarks.ui
    python -m benchmarks.ui --only crowd memory

Times of a start begin when `make run` is typed, with everything installed and the browser already open. Medians.
"""

import argparse
import os
import shutil
import statistics
from collections.abc import Callable

from playwright.sync_api import Browser, sync_playwright

from benchmarks.ui.crowd import VISITORS, crowd
from benchmarks.ui.forcing import force_tokens
from benchmarks.ui.memory import memory_per_visitor
from benchmarks.ui.paging import open_pages
from benchmarks.ui.playing import message_sizes, play_step
from benchmarks.ui.server import APP, PORT, URL, serving
from benchmarks.ui.starting import start_empty_page, start_once
from benchmarks.ui.stepping import step_long, step_short
from benchmarks.ui.training import train_and_visit

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
LONG = "sentence=the+small+cat+does+not+sleep&prefix=" + "-".join(["10"] * 40)
"""An output of 50 tokens, the most there can be: one word forced again and again."""

Row = tuple[str, str, str]
"""What was measured, its value and its goal."""


def starting(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """From `make run` to the first translation, beside an empty Streamlit page."""
    pairs = [(start_once(browser), start_empty_page(browser)) for _ in range(options.starts)]
    times, floors = zip(*pairs, strict=True)
    healthy, painted, translated = (statistics.median(column) for column in zip(*times, strict=True))
    over = statistics.median(start[1] / floor for start, floor in pairs)
    return [
        ("server answers", f"{healthy:.1f} s", ""),
        ("title, controls and skeleton on the screen", f"{painted:.1f} s", "≤ 3.5 s"),
        ("the same of an empty Streamlit page, started in turn", f"{statistics.median(floors):.1f} s", ""),
        ("ratio of the two", f"{over:.2f}", ""),
        ("first translation on the screen", f"{translated:.1f} s", "≤ 8 s"),
    ]


def stepping(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """One step of a decoding that is on the screen."""
    work, shown = step_short(browser, options.presses)
    long_work, long_shown = step_long(browser, options.presses)
    return [
        ("one step, work of the main thread: script, layout, painting", f"{work:.1f} ms", ""),
        ("one step, from the key to the frame that shows it", f"{shown:.1f} ms", "≤ 16 ms"),
        ("the same with 64 by 64 tokens and 8 heads: work", f"{long_work:.1f} ms", ""),
        ("the same with 64 by 64 tokens and 8 heads: key to frame", f"{long_shown:.1f} ms", "≤ 16 ms"),
    ]


def playing(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """A step as it runs through the living map, and what the map is fed."""
    del options
    median, most = play_step(browser)
    short, long = message_sizes()
    return [
        ("the living map as a step plays: script of a frame", f"{median:.1f} ms", "≤ 4 ms"),
        ("the same, 95 of 100 frames", f"{most:.1f} ms", "≤ 8 ms"),
        ("its message, 7 + 7 tokens", f"{short:.1f} KB", "≤ 60 KB"),
        ("its message, 7 + 50 tokens", f"{long:.0f} KB", ""),
    ]


def forcing(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Another token, and the bytes that it takes."""
    del options
    short, long = force_tokens(browser, "step=3", 9), force_tokens(browser, f"step=30&{LONG}", 9)
    return [
        ("a forced token, from the click to the frame, 7 tokens", f"{short.shown:.0f} ms", "≤ 120 ms"),
        ("a forced token, from the click to the frame, 50 tokens", f"{long.shown:.0f} ms", "≤ 200 ms"),
        ("a forced token, received on the wire, 7 tokens", f"{short.received:.0f} KiB", "≤ 100 KiB"),
        ("a forced token, received on the wire, 50 tokens", f"{long.received:.0f} KiB", "≤ 100 KiB"),
        ("a page with a decode, received on the wire", f"{short.opened:.0f} KiB", "≤ 1,024 KiB"),
    ]


def paging(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """Another page, another head or layer on it."""
    del options
    opened, head, layer = open_pages(browser, 5)
    return [
        ("a page of the model, from the click to its view", f"{opened:.0f} ms", "≤ 180 ms"),
        ("another head on it", f"{head:.0f} ms", "≤ 100 ms"),
        ("another layer on it", f"{layer:.0f} ms", "≤ 100 ms"),
    ]


def training(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """The first point of a training, and the pages beside it."""
    del options
    trained = train_and_visit(browser, 15)
    return [
        ("a training, from the click to its first point", f"{trained.first_point:.1f} s", "≤ 3 s"),
        ("another page made again while it trains: server's time", f"{trained.rerun:.0f} ms", "≤ 50 ms"),
        ("the same in Chromium on the same cores, after a step", f"{trained.other_page:.0f} ms", ""),
        ("the training's own page in Chromium, with all its charts", f"{trained.train_page:.0f} ms", ""),
    ]


def memory(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """What each further visitor takes of the server's memory."""
    del browser, options
    with serving(APP):
        each = memory_per_visitor(URL, PORT)
    return [("memory of each further visitor, 30 of them", f"{each:.1f} MiB", "≤ 2 MiB")]


def thirty(browser: Browser, options: argparse.Namespace) -> list[Row]:
    """A class that acts all the time."""
    del browser
    with serving(APP):
        found = crowd(URL, seconds=options.seconds)
    wrong = len(found.mistakes) + len(found.exceptions)
    who = f"{VISITORS} visitors, one action each every 2 s"
    return [
        (f"{who}: server's time, median", f"{found.median:.0f} ms", "≤ 30 ms"),
        (f"{who}: server's time, 95 of 100", f"{found.p95:.0f} ms", "≤ 150 ms"),
        (f"{who}: another's answer, or a stack trace", f"{wrong} of {len(found.all_seconds):,}", "0"),
        (f"{who}: the machine's load meanwhile", f"{found.load:.1f}", ""),
    ]


PARTS: dict[str, Callable[[Browser, argparse.Namespace], list[Row]]] = {
    "starting": starting,
    "stepping": stepping,
    "playing": playing,
    "forcing": forcing,
    "paging": paging,
    "training": training,
    "memory": memory,
    "crowd": thirty,
}


def main() -> None:
    """Print a table of medians as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui", description="How long a visitor waits.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="single measurements")
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--presses", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=60.0, help="that the thirty visitors act")
    options = parser.parse_args()
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f}.\n\n| what | median | goal |\n|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in options.only:
            for row in PARTS[name](browser, options):
                print(f"| {' | '.join(row)} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
