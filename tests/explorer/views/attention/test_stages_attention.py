"""The stages of attention: every number is the recorded one, every product multiplies out, every cell is explained."""

import numpy as np
import pytest

from core.config import TransformerConfig
from core.explanation.explain import explain
from explorer.browser.tensors import pack
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace, TensorViewData, check
from explorer.views.attention.data import attention_view
from explorer.visitor.extent import PATHS, AttentionKind, choose_extent
from explorer.visitor.state import ExplorerState
from tests.explorer.random_recording import VARIANTS, random_recording, random_run, recording_of
from tests.explorer.stage_cells import cells_of
from tests.optional import unwrap
from tests.states import state_of

KINDS: tuple[AttentionKind, ...] = tuple(PATHS)
TOLERANCE = {"float32": 2e-5, "bfloat16": 0.1}


@pytest.fixture(scope="module", params=VARIANTS)
def recorded(request) -> Recorded:
    return random_recording(**VARIANTS[request.param])


@pytest.fixture(scope="module")
def large() -> Recorded:
    """The paper's base model with 64 tokens on both sides, untrained; what a message has no room for."""
    config = TransformerConfig.base(
        src_vocab_size=200, tgt_vocab_size=200, n_encoder_layers=2, n_decoder_layers=2, d_ff=64
    )
    return recording_of(random_run(config), 64, 64)


def state(**choices) -> ExplorerState:
    return state_of("random", "w4", **choices)


def matrix(view: TensorViewData, panel, **chosen: int) -> np.ndarray:
    """A panel's numbers [rows, columns], with the choosers' axes at these places."""
    tensor = view.tensors[panel.tensor]
    names, values = [axis.name for axis in tensor.axes], tensor.values
    for name in [n for n in names if n not in (*panel.rows, *panel.columns)]:
        where, axis = names.index(name), tensor.axes[[a.name for a in tensor.axes].index(name)]
        place = chosen[name] if axis.places is None else axis.places.index(chosen[name])
        values = values.take(place, where)
        names.remove(name)
    values = values.transpose([names.index(name) for name in (*panel.rows, *panel.columns)])
    return values.reshape(int(np.prod(values.shape[: len(panel.rows)])), -1).astype(np.float64)


def view_of(recorded: Recorded, kind: AttentionKind, **choices) -> TensorViewData:
    view = attention_view(recorded, state(**choices), kind)
    check(view)
    return view


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_every_number_is_the_one_that_explain_explains(recorded, kind):
    view = view_of(recorded, kind)
    for name, tensor in view.tensors.items():
        for at, site, index in cells_of(tensor, 4):
            explained = explain(recorded.run, recorded.trace, site, index)
            assert explained.recorded == tensor.values[at], (name, site, index)
            assert explained.agrees, (name, site, index)


@pytest.mark.parametrize("kind", KINDS)
def test_every_recorded_tensor_is_there_as_it_was_recorded(recorded, kind):
    view = view_of(recorded, kind, layer=1)
    path = PATHS[kind].format(layer=1)
    for value in ("q", "k", "v", "scores", "mask", "masked_scores", "weights", "context", "output"):
        tensor = view.tensors[value]
        shown = tensor.values[1] if tensor.axes[0].name == "layer" else tensor.values
        assert np.array_equal(shown, recorded.values(f"{path}.{value}")), value
    assert np.array_equal(
        unwrap(view.tensors["masked_scores"].hidden), ~np.isfinite(view.tensors["masked_scores"].values)
    )


