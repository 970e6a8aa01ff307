"""Rows of the decoder: which token each of them reads and which it writes, and what they are called."""

from core.activations.sites import TOKEN_AXES, sites
from explorer.look.rows import row_brief, row_pieces, row_text
from explorer.models.window import windowed
from explorer.tensors import Axis, decoder_rows
from tests.explorer.random_recording import random_recording


def test_every_row_is_called_by_what_it_reads_and_those_of_the_decoder_write_the_output():
    recorded = random_recording()
    found = set()
    for site in sites(recorded.run.config):
        rows = site.location.side == "target" and site.location.kind != "embedding"
        for axis in recorded.axes(site):
            if axis.name in TOKEN_AXES:
                read = recorded.inputs if axis.side == "target" else recorded.source
                assert axis.labels == read, (site.name, axis.name)
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


def test_a_row_says_what_it_reads_and_writes_in_as_much_room_as_there_is():
    row, key = decoder_rows("query", ("<s>", "le"), ("le", " chat")), Axis("key", 2, ("the", "cat"), "source")
    assert row_text(row, 1) == "reads le → writes ␣chat"
    assert row_brief(row, 1) == "step 1 (→ ␣chat)"
    assert (
        "".join(piece.text for piece in row_pieces(row, 1))
        == "the position that reads le (and will write  chat)"
    )
    assert (row_text(key, 1), row_brief(key, 1)) == ("cat", "1 cat")
    assert [piece.text for piece in row_pieces(key, 1)] == ["cat"]
