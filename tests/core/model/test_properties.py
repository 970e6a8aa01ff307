"""Laws of masks, attention, padding and the cache, tried on shapes, masks and lengths that hypothesis draws."""

from dataclasses import replace
from functools import cache, reduce
from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.attention import CrossAttention, masked_softmax
from core.model.cache import KeyValueCache
from core.model.masks import causal_mask, combine_masks
from tests.core.conftest import BOS, PAD, TINY, random_model
from tests.optional import unwrap

CLOSE: dict[str, Any] = {"rtol": 0, "atol": 1e-12}
# The same examples on every run and machine, however busy it is.
few = settings(derandomize=True, deadline=None, max_examples=40, database=None)
sizes = st.integers(1, 5)
seeds = st.integers(0, 1000)
words = st.integers(3, 18)
sentences = st.lists(words, min_size=1, max_size=8)
variants = st.sampled_from(
    [
        replace(config, attention_backend=backend)
        for config in (
            TINY,
            replace(TINY, positional="none"),
            replace(TINY, norm_position="pre", positional="learned"),
        )
        for backend in ("auto", "eager")
    ]
)

cached_model = cache(random_model)


def numbers(seed, *shape):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@st.composite
def masks(draw, *shape):
    count = torch.Size(shape).numel()
    cells = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return torch.tensor(cells).reshape(shape)


@st.composite
def attention_inputs(draw):
    """Queries, keys, values and any mask, for any number of sentences, heads and positions."""
    batch, heads, n_queries, n_keys, d_head = (draw(sizes) for _ in range(5))
    seed = draw(seeds)
    q = numbers(seed, batch, heads, n_queries, d_head)
    k, v = numbers(seed + 1, 2, batch, heads, n_keys, d_head)
    mask_rows = draw(st.sampled_from([1, n_queries]))
    return q, k, v, draw(st.none() | masks(batch, 1, mask_rows, n_keys))


@few
@given(attention_inputs(), st.floats(0.1, 1000))
def test_weight_rows_sum_to_one_or_are_zero_and_masked_weights_are_exactly_zero(inputs, scale):
    q, k, _, mask = inputs
    scores = scale * q @ k.mT
    mask = torch.ones(1, 1, 1, 1, dtype=torch.bool) if mask is None else mask
    mask = mask.expand(len(q), 1, *scores.shape[2:])
    weights = masked_softmax(scores, mask)
    assert (weights >= 0).all()
    assert not weights.masked_fill(mask, 0.0).any()
    sees_something = mask.any(dim=-1).expand(scores.shape[:3])
    torch.testing.assert_close(weights.sum(dim=-1), sees_something.double(), **CLOSE)


@few
@given(attention_inputs(), st.booleans())
def test_the_fused_kernel_gives_what_the_equation_gives(inputs, causal):
    q, k, v, mask = inputs
    # A causal query stands among the keys: there are at least as many of these.
    causal = causal and q.shape[2] <= k.shape[2]
    heads, d_head = q.shape[1], q.shape[3]
    config = replace(TINY, d_model=heads * d_head, n_heads=heads, positional="none")
    fused = CrossAttention(config).double()
    eager = CrossAttention(replace(config, attention_backend="eager")).double()
    eager.load_state_dict(fused.state_dict())
    ours, theirs = (attention.attend(q, k, v, mask, causal=causal) for attention in (eager, fused))
    torch.testing.assert_close(ours, theirs, **CLOSE)


def padded(rows, extra):
    length = max(len(row) for row in rows) + extra
    return torch.tensor([[*row, *[PAD] * (length - len(row))] for row in rows])


@few
@given(
    variants,
    st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(0, 3),
)
@torch.no_grad()
def test_a_sentence_gets_the_same_logits_alone_and_padded_in_a_batch(config, pairs, src_extra, tgt_extra):
    model = cached_model(config)
    sources, targets = [src for src, _ in pairs], [[BOS, *tgt] for _, tgt in pairs]
    together = model(padded(sources, src_extra), padded(targets, tgt_extra))
    for row, (src, tgt_in) in enumerate(zip(sources, targets, strict=True)):
        alone = model(torch.tensor([src]), torch.tensor([tgt_in]))[0]
        torch.testing.assert_close(together[row, : len(tgt_in)], alone, **CLOSE)


@few
@given(variants, sentences, st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=5))
@torch.no_grad()
def test_a_cache_changes_nothing_however_many_tokens_come_at_once(config, src, chunks):
    model = cached_model(config)
    memory, mask = model.encode(padded([src, src[:1]], 0))
    tokens = [token for chunk in chunks for token in chunk]
    whole = model.decode(torch.tensor([tokens, tokens[::-1]]), memory, mask)
    kept = KeyValueCache.empty(config.n_decoder_layers)
    parts = []
    for chunk in chunks:
        window = slice(kept.length, kept.length + len(chunk))
        newest = torch.tensor([tokens[window], tokens[::-1][window]])
        parts.append(model.decode(newest, memory, mask, kept))
    assert kept.length == len(tokens)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, **CLOSE)


@few
@given(sizes, st.integers(0, 4))
def test_the_newest_queries_see_what_they_see_in_the_whole(n_queries, n_earlier):
    n_keys = n_queries + n_earlier
    assert torch.equal(causal_mask(n_queries, n_keys), causal_mask(n_keys)[n_earlier:])
    assert causal_mask(n_queries, n_keys).sum(dim=1).tolist() == list(range(n_earlier + 1, n_keys + 1))


@few
@given(st.data(), sizes, sizes, sizes)
def test_combined_masks_allow_what_each_of_them_allows(data, batch, n_queries, n_keys):
    kinds = st.none() | masks(batch, 1, 1, n_keys) | masks(n_queries, n_keys)
    drawn = data.draw(st.lists(kinds, max_size=4))
    given_masks = [mask for mask in drawn if mask is not None]
    combined = combine_masks(*drawn)
    if not given_masks:
        assert combined is None
        return
    shape = torch.broadcast_shapes(*(mask.shape for mask in given_masks))
    allowed = torch.stack([mask.expand(shape) for mask in given_masks]).all(dim=0)
    assert torch.equal(unwrap(combined), allowed)
    # The order, a repetition, and doing it two at a time make no difference.
    assert torch.equal(unwrap(combined), unwrap(combine_masks(*drawn[::-1])))
    assert torch.equal(unwrap(combined), unwrap(combine_masks(*drawn, *drawn)))
    assert torch.equal(unwrap(combined), unwrap(reduce(combine_masks, drawn, None)))
