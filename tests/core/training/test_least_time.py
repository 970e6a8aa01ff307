"""The least time of a training: its products are counted as torch counts them, and nothing large is made."""

from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core.config import TransformerConfig
from core.model.transformer import Transformer
from core.training.least_time import PASSES, least_seconds, multiply_adds

CONFIG = TransformerConfig(
    src_vocab_size=50, tgt_vocab_size=60, d_model=64, n_heads=4, n_encoder_layers=2, n_decoder_layers=3, d_ff=96,
    tie_embeddings=False, dropout=0.0,
)  # fmt: skip


@pytest.mark.parametrize("changes", [{}, {"n_encoder_layers": 1, "d_ff": 256}, {"tgt_vocab_size": 500}])
def test_the_products_of_an_update_are_those_that_torch_counts(changes):
    config = replace(CONFIG, **changes)
    model = Transformer(config)
    src, tgt = torch.full((3, 5), 7), torch.full((3, 4), 7)
    tgt[:, 0] = 1
    with FlopCounterMode(display=False) as counter:
        model(src, tgt).sum().backward()
    ours = 2 * PASSES * multiply_adds(config, sources=15, targets=12)
    # Torch has the products of queries with keys and of weights with values besides, which are few here.
    assert 0.85 * counter.get_total_flops() <= ours <= counter.get_total_flops()


def test_twice_the_updates_or_pairs_take_twice_as_long(monkeypatch):
    monkeypatch.setattr("core.training.least_time.rate", lambda: 1e9)
    sizes = {"batch_size": 8, "source_tokens": 7, "target_tokens": 8}
    once = least_seconds(CONFIG, steps=10, **sizes)
    assert least_seconds(CONFIG, steps=20, **sizes) == pytest.approx(2 * once)
    assert least_seconds(CONFIG, steps=10, **(sizes | {"batch_size": 16})) == pytest.approx(2 * once)
    assert once == 10 * PASSES * multiply_adds(CONFIG, sources=56, targets=64) / 1e9
