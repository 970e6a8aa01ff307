"""Decoding: with and without cache the same, steps equal the trace's rows, the generator stops."""

import warnings
from dataclasses import replace

import pytest
import torch

from core.activations.trace import trace
from core.config import DecodeConfig
from core.decoding.autoregressive import decode_steps, generate, last_step
from core.errors import ConfigError, InputError
from core.model.decoder import Decoder
from tests.core.conftest import BOS, EOS, PAD, TINY, random_model
from tests.core.variants import EXACT
from tests.optional import unwrap


@pytest.mark.sweep
@pytest.mark.parametrize("config", EXACT.values(), ids=EXACT)
def test_cached_decoding_equals_uncached(config, src):
    model = random_model(config)
    cached = list(decode_steps(model, src, DecodeConfig(max_length=9)))
    uncached = list(decode_steps(model, src, DecodeConfig(max_length=9, use_cache=False)))
    assert len(cached) == len(uncached)
    for a, b in zip(cached, uncached, strict=True):
        going = ~a.finished | (a.chosen == EOS)
        torch.testing.assert_close(a.log_probs[going], b.log_probs[going], rtol=0, atol=1e-12)
        assert torch.equal(a.chosen, b.chosen)


@pytest.mark.sweep
@pytest.mark.parametrize("config", EXACT.values(), ids=EXACT)
def test_prefix_read_ahead_gives_the_steps_of_uncached_decoding(config, src):
    model, prefix = random_model(config), (5, 7, 4, 7)
    cached = list(decode_steps(model, src, DecodeConfig(max_length=9), prefix=prefix, reads_ahead=True))
    uncached = list(decode_steps(model, src, DecodeConfig(max_length=9, use_cache=False), prefix=prefix))
    for a, b in zip(cached, uncached, strict=True):
        going = ~a.finished | (a.chosen == EOS)
        torch.testing.assert_close(a.log_probs[going], b.log_probs[going], rtol=0, atol=1e-12)
        torch.testing.assert_close(a.log_prob, b.log_prob, rtol=0, atol=1e-12)
        assert torch.equal(a.hypotheses, b.hypotheses)
        assert a.forced == (a.index < len(prefix))


def test_known_memory_gives_the_same_steps(tiny_model, src):
    config = DecodeConfig(max_length=6)
    memory, _ = tiny_model.encode(src)
    for own, given in zip(
        decode_steps(tiny_model, src, config),
        decode_steps(tiny_model, src, config, memory=memory),
        strict=True,
    ):
        assert torch.equal(own.log_probs, given.log_probs)
        assert torch.equal(own.hypotheses, given.hypotheses)
    # It is read: another one gives other steps.
    other = next(decode_steps(tiny_model, src, config, memory=memory + 1))
    assert not torch.equal(other.log_probs, next(decode_steps(tiny_model, src, config)).log_probs)
    with pytest.raises(InputError, match="the memory of these sources"):
        next(decode_steps(tiny_model, src, config, memory=memory[:, 1:]))


def test_prefix_is_read_in_one_pass(tiny_model, src, monkeypatch):
    lengths, forward = [], Decoder.forward

    def counted(self, x, *rest):
        lengths.append(x.shape[1])
        return forward(self, x, *rest)

    monkeypatch.setattr(Decoder, "forward", counted)
    list(decode_steps(tiny_model, src, DecodeConfig(max_length=9), prefix=(5, 7, 4, 7), reads_ahead=True))
    # All other steps go without the modules.
    assert lengths == [4]
    steps = decode_steps(
        tiny_model,
        src,
        DecodeConfig(max_length=5),
        prefix=(5, 7, 4, 7),
        reads_ahead=True,
        record_sites=("decoder.output",),
    )
    assert all(unwrap(step.activations)["decoder.output"].shape[1] == 1 for step in steps)
    assert lengths == [4, *[1] * 5]


