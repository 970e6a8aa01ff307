"""A short form of the long use: everybody is answered with what is theirs, and memory does not run away."""

import pytest

from benchmarks.ui.soak import run_soak
from tests.browser.conftest import running_server

MOST_GROWTH = 0.5
"""In so short a time caches fill and threads get their heaps; a leak of what is sent would be several times that."""
FEW = ("Self-attention", "Watch it run", "Output")
"""Pages that bring in no charting library."""


@pytest.mark.proof
def test_a_few_visitors_are_answered_and_memory_is_bounded(monkeypatch):
    monkeypatch.setattr("benchmarks.ui.soak.EVERY_PAGE", FEW)
    with running_server() as url:
        found = run_soak(url, int(url.rpartition(":")[2]), seconds=8, visitors=4, pause=0.5)
    assert found.problems == []
    assert set(found.crowd.seconds) == {"sentence", "token", "page", "head"}
    assert found.growth < MOST_GROWTH
