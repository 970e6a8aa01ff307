"""Measure the living map: the script time of each animation frame, and the size of its message."""

import statistics

from playwright.sync_api import Browser

from benchmarks.ui.server import APP, URL, locate_translation, open_page, run_server
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.recorded import record_translation
from explorer.models.translation import translate
from explorer.views.living_map.component import pack
from explorer.views.living_map.data import living_map_data

SENTENCE = "the small cat does not sleep"
LONG = (10,) * 40
"""A forced prefix that repeats one word, which leads to the longest possible output of 50 tokens."""

# Injected before the page's own scripts: record the duration of every animation frame callback in milliseconds.
WATCH = """
window.frames_ms = [];
const original = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => original((now) => {
  const start = performance.now();
  draw(now);
  window.frames_ms.push(performance.now() - start);
});
"""


def time_frames(browser: Browser) -> tuple[float, float]:
    """Return the median and the 95th percentile of script milliseconds per frame while one step plays."""
    with run_server(APP), open_page(browser) as page:
        page.emulate_media(reduced_motion="no-preference")
        page.add_init_script(WATCH)
        page.goto(f"{URL}/?step=4")
        locate_translation(page).wait_for()
        page.wait_for_timeout(1000)
        page.evaluate("window.frames_ms.length = 0")
        page.get_by_role("button", name="Replay this step").click()
        page.get_by_role("heading", name="What comes after").wait_for()
        locate_translation(page).wait_for()
        frames = page.evaluate("window.frames_ms")
    return statistics.median(frames), statistics.quantiles(frames, n=20)[-1]


def measure_messages() -> tuple[float, float]:
    """Return the size in kB of the map's message for the first example and for an output of 50 tokens."""
    run = load_run(CHECKPOINTS / "en-fr")
    greedy = translate(run, SENTENCE)

    def measure(prefix: tuple[int, ...]) -> float:
        written = translate(run, SENTENCE, prefix)
        return len(pack(living_map_data(record_translation(run, SENTENCE, written), written, greedy))) / 1000

    return measure(()), measure(LONG)
