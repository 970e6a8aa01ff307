"""Explanations of an update: each number agrees with what the trainer did, and its operands lead to the tokens."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, UnknownSite
from core.explanation.update import explain_update
from core.explanation.update_sites import OF_TOKENS, PARTS, SCALARS, update_values
from tests.core.training.updates import BATCH, VARIANTS, captured_update

UPDATES = (0, 1, 4)


@cache
def update_of(variant: str, index: int):
    return captured_update(index, **VARIANTS[variant])


@pytest.mark.sweep
@pytest.mark.parametrize("variant", VARIANTS)
@given(data=st.data(), index=st.sampled_from(UPDATES), part=st.sampled_from(PARTS))
def test_every_number_of_every_parameter_is_explained_within_rounding(variant, data, index, part):
    update = update_of(variant, index)
    parameter = data.draw(st.sampled_from(update.parameters))
    cell = tuple(data.draw(st.integers(0, size - 1)) for size in update.of("before", parameter).shape)
    explanation = explain_update(update, f"update.{part}.{parameter}", cell)
    assert explanation.agrees, explanation
    for operand in (operand for term in explanation.terms for operand in term.operands if operand.site):
        assert explain_update(update, operand.site, operand.index).agrees


@given(data=st.data(), site=st.sampled_from(OF_TOKENS), index=st.sampled_from(UPDATES))
def test_every_number_of_every_token_is_explained_within_rounding(data, site, index):
    update = update_of("paper", index)
    shape = update_values(update, f"update.{site}").shape
    cell = tuple(data.draw(st.integers(0, size - 1)) for size in shape)
    assert explain_update(update, f"update.{site}", cell).agrees


@pytest.mark.proof
@pytest.mark.parametrize(
    "site", [*SCALARS, "gradient.decoder.layers.0.feed_forward.linear1.weight", "logit_gradient"]
)
def test_a_training_in_half_the_digits_is_explained_within_their_rounding(site):
    update = captured_update(training={"dtype": "bfloat16"})
    cell = (1, 2, 3)[: update_values(update, f"update.{site}").dim()]
    assert explain_update(update, f"update.{site}", cell).agrees


@pytest.mark.sweep
@pytest.mark.parametrize("schedule", ["linear", "paper", "inverse_sqrt", "constant"])
@pytest.mark.parametrize("index", [0, 6])
@pytest.mark.parametrize("site", SCALARS)
def test_the_numbers_of_the_whole_update_are_explained(site, index, schedule):
    explanation = explain_update(captured_update(index, training={"schedule": schedule}), f"update.{site}")
    assert explanation.terms
    assert explanation.agrees


@pytest.mark.parametrize(("clip_norm", "clipped"), [(0.01, True), (1000.0, False)])
def test_the_factor_of_clipping_is_measured_on_the_gradient(clip_norm, clipped):
    explanation = explain_update(captured_update(training={"clip_norm": clip_norm}), "update.clip_factor")
    assert explanation.agrees
    assert (explanation.recorded < 1) == clipped


def test_a_gradient_has_a_term_for_each_token_that_is_no_padding():
    update = update_of("paper", 1)
    sources = int((BATCH.src != 0).sum())
    terms = explain_update(update, "update.gradient.encoder.layers.0.self_attn.w_q", (1, 2)).terms
    assert len(terms) == sources
    assert len(
        explain_update(update, "update.gradient.decoder.layers.0.feed_forward.linear1.bias", (3,)).terms
    ) == (BATCH.n_tokens)
    # The shared matrix embeds both sides and makes the logits.
    shared = explain_update(update, "update.gradient.src_embed.weight", (4, 0)).terms
    read = int((BATCH.src == 4).sum()) + int((BATCH.tgt_in == 4).sum())
    assert len(shared) == read + BATCH.n_tokens


def test_a_wrong_term_would_be_noticed():
    update = update_of("paper", 1)
    explanation = explain_update(update, "update.gradient.decoder.layers.0.cross_attn.w_k", (1, 2))
    largest = max(abs(term.value) for term in explanation.terms)
    assert largest > 10 * explanation.tolerance


def test_what_an_update_does_not_have_is_refused():
    update = update_of("paper", 0)
    for site in (
        "update.gradient",
        "update.gradient.nothing",
        "update.first",
        "encoder.output",
        "update.loss.x",
    ):
        with pytest.raises(UnknownSite):
            explain_update(update, site)
    with pytest.raises(InputError):
        explain_update(update, "update.prob", (0, 0))
