"""What the pages of tokens and positions say: every number counted or measured again."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.analysis.embedding_geometry import principal_axes
from core.config import TransformerConfig
from core.model.parameters import count_parameters
from core.model.transformer import Transformer
from explorer.views.embedding.embedding_facts import (
    MAX_POINTS,
    analogous,
    first_analogy,
    map_places,
    neighbours_of,
    sampling_notice,
    sharing,
    shown_ids,
    tables,
)
from explorer.views.positions.facts import kinds_compared, product_curves, wave_pairs
from tests.core.conftest import TINY
from tests.explorer.random_recording import random_recording, random_run, recording_of


def in_words(text):
    return text.replace(",", "")


def test_one_shared_table_serves_both_sides():
    recorded = random_recording()
    (table,) = tables(recorded)
    source, target = (
        set(recorded.trace.src.tolist()),
        {*recorded.trace.tgt_in.tolist(), *recorded.trace.tgt_out.tolist()},
    )
    for token_id in range(19):
        expected = (
            "special"
            if token_id < 4
            else "both"
            if token_id in source & target
            else "source"
            if token_id in source
            else "target"
            if token_id in target
            else "other"
        )
        assert table.role(token_id) == expected
    assert {"source", "target", "other", "special"} <= {table.role(token_id) for token_id in range(19)}
    assert table.in_use == {each for each in source | target if each >= 4}


def test_tables_of_their_own_know_one_side_each():
    source, target = tables(random_recording(tie_embeddings=False))
    assert (source.parameter, target.parameter) == ("src_embed.weight", "tgt_embed.weight")
    assert "target" not in {source.role(token_id) for token_id in range(19)}
    assert "source" not in {target.role(token_id) for token_id in range(19)}


def test_a_small_vocabulary_is_shown_whole_but_for_padding():
    (table,) = tables(random_recording())
    assert shown_ids(table) == tuple(range(1, 19))
    assert sampling_notice(table, shown_ids(table)) == ""


def test_a_large_vocabulary_is_sampled_with_a_notice_and_keeps_what_is_in_use():
    config = replace(TINY, src_vocab_size=37_000, tgt_vocab_size=37_000, dtype="float32")
    recorded = recording_of(random_run(config), 7, 5)
    (table,) = tables(recorded)
    shown = shown_ids(table)
    assert len(shown) == MAX_POINTS
    assert 0 not in shown
    assert {1, 2, 3} | table.in_use <= set(shown)
    assert sampling_notice(table, shown).startswith("Showing 2,000 of 36,999 tokens")
    weight = recorded.run.model.src_embed.weight.detach()
    axes = principal_axes(weight[1:], 3)
    places = map_places(recorded, table, axes, shown)
    assert places.shape == (2000, 3)
    row = shown[1234]
    by_hand = (weight[row].double().numpy() - axes.mean.numpy()) @ axes.axes.numpy().T
    np.testing.assert_allclose(places[1234], by_hand, atol=1e-9)


def test_neighbours_and_analogies_are_named_and_leave_the_question_out():
    recorded = random_recording()
    (table,) = tables(recorded)
    weight = recorded.run.model.src_embed.weight.detach().double()
    found = neighbours_of(recorded, table, 7)
    assert found.question == ("w7",)
    assert not {0, 7} & {row.id for row in found.rows}
    for row in found.rows:
        assert row.token == table.vocabulary.token(row.id)
        expected = torch.nn.functional.cosine_similarity(weight[row.id], weight[7], dim=0)
        assert row.cosine == pytest.approx(float(expected), abs=1e-9)
    assert [row.cosine for row in found.rows] == sorted((row.cosine for row in found.rows), reverse=True)
    found = analogous(recorded, table, 5, 6, 8)
    assert found.question == ("w5", "−", "w6", "+", "w8")
    assert not {0, 5, 6, 8} & {row.id for row in found.rows}
    best = found.rows[0]
    expected = torch.nn.functional.cosine_similarity(
        weight[best.id], weight[5] - weight[6] + weight[8], dim=0
    )
    assert best.cosine == pytest.approx(float(expected), abs=1e-9)


def test_an_analogy_begins_with_the_first_tokens_of_the_sentence():
    recorded = random_recording()
    distinct = list(dict.fromkeys(recorded.trace.src.tolist()[:-1]))
    assert first_analogy(recorded, tables(recorded)[0]) == tuple(distinct[:3])


@pytest.mark.parametrize("positional", ["sinusoidal", "learned"])
def test_sharing_is_counted_on_real_models(positional):
    config = replace(TINY, positional=positional)
    together, apart = (
        count_parameters(Transformer(replace(config, tie_embeddings=tied))) for tied in (True, False)
    )
    size, saved = sharing(config)
    assert f"19 × 24 = {19 * 24} numbers" in size
    assert (
        f"would have {apart} parameters instead of {together}: sharing saves {apart - together} "
        in in_words(saved)
    )
    assert f"{(apart - together) / apart:.1%}" in saved
    _, could = sharing(replace(config, tie_embeddings=False))
    assert f"leave {together} parameters of {apart}" in in_words(could)


def test_two_vocabularies_cannot_share():
    config = replace(TINY, tie_embeddings=False, tgt_vocab_size=23)
    three, why = sharing(config)
    assert f"of {19 * 24}, {23 * 24} and {23 * 24} numbers" in three
    assert "19 and 23 tokens" in why


def test_the_three_kinds_of_positions_are_compared_with_their_costs_and_ends():
    for own in ("sinusoidal", "learned", "none"):
        recorded = random_recording(positional=own)
        kinds = kinds_compared(recorded)
        assert [kind.own for kind in kinds] == [kind.positional == own for kind in kinds]
        plain = count_parameters(Transformer(replace(TINY, positional="none")))
        assert f"{2 * 32 * 24} parameters" in in_words(kinds[1].cost)
        assert f"the other {plain}." in in_words(kinds[1].cost)
        assert "learned up to length 32, but 33 are needed" in kinds[1].beyond
        assert f"position 32, beyond max_len, begins {np.sin(32):.3f}, {np.cos(32):.3f}" in kinds[0].beyond
    assert "order matters" in kinds[0].order(0.5)
    assert "Order means nothing" in kinds[2].order(3e-16)
    odd = random_recording(positional="none", d_model=15, n_heads=3)
    assert "width of 15 has none" in kinds_compared(odd)[0].beyond


def test_wavelengths_are_told_where_there_are_any():
    config = TransformerConfig(src_vocab_size=9, tgt_vocab_size=9, d_model=64, n_heads=4)
    assert wave_pairs(config, [0, 31]) == pytest.approx(
        {0: 2 * np.pi, 31: 2 * np.pi * 10000 ** (62 / 64)}, rel=1e-9
    )
    assert wave_pairs(replace(config, positional="learned"), [0, 2]) == {0: None, 2: None}


def test_products_depend_on_the_distance_alone_only_with_sinusoids():
    curves, said = product_curves(random_recording(), 40)
    means, spreads = curves["sinusoids"]
    by_hand = [sum(np.cos(k / 10000 ** (2 * pair / 24)) for pair in range(12)) for k in range(40)]
    np.testing.assert_allclose(means, by_hand, atol=1e-9)
    assert spreads.max() < 1e-12
    assert said.endswith("alone.")
    curves, said = product_curves(random_recording(positional="learned"), 20)
    assert curves["learned positions"][1].max() > 0.1
    assert said.endswith("and on the place.")