def test_each_cached_step_equals_its_row_of_the_trace(tiny_model, src):
    steps = list(decode_steps(tiny_model, src[:1], DecodeConfig(max_length=6), record_sites=("decoder.*",)))
    whole = trace(tiny_model, src[0], steps[-1].hypotheses[0])
    for t, step in enumerate(steps):
        torch.testing.assert_close(step.log_probs[0], whole.logits[t].log_softmax(-1), rtol=0, atol=1e-12)
        for i in range(3):
            cross, own = f"decoder.layers.{i}.cross_attn.weights", f"decoder.layers.{i}.self_attn.weights"
            torch.testing.assert_close(
                unwrap(step.activations)[cross][:, :, 0],
                whole.activations[cross][:, :, t],
                rtol=0,
                atol=1e-12,
            )
            torch.testing.assert_close(
                unwrap(step.activations)[own][:, :, 0],
                whole.activations[own][:, :, t, : t + 1],
                rtol=0,
                atol=1e-12,
            )
            new_keys = unwrap(step.activations)[f"decoder.layers.{i}.self_attn.k"]
            assert new_keys.shape[2] == 1
            torch.testing.assert_close(
                new_keys[:, :, 0], whole.activations[f"decoder.layers.{i}.self_attn.k"][:, :, t],
                rtol=0, atol=1e-12,
            )  # fmt: skip
            assert (f"decoder.layers.{i}.cross_attn.k" in unwrap(step.activations)) == (t == 0)


def test_a_batch_decodes_as_its_sources_do_alone(tiny_model, src):
    together = generate(tiny_model, src, max_length=8)
    for row, length in ((0, 7), (1, 5)):
        alone = generate(tiny_model, src[row : row + 1, :length], max_length=8)[0]
        assert torch.equal(together[row, : len(alone)], alone)
        assert not together[row, len(alone) :].any()


def test_greedy_takes_the_most_probable_token_and_sums_its_log_probability(tiny_model, src):
    for step in decode_steps(tiny_model, src[:1], DecodeConfig(max_length=6)):
        best = step.candidates(1)[0]
        allowed = [c for c in step.candidates(19) if c.token_id not in (PAD, BOS)]
        assert int(step.chosen[0]) == allowed[0].token_id
        assert step.log_prob[0].item() == pytest.approx(allowed[0].log_prob)
        assert best.log_prob >= allowed[0].log_prob
        assert step.log_probs[0].exp().sum().item() == pytest.approx(1.0)


def test_padding_and_bos_are_never_produced(src):
    model = random_model(TINY)
    with torch.no_grad():
        # Every logit equal but for padding and bos, which would win.
        model.generator.weight = torch.nn.Parameter(torch.zeros(19, 24, dtype=torch.float64))
        model.generator.weight[[PAD, BOS]] = model.get_parameter(
            "decoder.layers.2.feed_forward_add_norm.bias"
        )
        ids = generate(model, src[:1], max_length=5)
    assert not ((ids == PAD) | (ids == BOS)).any()


def test_decoding_ends_at_eos_and_at_the_length_limit(tiny_model, src):
    steps = list(decode_steps(tiny_model, src, DecodeConfig(max_length=4)))
    assert len(steps) <= 4
    with torch.no_grad():
        tiny_model.generator.weight = torch.nn.Parameter(torch.zeros(19, 24, dtype=torch.float64))
        tiny_model.generator.weight[EOS] = 50 * torch.sign(
            tiny_model.decode(torch.full((2, 1), BOS), *tiny_model.encode(src))[0, 0]
        )
    (only,) = decode_steps(tiny_model, src[:1], DecodeConfig(max_length=4))
    assert only.chosen.tolist() == [EOS]
    assert only.finished.all()


def test_sampling_repeats_with_its_seed_and_varies_with_it(tiny_model, src):
    def draw(seed):
        return generate(tiny_model, src, max_length=8, temperature=1.5, seed=seed)

    assert torch.equal(draw(3), draw(3))
    drawn = {tuple(draw(seed).flatten().tolist()) for seed in range(5)}
    assert len(drawn) > 1


@pytest.mark.proof
def test_sampling_frequencies_match_the_softmax_of_logits_over_temperature(src):
    model = random_model(TINY)
    first = next(decode_steps(model, src[:1]))
    expected = first.log_probs[0].clone()
    expected[[PAD, BOS]] = -torch.inf
    expected = (expected / 0.7).softmax(-1)
    many = src[:1].expand(20_000, -1)
    drawn = next(decode_steps(model, many, DecodeConfig(temperature=0.7, seed=5))).chosen
    frequency = torch.bincount(drawn, minlength=19) / len(drawn)
    # Four standard errors of a share of 20,000 draws.
    assert ((frequency - expected).abs() <= 4 * (expected * (1 - expected) / len(drawn)).sqrt() + 1e-9).all()


