"""Laws of interventions, in every variant of the model."""

import copy
from dataclasses import replace

import pytest
import torch

from core.activations.record import edit
from core.config import BeamConfig, DecodeConfig
from core.decoding.autoregressive import decode_steps
from core.decoding.beam import beam_search
from core.errors import CaptureError, InputError
from core.interventions.intervention import (
    AttentionRow,
    MeanAblation,
    Patch,
    Scaling,
    Steering,
    Unmask,
    ZeroAblation,
)
from core.model.cache import KeyValueCache
from tests.core.conftest import BOS, TINY, random_model
from tests.core.interventions.donors import SOURCES, TARGETS, bound, changeable, traced
from tests.core.variants import EXACT, VARIANTS, by_variant
from tests.marks import left_to_proofs

every_variant = pytest.mark.parametrize("config", by_variant(VARIANTS))
exact_variants = pytest.mark.parametrize("config", by_variant(EXACT))
OWN = "decoder.layers.1.self_attn"
CROSS = "decoder.layers.1.cross_attn"
NORM = {
    "post": "decoder.layers.0.feed_forward_add_norm.output",
    "pre": "decoder.layers.0.feed_forward_add.output",
}


def of_positions(norm_position: str = "post"):
    """One change of a position of each kind of site that a decoding computes step by step, and of the source's."""
    return {
        "embedding": Scaling("tgt_embed.output", 2.0, positions=(2,)),
        "stream": ZeroAblation(NORM[norm_position], positions=(1, 3)),
        "query": Steering(f"{OWN}.q", (0.5,) * 6, head=1, positions=(3,)),
        "key": Scaling(f"{OWN}.k", -2.0, head=2, positions=(1,)),
        "value": Patch(f"{OWN}.v", "donor", positions=(0, 2)),
        "scores": Scaling(f"{OWN}.scores", 3.0, positions=(2,)),
        "weights": Patch(f"{OWN}.weights", "donor", positions=(2,)),
        "row": AttentionRow(f"{OWN}.weights", (0.0, 3.0, 1.0), head=0, positions=(2,)),
        "context": MeanAblation(f"{CROSS}.context", ("donor", "short"), head=3, positions=(1,)),
        "cross row": AttentionRow(f"{CROSS}.weights", (0.0, 0.0, 1.0), positions=(3,)),
        "cross value": ZeroAblation(f"{CROSS}.v", positions=(3,)),
        "unit": Scaling("decoder.layers.2.feed_forward.hidden", 30.0, unit=5, positions=(1, 2)),
        "logits": Steering("generator.logits", (4.0,), unit=7, positions=(2,)),
        "source": Patch("src_embed.output", "donor", positions=(1, 3), donor_positions=(3, 1)),
        "encoder row": AttentionRow("encoder.layers.1.self_attn.weights", (1.0,), positions=(4,)),
        "all": Patch("decoder.layers.1.feed_forward.output", "donor"),
    }


@every_variant
def test_patching_a_run_into_itself_changes_no_bit(config):
    model = random_model(config)
    itself = [Patch(site, "own") for site in changeable(model)]
    before, after = traced(model), traced(model, *itself)
    assert torch.equal(after.logits, before.logits)
    for name in before.activations:
        assert torch.equal(after.activations[name], before.activations[name]), name


@every_variant
def test_patching_everything_or_what_is_read_gives_the_donors_run(config):
    model = random_model(config)
    donor = traced(model, name="donor")
    assert not torch.equal(donor.logits, traced(model).logits)
    for sites in (changeable(model), ["src_embed.output", "tgt_embed.output"], ["generator.logits"]):
        patched = traced(model, *(Patch(site, "donor") for site in sites))
        assert torch.equal(patched.logits, donor.logits)


