"""Direct attribution: the parts are what they are said to be, and sum to what the model computed."""

import random

import pytest
import torch
from torch import nn

from core.activations.record import edit
from core.activations.trace import trace
from core.analysis.attention_statistics import gold_mask
from core.analysis.attribution import (
    Part,
    alignment_errors,
    attribute_logit,
    attribute_score,
    source_attributions,
)
from core.errors import CaptureError, InputError, UnknownSite
from core.model.feed_forward import FeedForward
from tests.core.conftest import random_model
from tests.core.variants import EXACT, VARIANTS, by_variant

SOURCE = torch.tensor([5, 9, 13, 4, 7, 3, 2])
TARGET = torch.tensor([8, 4, 17, 12, 2])
every_variant = pytest.mark.parametrize("config", by_variant(VARIANTS))
exact_variants = pytest.mark.parametrize("config", by_variant(EXACT))
CROSS = "decoder.layers.2.cross_attn"


def eps(config):
    return torch.finfo(getattr(torch, config.dtype)).eps


@every_variant
def test_the_parts_of_a_logit_sum_to_it(config):
    model = random_model(config)
    seen, draw = trace(model, SOURCE, TARGET), random.Random(0)
    for _ in range(12):
        step, token, rival = draw.randrange(5), draw.randrange(19), draw.choice([None, 3, 11])
        found = attribute_logit(model, seen, step, token, rival=rival)
        logits = seen.logits[step].double()
        assert found.value == float(logits[token]) - (0 if rival is None else float(logits[rival]))
        difference = abs(float(found.contributions.sum()) - found.value)
        assert difference <= 8 * eps(config) * float(found.contributions.abs().sum())
        assert difference <= found.tolerance


@pytest.mark.sweep
@every_variant
@pytest.mark.parametrize("path", ["encoder.layers.1.self_attn", "decoder.layers.2.self_attn", CROSS])
def test_the_terms_of_a_score_sum_to_it(config, path):
    model = random_model(config)
    seen, draw = trace(model, SOURCE, TARGET), random.Random(1)
    _, n_heads, n_queries, n_keys = seen.activations[f"{path}.scores"].shape
    for _ in range(6):
        head, query, key = draw.randrange(n_heads), draw.randrange(n_queries), draw.randrange(n_keys)
        found = attribute_score(model, seen, path, head, query, key)
        assert found.value == float(seen.activations[f"{path}.scores"][0, head, query, key])
        assert found.terms.shape == (len(found.query_parts), len(found.key_parts))
        difference = abs(float(found.terms.sum()) - found.value)
        assert difference <= 8 * eps(config) * float(found.terms.abs().sum())
        assert difference <= found.tolerance


@exact_variants
def test_every_writer_of_the_stream_is_a_part_once(config):
    model = random_model(config)
    parts = attribute_logit(model, trace(model, SOURCE, TARGET), 2).parts
    assert len(set(parts)) == len(parts)
    heads = [part for part in parts if part.kind == "head"]
    assert [part.head for part in heads] == [*range(4)] * 6
    assert sum(part.kind == "feed_forward" for part in parts) == 3
    assert sum(part.kind == "position" for part in parts) == (config.positional != "none")
    norms = 9 * (config.norm_position == "post") + config.has_final_norm
    assert sum(part.kind == "bias" for part in parts) == norms + 3 + 6 * config.attention_bias


@exact_variants
def test_a_head_that_writes_nothing_adds_nothing_and_the_others_are_what_they_write(config):
    model = random_model(config)
    with torch.no_grad():
        model.get_parameter(f"{CROSS}.out_proj.weight")[:, 12:18] = 0
    found = attribute_logit(model, trace(model, SOURCE, TARGET), 3)
    of_part = dict(zip(found.parts, found.contributions.tolist(), strict=True))
    assert of_part[Part("head", CROSS, 2)] == 0
    assert abs(of_part[Part("head", CROSS, 1)]) > 1e-4


