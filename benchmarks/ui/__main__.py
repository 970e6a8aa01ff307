"""How long a visitor waits: start, first paint, first translation, a step, a forced token; in a real Chromium.

    python -m benchmarks.ui

Times of a start begin when `make run` is typed, with everything installed and the browser already open. Medians.
"""

import argparse
import shutil
import statistics

from playwright.sync_api import Browser, sync_playwright

from benchmarks.ui.forcing import force_tokens
from benchmarks.ui.paging import open_pages
from benchmarks.ui.starting import start_empty_page, start_once
from benchmarks.ui.stepping import step_long, step_short
from benchmarks.ui.training import train_and_visit

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
LONG = "sentence=the+small+cat+does+not+sleep&prefix=" + "-".join(["10"] * 40)
"""An output of 50 tokens, the most there can be: one word forced again and again."""


def rows(browser: Browser, starts: int, presses: int) -> list[tuple[str, str, str]]:
    """What was measured, its median and its goal."""
    pairs = [(start_once(browser), start_empty_page(browser)) for _ in range(starts)]
    times, floors = zip(*pairs, strict=True)
    healthy, painted, translated = (statistics.median(column) for column in zip(*times, strict=True))
    over = statistics.median(start[1] / floor for start, floor in pairs)
    work, shown = step_short(browser, presses)
    long_work, long_shown = step_long(browser, presses)
    opened, head, layer = open_pages(browser, 5)
    trained = train_and_visit(browser, 15)
    short, long = force_tokens(browser, "step=3", 9), force_tokens(browser, f"step=30&{LONG}", 9)
    return [
        ("server answers", f"{healthy:.1f} s", ""),
        ("title, controls and skeleton on the screen", f"{painted:.1f} s", "≤ 3.5 s"),
        ("the same of an empty Streamlit page, started in turn", f"{statistics.median(floors):.1f} s", ""),
        ("ratio of the two", f"{over:.2f}", ""),
        ("first translation on the screen", f"{translated:.1f} s", "≤ 8 s"),
        ("one step, work of the main thread: script, layout, painting", f"{work:.1f} ms", ""),
        ("one step, from the key to the frame that shows it", f"{shown:.1f} ms", "≤ 16 ms"),
        ("the same with 64 by 64 tokens and 8 heads: work", f"{long_work:.1f} ms", ""),
        ("the same with 64 by 64 tokens and 8 heads: key to frame", f"{long_shown:.1f} ms", "≤ 16 ms"),
        ("a forced token, from the click to the frame, 7 tokens", f"{short.shown:.0f} ms", "≤ 150 ms"),
        ("a forced token, from the click to the frame, 50 tokens", f"{long.shown:.0f} ms", "≤ 300 ms"),
        ("a forced token, received on the wire, 7 tokens", f"{short.received:.0f} KiB", "≤ 100 KiB"),
        ("a forced token, received on the wire, 50 tokens", f"{long.received:.0f} KiB", "≤ 100 KiB"),
        ("a page of the model, from the click to its view", f"{opened:.0f} ms", "≤ 300 ms"),
        ("another head on it", f"{head:.0f} ms", "≤ 100 ms"),
        ("another layer on it", f"{layer:.0f} ms", "≤ 100 ms"),
        ("a training, from the click to its first point", f"{trained.first_point:.1f} s", "≤ 3 s"),
        ("its page drawn again while it trains", f"{trained.train_page:.0f} ms", "≤ 50 ms"),
        (
            "a step on another page while it trains: the page drawn again",
            f"{trained.other_page:.0f} ms",
            "≤ 50 ms",
        ),
        ("a page with a decode, received on the wire", f"{short.opened:.0f} KiB", "≤ 1,024 KiB"),
    ]


def main() -> None:
    """Print a table of medians as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui", description="How long a visitor waits.")
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--presses", type=int, default=60)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        measured = rows(browser, options.starts, options.presses)
        browser.close()
    print("| what | median | goal |\n|---|---|---|")
    for row in measured:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
