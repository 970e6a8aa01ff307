"""Multiply-adds and bytes of decoding steps: as counted by torch on the real steps, and as the cache says itself."""

from dataclasses import replace

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from core.activations.record import edit
from core.analysis import cache_cost
from core.analysis.cache_cost import (
    CacheComparison,
    cache_bytes,
    compare_caching,
    decoding_multiply_adds,
    encoder_multiply_adds,
    encoder_parts,
    even_length,
    multiply_adds,
    row_bytes,
)
from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps
from core.errors import InputError
from core.model.cache import KeyValueCache
from tests.core.conftest import EOS, TINY, random_model

SOURCE = torch.tensor([[5, 9, 4, 17, 8, 6, EOS]])
SOURCE_LENGTH = 7
OUTPUT = (7, 3, 11, 5, 16)
VARIANTS = {
    "post": TINY,
    "pre": replace(TINY, norm_position="pre"),
    "untied": replace(TINY, tie_embeddings=False, tgt_vocab_size=23),
    "without biases": replace(TINY, attention_bias=False),
    "not causal": replace(TINY, causal=False),
}
by_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)


def counted_steps(config, *, use_cache):
    """What torch counts of each decoding step, in multiply-adds; the first one without the encoder."""
    model = random_model(config)
    settings = DecodeConfig(max_length=len(OUTPUT), use_cache=use_cache)
    steps = decode_steps(model, SOURCE, settings, prefix=OUTPUT)
    counted = []
    # The fused kernel for the CPU is none that torch's counter knows; this one is made of products that it does.
    with sdpa_kernel(SDPBackend.MATH):
        for _ in OUTPUT:
            with FlopCounterMode(display=False) as counter:
                next(steps)
            assert counter.get_total_flops() % 2 == 0
            counted.append(counter.get_total_flops() // 2)
    counted[0] -= encoder_multiply_adds(config, SOURCE_LENGTH)
    return counted


@pytest.mark.sweep
@by_variant
@pytest.mark.parametrize("use_cache", [True, False], ids=["cached", "uncached"])
@pytest.mark.parametrize(
    "backend",
    [
        pytest.param("auto", id="lean and fused"),
        pytest.param("eager", id="module by module", marks=pytest.mark.proof),
    ],
)
def test_the_count_is_what_torch_counts_on_the_real_steps(config, use_cache, backend):
    config = replace(config, attention_backend=backend)
    expected = [
        multiply_adds(config, SOURCE_LENGTH, step, use_cache=use_cache).total for step in range(len(OUTPUT))
    ]
    assert counted_steps(config, use_cache=use_cache) == expected


def test_the_encoder_is_what_torch_counts():
    model = random_model(TINY)
    with (
        sdpa_kernel(SDPBackend.MATH),
        FlopCounterMode(display=False) as counter,
        torch.no_grad(),
    ):
        model.encode(SOURCE)
    assert encoder_multiply_adds(TINY, SOURCE_LENGTH) == counter.get_total_flops() // 2


def test_each_part_is_the_product_of_its_sizes():
    # 3 decoder layers, d_model 24, d_ff 36, 19 tokens; step 4 has 5 keys of its own and 7 of the source.
    cached = multiply_adds(TINY, SOURCE_LENGTH, 4, use_cache=True)
    assert cached.input_projections == 3 * (3 * 24 * 24 + 24 * 24)
    assert cached.scores == cached.weighted_sums == 3 * (5 * 24 + 7 * 24)
    assert cached.output_projections == 3 * 2 * 24 * 24
    assert cached.feed_forward == 3 * 2 * 24 * 36
    assert cached.generator == 19 * 24
    uncached = multiply_adds(TINY, SOURCE_LENGTH, 4, use_cache=False)
    assert uncached.input_projections == 3 * (5 * 4 * 24 * 24 + 7 * 2 * 24 * 24)
    assert uncached.scores == uncached.weighted_sums == 5 * cached.scores
    assert uncached.output_projections == 5 * cached.output_projections
    assert uncached.feed_forward == 5 * cached.feed_forward
    assert uncached.generator == cached.generator


def test_the_first_step_costs_the_same_either_way_and_no_later_one_does():
    costs = [
        tuple(
            multiply_adds(TINY, SOURCE_LENGTH, step, use_cache=use_cache).total for use_cache in (True, False)
        )
        for step in range(6)
    ]
    assert costs[0][0] == costs[0][1]
    assert all(cached < uncached for cached, uncached in costs[1:])


@pytest.mark.parametrize("use_cache", [True, False])
@pytest.mark.parametrize("config", [TINY, replace(TINY, causal=False)], ids=["causal", "not causal"])
def test_all_steps_together_are_the_sum_of_each(config, use_cache):
    for n_steps in (1, 2, 3, 4, 5, 31):
        each = (
            multiply_adds(config, SOURCE_LENGTH, step, use_cache=use_cache).total for step in range(n_steps)
        )
        found = decoding_multiply_adds(config, SOURCE_LENGTH, n_steps, use_cache=use_cache)
        assert found == sum(each)


def test_the_encoders_attention_grows_with_the_square_and_overtakes_its_linear_maps():
    linear, attention = encoder_parts(TINY, 10)
    assert encoder_parts(TINY, 20) == (2 * linear, 4 * attention)
    linear, attention = encoder_parts(TINY, even_length(TINY))
    assert linear == attention
    assert linear + attention == encoder_multiply_adds(TINY, even_length(TINY))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
def test_the_bytes_are_those_of_the_cache(dtype):
    config = replace(TINY, dtype=dtype)
    model, cache = random_model(config), KeyValueCache.empty(config.n_decoder_layers)
    with torch.no_grad():
        memory, mask = model.encode(SOURCE)
        for step, token_id in enumerate(OUTPUT):
            model.decode(torch.tensor([[token_id]]), memory, mask, cache)
            assert cache_bytes(config, SOURCE_LENGTH, step) == cache.n_bytes
    kept = cache.layers[1]
    assert kept.self_attn.n_bytes == 2 * len(OUTPUT) * row_bytes(config)
    assert kept.cross_attn.n_bytes == 2 * SOURCE_LENGTH * row_bytes(config)


@pytest.mark.sweep
@by_variant
@pytest.mark.parametrize("output", [OUTPUT, (*OUTPUT, EOS), (EOS,)], ids=["cut off", "ended", "empty"])
def test_both_ways_say_the_same(config, output):
    compared = compare_caching(random_model(config), SOURCE[0], output)
    assert compared.same_tokens
    assert compared.largest_difference < 1e-12


def test_both_ways_really_run():
    exact = compare_caching(random_model(TINY), SOURCE[0], OUTPUT)
    rounded = compare_caching(random_model(replace(TINY, dtype="float32")), SOURCE[0], OUTPUT)
    assert rounded.same_tokens
    assert exact.largest_difference < 1e-12 < rounded.largest_difference < 1e-4


@pytest.mark.sweep
@by_variant
@pytest.mark.parametrize("at_once", [1, 2, 16])
def test_without_a_cache_every_step_says_what_the_decoder_says_of_it_alone(config, at_once, monkeypatch):
    monkeypatch.setattr(cache_cost, "ANEW_AT_ONCE", at_once)
    model, output = random_model(config), (*OUTPUT, EOS)
    steps = decode_steps(model, SOURCE, DecodeConfig(max_length=len(output), use_cache=False), prefix=OUTPUT)
    alone = torch.cat([step.log_probs for step in steps])
    together = cache_cost._decoded_anew(model, SOURCE[0], output).log_softmax(dim=-1)
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-12)


