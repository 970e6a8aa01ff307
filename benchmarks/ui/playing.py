"""The living map as it plays: the script of each frame, and the size of its message."""

import statistics

from playwright.sync_api import Browser

from benchmarks.ui.server import APP, URL, first_translation, serving, visiting
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from explorer.models.recorded import record_translation
from explorer.models.translation import translate
from explorer.views.living_map.component import pack
from explorer.views.living_map.data import living_map_data

SENTENCE = "the small cat does not sleep"
LONG = (10,) * 40
"""Ids of one word that is forced again and again: an output of 50 tokens, the most there can be."""

# Before the page's own scripts: the milliseconds of every callback of a frame.
WATCH = """
window.frames_ms = [];
const own = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => own((now) => {
  const start = performance.now();
  draw(now);
  window.frames_ms.push(performance.now() - start);
});
"""


def play_step(browser: Browser) -> tuple[float, float]:
    """Milliseconds of script in a frame while one step plays: median, and what 19 of 20 take at most."""
    with serving(APP), visiting(browser) as page:
        page.emulate_media(reduced_motion="no-preference")
        page.add_init_script(WATCH)
        page.goto(f"{URL}/?step=4")
        first_translation(page).wait_for()
        page.wait_for_timeout(1000)
        page.evaluate("window.frames_ms.length = 0")
        page.get_by_role("button", name="Replay this step").click()
        page.get_by_role("heading", name="What comes after").wait_for()
        first_translation(page).wait_for()
        frames = page.evaluate("window.frames_ms")
    return statistics.median(frames), statistics.quantiles(frames, n=20)[-1]


def message_sizes() -> tuple[float, float]:
    """KB of the map's message: of the first example, and of an output of 50 tokens."""
    run = load_run(CHECKPOINTS / "en-fr")
    greedy = translate(run, SENTENCE)

    def size(prefix: tuple[int, ...]) -> float:
        written = translate(run, SENTENCE, prefix)
        return len(pack(living_map_data(record_translation(run, SENTENCE, written), written, greedy))) / 1000

    return size(()), size(LONG)
