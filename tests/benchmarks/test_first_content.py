"""What a page shows first on a server that has just been started, and when."""

import pytest

from benchmarks.ui.first_content import PageTimes, measure_page, times_of

LATEST_CONTENT = 3.0
"""Seconds from the request to the first content on a server that has just begun to listen."""
MOST_EMPTY = 1.5
"""Seconds without content or skeleton that a busy machine may take between two messages."""


def test_time_without_content_or_skeleton_is_measured():
    arrivals = [
        (0.5, (0, 3, 0), "heading", ""),
        (0.75, (0, 3, 1), "skeleton", ""),
        (5.0, (0, 3, 1), "empty", ""),
        (5.25, (0, 3, 2), "text", ""),
        (9.0, (0, 3, 3), "skeleton", ""),
        (12.0, (0, 3, 4), "bidi_component", "train_theatre"),
    ]
    times = times_of(arrivals)
    assert times == PageTimes(title=0.5, empty=4.0, content=12.0)


@pytest.mark.proof
@pytest.mark.parametrize("address", ["mistakes", "parts", "train", "one-update", "runs"])
def test_first_content_comes_soon_on_a_fresh_server(address):
    times = measure_page(address)
    if times.content >= LATEST_CONTENT or times.empty >= MOST_EMPTY:
        # Other tests may have kept the machine busy during this start.
        times = measure_page(address)
    assert times.content < LATEST_CONTENT
    assert times.empty < MOST_EMPTY
