"""Updates of the training: Adam with a clipped gradient and a smoothed loss, written out as the reference."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest
import torch
from torch import nn

from core.config import TrainConfig
from core.data.batching import Batch
from core.model.transformer import Transformer
from core.training.trainer import train
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model

SMALL = replace(TINY, n_encoder_layers=1, n_decoder_layers=2, dropout=0.0)
# A peak of 0.02 after two updates of warm-up, falling to 0 after the fifth.
RATES = (0.01, 0.02, 0.02, 0.02 * 2 / 3)
CONFIG = TrainConfig(
    steps=5,
    warmup_steps=2,
    peak_learning_rate=0.02,
    label_smoothing=0.3,
    clip_norm=0.5,
    adam_beta1=0.7,
    adam_beta2=0.85,
    adam_eps=1e-3,
)


@pytest.fixture
def four_batches() -> list[Batch]:
    """Four different batches of 3 pairs, sources [3, 6] and targets [3, 5]; the last target is padded."""
    generator = torch.Generator().manual_seed(4)
    batches = []
    for _ in range(4):
        src, words = (torch.randint(3, 19, (3, n), generator=generator) for n in (6, 4))
        src[:, 5] = EOS
        tgt_in = torch.cat((torch.full((3, 1), BOS), words), dim=1)
        tgt_out = torch.cat((words, torch.full((3, 1), EOS)), dim=1)
        tgt_in[2, 4], tgt_out[2, 3], tgt_out[2, 4] = PAD, EOS, PAD
        batches.append(Batch(src=src, tgt_in=tgt_in, tgt_out=tgt_out, n_tokens=14))
    return batches


def updated_by_hand(
    model: Transformer, batches: Sequence[Batch], config: TrainConfig
) -> tuple[Transformer, list[float], list[float]]:
    """A copy after one update per batch, with the loss and the gradient's whole norm before each."""
    model = copy.deepcopy(model).train()
    parameters = list(model.parameters())
    means = [torch.zeros_like(p) for p in parameters]
    squares = [torch.zeros_like(p) for p in parameters]
    losses, norms = [], []
    for t, (batch, rate) in enumerate(zip(batches, RATES, strict=True), start=1):
        loss = nn.functional.cross_entropy(
            model(batch.src, batch.tgt_in).flatten(0, 1),
            batch.tgt_out.flatten(),
            label_smoothing=config.label_smoothing,
            ignore_index=PAD,
        )
        gradients = torch.autograd.grad(loss, parameters)
        norm = torch.cat([g.flatten() for g in gradients]).norm().item()
        shrink = min(1.0, config.clip_norm / (norm + 1e-6))  # torch keeps clear of 0/0
        for p, g, mean, square in zip(parameters, gradients, means, squares, strict=True):
            mean.mul_(config.adam_beta1).add_((1 - config.adam_beta1) * shrink * g)
            square.mul_(config.adam_beta2).add_((1 - config.adam_beta2) * (shrink * g).square())
            unbiased_mean = mean / (1 - config.adam_beta1**t)
            unbiased_square = square / (1 - config.adam_beta2**t)
            with torch.no_grad():
                p.sub_(rate * unbiased_mean / (unbiased_square.sqrt() + config.adam_eps))
        losses.append(loss.item())
        norms.append(norm)
    return model, losses, norms


@pytest.mark.parametrize("clip_norm", [0.5, 1000.0], ids=["clipped", "unclipped"])
def test_updates_are_adams_on_the_smoothed_loss_with_a_clipped_gradient(clip_norm, four_batches):
    config = replace(CONFIG, clip_norm=clip_norm)
    model = random_model(SMALL)
    expected, losses, norms = updated_by_hand(model, four_batches, config)
    assert all((norm > clip_norm) == (clip_norm == 0.5) for norm in norms)

    steps = list(train(model, four_batches, config))
    assert [step.loss for step in steps] == pytest.approx(losses, rel=1e-9)
    assert [step.grad_norm for step in steps] == pytest.approx(norms, rel=1e-9)
    assert [step.learning_rate for step in steps] == pytest.approx(RATES)
    for (name, mine), other in zip(model.named_parameters(), expected.parameters(), strict=True):
        torch.testing.assert_close(mine, other, rtol=0, atol=1e-10, msg=partial("{}: {}".format, name))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "changes",
    [
        {"clip_norm": 0.25},
        {"adam_beta1": 0.9},
        {"adam_beta2": 0.98},
        {"adam_eps": 1e-2},
        {"label_smoothing": 0.1},
        {"peak_learning_rate": 0.01},
        {"warmup_steps": 0},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_every_setting_of_the_training_changes_what_is_learnt(changes, four_batches):
    learnt = []
    for config in (CONFIG, replace(CONFIG, **changes)):
        model = random_model(SMALL)
        for _ in train(model, four_batches, config):
            pass
        learnt.append(torch.cat([p.detach().flatten() for p in model.parameters()]))
    assert (learnt[0] - learnt[1]).abs().max() > 1e-4


def test_every_module_is_in_training_mode_during_every_update(four_batches):
    model = random_model(replace(SMALL, dropout=0.2)).eval()
    seen = []
    model.register_forward_hook(lambda *_: seen.append({module.training for module in model.modules()}))
    for _ in train(model, four_batches, CONFIG):
        model.eval()
    assert seen == [{True}] * 4


def test_evaluating_between_updates_changes_no_update(four_batches):
    def losses(*, evaluating: bool) -> list[float]:
        model = random_model(replace(SMALL, dropout=0.4))
        torch.manual_seed(5)
        found = []
        for step in train(model, four_batches, CONFIG):
            found.append(step.loss)
            if evaluating:
                model.eval()
                with torch.no_grad():
                    model(four_batches[0].src, four_batches[0].tgt_in)
        return found

    assert losses(evaluating=True) == losses(evaluating=False)


def test_dropout_is_part_of_an_updates_loss(four_batches):
    first = []
    for dropout in (0.0, 0.4):
        torch.manual_seed(5)
        model = random_model(replace(SMALL, dropout=dropout))
        first += [step.loss for step in islice(train(model, four_batches, CONFIG), 1)]
    assert abs(first[0] - first[1]) > 1e-3
