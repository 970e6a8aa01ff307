"""Positions as stages: the core's own rows, products, rotations that predict, and tables that end."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from core.config import TransformerConfig
from core.errors import InputError
from core.explanation.explain import explain
from core.model.positional_encoding import LearnedPositionalEncoding
from explorer.browser.tensors import ASK, pack
from explorer.views.positions.data import PositionChoice, positions_view
from explorer.views.positions.facts import product_curves
from explorer.views.positions.rows import (
    LEARNED_SEED,
    MAX_LENGTH,
    learned_rows,
    longest_table,
    position_rows,
    shift,
    trained_positions,
)
from explorer.visitor.state import ExplorerState
from tests.explorer.random_recording import random_recording, random_run, recording_of
from tests.explorer.stage_cells import cells_of, matrix

STATE = ExplorerState(run="random", sentence="w4")
VARIANTS: dict[str, dict[str, Any]] = {
    "sinusoidal": {},
    "learned": {"positional": "learned"},
    "none": {"positional": "none"},
}


@pytest.fixture(scope="module", params=VARIANTS)
def recorded(request):
    return random_recording(**VARIANTS[request.param])


def panels(view, key):
    (stage,) = [stage for stage in view.stages if stage.key == key]
    return [matrix(view, panel) for panel in stage.panels]


def sinusoid(p, d, d_model):
    angle = p / 10000 ** (2 * (d // 2) / d_model)
    return math.cos(angle) if d % 2 else math.sin(angle)


@pytest.mark.sweep
@pytest.mark.parametrize("length", [3, 7, 20])
def test_what_can_be_asked_is_explained_and_everything_can_be_sent(recorded, length):
    view = positions_view(recorded, STATE, PositionChoice(length))
    pack(view)
    asked = {name: tensor for name, tensor in view.tensors.items() if tensor.askable}
    assert ("table" in asked) == (length <= 7 and recorded.run.config.positional != "none")
    assert {"sum_tokens", "sum_output"} <= set(asked)
    for tensor in asked.values():
        for at, site, index in cells_of(tensor):
            explanation = explain(recorded.run, recorded.trace, site, index)
            assert np.float32(explanation.recorded) == tensor.values[at]
    for name in ("similarity", "rotation", "pair", "turned", "predicted", "real", "learned"):
        assert (
            ASK.parse({"key": view.key, "tensor": name, "index": [0, 0], "layer": None, "report": 1}, view)
            is None
        )


@pytest.mark.parametrize("length", [3, 7, 20, MAX_LENGTH])
def test_the_table_is_the_formula_to_any_length(length):
    view = positions_view(random_recording(), STATE, PositionChoice(length))
    (table,) = panels(view, "table")
    expected = [[sinusoid(p, d, 24) for d in range(24)] for p in range(length)]
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-6)


def test_positions_beyond_those_of_training_are_marked():
    recorded = random_recording()
    trained = trained_positions(recorded)
    assert trained == recorded.run.max_source_tokens + 1 == 33
    axis = positions_view(recorded, STATE, PositionChoice(40)).tensors["table"].axes[0]
    assert axis.labels[32:34] == ("32", "33*")
    assert axis.window.startswith("* beyond the 33 positions")
    assert not positions_view(recorded, STATE, PositionChoice(33)).tensors["table"].axes[0].window


def test_products_of_a_learned_table_are_made_of_a_copy():
    # All visitors share the table, which is read-only, and torch warns of a tensor that is made of it without a copy.
    recorded = random_recording(positional="learned")
    curves, _ = product_curves(recorded, 12)
    rows = position_rows(recorded, 12).astype(np.float64)
    means, _ = curves["learned positions"]
    np.testing.assert_allclose(means[0], (rows * rows).sum(axis=1).mean(), rtol=1e-5)


@pytest.mark.parametrize("length", [7, 30])
def test_products_are_those_of_the_rows(recorded, length):
    rows, transposed, products = panels(positions_view(recorded, STATE, PositionChoice(length)), "similarity")
    np.testing.assert_array_equal(rows.T, transposed)
    np.testing.assert_allclose(rows @ rows.T, products, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("offset", "pair"), [(0, 0), (1, 3), (5, 11), (64, 1)])
def test_one_matrix_turns_a_pair_at_every_position(offset, pair):
    view = positions_view(random_recording(), STATE, PositionChoice(7, offset, pair))
    matrix_, before, after = panels(view, "rotation")
    angle = offset / 10000 ** (2 * pair / 24)
    cosine, sine = math.cos(angle), math.sin(angle)
    np.testing.assert_allclose(matrix_, [[cosine, sine], [-sine, cosine]], atol=1e-6)
    np.testing.assert_allclose(matrix_ @ before, after, atol=1e-6)
    expected = [[sinusoid(p + offset, 2 * pair + row, 24) for p in range(7)] for row in range(2)]
    np.testing.assert_allclose(after, expected, atol=1e-6)
    predicted, real = panels(view, "shifted")
    np.testing.assert_allclose(predicted, real, atol=1e-6)
    assert f"R of offset {offset}" not in view.stages[3].panels[0].title


def test_the_largest_difference_is_the_one_that_is_told():
    found = shift(24, 9, 16)
    by_hand = max(
        abs(float(found.predicted[p, d]) - sinusoid(p + 9, d, 24)) for p in range(16) for d in range(24)
    )
    assert found.largest_difference < 1e-12
    assert by_hand < 1e-12
    wrong = type(found)(found.matrices, found.before, found.predicted + 0.25, found.real)
    assert wrong.largest_difference == pytest.approx(0.25)
    (stage,) = [
        s
        for s in positions_view(random_recording(), STATE, PositionChoice(7, 9)).stages
        if s.key == "shifted"
    ]
    assert "in float64" in stage.note


def test_the_sum_is_what_the_first_layer_reads(recorded):
    *summands, output = panels(positions_view(recorded, STATE, PositionChoice(7)), "sum")
    np.testing.assert_allclose(sum(summands), output, atol=1e-5)
    np.testing.assert_array_equal(output, recorded.values("src_embed.output"))


def test_a_learned_table_is_the_models_own_and_ends():
    recorded = random_recording(positional="learned")
    rows, own = learned_rows(recorded, 12)
    assert own
    np.testing.assert_array_equal(
        rows, recorded.run.model.get_parameter("src_embed.positional.weight").detach()[:12]
    )
    assert longest_table(recorded.run.config) == 32
    with pytest.raises(InputError, match="learned up to length 32, but 33 are needed"):
        position_rows(recorded, 33)
    (table,) = panels(positions_view(recorded, STATE, PositionChoice(12)), "table")
    np.testing.assert_array_equal(table, rows)


def test_elsewhere_it_is_a_fresh_module_of_a_stated_seed_and_draws_from_nobody():
    recorded = random_recording()
    torch.manual_seed(11)
    expected_next = torch.rand(2)
    torch.manual_seed(11)
    rows, own = learned_rows(recorded, 12)
    assert torch.equal(torch.rand(2), expected_next)
    assert not own
    torch.manual_seed(LEARNED_SEED)
    expected = LearnedPositionalEncoding(recorded.run.config).weight[:12].detach().numpy()
    np.testing.assert_array_equal(rows, expected)
    stage = positions_view(recorded, STATE, PositionChoice(7)).stages[-1]
    assert stage.panels[-1].title == f"Learned, untrained, seed {LEARNED_SEED}"
    assert "32 × 24 = 768 numbers" in stage.note
    assert "without any order" in stage.note


def test_the_learned_table_ends_where_the_sinusoids_go_on():
    view = positions_view(random_recording(), STATE, PositionChoice(40))
    sinusoids, learned = panels(view, "learned")
    assert (len(sinusoids), len(learned)) == (40, 32)
    assert "ends with position 31" in view.stages[-1].note


def test_a_model_without_positions_says_so_and_shows_what_there_could_be():
    recorded = random_recording(positional="none")
    view = positions_view(recorded, STATE, PositionChoice(7))
    assert "adds no positions" in view.stages[0].note
    assert [stage.key for stage in view.stages] == [
        "table",
        "sum",
        "similarity",
        "rotation",
        "shifted",
        "learned",
    ]


@pytest.mark.parametrize("positional", ["learned", "none"])
def test_an_odd_width_has_no_sinusoids(positional):
    recorded = random_recording(positional=positional, d_model=15, n_heads=3)
    keys = [stage.key for stage in positions_view(recorded, STATE, PositionChoice(7)).stages]
    assert keys == (
        ["table", "sum", "similarity", "learned"] if positional == "learned" else ["sum", "learned"]
    )
    if positional == "none":
        with pytest.raises(InputError, match="no sinusoids of the odd width 15"):
            position_rows(recorded, 7)


@pytest.mark.proof
def test_the_papers_base_model_fits_into_a_message():
    config = TransformerConfig(
        src_vocab_size=50, tgt_vocab_size=50, n_encoder_layers=1, n_decoder_layers=1, max_len=512
    )
    recorded = recording_of(random_run(config), 100, 5)
    assert len(pack(positions_view(recorded, STATE, PositionChoice(MAX_LENGTH, 64, 255)))) < 2 * 2**20
