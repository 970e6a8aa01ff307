"""The time that a training will take is measured with a few real steps, and left open where these take long."""

import time
from dataclasses import replace

import pytest
import torch

from core.config import TrainConfig, TransformerConfig
from core.model.shapes import expected_parameters
from core.training import expected_time
from core.training.expected_time import PartTimes, part_times
from core.training.trainer import Trainer

CONFIG = TransformerConfig(
    src_vocab_size=11, tgt_vocab_size=13, d_model=16, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, d_ff=32,
    max_len=8, positional="learned", tie_embeddings=False,
)  # fmt: skip


def measured(config=CONFIG, batch_size=3, *, n_validation=4, n_test=4, source_tokens=5, target_tokens=4):
    return part_times(
        config,
        batch_size,
        n_validation=n_validation,
        n_test=n_test,
        source_tokens=source_tokens,
        target_tokens=target_tokens,
    )


@pytest.fixture
def batches(monkeypatch) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Shapes of the sources and targets that updates were made with."""
    made = []
    update = Trainer.update

    def noted(trainer, batch):
        made.append((tuple(batch.src.shape), tuple(batch.tgt_in.shape)))
        return update(trainer, batch)

    monkeypatch.setattr(Trainer, "update", noted)
    return made


def clock(monkeypatch, *seconds: float) -> None:
    """What is timed takes so long, one thing after the other, and then nothing."""
    moments = iter([moment for each in seconds for moment in (0.0, each)])
    monkeypatch.setattr(time, "thread_time", lambda: next(moments, 0.0))


def test_an_update_is_the_median_of_a_few_after_one_that_warms_up(monkeypatch, batches):
    clock(monkeypatch, 5.0, 1.0, 3.0)
    assert measured().update == 3.0
    assert batches == [((3, 5), (3, 4))] * 4


def test_a_look_reads_once_writes_token_after_token_and_is_counted_for_all_its_pairs(monkeypatch):
    # Four targets of 4 tokens: 11 steps at the most, of which the first took 7 s, and the loss half a second.
    look = (7.0, 3.0, 1.0, 2.0, 0.5)
    clock(monkeypatch, 0, 0, 0, *look, *look)
    assert measured().validation == 7.0 + 10 * 2.0 + 0.5 + 7.0 + 10 * 2.0 + 0.5, (
        "the pairs and the fixed sources"
    )
    clock(monkeypatch, 0, 0, 0, *look, *(0, 0, 0, 0, 0), *look)
    found = measured(n_validation=500, n_test=1000)
    assert found.validation == pytest.approx(2.5 * 27.5), "200 are decoded at a time"
    assert found.test == pytest.approx(5 * 27.5)


def test_a_training_takes_its_updates_its_validations_and_the_test():
    training = TrainConfig(steps=100, warmup_steps=5, validate_every=30)
    times = PartTimes(update=1.0, validation=10.0, test=5.0)
    assert (times.of_updates(training), times.of_validations(training)) == (100.0, 45.0)
    assert times.of(training) == 145.0
    assert times.of(replace(training, validate_every=1)) == 100 + 1000 + 5


def test_rows_are_no_longer_than_the_model_can_read(batches):
    assert measured(source_tokens=50, target_tokens=50).update > 0
    assert batches[0] == ((3, 8), (3, 8))


def test_of_a_large_batch_some_rows_are_timed_and_the_others_counted(monkeypatch, batches):
    monkeypatch.setattr(expected_time, "MOST_WORK", 10 * 9 * expected_parameters(CONFIG))
    clock(monkeypatch, 2.0, 2.0, 2.0)
    assert measured(batch_size=10_000).update == 2000.0
    assert batches[0] == ((10, 5), (10, 4))


def test_a_training_whose_updates_take_long_is_left_open(monkeypatch):
    monkeypatch.setattr(Trainer, "update", lambda trainer, batch: pytest.fail("no update may be made"))
    monkeypatch.setattr(expected_time, "MOST_WORK", 9 * expected_parameters(CONFIG) - 1)
    assert measured() is None


def test_a_model_that_would_fill_the_servers_memory_is_not_even_made(monkeypatch):
    monkeypatch.setattr(expected_time, "Transformer", lambda config: pytest.fail("no model may be made"))
    large = replace(CONFIG, src_vocab_size=10**6)
    assert expected_parameters(large) * 2 < expected_time.MOST_WORK
    assert measured(large, 1, source_tokens=1, target_tokens=1) is None


def test_the_random_numbers_of_others_stay_as_they_are():
    before = torch.get_rng_state()
    measured()
    assert torch.equal(torch.get_rng_state(), before)
