"""The lean step gives what the modules give, and steps aside whenever somebody would miss them."""

import itertools
from contextlib import nullcontext
from dataclasses import replace

import pytest
import torch

from core import edit, generate, record
from core.config import ActivationName, BeamConfig, DecodeConfig, Positional
from core.decoding.autoregressive import decode_steps
from core.decoding.beam import beam_steps
from core.decoding.decode import decode
from core.decoding.lean_step import LeanStep
from core.model.cache import KeyValueCache
from tests.core.conftest import BOS, TINY, random_model

PARTS: tuple[tuple[Positional, ActivationName, bool], ...] = (
    ("sinusoidal", "relu", True),
    ("learned", "gelu", False),
    ("none", "silu", True),
)
VARIANTS = [
    replace(config, positional=positional, activation=activation, attention_bias=bias)
    for config, (positional, activation, bias) in itertools.product(
        (replace(TINY, norm_position="post"), replace(TINY, norm_position="pre")), PARTS
    )
] + [
    replace(TINY, final_norm=True),
    replace(TINY, scale_scores=False, tie_embeddings=False, norm_eps=1e-2),
    replace(TINY, max_len=3),
]


def name_of(config):
    changed = [f"{v}" for k, v in vars(config).items() if v != getattr(TINY, k)]
    return "-".join(changed) or "default"


@torch.no_grad()
def begun(model, src):
    """A cache after bos, as the modules leave it, and the memory with its mask."""
    memory, mask = model.encode(src)
    cache = KeyValueCache.empty(model.config.n_decoder_layers)
    model.decode(torch.full((len(src), 1), BOS), memory, mask, cache)
    return cache, memory, mask


@pytest.mark.sweep
@pytest.mark.parametrize("config", VARIANTS, ids=name_of)
@torch.no_grad()
def test_it_gives_what_the_modules_give(config, src):
    model = random_model(config)
    (own, memory, mask), (cache, *_) = begun(model, src), begun(model, src)
    lean = LeanStep(model)
    assert lean.is_possible()
    for newest in torch.randint(3, 19, (6, 2), generator=torch.Generator().manual_seed(3)):
        theirs = model.generator(model.decode(newest[:, None], memory, mask, own))[:, 0]
        torch.testing.assert_close(lean(newest, cache, mask), theirs, rtol=0, atol=1e-12)
    assert cache.length == own.length == 7
    for mine, other in zip(cache.layers, own.layers, strict=True):
        torch.testing.assert_close(mine.self_attn.keys, other.self_attn.keys, rtol=0, atol=1e-12)
        torch.testing.assert_close(mine.self_attn.values, other.self_attn.values, rtol=0, atol=1e-12)


@pytest.fixture
def lean_calls(monkeypatch):
    """Counts the lean steps that are taken."""
    calls, original = [], LeanStep.__call__

    def counted(self, *arguments):
        calls.append(1)
        return original(self, *arguments)

    monkeypatch.setattr(LeanStep, "__call__", counted)
    return calls


CONFIGS = pytest.mark.parametrize("config", [DecodeConfig(max_length=5), BeamConfig(width=2, max_length=5)])


@CONFIGS
def test_every_cached_step_but_the_first_is_lean(config, tiny_model, src, lean_calls):
    steps = list(decode(tiny_model, src, config))
    assert len(lean_calls) == len(steps) - 1 > 0


@CONFIGS
def test_who_records_or_edits_sees_every_step(config, tiny_model, src, lean_calls):
    seen = []

    def watch(weights):
        seen.append(weights.shape[-1])
        return weights

    steps = decode(tiny_model, src, config)
    next(steps)
    with edit(tiny_model, {"decoder.layers.1.self_attn.weights": watch}):
        next(steps)
        next(steps)
    with record(tiny_model, "generator.logits") as activations:
        next(steps)
    assert seen == [2, 3]
    assert len(activations) == 1
    assert lean_calls == []
    next(steps)
    assert len(lean_calls) == 1


