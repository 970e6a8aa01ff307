"""What a configuration says of a model's learned tensors is what the model has."""

from itertools import product

import pytest

from core.config import TransformerConfig
from core.model.shapes import parameter_shapes
from core.model.transformer import Transformer

VARIANTS = list(
    product(("post", "pre"), (None, True), ("sinusoidal", "learned", "none"), (False, True), (False, True))
)


@pytest.mark.sweep
@pytest.mark.parametrize(("norm_position", "final_norm", "positional", "tied", "bias"), VARIANTS)
def test_names_shapes_and_order_are_those_of_the_model(norm_position, final_norm, positional, tied, bias):
    config = TransformerConfig(
        src_vocab_size=11,
        tgt_vocab_size=11 if tied else 13,
        d_model=6,
        n_heads=2,
        n_encoder_layers=2,
        n_decoder_layers=3,
        d_ff=10,
        max_len=7,
        norm_position=norm_position,
        final_norm=final_norm,
        positional=positional,
        tie_embeddings=tied,
        attention_bias=bias,
    )
    built = [(name, tuple(value.shape)) for name, value in Transformer(config).named_parameters()]
    assert list(parameter_shapes(config).items()) == built
