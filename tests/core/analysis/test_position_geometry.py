"""Sinusoids as rotations: against the formula written out, and against what the encoder does with the order."""

import math
from dataclasses import replace

import pytest
import torch

from core.analysis.position_geometry import (
    learned_position_parameters,
    order_difference,
    rotate,
    rotation,
    similarity,
    similarity_by_distance,
    wavelengths,
)
from core.config import TransformerConfig
from core.errors import InputError
from core.model.parameters import count_parameters
from core.model.positional_encoding import sinusoidal_table
from core.model.transformer import Transformer
from tests.core.conftest import TINY


@pytest.mark.parametrize("offset", [-7, -2, 0, 1, 2, 9, 24, 101])
@pytest.mark.parametrize("d_model", [2, 6, 64])
def test_one_matrix_a_pair_shifts_every_position(offset, d_model):
    rows = sinusoidal_table(0, 40, d_model)
    shifted = rotate(rotation(offset, d_model), rows)
    torch.testing.assert_close(shifted, sinusoidal_table(offset, 40, d_model), rtol=0, atol=1e-12)


def test_the_matrices_are_those_of_the_angle_and_keep_lengths():
    matrices = rotation(5, 12)
    for pair, matrix in enumerate(matrices.tolist()):
        angle = 5 / 10000 ** (2 * pair / 12)
        expected = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        torch.testing.assert_close(torch.tensor(matrix), torch.tensor(expected), rtol=0, atol=1e-12)
    identity = torch.eye(2, dtype=torch.float64).expand(6, 2, 2)
    torch.testing.assert_close(matrices @ matrices.mT, identity, rtol=0, atol=1e-12)
    torch.testing.assert_close(
        torch.linalg.det(matrices), torch.ones(6, dtype=torch.float64), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("d_model", [2, 10, 64])
def test_wavelengths_grow_from_two_pi_to_ten_thousand_times_as_much(d_model):
    expected = [2 * math.pi * 10000 ** (2 * pair / d_model) for pair in range(d_model // 2)]
    assert wavelengths(d_model).tolist() == pytest.approx(expected, rel=1e-9)


def test_products_depend_on_the_distance_alone():
    rows = sinusoidal_table(3, 30, 16)
    products = similarity(rows)
    for distance in range(30):
        expected = sum(math.cos(distance / 10000 ** (2 * pair / 16)) for pair in range(8))
        diagonal = products.diagonal(distance)
        torch.testing.assert_close(diagonal, torch.full_like(diagonal, expected), rtol=0, atol=1e-12)
    means, spreads = similarity_by_distance(rows)
    torch.testing.assert_close(means, products[0], rtol=0, atol=1e-12)
    assert means.shape == spreads.shape == (30,)
    assert spreads.max() < 1e-12


def test_products_of_any_other_vectors_depend_on_the_place_too():
    rows = torch.randn(9, 4, generator=torch.Generator().manual_seed(0))
    means, spreads = similarity_by_distance(rows)
    products = rows @ rows.T
    by_hand = [float(products[place, place + 2]) for place in range(7)]
    assert float(means[2]) == pytest.approx(sum(by_hand) / 7, rel=1e-5)
    assert float(spreads[2]) == pytest.approx(max(by_hand) - min(by_hand), rel=1e-5)


@pytest.mark.parametrize("ask", [lambda size: rotation(1, size), wavelengths])
@pytest.mark.parametrize("d_model", [0, 7])
def test_an_odd_width_is_refused(ask, d_model):
    with pytest.raises(InputError, match=f"d_model {d_model} must be even"):
        ask(d_model)


@pytest.mark.parametrize("positional", ["sinusoidal", "learned", "none"])
def test_learned_positions_cost_what_the_model_then_has_more(positional):
    config = replace(TINY, positional=positional)
    cost = count_parameters(Transformer(replace(TINY, positional="learned"))) - count_parameters(
        Transformer(TINY)
    )
    assert learned_position_parameters(config) == cost == 2 * TINY.max_len * TINY.d_model


def test_without_positions_the_order_means_nothing():
    assert order_difference(replace(TINY, positional="none"), seed=3) < 1e-12
    for positional in ("sinusoidal", "learned"):
        assert order_difference(replace(TINY, positional=positional), seed=3) > 0.1


@pytest.mark.parametrize("changes", [{"max_len": 3}, {"norm_position": "pre"}])
def test_every_configuration_can_be_asked_about_the_order(changes):
    assert order_difference(replace(TINY, positional="none", **changes)) < 1e-12


def test_asking_draws_no_numbers_from_anybody_else():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    order_difference(
        TransformerConfig(src_vocab_size=9, tgt_vocab_size=9, d_model=8, n_heads=2, d_ff=8), seed=1
    )
    assert torch.equal(torch.rand(3), expected)
