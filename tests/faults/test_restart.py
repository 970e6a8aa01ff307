"""A restarted server shows a whole class its pages, and starts the trainings that wait."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from random import Random
from threading import Event

import pytest

from benchmarks.ui.visitor import Visitor
from explorer.server.limits import Limits
from explorer.trainings.engine import TrainingEngine
from tests.addresses import TITLES
from tests.browser.conftest import ROOT, free_port, wait_until_healthy
from tests.explorer.trainings.conftest import is_in, small, wait_for
from tests.optional import unwrap

VISITORS = 30
SPREAD = 0.7
"""Seconds within which a class comes back; so many lie between pages that met a library half imported."""
ADDRESSES = ("runs", "tokens", "positions", "", *TITLES)
PATIENCE = 480
"""Seconds for thirty first pages, among them an update that is made again, on a machine that does other work."""


@pytest.fixture(autouse=True)
def patience(monkeypatch) -> None:
    monkeypatch.setattr("benchmarks.ui.visitor.PATIENCE", float(PATIENCE))


@contextmanager
def fresh_server(runs: str) -> Iterator[tuple[str, list[str]]]:
    """The address of a server that nobody has visited, and what it has written when it has ended."""
    url, written = f"http://127.0.0.1:{(port := free_port())}", list[str]()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EXPLORER_RUNS": runs},
        stderr=subprocess.PIPE,
        text=True,
    )
    # Read all the while: a server whose pipe is full stands still.
    with ThreadPoolExecutor(1) as reader:
        text = reader.submit(unwrap(process.stderr).read)
        try:
            wait_until_healthy(url, process)
            yield url, written
        finally:
            process.terminate()
            process.wait(timeout=60)
            written.append(text.result(timeout=60))


def shown_to_a_class(url: str, seed: int) -> list[str]:
    """The stack traces that a class is shown when it comes back within a moment, each by another address."""
    random, begin = Random(seed), Event()

    def visit(address: str, delay: float) -> list[str]:
        with Visitor(url) as visitor:
            assert begin.wait(PATIENCE)
            # The moments differ as those of people do: what is tried is what another page does meanwhile.
            Event().wait(delay)
            visitor.open(address)
            assert visitor.elements
            return [f"/{address}: {each}" for each in visitor.exceptions]

    with ThreadPoolExecutor(VISITORS) as pool:
        coming = [ADDRESSES[n % len(ADDRESSES)] for n in range(VISITORS)]
        random.shuffle(coming)
        visits = [
            pool.submit(visit, address, random.uniform(0, SPREAD) if n else 0.0)
            for n, address in enumerate(coming)
        ]
        begin.set()
        return [each for one in visits for each in one.result(timeout=2 * PATIENCE)]


@pytest.mark.proof
@pytest.mark.long
def test_restart_under_thirty_visitors_shows_no_trace(tmp_path):
    with fresh_server(str(tmp_path)) as (url, written):
        assert shown_to_a_class(url, seed=1) == []
    assert "Traceback" not in written[0]
    assert "partially initialized" not in written[0]


@pytest.mark.proof
def test_restarted_server_starts_waiting_trainings_without_visitors(tmp_path):
    with closing(TrainingEngine(tmp_path, Limits(most_at_once=0))) as earlier:
        waiting = earlier.begin(small())
    with fresh_server(str(tmp_path)), closing(TrainingEngine(tmp_path, Limits(most_at_once=0))) as engine:
        assert wait_for(engine, waiting, is_in("finished", "failed")).state == "finished"
