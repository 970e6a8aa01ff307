"""How long a visitor waits: start, first paint, first translation, one step; in a real Chromium.

    python -m benchmarks.ui

Times begin when `make run` is typed, with everything installed and the browser already open. Medians.
"""

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PORT = 8599

# From the key press (the event's own time) to the animation frame in which its effect is drawn.
LISTEN = """() => {
  window.shown = [];
  window.addEventListener("keydown", event => requestAnimationFrame(
    () => window.shown.push(performance.now() - event.timeStamp)), true);
}"""


def wait_for_server() -> None:
    """Return when the server answers."""
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.02)


def start_once(browser: Browser) -> tuple[float, float, float]:
    """Seconds from `make run` to: a healthy server, the page with its controls, the first translation."""
    begin = time.perf_counter()
    command = ["make", "run", f"PORT={PORT}"]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL)
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce")
    try:
        wait_for_server()
        healthy = time.perf_counter() - begin
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{PORT}", wait_until="commit")
        page.get_by_role("combobox", name="English sentence").wait_for(timeout=60_000)
        painted = time.perf_counter() - begin
        page.locator(".chips.target .word").first.wait_for(timeout=60_000)
        return healthy, painted, time.perf_counter() - begin
    finally:
        context.close()
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def press(page: Page, keys: Sequence[str]) -> tuple[float, float]:
    """Milliseconds a press: the main thread's whole work (mean), and key to frame (median)."""
    page.evaluate("window.shown.length = 0")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    before = busy()
    for index, key in enumerate(keys, start=1):
        page.keyboard.press(key)
        page.wait_for_function("count => window.shown.length === count", arg=index)
    return (busy() - before) / len(keys), statistics.median(page.evaluate("window.shown"))


def step_times(page: Page, presses: int) -> tuple[float, float]:
    """Milliseconds of one step: its work beyond that of a key that does nothing, and key to frame."""
    page.evaluate(LISTEN)
    page.get_by_role("slider", name="Decoding step").focus()
    steps = ["ArrowLeft" if index % 12 < 6 else "ArrowRight" for index in range(presses)]
    press(page, steps[:12])
    work, shown = press(page, steps)
    idle, _ = press(page, ["x"] * presses)
    return work - idle, shown


def measure_steps(browser: Browser, presses: int) -> tuple[float, float]:
    """Milliseconds of one step on the home page."""
    process = subprocess.Popen(
        ["make", "run", f"PORT={PORT}"], cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL
    )
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce")
    try:
        wait_for_server()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{PORT}")
        page.locator(".chips.target .word").first.wait_for(timeout=60_000)
        return step_times(page, presses)
    finally:
        context.close()
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def start_empty_page(browser: Browser) -> float:
    """Seconds until an empty Streamlit page shows its field: the floor for any page."""
    begin = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "benchmarks/peers/empty_page.py",
        "--server.port",
        str(PORT),
    ]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL)
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    try:
        wait_for_server()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{PORT}", wait_until="commit")
        page.get_by_label("English sentence").wait_for(timeout=60_000)
        return time.perf_counter() - begin
    finally:
        context.close()
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def main() -> None:
    """Print a table of medians as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui", description="How long a visitor waits.")
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--presses", type=int, default=60)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        pairs = [(start_once(browser), start_empty_page(browser)) for _ in range(options.starts)]
        work, shown = measure_steps(browser, options.presses)
        browser.close()
    starts, floors = zip(*pairs, strict=True)
    healthy, painted, translated = (statistics.median(column) for column in zip(*starts, strict=True))
    floor = statistics.median(floors)
    over = statistics.median(start[1] / floor for start, floor in pairs)
    print("| what | median | goal |\n|---|---|---|")
    print(f"| server answers | {healthy:.1f} s | |")
    print(f"| title, controls and skeleton on the screen | {painted:.1f} s | ≤ 3.5 s |")
    print(f"| the same of an empty Streamlit page, started in turn | {floor:.1f} s | |")
    print(f"| ratio of the two | {over:.2f} | |")
    print(f"| first translation on the screen | {translated:.1f} s | ≤ 8 s |")
    print(f"| one step, work of the main thread: script, layout, painting | {work:.1f} ms | |")
    print(f"| one step, from the key to the frame that shows it | {shown:.1f} ms | ≤ 16 ms |")


if __name__ == "__main__":
    main()
