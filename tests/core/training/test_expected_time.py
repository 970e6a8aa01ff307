"""The time that a training will take is measured with a few real updates, and left open where these take long."""

from dataclasses import replace

import pytest
import torch

from core.config import TransformerConfig
from core.model.transformer import expected_parameters
from core.training import expected_time
from core.training.expected_time import seconds_per_update
from core.training.trainer import Trainer

CONFIG = TransformerConfig(
    src_vocab_size=11, tgt_vocab_size=13, d_model=16, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, d_ff=32,
    max_len=8, positional="learned", tie_embeddings=False,
)  # fmt: skip


def test_it_is_the_median_of_a_few_updates_after_one_that_warms_up(monkeypatch):
    clock = iter([0.0, 5.0, 10.0, 11.0, 20.0, 23.0])
    monkeypatch.setattr(expected_time.time, "thread_time", lambda: next(clock))
    made = []
    update = Trainer.update
    monkeypatch.setattr(
        Trainer, "update", lambda trainer, batch: made.append(batch) or update(trainer, batch)
    )
    assert seconds_per_update(CONFIG, 3, source_tokens=5, target_tokens=4) == 3.0
    assert [(tuple(batch.src.shape), tuple(batch.tgt_in.shape)) for batch in made] == [((3, 5), (3, 4))] * 4


def test_rows_are_no_longer_than_the_model_can_read():
    assert seconds_per_update(CONFIG, 2, source_tokens=50, target_tokens=50) > 0


def test_a_training_whose_updates_take_long_is_left_open(monkeypatch):
    monkeypatch.setattr(Trainer, "update", lambda trainer, batch: pytest.fail("no update may be made"))
    assert seconds_per_update(CONFIG, 10**6, source_tokens=50, target_tokens=50) is None


def test_a_model_that_would_fill_the_servers_memory_is_not_even_made(monkeypatch):
    monkeypatch.setattr(expected_time, "Transformer", lambda config: pytest.fail("no model may be made"))
    large = replace(CONFIG, src_vocab_size=10**6)
    assert expected_parameters(large) * 2 < expected_time.MOST_WORK
    assert seconds_per_update(large, 1, source_tokens=1, target_tokens=1) is None


def test_the_random_numbers_of_others_stay_as_they_are():
    before = torch.get_rng_state()
    seconds_per_update(CONFIG, 2, source_tokens=5, target_tokens=4)
    assert torch.equal(torch.get_rng_state(), before)