@pytest.mark.parametrize(("kind", "head"), [(kind, head) for kind in KINDS for head in (0, 3)])
def test_every_product_multiplies_out(recorded, kind, head):
    config = recorded.run.config
    tolerance = TOLERANCE[config.dtype]
    view = view_of(recorded, kind, layer=1, head=head)
    products = [stage for stage in view.stages if stage.kind == "product"]
    assert [stage.key for stage in products] == [
        *("queries", "keys", "values"),
        *(["products"] if config.scale_scores else []),
        *("scores", "context", "output"),
    ]
    for stage in products:
        a, b, c, *bias = (matrix(view, panel, layer=1, head=head) for panel in stage.panels)
        factor = config.score_scale if stage.key == "scores" else 1.0
        result = factor * (a @ b) + (bias[0] if bias else 0.0)
        np.testing.assert_allclose(result, c, rtol=tolerance, atol=tolerance, err_msg=stage.key)
        assert len(bias) == (config.attention_bias and stage.key not in ("products", "scores", "context"))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_the_softmax_sum_to_1_and_what_is_masked_is_0(recorded, kind):
    view = view_of(recorded, kind)
    weights = view.tensors["weights"]
    np.testing.assert_allclose(
        weights.values.sum(axis=-1), 1.0, atol=0.02 if weights.dtype == "bfloat16" else 1e-6
    )
    assert not weights.values[weights.hidden].any()
    hides = kind == "masked-self-attention" and recorded.run.config.causal
    assert unwrap(weights.hidden).any() == hides


def test_queries_and_keys_of_cross_attention_come_from_two_streams(recorded):
    view = view_of(recorded, "cross-attention", layer=1)
    pre = recorded.run.config.norm_position == "pre"
    names = [view.tensors["x"].site_of(1), view.tensors["memory"].site]
    path = "decoder.layers.1."
    assert names == [
        path + ("cross_attn_norm.output" if pre else "self_attn_add_norm.output"),
        "encoder.output",
    ]
    (first, second) = view.stages[0].panels
    assert (first.tensor, second.tensor) == ("x", "memory")
    assert [panel.tensor for stage in view.stages[1:4] for panel in stage.panels[:1]] == [
        "x",
        "memory",
        "memory",
    ]


def test_each_side_is_named_after_its_tokens():
    recorded = random_recording()

    def labels(kind, tensor, axis):
        return next(each.labels for each in view_of(recorded, kind).tensors[tensor].axes if each.name == axis)

    assert labels("self-attention", "scores", "query") == recorded.source
    assert labels("masked-self-attention", "scores", "query") == recorded.inputs
    assert labels("masked-self-attention", "scores", "key") == recorded.inputs
    assert labels("masked-self-attention", "x", "position") == recorded.inputs
    assert labels("cross-attention", "scores", "query") == recorded.inputs
    assert labels("cross-attention", "memory", "position") == recorded.source
    for kind, source in (("masked-self-attention", "x"), ("self-attention", "x"), ("cross-attention", "x")):
        assert labels(kind, source, "position") == labels(kind, "q", "query")
    for kind, source in (
        ("masked-self-attention", "x"),
        ("self-attention", "x"),
        ("cross-attention", "memory"),
    ):
        assert labels(kind, source, "position") == labels(kind, "k", "key")


def test_the_input_of_a_layer_is_what_the_one_before_it_gave():
    x = view_of(random_recording(), "self-attention").tensors["x"]
    gave = "encoder.layers.{}.feed_forward_add_norm.output"
    assert x.sites == ("src_embed.output", *(gave.format(layer) for layer in range(len(x.sites) - 1)))
    pre = view_of(random_recording(norm_position="pre"), "self-attention").tensors["x"]
    assert pre.sites[1] == "encoder.layers.1.self_attn_norm.output"


def test_every_layer_of_cross_attention_reads_one_memory():
    memory = view_of(random_recording(), "cross-attention").tensors["memory"]
    assert (memory.site, memory.sites) == ("encoder.output", ())
    assert memory.axes[0].name == "position"


@pytest.mark.parametrize("kind", KINDS)
def test_choosers_start_at_the_last_layer_and_the_first_head(kind):
    recorded = random_recording()
    layer, head = view_of(recorded, kind).choosers
    assert (layer.axis, layer.value, head.axis, head.value) == ("layer", len(layer.options) - 1, "head", 0)
    assert head.local
    assert layer.local
    layer, head = view_of(recorded, kind, layer=99, head=99).choosers
    assert (layer.value, head.value) == (len(layer.options) - 1, 3)