@pytest.mark.sweep
@exact_variants
@pytest.mark.parametrize(
    "writer", ["tgt_embed.tokens", f"{CROSS}.context", "decoder.layers.1.feed_forward.hidden"]
)
def test_a_part_is_the_gradient_along_itself_with_every_deviation_and_every_reading_held(config, writer):
    """With σ and what sub-layers write held, the logit is linear: a part is what scaling it changes."""
    model = random_model(config)
    seen = trace(model, SOURCE, TARGET)
    found = attribute_logit(model, seen, 3)
    (site,) = [site for site in model.sites() if site.name == writer]
    mine = sum(
        value
        for part, value in zip(found.parts, found.contributions.tolist(), strict=True)
        if part.path == site.path and part.kind != "bias" and part.kind != "position"
    )
    output = seen.activations[writer]

    def logit(factor):
        """The last part of the model by its own formulas, in which this part alone is scaled."""
        x = torch.zeros_like(seen.activations["tgt_embed.output"])
        for name, value in (("tgt_embed.tokens", 1.0), ("tgt_embed.positions", 1.0)):
            if name in seen.activations:
                x = x + seen.activations[name] * (factor if name == writer else value)
        for path in [
            f"decoder.layers.{i}.{name}"
            for i in range(3)
            for name in ("self_attn", "cross_attn", "feed_forward")
        ]:
            block, written = model.get_submodule(path), seen.activations[f"{path}.output"]
            if path == site.path:
                linear = block.linear2 if isinstance(block, FeedForward) else block.out_proj
                assert isinstance(linear, nn.Linear)
                inner = output if output.dim() == 3 else output.transpose(1, 2).flatten(2)
                written = written + (factor - 1) * inner @ linear.weight.T
            x = x + written
            if config.norm_position == "post":
                x = held(f"{path}_add_norm", x, seen.activations[f"{path}_add_norm.variance"])
        if config.has_final_norm:
            x = held("decoder.final_norm", x, seen.activations["decoder.final_norm.variance"])
        return (x[0, 3] @ model.generator.weight[found.token]).item()

    def held(path, x, variance):
        norm = model.get_submodule(path)
        return (
            norm.weight * (x - x.mean(-1, keepdim=True)) / (variance + norm.eps).sqrt()[..., None] + norm.bias
        )

    assert logit(1.0) == pytest.approx(found.value, abs=1e-9)
    assert logit(3.0) - logit(1.0) == pytest.approx(2 * mine, abs=1e-9)
    assert abs(mine) > 1e-4


@exact_variants
def test_a_heads_part_by_source_token_sums_to_it_and_hidden_tokens_have_none(config):
    model = random_model(config)
    seen = trace(model, SOURCE, TARGET)
    found = attribute_logit(model, seen, 1)
    for part, whole, by_key in zip(found.parts, found.contributions.tolist(), found.by_key, strict=True):
        assert (by_key is not None) == (part.kind == "head")
        if by_key is None:
            continue
        assert len(by_key) == seen.activations[f"{part.path}.weights"].shape[-1]
        assert float(by_key.sum()) == pytest.approx(whole, abs=1e-12)
        if config.causal and part.path.endswith("self_attn"):
            assert not by_key[2:].any()


@exact_variants
def test_a_difference_of_logits_is_the_difference_of_their_parts(config):
    model = random_model(config)
    seen = trace(model, SOURCE, TARGET)
    one, two = (attribute_logit(model, seen, 2, token) for token in (7, 9))
    both = attribute_logit(model, seen, 2, 7, rival=9)
    torch.testing.assert_close(both.contributions, one.contributions - two.contributions, rtol=0, atol=1e-12)
    assert attribute_logit(model, seen, 2).token == int(TARGET[2])