def test_a_model_in_training_mode_is_refused(tiny_model, src):
    with pytest.raises(InputError, match="evaluation mode"):
        next(decode_steps(tiny_model.train(), src))


@pytest.mark.parametrize("weight", [3e38, -3e38, 1e37])
@pytest.mark.parametrize("temperature", [0.0, 0.05])
def test_finite_logits_are_decoded_however_large_they_are(tiny_model, src, weight, temperature):
    """The sum of the log-probabilities overflows here, though each of them is finite."""
    model = tiny_model.float()
    with torch.no_grad():
        model.decoder.layers[-1].feed_forward_add_norm.bias[0] = weight
    config = DecodeConfig(temperature=temperature, max_length=3)
    for step in decode_steps(model, src.repeat(4, 1), config):
        assert step.log_probs.isfinite().all()
        assert step.log_probs.sum().isinf() or abs(weight) < 1e38


def test_a_model_whose_weights_are_damaged_is_refused(tiny_model, src):
    with torch.no_grad():
        tiny_model.decoder.layers[0].feed_forward.linear1.weight[0, 0] = float("nan")
    with pytest.raises(InputError, match="logits are not finite"):
        generate(tiny_model, src)


def test_a_length_of_zero_is_refused(tiny_model, src):
    with pytest.raises(ConfigError, match="max_length must be a whole number of at least 1"):
        generate(tiny_model, src, max_length=0)


def test_without_a_causal_mask_the_cache_is_not_used(src):
    model = random_model(replace(TINY, causal=False))
    assert torch.equal(
        generate(model, src, max_length=6), generate(model, src, max_length=6, use_cache=False)
    )


def test_learned_positions_end_the_output_instead_of_losing_it(src):
    model = random_model(replace(TINY, positional="learned", max_len=8))
    assert generate(model, src).shape[1] <= 8
    with pytest.warns(UserWarning, match="ended after 8 tokens, before max_length 30: .* learned no further"):
        assert generate(model, src, max_length=30).shape[1] == 8


def test_output_within_its_limit_gives_no_warning(src):
    model = random_model(replace(TINY, positional="learned", max_len=8))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        generate(model, src, max_length=8)
        generate(model, src, max_length=30, prefix=(5, EOS))


def test_generate_is_a_method_of_the_model(tiny_model, src):
    drawn = tiny_model.generate(src, max_length=50, temperature=0.7)
    assert torch.equal(drawn, generate(tiny_model, src, max_length=50, temperature=0.7))
    assert torch.equal(
        tiny_model.generate(src, 6),
        last_step(decode_steps(tiny_model, src, DecodeConfig(max_length=6))).hypotheses,
    )


@pytest.mark.parametrize("use_cache", [True, False])
@pytest.mark.parametrize("settings", [{}, {"temperature": 1.0}])
def test_step_changed_in_place_leaves_later_steps(use_cache, settings, tiny_model, src):
    config = DecodeConfig(max_length=6, use_cache=use_cache, **settings)
    untouched = list(decode_steps(tiny_model, src, config))
    for step, expected in zip(
        decode_steps(tiny_model, src, config, record_sites=("*",)), untouched, strict=True
    ):
        assert torch.equal(step.hypotheses, expected.hypotheses)
        # A model may write the same tokens after other ones, but never with the same probabilities.
        torch.testing.assert_close(step.log_prob, expected.log_prob)
        for value in (step.chosen, step.hypotheses, step.log_prob, step.log_probs):
            value.fill_(7)
        step.finished.fill_(True)
        for value in unwrap(step.activations).values():
            value.zero_()


def test_a_long_output_is_the_same_with_and_without_a_cache(src):
    model = random_model(TINY)
    length = TINY.max_len + 5
    cached = generate(model, src[:1], max_length=length)
    assert cached.shape[1] == length
    assert torch.equal(cached, generate(model, src[:1], max_length=length, use_cache=False))


def test_decoding_leaves_the_grad_mode_of_its_caller_alone(tiny_model, src):
    steps = decode_steps(tiny_model, src)
    next(steps)
    assert torch.is_grad_enabled()
