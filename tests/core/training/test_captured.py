"""Capturing an update: it changes nothing, and what it keeps is what autograd and the optimiser computed."""

import pytest
import torch
import torch.nn.functional as F

from core.config import TransformerConfig
from core.errors import InputError
from core.training import watch
from core.training.captured import MAX_PARAMETERS, capture_update, check_size
from core.training.norms import clip_factor
from tests.core.training.updates import BATCH, VARIANTS, trainer_of


def whole(tensors: dict[str, torch.Tensor], name: str) -> torch.Tensor:
    """A parameter as torch names it, from what formulas name it."""
    path, packed, leaf = name.rpartition(".in_proj.")
    return torch.cat([tensors[f"{path}.{leaf[0]}_{letter}"] for letter in "qkv"]) if packed else tensors[name]


def part(update, name: str) -> dict[str, torch.Tensor]:
    return {each: update.of(name, each) for each in update.parameters}


@pytest.mark.parametrize("variant", VARIANTS)
def test_capturing_changes_no_bit_of_the_update(variant):
    plain, watched = trainer_of(**VARIANTS[variant]), trainer_of(**VARIANTS[variant])
    for _ in range(3):
        state = torch.get_rng_state()
        step = plain.update(BATCH)
        torch.set_rng_state(state)
        kept = capture_update(watched, BATCH).step
        assert (kept.loss, kept.grad_norm, kept.learning_rate) == (
            step.loss,
            step.grad_norm,
            step.learning_rate,
        )
        for one, other in zip(plain.model.parameters(), watched.model.parameters(), strict=True):
            assert torch.equal(one, other)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in watched.model.modules())
    assert not any(each._post_accumulate_grad_hooks for each in watched.model.parameters())


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "all dropouts"])
def test_the_gradient_is_the_one_that_autograd_gives_in_float64(variant):
    trainer = trainer_of(dropout=0.0, **VARIANTS[variant])
    trainer.update(BATCH)
    other = trainer_of(dropout=0.0, **VARIANTS[variant]).model
    other.load_state_dict(trainer.model.state_dict())
    other.double()
    logits = other(BATCH.src, BATCH.tgt_in).flatten(0, 1)
    loss = F.cross_entropy(logits, BATCH.tgt_out.flatten(), label_smoothing=0.1, ignore_index=0)
    expected = torch.autograd.grad(loss, list(other.parameters()))
    update = capture_update(trainer, BATCH)
    assert update.step.loss == pytest.approx(loss.item(), rel=1e-6)
    for (name, _), gradient in zip(other.named_parameters(), expected, strict=True):
        torch.testing.assert_close(
            whole(part(update, "gradient"), name).double(), gradient, rtol=1e-4, atol=1e-6, msg=name
        )


def test_the_optimiser_gets_the_clipped_gradient_and_goes_on_as_torchs_adam_does():
    trainer = trainer_of()
    trainer.update(BATCH)
    update = capture_update(trainer, BATCH)
    factor = clip_factor(update.step.grad_norm, trainer.config.clip_norm)
    assert factor < 1
    weights = {name: torch.nn.Parameter(update.of("before", name).double()) for name in update.parameters}
    adam = torch.optim.Adam(weights.values(), lr=update.step.learning_rate, betas=(0.9, 0.98), eps=1e-9)
    for name, weight in weights.items():
        torch.testing.assert_close(update.of("clipped", name), update.of("gradient", name) * factor)
        weight.grad = update.of("clipped", name).double()
        moments = {m: update.of(f"{m}_before", name).double() for m in ("exp_avg", "exp_avg_sq")}
        adam.state[weight] = {"step": torch.tensor(1.0), **moments}
    adam.step()
    for name, weight in weights.items():
        torch.testing.assert_close(update.of("after", name).double(), weight.detach(), rtol=1e-5, atol=1e-7)
        torch.testing.assert_close(update.of("exp_avg", name).double(), adam.state[weight]["exp_avg"])


def test_padding_takes_no_part_in_any_sum():
    update = capture_update(trainer_of(), BATCH)
    padded = {"source": update.batch.src == 0, "target": update.batch.tgt_in == 0}
    for use in update.uses:
        assert not update.tensors[f"dy/{use.key}"][padded[use.side]].any(), use


def test_every_parameter_is_used_somewhere_and_moments_begin_at_zero():
    update = capture_update(trainer_of(positional="learned"), BATCH)
    assert all(update.uses_of(name) for name in update.parameters)
    assert not any(update.of("exp_avg_before", name).any() for name in update.parameters)


def test_what_is_too_large_is_refused_with_a_sentence(monkeypatch):
    with pytest.raises(InputError, match=f"{MAX_PARAMETERS:,} parameters"):
        check_size(TransformerConfig.base(src_vocab_size=1000, tgt_vocab_size=1000))
    with pytest.raises(InputError, match="at most 1,000 parameters"):
        capture_update(trainer_of(), BATCH, most_parameters=1000)
    check_size(TransformerConfig.base(src_vocab_size=1000, tgt_vocab_size=1000), 10**8)
    monkeypatch.setattr(watch, "MAX_BYTES", 2**10)
    with pytest.raises(InputError, match="smaller model or batch"):
        capture_update(trainer_of(), BATCH)
