"""Add & norm: every stage computes the next from what it shows, every cell is explained, every word is true."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.activations.location import Stack
from core.analysis.residual_stream import untrained_pair
from explorer.look.theme import format_signed
from explorer.tensors import check
from explorer.views.add_norm.data import (
    add_norm_view,
    growth,
    norm_place,
    statistics,
    stream_table,
    untrained_tables,
)
from explorer.views.add_norm.tables import (
    all_parts,
    statistics_columns,
    statistics_sentence,
    stream_columns,
    stream_sentence,
    untrained_columns,
    untrained_sentence,
)
from explorer.visitor.sublayers import SIDES, sublayer_names
from tests.explorer.random_recording import random_recording
from tests.explorer.stage_cells import assert_explained, matrix
from tests.optional import unwrap
from tests.states import state_of

pytestmark = pytest.mark.sweep

VARIANTS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre": {"norm_position": "pre"},
    "final norm": {"final_norm": True, "tie_embeddings": False},
    "bfloat16": {"dtype": "bfloat16"},
}
TOLERANCE = {"float32": 2e-6, "bfloat16": 0.05}


@pytest.fixture(scope="module", params=VARIANTS)
def recorded(request):
    return random_recording(**VARIANTS[request.param])


def blocks(recorded):
    config = recorded.run.config
    return [f"{stack}.{name}" for stack in ("encoder", "decoder") for name in sublayer_names(stack, config)]


def state(**choices):
    return state_of("random", "w4", **choices)


def panels(view, key):
    (stage,) = [stage for stage in view.stages if stage.key == key]
    return [matrix(view, panel) for panel in stage.panels]


def test_every_cell_is_the_one_that_explain_explains(recorded):
    for block in blocks(recorded):
        for layer in (0, 1):
            assert_explained(recorded, add_norm_view(recorded, state(block=block, layer=layer)))


def test_every_stage_computes_what_comes_next(recorded):
    tolerance = TOLERANCE[recorded.dtype]
    for block in blocks(recorded):
        for layer in (0, 1):
            view = add_norm_view(recorded, state(block=block, layer=layer))
            check(view)
            keys = [stage.key for stage in view.stages]
            norming = ["statistics", "normalized", "output"]
            if block.endswith("final_norm"):
                assert keys == norming
                assert view.choosers == ()
            else:
                post = recorded.run.config.norm_position == "post"
                assert keys == (["sum", *norming] if post else [*norming, "sum"])
                x, added, summed = panels(view, "sum")
                np.testing.assert_allclose(x + added, summed, atol=tolerance * 4)
            x, mean, variance = panels(view, "statistics")
            np.testing.assert_allclose(x.mean(axis=1), mean[:, 0], atol=tolerance)
            np.testing.assert_allclose(x.var(axis=1), variance[:, 0], rtol=10 * tolerance)
            x, normalized = panels(view, "normalized")
            np.testing.assert_allclose((x - mean) / np.sqrt(variance + 1e-5), normalized, atol=tolerance * 10)
            normalized, gamma, beta, output = panels(view, "output")
            np.testing.assert_allclose(gamma * normalized + beta, output, atol=tolerance * 10)


def test_the_stream_goes_from_norm_to_norm_without_a_gap(recorded):
    config = recorded.run.config
    embeddings: dict[Stack, str] = {"encoder": "src_embed.output", "decoder": "tgt_embed.output"}
    for stack, embedding in embeddings.items():
        stream = embedding
        for layer in range(recorded.n_layers(stack)):
            for name in sublayer_names(stack, config):
                if name == "final_norm":
                    continue
                place = norm_place(recorded, state(block=f"{stack}.{name}", layer=layer))
                assert place.stream == stream
                assert place.added == f"{stack}.layers.{layer}.{name}.output"
                stream = place.output if place.post else place.summed


def test_a_layer_or_a_block_that_is_not_there_falls_back(recorded):
    place = norm_place(recorded, state(block="decoder.cross_attn", layer=2))
    assert (place.stack, place.sublayer, place.layer) == ("decoder", "cross_attn", 2)
    assert norm_place(recorded, state(block="encoder.cross_attn", layer=2)).sublayer == "self_attn"
    assert norm_place(recorded, state(block="encoder", layer=2)).layer == 1
    assert norm_place(recorded, state()).stack == "decoder"
    view = add_norm_view(recorded, state(stage="scores"))
    assert view.stage == view.stages[0].key
    assert view.row == recorded.telling_step


def test_statistics_are_those_of_the_vectors(recorded):
    for block in blocks(recorded):
        chosen = state(block=block, layer=1)
        place, rows = norm_place(recorded, chosen), statistics(recorded, chosen)
        x, output = (recorded.values(site).astype(np.float64) for site in (place.x, place.output))
        normalized = recorded.values(f"{place.norm}.normalized").astype(np.float64)
        tolerance = TOLERANCE[recorded.dtype]
        np.testing.assert_allclose([row.mean for row in rows], x.mean(axis=1), atol=tolerance)
        np.testing.assert_allclose([row.variance for row in rows], x.var(axis=1), rtol=tolerance * 10)
        for values, mean, variance in (
            (normalized, "normalized_mean", "normalized_variance"),
            (output, "output_mean", "output_variance"),
        ):
            np.testing.assert_allclose([getattr(row, mean) for row in rows], values.mean(axis=1), atol=1e-12)
            np.testing.assert_allclose(
                [getattr(row, variance) for row in rows], values.var(axis=1), atol=1e-12
            )
        names = list(recorded.source) if place.stack == "encoder" else read_and_written(recorded)
        assert [row.row for row in rows] == [
            f"{at} {name}" if names.count(name) > 1 else name for at, name in enumerate(names)
        ]


def read_and_written(recorded) -> list[str]:
    pairs = zip(recorded.inputs, recorded.outputs, strict=True)
    return [f"reads {reads} → writes {writes}" for reads, writes in pairs]


def test_the_words_of_the_statistics_are_computed(recorded):
    rows = statistics(recorded, state())
    columns = statistics_columns(rows)
    assert columns["row"] == read_and_written(recorded)
    assert columns["σ² before"][2] == f"{rows[2].variance:.3f}"
    assert {len(cells) for cells in columns.values()} == {len(rows)}
    odd = replace(rows[0], normalized_mean=-0.25, normalized_variance=0.5)
    assert statistics_sentence((odd, *rows)).startswith(
        "Normalised, no token's mean is further from 0 than 0.250, and no variance further from 1 than 0.500"
    )


def test_variance_after_scale_and_shift_is_computed(recorded):
    norm = norm_place(recorded, state()).norm
    variances = recorded.values(f"{norm}.output").astype(np.float64).var(axis=-1)
    low, high = (format_signed(float(value)) for value in (variances.min(), variances.max()))
    assert f"After γ and β the variance is {low} to {high}." in statistics_sentence(
        statistics(recorded, state())
    )
    (note,) = [stage.note for stage in add_norm_view(recorded, state()).stages if stage.key == "output"]
    assert note.endswith(f"A row's variance is now {low} to {high}.")


def test_the_words_of_the_stream_are_computed(recorded):
    config = recorded.run.config
    second = {"encoder": f"1 {recorded.source[1]}", "decoder": f"step 1 (→ {recorded.outputs[1]})"}
    for stack in ("encoder", "decoder"):
        table, rows = stream_table(recorded, stack), recorded.rows(SIDES[stack])
        columns = stream_columns(table, rows)
        first = recorded.values(f"{'src' if stack == 'encoder' else 'tgt'}_embed.output").astype(np.float64)
        last = [part for part in table.parts if ".layers." in part][-1]
        norm = "_add" if config.norm_position == "pre" else "_add_norm"
        after = recorded.values(f"{last}{norm}.output").astype(np.float64)
        lengths = [np.sqrt((each**2).sum(axis=1)) for each in (first, after)]
        times = lengths[1].mean() / lengths[0].mean()
        assert growth(table) == pytest.approx(times, rel=1e-6)
        assert (
            f"the {stack}'s embedding to the last sub-layer the mean length is multiplied by {times:.2f}."
            in stream_sentence(table, config, stack)
        )
        assert columns["mean ‖x‖"][0] == f"{lengths[0].mean():.3f}"
        assert columns[second[stack]][0] == f"{lengths[0][1]:.3f}"
        assert columns["mean ‖sub-layer(x)‖"][0] == ""
        assert len(columns) == 4 + rows.size


def test_the_comparison_says_which_model_this_is_and_what_the_others_are(recorded):
    config = recorded.run.config
    tables = unwrap(untrained_tables(recorded, "decoder", untrained_pair))
    sentence = untrained_sentence(tables, config, 0)
    assert sentence.startswith(f"This model is {config.norm_position}-norm")
    assert "untrained" in sentence
    assert "seed 0" in sentence
    for position in ("post", "pre"):
        assert f"by {growth(tables[position]):.2f} with {position}-norm" in sentence
    columns = untrained_columns(tables)
    assert columns["after"][-1] == "final norm"
    assert columns["post-norm: mean ‖x‖"][-1] == ""
    assert all_parts(tables) == tables["pre"].parts


def test_a_large_model_is_not_made_twice_on_the_spot(monkeypatch):
    recorded = random_recording()
    monkeypatch.setattr("explorer.views.add_norm.data.MAX_COMPARED_PARAMETERS", 1000)
    assert untrained_tables(recorded, "encoder", untrained_pair) is None
