"""What an operator can measure of this server: its trainings, its queue, its disk, its background jobs."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import get_args

from streamlit import runtime

from core.errors import ExplorerError
from explorer.models.background import LINE
from explorer.models.server import training_engine
from explorer.server.metrics import Gauge, GaugeProvider
from explorer.server.shared import turns
from explorer.trainings.status import State

RUNS, QUEUE, DISK, FREE, JOBS = FAMILIES = (
    "explorer_runs",
    "explorer_queue_length",
    "explorer_runs_disk_bytes",
    "explorer_disk_free_bytes",
    "explorer_background_jobs",
)


def register_gauges() -> None:
    """Add the gauges to the statistics of Streamlit's runtime."""
    runtime.get_instance().stats_mgr.register_provider(GaugeProvider(FAMILIES, server_gauges))


def server_gauges() -> Iterator[Gauge]:
    """Yield all gauges; those of a runs folder that cannot be read are left out."""
    running, waiting = LINE.counts()
    jobs = "Evaluations and measurements that visitors wait for."
    yield Gauge(JOBS, running, jobs, {"state": "running"})
    yield Gauge(JOBS, waiting, jobs, {"state": "waiting"})
    with turns().turn(), suppress(ExplorerError, OSError):
        engine = training_engine()
        statuses = engine.statuses()
        states = Counter(status.state for status in statuses)
        for state in get_args(State):
            yield Gauge(RUNS, states[state], "Runs in the runs folder, by their state.", {"state": state})
        yield Gauge(QUEUE, states["waiting"], "Trainings that wait for a place.")
        size = sum(engine.disk_bytes(status.run_id) for status in statuses)
        yield Gauge(DISK, size, "Bytes on disk of all runs.", unit="bytes")
        free = shutil.disk_usage(engine.folder).free
        yield Gauge(FREE, free, "Bytes that are free on the disk of the runs folder.", unit="bytes")