def test_two_ways_that_differ_are_told_apart():
    model = random_model(TINY)

    def longer_than_one(x):
        # Without the cache the newest row stands beside the earlier ones.
        return x if x.shape[1] == 1 else -x

    with edit(model, {"decoder.layers.0.feed_forward.output": longer_than_one}):
        compared = compare_caching(model, SOURCE[0], OUTPUT)
    assert compared != CacheComparison(True, 0.0)
    assert compared.largest_difference > 0.1


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: multiply_adds(TINY, 0, 0, use_cache=True), "at least one token, not 0"),
        (lambda: multiply_adds(TINY, 7, -1, use_cache=True), "no step -1"),
        (lambda: encoder_multiply_adds(TINY, 0), "at least one token"),
        (lambda: cache_bytes(TINY, 7, -2), "no step -2"),
        (lambda: encoder_parts(TINY, 0), "at least one token"),
        (lambda: decoding_multiply_adds(TINY, 7, 0, use_cache=True), "at least one step, not 0"),
        (lambda: compare_caching(random_model(TINY), SOURCE[0], ()), "at least one produced token"),
        (lambda: compare_caching(random_model(TINY), SOURCE[0], (5, 99)), "outside the vocabulary"),
    ],
)
def test_impossible_questions_are_refused_with_a_sentence(ask, sentence):
    with pytest.raises(InputError, match=sentence):
        ask()
