"""Rows of the decoder: which token each of them writes, and what is only read."""

from core.activations.sites import sites
from explorer.models.window import windowed
from tests.explorer.random_recording import random_recording


def test_rows_of_the_decoder_write_the_output_and_nothing_else_writes():
    recorded = random_recording()
    found = set()
    for site in sites(recorded.run.config):
        rows = site.location.side == "target" and site.location.kind != "embedding"
        for axis in recorded.axes(site):
            writes = rows and axis.name in ("query", "position")
            assert axis.writes == (recorded.outputs if writes else ()), (site.name, axis.name)
            found.add((site.location.kind, axis.name, writes))
    # Rows of all kinds, and keys of both sides, were among them.
    assert ("attention", "query", True) in found
    assert ("generator", "position", True) in found
    assert ("attention", "key", False) in found
    assert ("embedding", "position", False) in found


def test_a_window_of_rows_writes_what_these_rows_write():
    recorded = random_recording()
    cut = windowed(recorded.tensor("generator.logits"), "position", (3, 1), "Two rows.")
    assert cut.axes[0].writes == (recorded.outputs[3], recorded.outputs[1])
