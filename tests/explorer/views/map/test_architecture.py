"""The map of every configuration: nothing recorded or learned is missing, and shapes, counts and pictures are true."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.activations.sites import axis_sizes
from core.model.parameters import count_parameters, named_parameters
from explorer.app import REGISTRY
from explorer.look.thumbnails import MASKED, MAX_COLUMNS, MIDDLE, NAN, TOP, as_matrix, common_limit, thumbnail
from explorer.models.recorded import Recorded
from explorer.tensors import Axis, TensorData
from explorer.views.map.architecture import map_data
from explorer.views.map.component.data import SO_FAR, MapData
from explorer.views.map.map_choices import looked_at, overview, seen_state, with_pages
from explorer.visitor.links import state_from_query
from explorer.visitor.state import ExplorerState
from tests.explorer.random_recording import random_recording

CONFIGS = {
    "post-norm": {},
    "pre-norm": {"norm_position": "pre"},
    "post-norm with final norms": {"final_norm": True},
    "untied": {"tie_embeddings": False},
    "learned positions": {"positional": "learned"},
    "no positions": {"positional": "none"},
    "one layer": {"n_encoder_layers": 1, "n_decoder_layers": 1},
    "more encoder layers": {"n_encoder_layers": 4, "n_decoder_layers": 1},
    "not causal, no bias": {"causal": False, "attention_bias": False},
    "one head, bfloat16": {"n_heads": 1, "dtype": "bfloat16"},
}
STATE = ExplorerState(run="random", sentence="")


@pytest.fixture(params=CONFIGS)
def recorded(request) -> Recorded:
    return random_recording(**CONFIGS[request.param])


@pytest.fixture(scope="module")
def tiny() -> tuple[Recorded, MapData]:
    recorded = random_recording()
    return recorded, map_data(recorded)


def test_every_site_and_every_parameter_stands_under_exactly_one_block(recorded):
    listed = [item.name for block in map_data(recorded).blocks for item in block.items]
    model = recorded.run.model
    assert sorted(listed) == sorted([*(site.name for site in model.sites()), *named_parameters(model)])


def test_every_block_opens_a_page_and_every_page_is_opened_by_a_block(recorded):
    data = with_pages(map_data(recorded), REGISTRY)
    for block in data.blocks:
        assert block.pages, block.id
        assert all(title == REGISTRY[key].title for key, title in block.pages)
    opened = {key for block in data.blocks for key, _ in block.pages}
    without = {"positions"} if recorded.run.config.positional == "none" else set()
    assert opened == {view.key for view in REGISTRY.values() if view.is_block} - without


def test_parameters_of_blocks_and_of_parts_add_up_to_all_of_them(recorded):
    data, total = map_data(recorded), count_parameters(recorded.run.model)
    assert sum(block.parameters for block in data.blocks) == total
    assert sum(part.parameters for part in data.parts) == total
    tied = recorded.run.config.tie_embeddings
    generator = data.block("generator")
    assert (generator.parameters == 0, generator.note) == (tied, "tied to the embedding" if tied else "")
    assert bool(data.parts_note) == tied


def test_edges_lead_from_the_tokens_to_the_prediction_through_every_block(recorded):
    data = map_data(recorded)
    ids = {block.id for block in data.blocks}
    assert {end for edge in data.edges for end in (edge.start, edge.end)} == ids
    positions = {block.id for block in data.blocks if block.kind == "positions"}
    assert ids - {edge.end for edge in data.edges} == {"src", "tgt_in"} | positions
    assert ids - {edge.start for edge in data.edges} == {"prediction"}


def test_each_sublayer_has_a_way_past_it_and_each_cross_attention_reads_the_memory(recorded):
    data, config = map_data(recorded), recorded.run.config
    kinds = [edge.kind for edge in data.edges]
    assert kinds.count("residual") == 2 * config.n_encoder_layers + 3 * config.n_decoder_layers
    memory = [(edge.start, edge.end) for edge in data.edges if edge.kind == "memory"]
    assert memory == [
        ("encoder.output", f"decoder.layers.{i}.cross_attn") for i in range(config.n_decoder_layers)
    ]


@pytest.mark.parametrize("step", [0, 2, 4])
def test_shapes_at_a_step_are_those_of_a_decoder_that_has_read_so_many_tokens(tiny, step):
    recorded, data = tiny
    sizes = axis_sizes(recorded.run.config, batch=1, src_length=7, tgt_length=step + 1)
    items = {item.name: item for block in data.blocks for item in block.items}
    for site in recorded.run.model.sites():
        shown = tuple(step + 1 if size == SO_FAR else size for size in items[site.name].shape)
        assert shown == site.shape(sizes), site.name


def test_pictures_hold_the_first_columns_of_the_recorded_values(recorded):
    data = map_data(recorded)
    for block in data.blocks:
        for item in block.items:
            if item.learned or item.name.endswith((".mean", ".variance")):
                continue
            codes = item.preview.codes
            values = as_matrix(recorded.values(item.name))[:, :MAX_COLUMNS]
            assert codes.shape == values.shape, item.name
            seen = codes != MASKED
            if item.preview.scale == "signed":
                shown = (codes.astype(float) - MIDDLE) / MIDDLE * item.preview.limit
                half = item.preview.limit / MIDDLE / 2
            else:
                shown, half = codes / TOP, 0.5 / TOP
            assert np.abs(shown - values)[seen].max() <= half * 1.001, item.name
            assert item.preview.beyond == 0


def test_what_is_masked_is_marked_and_nothing_else(tiny):
    _, data = tiny
    item = next(
        item for block in data.blocks for item in block.items if item.name.endswith("layers.1.self_attn.weights")
        and item.name.startswith("decoder")
    )  # fmt: skip
    later = np.triu(np.ones((5, 5), bool), 1)
    np.testing.assert_array_equal(item.preview.codes == MASKED, np.tile(later, 4))
    block = data.block("decoder.layers.1.self_attn")
    np.testing.assert_array_equal(block.heads.codes[2] == MASKED, later)
    assert block.heads.grows
    assert not data.block("encoder.layers.1.self_attn").heads.grows


def test_pictures_on_edges_share_one_scale_and_say_what_is_beyond_it(tiny):
    _, data = tiny
    pictures = {id(edge.preview): edge.preview for edge in data.edges if edge.preview}.values()
    assert {picture.limit for picture in pictures} == {data.edge_limit}
    assert sum(picture.beyond for picture in pictures) == data.edge_beyond
    assert sum(picture.codes.size for picture in pictures) == data.edge_values
    assert data.edge_beyond <= 0.01 * data.edge_values


def test_a_picture_marks_what_is_no_number_and_counts_what_is_beyond_its_scale():
    values = np.array([[np.nan, np.inf, -np.inf], [3.0, -1.0, 0.0]], np.float32)
    tensor = TensorData("x", values, (Axis("position", 2), Axis("d_model", 3)))
    picture = thumbnail(tensor, limit=2.0)
    np.testing.assert_array_equal(picture.codes, [[NAN, TOP, 0], [TOP, MIDDLE // 2, MIDDLE]])
    assert picture.beyond == 3
    assert thumbnail(tensor).limit == 3.0


@pytest.mark.parametrize(("values", "limit"), [([0.0], 1.0), ([0.021], 0.03), ([-4.1], 5.0), ([7.0], 10.0)])
def test_a_common_scale_ends_at_a_round_number(values, limit):
    assert common_limit([np.array(values, np.float32)]) == pytest.approx(limit)


def test_the_prediction_has_the_probability_that_the_run_recorded(tiny):
    recorded, data = tiny
    probabilities = recorded.trace.logits.softmax(-1).gather(1, recorded.trace.tgt_out[:, None])[:, 0]
    np.testing.assert_allclose(data.probabilities, probabilities.numpy(), rtol=1e-6)


def test_what_a_token_reads_most_is_that_of_the_mean_over_the_heads(tiny):
    recorded, data = tiny
    weights = recorded.values("decoder.layers.2.cross_attn.weights").mean(axis=0)
    reads = data.block("decoder.layers.2.cross_attn").reads
    assert [place for place, _ in reads] == weights.argmax(axis=1).tolist()
    np.testing.assert_allclose([weight for _, weight in reads], weights.max(axis=1))
    assert data.block("encoder.layers.0.self_attn").reads == ()


def test_every_block_and_layer_says_in_words_what_it_is_and_fits_into_a_link(recorded):
    data = map_data(recorded)
    for block in data.blocks:
        assert block.meaning.endswith("."), block.id
        assert re.fullmatch(r"[a-z0-9_-]{1,40}", block.stage), block.id
    assert len({block.stage for block in data.blocks}) == len(data.blocks)


def test_a_state_names_step_block_and_layer(tiny):
    recorded, data = tiny
    shown = looked_at(data, STATE)
    assert (shown.step, shown.chosen) == (recorded.telling_step, "decoder.layers.2.cross_attn")
    assert shown.unfolded == {"encoder": 1, "decoder": 2}
    shown = looked_at(
        data, replace(STATE, decoding=replace(STATE.decoding, step=99), look=replace(STATE.look, layer=1))
    )
    assert (shown.step, shown.chosen) == (4, "decoder.layers.1.cross_attn")
    shown = looked_at(
        data,
        replace(
            STATE,
            decoding=replace(STATE.decoding, step=1),
            look=replace(STATE.look, layer=7, stage="encoder-layers-0-feed_forward"),
        ),
        REGISTRY,
    )
    assert (shown.step, shown.chosen) == (1, "encoder.layers.0.feed_forward")
    assert shown.unfolded == {"encoder": 0, "decoder": 2}
    shown = looked_at(
        data, replace(STATE, look=replace(STATE.look, layer=0, stage="scores", block="encoder.self_attn"))
    )
    assert shown.chosen == "encoder.layers.0.self_attn", "as the pages of the model name it"
    assert (
        looked_at(data, replace(STATE, look=replace(STATE.look, block="encoder"))).chosen
        == "decoder.layers.2.cross_attn"
    )
    assert (
        looked_at(data, replace(STATE, look=replace(STATE.look, stage="scores"))).chosen
        == "decoder.layers.2.cross_attn"
    )


def test_the_overview_folds_everything(tiny):
    shown = overview(tiny[1], STATE)
    assert (shown.compact, shown.chosen, shown.unfolded) == (True, "", {})


def test_what_is_chosen_comes_back_through_a_link(tiny):
    from explorer.models.known import shipped_runs
    from explorer.views.map.component import MapLook
    from explorer.visitor.links import query_of

    _, data = tiny
    runs = shipped_runs()
    start, _ = state_from_query({}, runs)
    seen = seen_state(start, data, MapLook(3, "decoder.layers.1.feed_forward_add_norm", 1))
    again, notices = state_from_query(query_of(seen, runs), runs)
    assert (looked_at(data, again, REGISTRY).chosen, looked_at(data, again).step) == (
        "decoder.layers.1.feed_forward_add_norm",
        3,
    )
    assert notices == ()
