"""Laws that hold for any weights: of attention, of masks, of normalisation."""

from dataclasses import replace

import pytest
import torch

from core.activations.record import record
from core.config import TransformerConfig
from core.errors import InputError
from core.model.attention import SelfAttention, masked_softmax
from core.model.masks import causal_mask, padding_mask
from core.model.parameters import count_parameters, parameters_by_block
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model

EAGER_AND_FUSED = [replace(TINY, attention_backend="eager"), TINY]


@pytest.fixture
def recorded(tiny_model, src, tgt_in):
    with record(tiny_model) as activations:
        tiny_model(src, tgt_in)
    return activations


def attentions(activations):
    return sorted({name.rpartition(".")[0] for name in activations if name.endswith(".weights")})


def test_weight_rows_sum_to_one_and_masked_weights_are_exactly_zero(recorded):
    assert len(attentions(recorded)) == 8
    for path in attentions(recorded):
        weights, mask = recorded[f"{path}.weights"], recorded[f"{path}.mask"]
        torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]), rtol=0, atol=1e-12)
        assert not weights[~mask[:, None].expand_as(weights)].any()
        assert (weights[mask[:, None].expand_as(weights)] > 0).all()


def test_weights_times_values_are_the_context(recorded):
    for path in attentions(recorded):
        torch.testing.assert_close(
            recorded[f"{path}.weights"] @ recorded[f"{path}.v"],
            recorded[f"{path}.context"],
            rtol=0,
            atol=1e-12,
        )


def test_scores_are_queries_times_keys_over_the_root_of_the_head_size(recorded):
    for path in attentions(recorded):
        expected = torch.einsum("bhqe,bhke->bhqk", recorded[f"{path}.q"], recorded[f"{path}.k"]) / 6**0.5
        torch.testing.assert_close(recorded[f"{path}.scores"], expected, rtol=0, atol=1e-12)


def test_masks_hide_padding_and_the_future(recorded, src, tgt_in):
    seen = recorded["encoder.layers.0.self_attn.mask"]
    assert torch.equal(seen, (src != PAD)[:, None, :].expand(2, 7, 7))
    future = torch.ones(5, 5).tril().bool()
    seen = recorded["decoder.layers.0.self_attn.mask"]
    assert torch.equal(seen, (tgt_in != PAD)[:, None, :] & future)
    seen = recorded["decoder.layers.0.cross_attn.mask"]
    assert torch.equal(seen, (src != PAD)[:, None, :].expand(2, 5, 7))


def test_normalised_rows_have_mean_zero_and_variance_one(recorded):
    names = [name for name in recorded if name.endswith(".normalized")]
    assert len(names) == 2 * 2 + 3 * 3
    for name in names:
        rows, variance = recorded[name], recorded[name.replace("normalized", "variance")]
        torch.testing.assert_close(rows.mean(-1), torch.zeros_like(rows[..., 0]), rtol=0, atol=1e-12)
        expected = variance / (variance + 1e-5)
        torch.testing.assert_close(rows.var(-1, unbiased=False), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("config", EAGER_AND_FUSED, ids=["eager", "fused"])
def test_a_later_target_token_never_changes_earlier_logits(config, src, tgt_in):
    for dtype in ("float64", "float32"):
        model = random_model(replace(config, dtype=dtype))
        changed = tgt_in.clone()
        changed[:, 3] = (changed[:, 3] - 3 + 1) % 16 + 3
        before, after = model(src, tgt_in), model(src, changed)
        assert torch.equal(before[:, :3], after[:, :3])
        assert not torch.allclose(before[:, 3], after[:, 3])


@pytest.mark.parametrize("config", EAGER_AND_FUSED, ids=["eager", "fused"])
def test_padding_changes_nothing(config, src, tgt_in):
    model = random_model(config)
    both = model(src, tgt_in)
    alone = model(src[1:, :5], tgt_in[1:, :4])
    torch.testing.assert_close(both[1:, :4], alone, rtol=0, atol=1e-12)


def test_both_attention_back_ends_agree(src, tgt_in):
    eager, fused = (random_model(config) for config in EAGER_AND_FUSED)
    torch.testing.assert_close(eager(src, tgt_in), fused(src, tgt_in), rtol=0, atol=1e-12)


def test_without_the_causal_mask_later_tokens_do_change_earlier_logits(src, tgt_in):
    model = random_model(replace(TINY, causal=False))
    changed = tgt_in.clone()
    changed[:, 3] = (changed[:, 3] - 3 + 1) % 16 + 3
    assert not torch.allclose(model(src, tgt_in)[:, 0], model(src, changed)[:, 0])


def test_a_row_with_nothing_to_attend_to_gives_zeros_forward_and_backward():
    mask = torch.tensor([[True, True, False], [False, False, False]])
    scores = torch.randn(1, 1, 2, 3, dtype=torch.float64, requires_grad=True)
    weights = masked_softmax(scores, mask)
    assert not weights[0, 0, 1].any()
    (weights * torch.randn_like(weights)).sum().backward()
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert not scores.grad[0, 0, 1].any()


@pytest.mark.parametrize("backend", ["eager", "auto"])
def test_both_back_ends_give_zeros_for_a_row_that_sees_nothing(backend):
    attention = SelfAttention(replace(TINY, attention_backend=backend)).double()
    x = torch.randn(1, 3, 24, dtype=torch.float64, requires_grad=True)
    attention(x, torch.zeros(1, 1, 1, 3, dtype=torch.bool)).sum().backward()
    out = attention(x, torch.zeros(1, 1, 1, 3, dtype=torch.bool))
    assert torch.equal(out, attention.out_proj.bias.expand_as(out))
    assert x.grad is not None
    assert not x.grad.any()


def test_a_source_of_padding_alone_is_refused(tiny_model, src, tgt_in):
    src[1] = PAD
    with pytest.raises(InputError, match="padding alone"):
        tiny_model(src, tgt_in)


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        (torch.tensor([[3, 19]]), "source id 19 is outside the vocabulary of 19 tokens"),
        (torch.tensor([[-1, 4]]), "source id -1 is outside"),
        (torch.tensor([3, 4]), r"shape \[batch, position\]"),
        (torch.empty(1, 0, dtype=torch.long), "at least one of each"),
        (torch.tensor([[3.0, 4.0]]), "whole numbers"),
    ],
)
def test_impossible_ids_are_refused(tiny_model, ids, sentence):
    with pytest.raises(InputError, match=sentence):
        tiny_model(ids, torch.tensor([[1]]))


