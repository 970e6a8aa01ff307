"""Norms block by block: grouped so that each can be told apart, with the numbers that the run store has."""

import pytest

from core.training.records import BlockNorm
from core.training.run_store import RunStore
from explorer.histories.norms import (
    MOST_POINTS,
    MOST_TOGETHER,
    OUTSIDE,
    block_name,
    groups_of,
    lines_of,
    norm_columns,
    read_blocks,
    read_norms,
)
from explorer.look.curves import Curve, chart_spec
from tests.explorer.own_runs import train_tiny

LAYERS = 2
PRE_NORM = [
    "src_embed",
    *(
        f"encoder.layers.{i}.{part}"
        for i in range(LAYERS)
        for part in ("self_attn_norm", "self_attn", "feed_forward")
    ),
    "encoder.final_norm",
    *(
        f"decoder.layers.{i}.{part}"
        for i in range(LAYERS)
        for part in ("self_attn", "cross_attn", "feed_forward")
    ),
    "decoder.final_norm",
    "generator",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"))


def test_every_block_is_in_a_group_and_no_group_has_too_many():
    groups = groups_of(PRE_NORM)
    assert list(groups)[:3] == ["Encoder, layer 0", "Encoder, layer 1", "Decoder, layer 0"]
    assert {block for blocks in groups.values() for block in blocks} == set(PRE_NORM)
    assert max(map(len, groups.values())) <= MOST_TOGETHER
    assert groups["Cross-attention of the decoder’s layers"] == (
        "decoder.layers.0.cross_attn",
        "decoder.layers.1.cross_attn",
    )
    assert groups[OUTSIDE] == ("src_embed", "encoder.final_norm", "decoder.final_norm", "generator")
    assert groups_of([]) == {}


def test_blocks_of_a_group_have_different_names_and_looks():
    for blocks in groups_of(PRE_NORM).values():
        lines = lines_of([], blocks)
        assert len(lines) == len(blocks)
        assert len({(each.weights.role, each.weights.dash) for each in lines.values()}) == len(blocks)
    assert block_name("encoder.layers.0.self_attn_norm") == "norm before self-attention"
    assert block_name("encoder.layers.0.feed_forward_add_norm") == "norm after feed-forward"
    assert list(lines_of([], groups_of(PRE_NORM)["Cross-attention of the decoder’s layers"])) == [
        "layer 0",
        "layer 1",
    ]


@pytest.mark.proof
def test_lines_and_table_have_the_numbers_of_the_run_store(folder):
    groups = groups_of(read_blocks(folder))
    assert list(groups) == ["Encoder, layer 0", "Decoder, layer 0", OUTSIDE]
    blocks = groups["Decoder, layer 0"]
    store = RunStore.read(folder)
    told = {(norm.updates, norm.block): norm for norm in store.norms()}
    store.close()
    norms = read_norms(folder, blocks)
    assert {norm.block for norm in norms} == set(blocks)
    lines = lines_of(norms, blocks)
    crossing = lines["cross-attention"]
    assert list(crossing.weights.updates) == [0, 5, 10, 15, 20]
    assert list(crossing.gradients.updates) == [5, 10, 15, 20]
    last = told[20, "decoder.layers.0.cross_attn"]
    assert (crossing.weights.values[-1], crossing.gradients.values[-1]) == (last.weight, last.gradient)
    table = norm_columns(lines)
    assert table["after updates"] == ["20", "15", "10", "5", "0"]
    assert table["cross-attention: weights"][0] == f"{last.weight:.3f}"
    assert table["cross-attention: gradient"][0] == f"{last.gradient:.2e}".replace("-", "−")
    assert table["cross-attention: gradient"][-1] == ""


def test_a_long_training_is_thinned_and_ends_where_it_is():
    norms = [BlockNorm(updates, "generator", float(updates), 1.0) for updates in range(3 * MOST_POINTS + 1)]
    (line,) = lines_of(norms, ("generator",)).values()
    assert len(line.weights.updates) <= MOST_POINTS + 1
    assert line.weights.updates[-1] == norms[-1].updates


def test_before_the_first_figures_there_is_nothing(tmp_path):
    assert read_blocks(tmp_path) == []


def test_an_axis_in_powers_of_ten_leaves_out_what_has_no_logarithm():
    spec = chart_spec([Curve("a", (), (), "ink")], title="norm", of=5, theme="light", powers=True)
    assert spec["encoding"]["y"]["scale"]["type"] == "log"
    assert spec["transform"] == [{"filter": "datum.value > 0"}]
    assert "transform" not in chart_spec([Curve("a", (), (), "ink")], title="norm", of=5, theme="light")