def test_all_layers_of_a_small_model_are_there():
    view = view_of(random_recording(), "masked-self-attention")
    assert all(tensor.axes[0].name == "layer" for tensor in view.tensors.values())
    assert view.tensors["q"].values.shape[:2] == (3, 4)


def test_decoder_pages_mark_the_step_and_the_encoders_page_none():
    recorded = random_recording()
    for kind in ("masked-self-attention", "cross-attention"):
        assert view_of(recorded, kind).row == recorded.telling_step
        assert view_of(recorded, kind, step=2).row == 2
        assert view_of(recorded, kind, step=99).row == 4
    assert view_of(recorded, "self-attention", step=2).row is None


def test_the_open_stage_is_the_visitors_if_the_page_has_it():
    recorded = random_recording()
    assert view_of(recorded, "self-attention").stage == "scores"
    assert view_of(recorded, "self-attention", stage="output").stage == "output"
    assert view_of(recorded, "self-attention", stage="logits").stage == "scores"


def test_formulas_and_notes_follow_the_configuration():
    def stage(key, kind="masked-self-attention", **changes):
        view = view_of(random_recording(**changes), kind)
        return next(each for each in view.stages if each.key == key)

    assert stage("scores").formula == "S = Q Kᵀ / √6"
    assert stage("scores", scale_scores=False).formula == "S = Q Kᵀ"
    assert stage("queries").formula == "Q = X W_Q + b_Q"
    assert stage("queries", attention_bias=False).formula == "Q = X W_Q"
    assert stage("keys", "cross-attention").formula == "K = memory W_K + b_K"
    assert "before it" in stage("masked").note
    assert "no causal mask" in stage("masked", causal=False).note
    assert "no padding" in stage("masked", "cross-attention").note


@pytest.mark.parametrize("kind", KINDS)
def test_the_base_model_with_64_tokens_stays_below_a_megabyte(large, kind):
    view = view_of(large, kind, head=5)
    assert len(pack(view)) <= 2**20
    layer, head = view.choosers
    assert (layer.local, head.local, head.value) == (False, False, 5)
    assert view.tensors["scores"].axes[0].places == (5,)
    assert "One of 8 heads" in view.tensors["scores"].axes[0].window
    assert view.tensors["joined"].values.shape == (8, 64, 64)
    width = len(choose_extent(large, state(), kind).outputs)
    window = next(axis.window for axis in view.tensors["output"].axes if axis.name == "d_model")
    assert window == f"Numbers 0 to {width - 1} of the 512 of each output vector."


@pytest.mark.parametrize("kind", KINDS)
def test_windows_of_a_large_model_multiply_out_and_are_explained(large, kind):
    view = view_of(large, kind, layer=0, head=5)
    for stage in view.stages:
        if stage.kind == "product":
            a, b, c, *bias = (matrix(view, panel, layer=0, head=5) for panel in stage.panels)
            factor = 1 / 8 if stage.key == "scores" else 1.0
            np.testing.assert_allclose(factor * (a @ b) + sum(bias), c, rtol=1e-4, atol=1e-4)
    for tensor in view.tensors.values():
        for at, site, index in cells_of(tensor, 1):
            assert explain(large.run, large.trace, site, index).recorded == tensor.values[at]


def test_the_window_of_outputs_holds_the_number_that_is_explained(large):
    site = "decoder.layers.1.cross_attn.output"
    asked = state(trail=(CellPlace(site, (0, 3, 500)),))
    outputs = choose_extent(large, asked, "cross-attention").outputs
    assert 500 in outputs
    assert outputs.stop <= 512
    other = state(trail=(CellPlace("decoder.layers.0.cross_attn.output", (0, 3, 500)),))
    assert choose_extent(large, other, "cross-attention").outputs.start == 0