@pytest.mark.sweep
@exact_variants
@pytest.mark.parametrize("path", ["encoder.layers.1.self_attn", OWN, CROSS])
def test_ablating_a_head_is_zeroing_its_columns_of_w_o(config, path):
    model = random_model(config)
    without = copy.deepcopy(model)
    with torch.no_grad():
        without.get_parameter(f"{path}.out_proj.weight")[:, 12:18] = (
            0  # d_head 6: head 2 owns columns 12 to 17
        )
    ablated = traced(model, ZeroAblation(f"{path}.context", head=2)).logits
    torch.testing.assert_close(ablated, traced(without).logits, rtol=0, atol=1e-12)
    assert not torch.allclose(ablated, traced(model).logits)


def test_changes_of_one_value_act_in_the_order_listed(tiny_model):
    site = "encoder.layers.1.feed_forward.output"
    plain = traced(tiny_model).activations[site]
    scale, add = Scaling(site, 3.0), Steering(site, (1.0,) * 24)
    assert torch.equal(traced(tiny_model, scale, add).activations[site], plain * 3 + 1)
    assert torch.equal(traced(tiny_model, add, scale).activations[site], (plain + 1) * 3)
    patch = Patch(site, "donor")
    donor = traced(tiny_model, name="donor").activations[site]
    assert torch.equal(traced(tiny_model, add, patch).activations[site], donor)
    assert torch.equal(traced(tiny_model, patch, add).activations[site], donor + 1)


def test_changes_of_different_values_act_in_the_order_of_the_computation(tiny_model):
    changes = list(of_positions().values())
    forward, backward = traced(tiny_model, *changes[:8]), traced(tiny_model, *reversed(changes[:8]))
    row = changes.index(of_positions()["row"])
    weights = changes.index(of_positions()["weights"])
    assert (weights, row) == (6, 7)  # Of one site: these two keep their order.
    backward = traced(tiny_model, *reversed(changes[:6]), *changes[6:8])
    assert torch.equal(forward.logits, backward.logits)


@pytest.mark.parametrize("variant", left_to_proofs(EXACT, {"pre-learned"}))
def test_a_decoding_is_changed_alike_with_and_without_the_cache(variant):
    config = EXACT[variant]
    model = random_model(config)
    src = SOURCES["own"][None]
    for name, change in of_positions(config.norm_position).items():
        edits = bound(model, change).edits
        prefix = TARGETS["own"][:-1].tolist()
        ways = [
            list(
                decode_steps(
                    model, src, DecodeConfig(max_length=5, use_cache=cached), prefix=prefix, edits=edits
                )
            )
            for cached in (True, False)
        ]
        for cached, anew in zip(*ways, strict=True):
            torch.testing.assert_close(cached.log_probs, anew.log_probs, rtol=0, atol=1e-12, msg=name)
        with edit(model, edits):
            tgt_in = torch.tensor([[BOS, *prefix]])
            whole = model(src, tgt_in).log_softmax(-1)[0]
        if config.causal:
            steps = torch.cat([step.log_probs for step in ways[0]])
            torch.testing.assert_close(steps, whole, rtol=0, atol=1e-12, msg=name)


@pytest.mark.parametrize("name", left_to_proofs(of_positions(), {"stream", "cross row"}))
def test_greedy_and_beam_search_find_the_same_with_and_without_the_cache(name, tiny_model):
    src = SOURCES["own"][None]
    edits = bound(tiny_model, of_positions()[name]).edits
    for cached in (True, False):
        steps = list(decode_steps(tiny_model, src, DecodeConfig(max_length=8, use_cache=cached), edits=edits))
        search = beam_search(tiny_model, src, BeamConfig(width=3, max_length=8, use_cache=cached))
        with edit(tiny_model, edits):
            around = list(decode_steps(tiny_model, src, DecodeConfig(max_length=8, use_cache=cached)))
            found = beam_search(tiny_model, src, BeamConfig(width=3, max_length=8, use_cache=cached))
            of_one = beam_search(tiny_model, src, BeamConfig(width=1, max_length=8, use_cache=cached))
        if cached:
            first = steps, found
        assert torch.equal(steps[-1].hypotheses, first[0][-1].hypotheses)
        assert torch.equal(around[-1].hypotheses, steps[-1].hypotheses)
        assert [h.ids for h in found] == [h.ids for h in first[1]]
        assert list(of_one[0].ids) == steps[-1].hypotheses[0].tolist()
        assert [h.log_prob for h in found] != [h.log_prob for h in search]


