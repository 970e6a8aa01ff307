"""Settings of the model: each does what its description says, beside the defaults that other tests use."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from core.activations.record import record
from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps
from core.model.add_norm import LayerNorm
from core.model.attention import SelfAttention
from core.model.cache import KeyValueCache, SelfAttentionCache
from core.model.positional_encoding import MAX_TABULATED, SinusoidalPositionalEncoding
from core.model.transformer import Transformer
from tests.core.conftest import PAD, TINY, random_model

EXACT = {"rtol": 0, "atol": 0}
CLOSE: dict[str, Any] = {"rtol": 0, "atol": 1e-12}
BACKENDS = pytest.mark.parametrize("backend", ["eager", "auto"])
NORMS = pytest.mark.parametrize("norm_position", ["post", "pre"])


def random_attention(**settings) -> SelfAttention:
    torch.manual_seed(2)
    return SelfAttention(replace(TINY, **settings)).double().eval()


def sinusoids(first: int, length: int, d_model: int) -> torch.Tensor:
    """Section 3.5, number by number."""
    return torch.tensor(
        [
            [
                (math.cos if i % 2 else math.sin)(position / 10000 ** ((i - i % 2) / d_model))
                for i in range(d_model)
            ]
            for position in range(first, first + length)
        ],
        dtype=torch.float64,
    )


@BACKENDS
@pytest.mark.parametrize(("scale_scores", "divisor"), [(True, 6**0.5), (False, 1.0)])
def test_attention_softmaxes_queries_times_keys_scaled_as_it_is_told(scale_scores, divisor, backend):
    attention = random_attention(scale_scores=scale_scores, attention_backend=backend)
    x = 2 * torch.randn(2, 7, 24, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    q, k, v = ((x @ w.T).unflatten(-1, (4, 6)) for w in (attention.w_q, attention.w_k, attention.w_v))
    weights = (torch.einsum("bqhe,bkhe->bhqk", q, k) / divisor).softmax(dim=-1)
    context = torch.einsum("bhqk,bkhe->bqhe", weights, v).flatten(2)
    torch.testing.assert_close(attention(x), context @ attention.out_proj.weight.T, **CLOSE)


def test_unscaled_scores_are_queries_times_keys(src, tgt_in):
    model = random_model(replace(TINY, scale_scores=False))
    with record(model, "*_attn.*") as seen:
        model(src, tgt_in)
    for path in (name.removesuffix(".scores") for name in seen if name.endswith("attn.scores")):
        torch.testing.assert_close(
            seen[f"{path}.scores"], seen[f"{path}.q"] @ seen[f"{path}.k"].mT, **CLOSE, msg=path
        )


@NORMS
def test_every_norm_divides_by_the_root_of_the_variance_plus_its_epsilon(norm_position, src, tgt_in):
    model = random_model(replace(TINY, norm_position=norm_position, norm_eps=0.5))
    with record(model) as seen:
        model(src, tgt_in)
    normalized = [site for site in model.sites() if site.operation == "normalize"]
    assert len(normalized) == 2 * 2 + 3 * 3 + (2 if norm_position == "pre" else 0)
    for site in normalized:
        x, norm = seen[site.inputs[0]], model.get_submodule(site.path)
        assert isinstance(norm, LayerNorm)
        centred = x - x.mean(dim=-1, keepdim=True)
        expected = centred / (centred.square().mean(dim=-1, keepdim=True) + 0.5).sqrt()
        torch.testing.assert_close(seen[site.name], expected, **CLOSE)
        output = norm.weight * expected + norm.bias
        torch.testing.assert_close(seen[f"{site.path}.output"], output.detach(), **CLOSE)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("src_embed.weight", 401),
        ("tgt_embed.weight", 503),
        ("generator.weight", 503),
        ("src_embed.positional.weight", 307),
    ],
)
def test_untied_tables_begin_random_with_variance_one_over_the_width(name, rows):
    torch.manual_seed(0)
    config = replace(
        TINY, d_model=96, src_vocab_size=401, tgt_vocab_size=503, max_len=307, tie_embeddings=False,
        positional="learned",
    )  # fmt: skip
    weight = Transformer(config).get_parameter(name).detach()
    assert weight.shape == (rows, 96)
    drawn = weight[PAD + 1 :]
    # Six standard errors of a variance of 29,000 draws, and of a mean.
    assert drawn.var().item() * 96 == pytest.approx(1, abs=0.05)
    assert abs(drawn.mean().item()) < 6 / (96 * len(drawn)) ** 0.5 / 96**0.5
    for axis in (0, 1):
        assert (drawn.std(dim=axis) > 0.05).all()


def test_untied_tables_are_drawn_apart():
    model = Transformer(replace(TINY, tie_embeddings=False))
    tables = [model.src_embed.weight, model.tgt_embed.weight, model.generator.weight]
    assert not any(torch.equal(tables[i][3:], tables[j][3:]) for i, j in ((0, 1), (0, 2), (1, 2)))


@pytest.mark.parametrize(("first", "length"), [(0, 5), (0, 6), (3, 6), (5, 4), (40, 3)])
def test_sinusoids_go_on_beyond_the_tabulated_positions(first, length):
    encoding = SinusoidalPositionalEncoding(replace(TINY, max_len=5))
    torch.testing.assert_close(encoding(length, first), sinusoids(first, length, 24), **CLOSE)
    assert encoding.float()(length, first).dtype == torch.float32


def test_the_table_of_sinusoids_has_a_limit_and_the_positions_have_none():
    encoding = SinusoidalPositionalEncoding(replace(TINY, max_len=10**6))
    assert len(encoding.table) == MAX_TABULATED
    for first in (MAX_TABULATED - 7, MAX_TABULATED - 2, MAX_TABULATED + 100):
        torch.testing.assert_close(encoding(7, first), sinusoids(first, 7, 24), **CLOSE)


def test_a_model_with_a_short_table_equals_one_with_a_long_table(src, tgt_in):
    short, long = random_model(replace(TINY, max_len=3)), random_model(TINY)
    with record(short, "*_embed.positions") as seen:
        logits = short(src, tgt_in)
    torch.testing.assert_close(logits, long(src, tgt_in), **CLOSE)
    for side, length in (("src", 7), ("tgt", 5)):
        positions = seen[f"{side}_embed.positions"]
        torch.testing.assert_close(positions, sinusoids(0, length, 24).expand(2, -1, -1), **CLOSE)
    config = DecodeConfig(max_length=6)
    for mine, other in zip(decode_steps(short, src, config), decode_steps(long, src, config), strict=True):
        torch.testing.assert_close(mine.log_probs, other.log_probs, **CLOSE)


@pytest.mark.parametrize("masked", [False, True], ids=["unmasked", "masked"])
@BACKENDS
def test_several_new_queries_beside_cached_rows_equal_the_whole_sequence_at_once(backend, masked):
    x = torch.randn(2, 9, 24, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    mask = torch.ones(2, 1, 1, 9, dtype=torch.bool)
    mask[1, ..., 2] = mask[0, ..., 6] = not masked
    whole = random_attention(attention_backend="eager")(x, mask, causal=True)
    attention, cache = random_attention(attention_backend=backend), SelfAttentionCache()
    parts = []
    for first, last in ((0, 3), (3, 4), (4, 9)):
        seen = mask[..., :last] if masked else None
        parts.append(attention(x[:, first:last], seen, causal=True, cache=cache))
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, **CLOSE)


@BACKENDS
def test_a_decoder_may_read_several_tokens_at_once_beside_its_cache(backend, src):
    model = random_model(replace(TINY, attention_backend=backend))
    tgt_in = torch.randint(3, 19, (2, 8), generator=torch.Generator().manual_seed(8))
    memory, mask = model.encode(src)
    cache = KeyValueCache.empty(3)
    parts = [
        model.decode(tgt_in[:, first:last], memory, mask, cache) for first, last in ((0, 2), (2, 3), (3, 8))
    ]
    whole = random_model(replace(TINY, attention_backend="eager")).decode(tgt_in, memory, mask)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, **CLOSE)
    assert cache.length == 8


@BACKENDS
@NORMS
def test_a_bfloat16_model_computes_in_bfloat16_and_stays_near_the_exact_one(
    norm_position, backend, src, tgt_in
):
    config = replace(TINY, dtype="bfloat16", norm_position=norm_position, attention_backend=backend)
    model = random_model(config)
    logits = model(src, tgt_in)
    assert logits.dtype == torch.bfloat16
    assert logits.isfinite().all()
    exact = Transformer(replace(config, dtype="float64")).eval()
    exact.load_state_dict(model.state_dict())
    spread = exact(src, tgt_in).std()
    assert (logits.double() - exact(src, tgt_in)).abs().max() < 0.1 * spread


@NORMS
def test_bfloat16_weight_rows_sum_to_one_and_masked_weights_are_exactly_zero(norm_position, src, tgt_in):
    model = random_model(replace(TINY, dtype="bfloat16", norm_position=norm_position))
    with record(model, "*.weights", "*.mask") as seen:
        model(src, tgt_in)
    weighted = [name for name in seen if name.endswith(".weights")]
    assert len(weighted) == 2 + 2 * 3
    for name in weighted:
        weights, mask = seen[name], seen[name.replace("weights", "mask")][:, None]
        assert weights.dtype == torch.bfloat16
        sums = weights.double().sum(dim=-1)
        assert (sums - 1).abs().max() <= torch.finfo(torch.bfloat16).eps
        assert not weights.masked_select(~mask).any()
        assert (weights.masked_select(mask) > 0).all()


def test_decoding_a_bfloat16_model_gives_finite_probabilities_that_sum_to_one(src):
    model = random_model(replace(TINY, dtype="bfloat16"))
    for step in decode_steps(model, src, DecodeConfig(max_length=5)):
        assert step.log_probs.isfinite().all()
        torch.testing.assert_close(step.log_probs.exp().sum(dim=-1), torch.ones(2), rtol=0, atol=1e-5)
