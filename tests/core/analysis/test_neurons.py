"""Hidden units: exact zeros, the strongest ones, and the directions that they write, recomputed by hand."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.activations.record import edit, record
from core.analysis.neurons import (
    Firing,
    count_zeros,
    strongest_firings,
    strongest_neurons,
    strongest_units,
    unit_directions,
)
from core.errors import InputError
from tests.core.conftest import TINY, random_model

VARIANTS = {
    "relu": TINY,
    "gelu pre": replace(TINY, activation="gelu", norm_position="pre"),
    "silu untied": replace(TINY, activation="silu", tie_embeddings=False, tgt_vocab_size=23),
    "float32": replace(TINY, dtype="float32"),
}
by_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
PATH = "decoder.layers.1.feed_forward"


def hidden_of(model, src, tgt_in):
    with record(model, f"{PATH}.hidden") as activations:
        model(src, tgt_in)
    return activations[f"{PATH}.hidden"][0]


def test_zeros_are_counted_exactly():
    hidden = torch.tensor([[0.0, -0.0, 1e-45, 2.0], [0.0, 0.0, 0.0, 0.0], [-1.0, 3.0, 5.0, 1.0]])
    counted = count_zeros(hidden)
    assert (counted.zeros, counted.units, counted.total) == ((2, 4, 0), 4, 6)
    assert counted.share == 0.5


@by_variant
def test_relu_silences_what_is_not_above_zero_and_the_others_silence_nothing_here(config, src, tgt_in):
    model = random_model(config)
    with record(model, f"{PATH}.*") as activations:
        model(src, tgt_in)
    before = activations[f"{PATH}.pre_activation"][0].numpy()
    expected = (before <= 0).sum(axis=1) if config.activation == "relu" else np.zeros(len(before))
    assert count_zeros(activations[f"{PATH}.hidden"][0]).zeros == tuple(expected)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=20), st.integers(1, 25))
def test_the_strongest_are_furthest_from_zero_and_of_equals_the_first(values, k):
    units = strongest_units(torch.tensor(values, dtype=torch.float32), k)
    expected = sorted(range(len(values)), key=lambda unit: (-abs(values[unit]), unit))[:k]
    assert list(units) == expected


@by_variant
def test_what_a_unit_writes_is_its_column_of_w2_through_the_output_matrix(config, src, tgt_in):
    model = random_model(config)
    hidden = hidden_of(model, src, tgt_in)[2]
    found = strongest_neurons(model, PATH, hidden, k=5, n_tokens=4)
    w2 = model.get_parameter("decoder.layers.1.feed_forward.linear2.weight").double().detach().numpy()
    matrix = model.generator.weight.double().detach().numpy()
    for neuron in found:
        direction = matrix @ w2[:, neuron.unit]
        order = np.argsort(direction)
        assert [token for token, _ in neuron.raised] == order[::-1][:4].tolist()
        assert [token for token, _ in neuron.lowered] == order[:4].tolist()
        for token, logit in (*neuron.raised, *neuron.lowered):
            assert logit == pytest.approx(direction[token], rel=1e-9, abs=1e-12)
        assert neuron.value == hidden[neuron.unit].item()
        assert neuron.length == pytest.approx(np.sqrt((w2[:, neuron.unit] ** 2).sum()), rel=1e-9)
        assert neuron.contribution == neuron.value * neuron.length


def test_a_direction_is_the_effect_where_no_norm_and_no_layer_stand_between(src, tgt_in):
    # The generator is linear, so that adding a unit's column to its input moves the logits by the direction.
    model = random_model(TINY)
    (direction,) = unit_directions(model, PATH, [7])
    column = model.get_parameter("decoder.layers.1.feed_forward.linear2.weight")[:, 7].detach()
    before = model(src, tgt_in)
    with edit(model, {"decoder.output": lambda x: x + column}):
        after = model(src, tgt_in)
    torch.testing.assert_close(after - before, direction.expand_as(before), rtol=0, atol=1e-10)


def test_impossible_questions_are_refused_with_a_sentence(tiny_model):
    with pytest.raises(InputError, match="1 unit or more"):
        strongest_units(torch.ones(3), 0)
    with pytest.raises(InputError, match="no feed-forward network"):
        unit_directions(tiny_model, "decoder.layers.9.feed_forward", [0])
    for unit in (36, -1):
        with pytest.raises(InputError, match=f"unit {unit} is outside"):
            unit_directions(tiny_model, PATH, [unit])
    for shape in ((0, 4), (4,)):
        with pytest.raises(InputError, match="position, d_ff"):
            count_zeros(torch.zeros(shape))


def test_where_a_unit_fires_most_is_found_in_all_texts_and_never_where_it_is_silent():
    texts = [torch.tensor([[0.0, 1.0], [0.0, -0.2]]), torch.tensor([[0.0, 3.0], [0.0, 1.0], [0.0, 0.0]])]
    expected = (Firing(1, 0, 3.0), Firing(0, 0, 1.0), Firing(1, 1, 1.0))
    assert strongest_firings(texts, 1, 5) == expected
    assert strongest_firings(texts, 1, 2) == expected[:2]
    assert strongest_firings(texts, 0, 5) == strongest_firings([], 0, 5) == ()
    with pytest.raises(InputError, match="a unit 2"):
        strongest_firings(texts, 2, 5)
