"""The loss of a known target: equal to torch's, token by token; padding and batch mates change nothing."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.target_loss import smoothed_target, target_loss, token_losses
from core.data.batching import EncodedPairs, collate
from core.errors import InputError
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model

VARIANTS = {
    "post": TINY,
    "pre gelu": replace(TINY, norm_position="pre", activation="gelu"),
    "untied silu": replace(TINY, tie_embeddings=False, tgt_vocab_size=23, activation="silu"),
}
by_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
SHORT, LONG = ((5, 6, 7), (8, 9)), ((4, 10, 11, 12, 13), (14, 15, 16, 17, 18))


def batch_of(*pairs):
    return collate(EncodedPairs(tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)))


@settings(max_examples=40)
@given(st.integers(1, 9), st.integers(2, 30), st.floats(0, 0.99), st.integers(0, 2**31))
def test_token_losses_are_torchs_without_reduction(n_labels, vocab, smoothing, seed):
    generator = torch.Generator().manual_seed(seed)
    logits = 4 * torch.randn(n_labels, vocab, generator=generator, dtype=torch.float64)
    labels = torch.randint(0, vocab, (n_labels,), generator=generator)
    losses = token_losses(logits, labels, smoothing=smoothing, pad_id=PAD)
    expected = F.cross_entropy(logits, labels, label_smoothing=smoothing, ignore_index=PAD, reduction="none")
    torch.testing.assert_close(losses, expected, rtol=0, atol=1e-10)


@given(st.integers(0, 11), st.floats(0, 0.99))
def test_a_smoothed_target_is_a_distribution_and_gives_the_loss(label, smoothing):
    target = smoothed_target(label, 12, smoothing)
    assert target.sum().item() == pytest.approx(1)
    assert target[label].item() == pytest.approx(1 - smoothing + smoothing / 12)
    assert (target[torch.arange(12) != label] == smoothing / 12).all()
    logits = torch.linspace(-3, 2, 12, dtype=torch.float64)
    by_hand = -(target * logits.log_softmax(dim=0)).sum()
    expected = F.cross_entropy(logits[None], torch.tensor([label]), label_smoothing=smoothing)
    torch.testing.assert_close(by_hand, expected, rtol=0, atol=1e-12)


@pytest.mark.sweep
@by_variant
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.3])
def test_the_loss_of_a_pair_is_torchs_over_the_models_logits(config, smoothing):
    model = random_model(config)
    loss = target_loss(model, batch_of(SHORT), smoothing=smoothing)
    assert loss.tgt_in.tolist() == [BOS, 8, 9]
    assert loss.tgt_out.tolist() == [8, 9, EOS]
    logits = model(torch.tensor([[5, 6, 7, EOS]]), torch.tensor([[BOS, 8, 9]]))[0].detach()
    labels = torch.tensor([8, 9, EOS])
    for alpha, own, mean in (
        (0.0, loss.plain, loss.mean_plain),
        (smoothing, loss.smoothed, loss.mean_smoothed),
    ):
        expected = F.cross_entropy(logits, labels, label_smoothing=alpha, reduction="none")
        torch.testing.assert_close(own, expected, rtol=0, atol=1e-10)
        assert mean == pytest.approx(expected.mean().item(), abs=1e-10)
    np.testing.assert_allclose(loss.log_probs.exp().sum(dim=1).numpy(), 1, atol=1e-12)


@by_variant
def test_padding_has_no_loss_and_does_not_count(config):
    model = random_model(config)
    alone = target_loss(model, batch_of(SHORT), smoothing=0.1)
    padded = target_loss(model, batch_of(SHORT, LONG), smoothing=0.1)
    assert (padded.n_tokens, len(padded.tgt_out)) == (3, 6)
    assert padded.tgt_out[3:].tolist() == [PAD] * 3
    for one, other in ((alone.plain, padded.plain), (alone.smoothed, padded.smoothed)):
        torch.testing.assert_close(other[:3], one, rtol=0, atol=1e-10)
        assert (other[3:] == 0).all()
    assert padded.mean_smoothed == pytest.approx(alone.mean_smoothed, abs=1e-10)
    second = target_loss(model, batch_of(SHORT, LONG), smoothing=0.1, row=1)
    assert second.tgt_out.tolist() == [*LONG[1], EOS]


def test_impossible_questions_are_refused_with_a_sentence(tiny_model):
    batch = batch_of(SHORT)
    for alpha in (-0.1, 1.0, float("nan")):
        with pytest.raises(InputError, match="label smoothing is"):
            target_loss(tiny_model, batch, smoothing=alpha)
        with pytest.raises(InputError, match="label smoothing is"):
            smoothed_target(1, 5, alpha)
    for row in (1, -1):
        with pytest.raises(InputError, match=f"row {row} is outside"):
            target_loss(tiny_model, batch, smoothing=0.1, row=row)
    with pytest.raises(InputError, match="label 5 is outside"):
        smoothed_target(5, 5, 0.1)
    with pytest.raises(InputError, match="do not fit"):
        token_losses(torch.zeros(3, 5), torch.zeros(2, dtype=torch.int64), smoothing=0.1, pad_id=PAD)
    padding = replace(batch, tgt_out=torch.full_like(batch.tgt_out, PAD))
    with pytest.raises(InputError, match="padding alone"):
        target_loss(tiny_model, padding, smoothing=0.1)
