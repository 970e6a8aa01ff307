"""Masks switched off: what the edits change and leave alone, bit for bit, and what is measured of it."""

from dataclasses import replace

import pytest
import torch

from core.analysis.masking import masking_effect, weight_on_future, weight_on_padding
from core.data.batching import Batch
from core.errors import CaptureError, InputError
from core.interventions.changes import bind
from core.interventions.intervention import Unmask
from core.model.masks import causal_mask
from tests.core.conftest import EOS, PAD, TINY, random_model

ENCODER = "encoder.layers.1.self_attn"
DECODER = "decoder.layers.1.self_attn"
CROSS = "decoder.layers.1.cross_attn"


@pytest.fixture
def batch(src, tgt_in) -> Batch:
    tgt_out = torch.cat((tgt_in[:, 1:], torch.full((2, 1), EOS)), dim=1)
    tgt_out[1, 3], tgt_out[1, 4] = EOS, PAD
    return Batch(src, tgt_in, tgt_out, n_tokens=9)


def alone(model, batch, row):
    """Log-probabilities of one row without its padding, as the model gives them when nobody looks."""
    src, tgt_in = batch.src[row], batch.tgt_in[row]
    with torch.no_grad():
        logits = model(src[src != PAD][None], tgt_in[tgt_in != PAD][None])
    return logits.log_softmax(-1)[0]


def test_with_all_masks_both_runs_are_one_and_each_row_is_as_it_is_alone(tiny_model, batch):
    effect = masking_effect(tiny_model, batch)
    assert effect.off is None
    assert effect.after is effect.before
    assert not effect.largest_change.any()
    assert not effect.changed.any()
    for row in range(2):
        expected = alone(tiny_model, batch, row)
        found = effect.before["generator.log_probs"][row, : len(expected)]
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


def test_without_the_padding_mask_only_the_future_is_hidden(tiny_model, batch):
    after = masking_effect(tiny_model, batch, "padding").after
    assert after[f"{ENCODER}.mask"].all()
    assert after[f"{CROSS}.mask"].all()
    assert torch.equal(after[f"{DECODER}.mask"], causal_mask(5).expand(2, 5, 5))


def test_without_the_padding_mask_padding_gets_weight_and_only_padded_rows_change(tiny_model, batch):
    effect = masking_effect(tiny_model, batch, "padding")
    padding = batch.src == PAD
    for path in (ENCODER, CROSS):
        assert not weight_on_padding(effect.before[f"{path}.weights"], padding).any()
        assert (weight_on_padding(effect.after[f"{path}.weights"], padding)[1] > 0).all()
    # The first row has no padding: nothing that it sees is any different.
    torch.testing.assert_close(
        effect.largest_change[0], torch.zeros(5, dtype=torch.float64), rtol=0, atol=1e-12
    )
    assert (effect.largest_change[1, :4] > 1e-3).all()
    assert effect.largest_change[1, 4] == 0


def test_without_the_causal_mask_only_padding_is_hidden_and_the_encoder_is_as_it_was(tiny_model, batch):
    effect = masking_effect(tiny_model, batch, "causal")
    words = (batch.tgt_in != PAD)[:, None, :].expand(2, 5, 5)
    assert torch.equal(effect.after[f"{DECODER}.mask"], words)
    for name in (f"{ENCODER}.mask", f"{ENCODER}.weights", f"{CROSS}.mask"):
        assert torch.equal(effect.after[name], effect.before[name])
    assert not weight_on_future(effect.before[f"{DECODER}.weights"]).any()
    future = weight_on_future(effect.after[f"{DECODER}.weights"])
    assert (future[0, :, :4] > 0).all()
    assert not future[0, :, 4].any()


def test_without_the_causal_mask_the_model_is_the_one_that_was_built_without(batch):
    off = masking_effect(random_model(TINY), batch, "causal").after["generator.log_probs"]
    built = masking_effect(random_model(replace(TINY, causal=False)), batch).before["generator.log_probs"]
    torch.testing.assert_close(off, built, rtol=0, atol=1e-12)


def test_a_model_without_a_causal_mask_does_not_get_one_with_the_padding_mask_off(batch):
    model = random_model(replace(TINY, causal=False))
    assert masking_effect(model, batch, "padding").after[f"{DECODER}.mask"].all()
    with pytest.raises(CaptureError, match="has no causal mask"):
        masking_effect(model, batch, "causal")


def test_changes_are_those_of_the_log_probabilities_and_of_the_most_probable_token(batch):
    # The seed of a model whose answer without the causal mask is another one at some positions.
    effect = masking_effect(random_model(TINY, seed=2), batch, "causal")
    before, after = (each["generator.log_probs"] for each in (effect.before, effect.after))
    for row, position in ((0, 0), (0, 3), (1, 2)):
        difference = after[row, position] - before[row, position]
        assert effect.largest_change[row, position] == max(difference.max(), -difference.min())
    words = batch.tgt_in != PAD
    assert torch.equal(effect.counts, words)
    assert torch.equal(effect.changed, (before.argmax(-1) != after.argmax(-1)) & words)
    assert effect.changed.any()


def test_masked_scores_follow_the_edited_mask(tiny_model, batch):
    after = masking_effect(tiny_model, batch, "causal").after
    assert torch.isfinite(after[f"{DECODER}.masked_scores"][0]).all()
    assert torch.isinf(after[f"{DECODER}.masked_scores"][1, :, :, 4]).all()


@pytest.mark.parametrize("off", ["padding", "causal"])
def test_an_edit_hands_back_a_mask_of_its_own(tiny_model, off):
    for _, placed in bind(tiny_model, [Unmask(off)]).edits:
        given = torch.zeros(2, 5, 5, dtype=torch.bool)
        placed.change(given, 0).fill_(True)
        assert not given.any()


def test_a_model_in_training_mode_is_refused(tiny_model, batch):
    with pytest.raises(InputError, match=r"call model\.eval\(\)"):
        masking_effect(tiny_model.train(), batch, "padding")


def test_nothing_stays_on_the_model(tiny_model, batch):
    before = tiny_model(batch.src, batch.tgt_in)
    masking_effect(tiny_model, batch, "padding")
    assert torch.equal(tiny_model(batch.src, batch.tgt_in), before)