@exact_variants
def test_scores_of_bare_embeddings_are_told_from_tokens_and_positions(config):
    model = random_model(config)
    seen = trace(model, SOURCE, TARGET)
    found = attribute_score(model, seen, "encoder.layers.0.self_attn", 1, 2, 4)
    norm = [Part("bias", "encoder.layers.0.self_attn_norm")] if config.norm_position == "pre" else []
    place = [Part("position", "src_embed")] if config.positional != "none" else []
    own = [Part("bias", "encoder.layers.0.self_attn")] if config.attention_bias else []
    assert (
        list(found.query_parts) == [Part("token", "src_embed"), *place, *norm, *own] == list(found.key_parts)
    )


def test_what_sources_add_is_the_sum_over_all_heads_of_cross_attention(tiny_model):
    seen = trace(tiny_model, SOURCE, TARGET)
    table = source_attributions(tiny_model, seen)
    assert table.shape == (5, 7)
    for step in range(5):
        found = attribute_logit(tiny_model, seen, step)
        parts = zip(found.parts, found.contributions.tolist(), strict=True)
        crossing = sum(value for part, value in parts if part.kind == "head" and "cross" in part.path)
        assert float(table[step].sum()) == pytest.approx(crossing, abs=1e-12)


def test_what_is_read_and_what_is_used_have_error_rates_against_one_alignment(tiny_model):
    seen = trace(tiny_model, SOURCE, TARGET)
    gold = gold_mask([[0], [3, 4], [1]], 5, 7)
    found = alignment_errors(tiny_model, seen, gold)
    read = seen.activations["decoder.layers.2.cross_attn.weights"][0].mean(dim=0)
    for rate, table in ((found.read, read), (found.used, source_attributions(tiny_model, seen))):
        # A token to which no source token adds anything has found none.
        hits = sum(
            bool(gold[row, int(table[row].argmax())]) and float(table[row].max()) > 0 for row in range(3)
        )
        assert rate == pytest.approx(1 - 2 * hits / (3 + 4), abs=1e-12)
    with pytest.raises(InputError, match="gold"):
        alignment_errors(tiny_model, seen, gold[:, :3])


def test_a_run_in_which_a_value_was_set_is_refused_with_a_sentence(tiny_model):
    with edit(tiny_model, {f"{CROSS}.output": lambda value: 2 * value}):
        changed = trace(tiny_model, SOURCE, TARGET)
    with pytest.raises(CaptureError, match="a value was set on the way; attribute the run as it was trained"):
        attribute_logit(tiny_model, changed, 0)
    with edit(tiny_model, {f"{CROSS}.scores": lambda value: value + 1}):
        changed = trace(tiny_model, SOURCE, TARGET)
    with pytest.raises(CaptureError, match="the parts of this score sum to"):
        attribute_score(tiny_model, changed, CROSS, 0, 0, 0)


def test_what_is_not_there_is_refused_with_a_sentence(tiny_model):
    seen = trace(tiny_model, SOURCE, TARGET)
    for ask, sentence in (
        (lambda: attribute_logit(tiny_model, seen, 5), "a step from 0 to 4, not 5"),
        (lambda: attribute_logit(tiny_model, seen, 0, 19), "a token from 0 to 18, not 19"),
        (lambda: attribute_logit(tiny_model, seen, 0, rival=-1), "a token from 0 to 18, not -1"),
        (lambda: attribute_score(tiny_model, seen, CROSS, 4, 0, 0), "a head from 0 to 3, not 4"),
        (lambda: attribute_score(tiny_model, seen, CROSS, 0, 5, 0), "a query from 0 to 4, not 5"),
        (lambda: attribute_score(tiny_model, seen, CROSS, 0, 0, 7), "a key from 0 to 6, not 7"),
    ):
        with pytest.raises(InputError, match=sentence):
            ask()
    with pytest.raises(UnknownSite, match="no site"):
        attribute_score(tiny_model, seen, "decoder.layers.9.self_attn", 0, 0, 0)
    with pytest.raises(UnknownSite, match="was not recorded"):
        attribute_logit(tiny_model, trace(tiny_model, SOURCE, TARGET, "generator.logits"), 0)
