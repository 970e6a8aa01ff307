"""Browser tests of the theatre, fed with messages of one run after another."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.histories.figures import Figures
from explorer.views.training.theatre import TheatreData, pack, theatre_view
from tests.explorer.mounting import feed, mount

pytestmark = pytest.mark.browser


def message(
    key: str, *, probes: int, heads: int, tokens: int, updates: tuple[int, ...], state: str = "training"
) -> bytes:
    """Build the message of a run with these numbers of fixed sources, heads and tokens."""
    text = "abcdefghij"[:tokens]
    probe = {
        "text": text,
        "source": [*text, "</s>"],
        "right": [*text, "</s>"],
        "n_right": tokens,
        "gold": None,
        "is_reference": True,
    }
    rows, cells = probes * (tokens + 1), probes * heads * (tokens + 1) ** 2
    written = {"tokens": list(text), "n": tokens, "stopped": True}
    moments = [{"updates": each, "kept": True, "words": [written] * probes} for each in updates]
    packed = {
        "layer": 0,
        "moments": moments,
        "p": np.zeros((len(updates), rows), np.float32),
        "w": np.zeros((len(updates), 2 * cells), np.uint8),
    }
    header = {
        "unit": "letter",
        "n_layers": 1,
        "n_heads": heads,
        "probes": [probe] * probes,
        "span": 10,
        "made": 10,
        "state": state,
        "plays": state == "finished",
        "opens": True,
        "report": 0,
    }
    data = TheatreData(f"{key}/0", header, packed, 0, updates, updates, Figures(), (), 1, ())
    return pack(data)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    first = message("first", probes=2, heads=2, tokens=3, updates=(0, 5, 10), state="finished")
    mount(page, "theatre", theatre_view.path, first)
    yield page
    page.close()


@pytest.mark.parametrize(
    ("probes", "heads", "tokens"), [(4, 2, 3), (1, 2, 3), (2, 4, 3), (2, 1, 3), (2, 2, 7), (0, 2, 3)]
)
def test_theatre_survives_a_training_of_another_shape(page, probes, heads, tokens):
    outputs = page.locator(".outputs .output")
    expect(outputs).to_have_count(2)
    outputs.nth(1).click()
    shape = {"probes": probes, "heads": heads, "tokens": tokens}
    # An error in the view is one of `feed`, and fails the test.
    feed(page, message("second", updates=(), state="starting", **shape))
    expect(outputs).to_have_count(probes)
    kept = (0, 5) if probes else ()
    feed(page, message("second", updates=kept, **shape))
    expect(outputs).to_have_count(probes)
    if probes:
        expect(page.get_by_text(f"{probes} of {probes} sources come out exactly right")).to_be_visible()
