"""The view of mistakes on a blank page of a real browser: its room, and scripts from right to left."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from explorer.browser.message import pack_message
from explorer.views.mistakes.component import mistakes_view
from tests.explorer.mounting import feed, mount

pytestmark = pytest.mark.browser

N_LENGTHS = 40


def message(report: int = 0, **looked: str) -> bytes:
    """One wrong pair in Arabic, and mistakes of many lengths."""
    tokens = ["كتاب", "بيت", "</s>"]
    shares = [(length, 1_300 + length, 100) for length in range(1, N_LENGTHS + 1)]
    header = {
        "key": "k", "split": "test", "splits": [], "n_available": 1, "n_evaluated": 1, "report": report,
        "figures": {"exact": 0, "n_pairs": 1, "loss": 1.0, "token_accuracy": 0.5},
        "kinds": [], "tokens": tokens, "source_unit": "word", "target_unit": "word",
        "lengths": shares, "reference_lengths": shares, "firsts": shares, "hardest": [(0, 9, 4)],
        "confusions": [(0, 1, 7)], "looked": {"kind": "", "group": "", "sort": "loss", "search": "", **looked},
    }  # fmt: skip
    arrays = {
        "source": np.array([0.0]), "reference": np.array([0.0, 2.0]), "output": np.array([1.0, 2.0]),
        "best": np.array([1.0, 2.0]), "losses": np.array([1.0, 0.1]), "log_probs": np.array([-1.0]),
        "numbers": np.array([0.0]), "right": np.array([0.0]), "sizes": np.array([[1.0, 2.0, 2.0]]),
    }  # fmt: skip
    return pack_message({**header, **arrays})


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    mount(page, "mistakes", mistakes_view.path, message())
    yield page
    page.close()


def test_confused_words_of_a_right_to_left_script_keep_their_order(page):
    label = page.get_by_role("region", name="Taken for").locator(".label")
    expected, arrow, written = (label.locator("span").nth(place).bounding_box() for place in range(3))
    assert expected["x"] < arrow["x"] < written["x"]


def test_pictures_of_many_lengths_fit_beside_the_list(page):
    right = page.locator(".mistakes").bounding_box()
    edge = right["x"] + right["width"]
    bars = page.locator(".columns .bar").all()
    boxes = [bar.bounding_box() for bar in bars]
    assert max(box["x"] + box["width"] for box in boxes) <= edge
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for number in page.locator(".columns small").all()[:24]:
        assert number.evaluate("node => node.scrollWidth <= node.clientWidth + 1 || node.clientWidth === 0")
    for columns in page.locator(".columns").all():
        assert len({bar.bounding_box()["y"] for bar in columns.locator(".bar").all()}) == 1, "one row"


def test_earlier_answer_keeps_typed_text(page):
    search = page.get_by_role("searchbox")
    page.get_by_role("combobox").select_option("length")
    search.press_sequentially("zwei")
    answer = message(page.evaluate("window.reports.at(-1)[1].report"), sort="length")
    feed(page, answer)
    assert search.input_value() == "zwei"
    page.wait_for_function("window.reports.at(-1)[1].search === 'zwei'")
