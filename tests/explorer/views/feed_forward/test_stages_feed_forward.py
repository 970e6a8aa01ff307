"""Feed-forward: every stage multiplies out, every cell is explained, windows hold the strongest units of the token."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from explorer.tensors import check
from explorer.views.feed_forward.data import (
    SHOWN_UNITS,
    STRONGEST,
    between,
    feed_forward_view,
    network,
    neurons,
    units_by_token,
    zeros,
)
from explorer.views.feed_forward.tables import neuron_columns, neuron_sentence, token_columns, zeros_sentence
from tests.explorer.random_recording import random_recording
from tests.explorer.stage_cells import assert_explained, matrix
from tests.states import state_of

pytestmark = pytest.mark.sweep

VARIANTS: dict[str, dict[str, Any]] = {
    "relu": {},
    "gelu pre": {"activation": "gelu", "norm_position": "pre"},
    "silu untied": {"activation": "silu", "tie_embeddings": False},
    "bfloat16": {"dtype": "bfloat16"},
    "wide": {"d_ff": 300},
}
ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "silu": F.silu,
}
both_stacks = pytest.mark.parametrize("stack", ["encoder", "decoder"])


@pytest.fixture(scope="module", params=VARIANTS)
def recorded(request):
    return random_recording(**VARIANTS[request.param])


@pytest.fixture(scope="module")
def wide():
    return random_recording(**VARIANTS["wide"])


def state(**choices):
    return state_of("random", "w4", **choices)


@both_stacks
def test_every_cell_is_the_one_that_explain_explains(recorded, stack):
    for layer in (0, 1):
        assert_explained(recorded, feed_forward_view(recorded, state(block=stack, layer=layer)))


@both_stacks
def test_the_stages_multiply_out(recorded, stack):
    tolerance = 0.15 if recorded.dtype == "bfloat16" else 2e-5
    view = feed_forward_view(recorded, state(block=stack, layer=1))
    check(view)
    widen, bend, narrow = view.stages
    x, w1, before, b1 = (matrix(view, panel, layer=1) for panel in widen.panels)
    np.testing.assert_allclose(x @ w1 + b1, before, atol=tolerance)
    before, hidden = (matrix(view, panel, layer=1) for panel in bend.panels)
    expected = ACTIVATIONS[recorded.run.config.activation](torch.tensor(before)).numpy()
    np.testing.assert_allclose(expected, hidden, atol=tolerance)
    hidden, w2, output, b2 = (matrix(view, panel, layer=1) for panel in narrow.panels)
    if recorded.run.config.d_ff <= 256:
        np.testing.assert_allclose(hidden @ w2 + b2, output, atol=tolerance)


@both_stacks
def test_of_many_units_the_strongest_of_the_chosen_token_are_there(wide, stack):
    for layer, place in ((0, 2), (1, 3)):
        chosen = state(block=stack, layer=layer, position=place, step=place)
        view = feed_forward_view(wide, chosen)
        hidden = wide.values(f"{stack}.layers.{layer}.feed_forward.hidden")[place]
        expected = np.argsort(-np.abs(hidden), kind="stable")[:SHOWN_UNITS]
        for name in ("w1", "b1", "pre", "hidden", "w2"):
            (axis,) = [axis for axis in view.tensors[name].axes if axis.name == "d_ff"]
            assert axis.places == tuple(expected)
            assert axis.window == (
                f"The 64 of 300 hidden units that are furthest from 0 at position {place}."
            )
        assert "outside of the window" in view.stages[2].note
        assert not view.choosers[0].local
        assert view.choosers[0].value == layer


def test_a_small_model_sends_all_layers_and_all_units():
    view = feed_forward_view(random_recording(), state(block="encoder", layer=0))
    assert view.choosers[0].local
    assert all(axis.places is None for tensor in view.tensors.values() for axis in tensor.axes)


def test_a_choice_that_is_not_there_falls_back(recorded):
    view = feed_forward_view(recorded, state(block="encoder.self_attn", layer=9, stage="scores"))
    assert view.stage == "pre_activation"
    assert network(recorded, state(block="encoder", layer=9)) == "encoder.layers.1.feed_forward"
    assert network(recorded, state()) == "decoder.layers.2.feed_forward"


@both_stacks
def test_zeros_and_strongest_units_are_counted_from_the_recorded_values(recorded, stack):
    chosen = state(block=stack, layer=0, position=1, step=1)
    hidden = recorded.values(f"{stack}.layers.0.feed_forward.hidden")
    assert zeros(recorded, chosen).zeros == tuple((hidden == 0).sum(axis=1))
    rows = units_by_token(recorded, chosen)
    for row, values in zip(rows, hidden, strict=True):
        assert row.strongest[0][1] == values[np.abs(values).argmax()]
    columns = token_columns(rows, hidden.shape[1])
    assert columns["share"][0] == f"{(hidden[0] == 0).mean():.3f}"
    sentence = zeros_sentence(zeros(recorded, chosen), recorded.run.config.activation)
    n_zeros = int((hidden == 0).sum())
    assert sentence.startswith(f"{n_zeros:,} of {hidden.size:,} hidden values are exactly 0, a share of ")
    assert f"{(hidden == 0).mean():.3f}" in sentence


def test_what_the_strongest_units_write_is_shown_with_a_warning(recorded):
    chosen = state(block="decoder", layer=1, step=2)
    found = neurons(recorded, chosen)
    hidden = recorded.values("decoder.layers.1.feed_forward.hidden")[2]
    assert [neuron.unit for neuron in found] == np.argsort(-np.abs(hidden), kind="stable")[
        :STRONGEST
    ].tolist()
    columns = neuron_columns(recorded, found, "decoder")
    model = recorded.run.model
    w2 = model.decoder.layers[1].feed_forward.linear2.weight.detach().double().numpy()
    direction = model.generator.weight.detach().double().numpy() @ w2[:, found[0].unit]
    best = recorded.run.tgt_tokenizer.vocabulary.token(int(direction.argmax()))
    assert columns["raises"][0].startswith(f"{best} ")
    words = between(recorded, chosen)
    assert "1 later decoder layer" in words
    assert "direction, not an effect" in neuron_sentence("decoder", words)


def test_what_an_encoder_unit_raises_is_not_claimed(recorded):
    chosen = state(block="encoder", layer=0)
    assert "raises" not in neuron_columns(recorded, neurons(recorded, chosen), "encoder")
    assert "cross-attention" in neuron_sentence("encoder", between(recorded, chosen))


def test_what_stands_between_the_last_network_and_the_logits():
    assert between(random_recording(), state(layer=2)) == "a norm"
    assert (
        between(random_recording(norm_position="pre"), state(layer=0)) == "a norm and 2 later decoder layers"
    )