def test_steps_driven_by_hand_beside_a_cache_equal_the_rows_of_the_whole(tiny_model):
    src, tgt_in = SOURCES["own"][None], torch.tensor([[BOS, *TARGETS["own"][:-1].tolist()]])
    for change in of_positions().values():
        with torch.no_grad(), edit(tiny_model, bound(tiny_model, change).edits):
            whole = tiny_model(src, tgt_in)
            memory, mask = tiny_model.encode(src)
            cache, rows = KeyValueCache.empty(3), []
            for first, last in ((0, 2), (2, 3), (3, 5)):
                decoded = tiny_model.decode(tgt_in[:, first:last], memory, mask, cache)
                rows.append(tiny_model.generator(decoded, first))
        torch.testing.assert_close(torch.cat(rows, dim=1), whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("config", [TINY, replace(TINY, norm_position="pre")])
def test_functions_of_ones_own_see_every_position_whether_a_cache_is_asked_for_or_not(config):
    model, src = random_model(config), SOURCES["own"][None]

    def third(value):
        value[:, 2:3] *= 40
        return value

    outputs = []
    for cached in (True, False):
        with edit(model, {"decoder.layers.1.feed_forward.output": third, "generator.logits": third}):
            steps = list(decode_steps(model, src, DecodeConfig(max_length=6, use_cache=cached)))
            whole = model(src, torch.cat((torch.tensor([[BOS]]), steps[-1].hypotheses[:, :-1]), dim=1))
        outputs.append(torch.cat([step.log_probs for step in steps]))
        torch.testing.assert_close(outputs[-1], whole.log_softmax(-1)[0], rtol=0, atol=1e-12)
    assert torch.equal(*outputs)


def test_a_function_that_asks_for_a_position_that_is_not_there_yet_is_refused_with_a_sentence(tiny_model):
    def third(value):
        value[:, 2] = 0
        return value

    for cached in (True, False):
        with (
            edit(tiny_model, {"decoder.output": third}),
            pytest.raises(
                CaptureError, match=r"place outside of \[1, 1, 24\]; in a decoding, later positions"
            ),
        ):
            list(decode_steps(tiny_model, SOURCES["own"][None], DecodeConfig(use_cache=cached)))


def test_without_its_causal_mask_a_decoding_looks_ahead_with_and_without_the_cache(src):
    model, built = random_model(TINY), random_model(replace(TINY, causal=False))
    edits = bound(model, Unmask("causal")).edits
    for cached in (True, False):
        config = DecodeConfig(max_length=7, use_cache=cached)
        off = torch.cat([step.log_probs for step in decode_steps(model, src, config, edits=edits)])
        expected = torch.cat([step.log_probs for step in decode_steps(built, src, config)])
        torch.testing.assert_close(off, expected, rtol=0, atol=1e-12)


def test_changes_that_overflow_are_named_and_not_the_weights(src):
    model = random_model(replace(TINY, dtype="float32", norm_position="pre"))
    huge = [Scaling("decoder.layers.0.feed_forward.output", 1e6)] * 7
    with pytest.raises(CaptureError, match="not finite; choose a smaller factor"):
        list(decode_steps(model, src, edits=bound(model, *huge).edits))
    inside = [Scaling(f"{OWN}.q", 1e6)] * 6 + [Scaling(f"{OWN}.k", 1e6)] * 6
    with pytest.raises(InputError, match="a weight or an edit is too large"):
        list(decode_steps(model, src, edits=bound(model, *inside).edits))
