"""What an untrained model's logits look like, by the variance of its embeddings."""

from dataclasses import replace

import pytest
import torch

from core.analysis.initial_logits import initial_logit_variance
from core.config import TransformerConfig

CONFIG = TransformerConfig(
    src_vocab_size=70,
    tgt_vocab_size=70,
    d_model=48,
    n_heads=4,
    n_encoder_layers=1,
    n_decoder_layers=2,
    d_ff=64,
    max_len=32,
)


@pytest.mark.parametrize("changes", [{}, {"tie_embeddings": False, "tgt_vocab_size": 90}])
def test_logits_begin_with_the_variance_of_the_embeddings_times_d_model(changes):
    # The decoder ends in a norm, so each logit is a sum of d_model products with one factor of variance 1.
    found = initial_logit_variance(replace(CONFIG, **changes), seed=2)
    assert found.scaled == pytest.approx(1, rel=0.25)
    assert found.unscaled == pytest.approx(48, rel=0.25)
    assert found.n_logits == 8 * 16 * (changes.get("tgt_vocab_size", 70) - 1)


def test_the_same_seed_measures_the_same_and_draws_from_nobody():
    torch.manual_seed(4)
    expected = torch.rand(2)
    torch.manual_seed(4)
    first = initial_logit_variance(CONFIG, seed=7)
    assert torch.equal(torch.rand(2), expected)
    assert initial_logit_variance(CONFIG, seed=7) == first
    assert initial_logit_variance(CONFIG, seed=8).scaled != first.scaled


@pytest.mark.parametrize(
    "changes",
    [
        {"positional": "learned", "max_len": 5},
        {"norm_position": "pre"},
        {"dtype": "bfloat16"},
    ],
)
def test_every_configuration_can_be_measured(changes):
    found = initial_logit_variance(replace(CONFIG, **changes))
    assert 0.5 < found.scaled < 2
    assert found.unscaled > 20