@pytest.mark.parametrize(
    "path", ["decoder.layers.1.cross_attn.weights", "decoder.layers.0", "tgt_embed", "generator", "decoder"]
)
def test_ordinary_hooks_are_called(path, tiny_model, src, lean_calls):
    called = []
    steps = beam_steps(tiny_model, src)
    next(steps)
    handle = tiny_model.get_submodule(path).register_forward_hook(lambda *_: called.append(1))
    next(steps)
    assert (len(called), len(lean_calls)) == (1, 0)
    handle.remove()
    next(steps)
    assert (len(called), len(lean_calls)) == (1, 1)


def test_a_hook_on_all_modules_is_called(tiny_model, src, lean_calls):
    names = []
    handle = torch.nn.modules.module.register_module_forward_hook(lambda module, *_: names.append(module))
    try:
        list(decode_steps(tiny_model, src, DecodeConfig(max_length=3)))
    finally:
        handle.remove()
    assert names.count(tiny_model.decoder) == 3
    assert lean_calls == []


class Doubled(torch.nn.Linear):
    """What a wrapped or quantised layer is: a Linear that computes something else."""

    def forward(self, x):
        return 2 * super().forward(x)


def test_a_part_that_was_replaced_is_used(tiny_model, src, lean_calls):
    before = generate(tiny_model, src, max_length=6)
    layer = tiny_model.decoder.layers[2].feed_forward
    layer.linear2.__class__ = Doubled
    replaced = list(decode_steps(tiny_model, src, DecodeConfig(max_length=6)))
    uncached = list(decode_steps(tiny_model, src, DecodeConfig(max_length=6, use_cache=False)))
    for a, b in zip(replaced, uncached, strict=True):
        torch.testing.assert_close(a.log_probs, b.log_probs, rtol=0, atol=1e-12)
    layer.linear2.__class__ = torch.nn.Linear
    assert torch.equal(generate(tiny_model, src, max_length=6), before)
    layer.forward = lambda x: x * 0
    assert not LeanStep(tiny_model).is_possible()


def test_the_eager_back_end_and_compiled_parts_keep_their_modules(src):
    assert not LeanStep(random_model(replace(TINY, attention_backend="eager"))).is_possible()
    model = random_model(TINY)
    model.decoder.layers[0].compile(backend="eager")
    assert not LeanStep(model).is_possible()


def test_weights_that_change_in_place_between_steps_count(tiny_model, src, lean_calls):
    def third(factor, watched):
        steps = decode_steps(tiny_model, src, DecodeConfig(max_length=3))
        next(steps), next(steps)
        try:
            with torch.no_grad():
                tiny_model.src_embed.weight.mul_(factor)
            with edit(tiny_model, {"decoder.output": lambda x: x}) if watched else nullcontext():
                return next(steps).log_probs
        finally:
            with torch.no_grad():
                tiny_model.src_embed.weight.div_(factor)

    lean = third(2.0, watched=False)
    torch.testing.assert_close(lean, third(2.0, watched=True), rtol=0, atol=1e-12)
    assert not torch.allclose(lean, third(1.0, watched=False))
    assert len(lean_calls) == 5


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_what_it_leads_to_can_be_used_in_training(temperature, tiny_model, src, lean_calls):
    *_, last = decode_steps(tiny_model, src, DecodeConfig(max_length=4, temperature=temperature))
    assert len(lean_calls) == 3
    columns = vars(last.sampling).values() if last.sampling else ()
    for value in (last.chosen, last.log_prob, last.log_probs, last.hypotheses, last.finished, *columns):
        assert not value.is_inference()
    tgt_in = torch.cat((torch.full((len(src), 1), BOS), last.hypotheses), dim=1)
    tiny_model(src, tgt_in).sum().backward()
    assert tiny_model.generator.weight.grad is not None
