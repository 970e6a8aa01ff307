"""Metrics: who may read them, and in which form Streamlit hands them out."""

import re
from pathlib import Path

import pytest

from core.errors import InputError
from explorer.models.gauges import FAMILIES
from explorer.server.metrics import Gauge, GaugeProvider, MetricsGuard
from tests.coroutines import run_coroutine


def status_of(path: str, client: tuple[str, int] | None, **headers: str) -> int:
    """Return the status of an answer, which is 200 where the request is let through."""
    told = []

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive():
        return {"type": "http.request"}

    async def send(message) -> None:
        told.append(message.get("status"))

    def enter(text: str) -> None:
        if text != "the token":
            raise InputError("this is not the token")

    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "client": client, "headers": given}
    run_coroutine(MetricsGuard(app, enter)(scope, receive, send))
    return told[0]


OWN, OTHER = ("127.0.0.1", 1), ("192.0.2.7", 1)


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/explorer/_stcore/metrics"])
def test_metrics_are_shown_to_the_own_machine_and_with_the_token(path):
    assert status_of(path, OWN) == status_of(path, ("::1", 1)) == 200
    assert status_of(path, OTHER, authorization="Bearer the token") == 200
    assert status_of(path, OTHER) == status_of(path, None) == 403
    assert status_of(path, OTHER, authorization="Bearer another") == 403
    # Asked through a proxy on the same machine.
    for header in ("x_forwarded_for", "x_real_ip", "forwarded", "x_forwarded_proto"):
        assert status_of(path, OWN, **{header: "127.0.0.1"}) == 403


def test_other_paths_are_not_guarded():
    for path in ("/", "/runs", "/_stcore/health", "/_stcore/metrics-of-another-kind"):
        assert status_of(path, OTHER) == 200


def test_gauges_are_written_as_openmetrics():
    gauges = [
        Gauge("trainings", 2, "Trainings.", {"state": "running"}),
        Gauge("disk_bytes", 7, "Bytes.", unit="bytes"),
    ]
    provider = GaugeProvider(["trainings", "disk_bytes"], lambda: gauges)
    found = provider.get_stats()
    assert [stat.to_metric_str() for stats in found.values() for stat in stats] == [
        'trainings{state="running"} 2',
        "disk_bytes 7",
    ]
    assert list(provider.get_stats(["disk_bytes"])) == ["disk_bytes"]


def test_documented_metrics_are_those_of_the_server():
    text = (Path(__file__).parents[3] / "docs" / "class.md").read_text()
    _, _, table = text.partition("| metric |")
    rows, _, _ = table.partition("\n\n")
    assert tuple(re.findall(r"`(explorer_\w+)", rows)) == FAMILIES