def test_ids_on_another_device_are_refused(tiny_model, src, tgt_in):
    with pytest.raises(InputError, match="source ids are on meta, but the model is on cpu"):
        tiny_model(src.to("meta"), tgt_in)


def test_masks_say_where_a_query_may_look():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(1, 3).tolist() == [[True, True, True]]
    assert causal_mask(2, 3).tolist() == [[True, True, False], [True, True, True]]
    assert padding_mask(torch.tensor([[5, PAD]]), PAD).tolist() == [[[[True, False]]]]


def test_tied_matrices_are_one_and_count_once(tiny_model):
    assert tiny_model.src_embed.weight is tiny_model.tgt_embed.weight is tiny_model.generator.weight
    untied = Transformer(replace(TINY, tie_embeddings=False))
    assert count_parameters(untied) - count_parameters(tiny_model) == 2 * 19 * 24


def test_parameters_by_block_are_all_parameters(tiny_model):
    blocks = parameters_by_block(tiny_model)
    assert sum(blocks.values()) == count_parameters(tiny_model)
    assert blocks["decoder.layers.1.cross_attn"] == 4 * 24 * 24 + 4 * 24
    assert blocks["encoder.layers.0.feed_forward"] == 24 * 36 + 36 + 36 * 24 + 24
    assert blocks["encoder.layers.0.self_attn_add_norm"] == 2 * 24
    assert (blocks["src_embed"], blocks["tgt_embed"], blocks["generator"]) == (19 * 24, 0, 0)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm_position": "pre"},
        {"positional": "learned"},
        {"attention_bias": False, "positional": "none"},
        {"tie_embeddings": False, "tgt_vocab_size": 23},
        {"final_norm": True},
    ],
)
def test_parameters_are_counted_without_making_the_model(changes):
    config = replace(TINY, **changes)
    assert expected_parameters(config) == count_parameters(Transformer(config))


def test_the_papers_base_model_has_the_size_the_paper_gives():
    # Table 3 says 65 million, for a vocabulary of about 37,000.
    base = TransformerConfig.base(src_vocab_size=37000, tgt_vocab_size=37000)
    assert round(expected_parameters(base) / 1e6) in (63, 64, 65)


def test_each_projection_starts_with_the_spread_of_its_own_shape():
    torch.manual_seed(0)
    attention = SelfAttention(replace(TINY, d_model=240, dtype="float32"))
    bound = (6 / (240 + 240)) ** 0.5
    for weight in (attention.w_q, attention.w_k, attention.w_v, attention.out_proj.weight):
        assert weight.shape == (240, 240)
        assert 0.99 * bound < weight.abs().max() <= bound


def test_logits_start_with_a_variance_near_one():
    torch.manual_seed(0)
    model = Transformer(replace(TINY, src_vocab_size=500, tgt_vocab_size=500, d_model=96, dropout=0.0))
    src, tgt_in = torch.randint(3, 500, (8, 9)), torch.randint(3, 500, (8, 9))
    tgt_in[:, 0] = BOS
    logits = model(src, tgt_in)
    assert 0.5 < logits.var() < 2
    assert not model.src_embed.weight[PAD].any()
    assert EOS != PAD
