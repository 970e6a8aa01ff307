"""Tokens as stages: rows are the table's, products and sums hold, every cell is explained, large models stay small."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from core.config import TransformerConfig
from explorer.browser.tensors import pack
from explorer.views.embedding.data import MAX_NUMBERS, tokens_view
from tests.explorer.random_recording import random_recording, random_run, recording_of
from tests.explorer.stage_cells import assert_explained, matrix
from tests.states import state_of

VARIANTS: dict[str, dict[str, Any]] = {
    "shared": {},
    "apart": {"tie_embeddings": False},
    "learned": {"positional": "learned"},
    "none": {"positional": "none"},
    "bfloat16": {"dtype": "bfloat16"},
}


@pytest.fixture(scope="module", params=VARIANTS)
def recorded(request):
    return random_recording(**VARIANTS[request.param])


def state(**choices):
    return state_of("random", "w4", **choices)


def panels(view, key):
    (stage,) = [stage for stage in view.stages if stage.key == key]
    return [matrix(view, panel) for panel in stage.panels]


def test_every_cell_is_the_one_that_explain_explains(recorded):
    for side in ("source", "target"):
        assert_explained(recorded, tokens_view(recorded, state(stage=f"{side}-rows")))


@pytest.mark.parametrize(
    ("side", "path", "ids"),
    [("source", "src_embed", lambda trace: trace.src), ("target", "tgt_embed", lambda trace: trace.tgt_in)],
)
def test_ids_pick_rows_that_are_scaled_and_summed(recorded, side, path, ids):
    view = tokens_view(recorded, state(stage=f"{side}-rows"))
    trace, config = recorded.trace, recorded.run.config
    weight = recorded.run.model.get_parameter(f"{path}.weight").detach().double().numpy()
    (rows,) = panels(view, f"{side}-rows")
    np.testing.assert_array_equal(rows, weight[ids(trace)])
    rows, vectors = panels(view, f"{side}-scaled")
    tolerance = 0.02 if config.dtype == "bfloat16" else 1e-5
    np.testing.assert_allclose(rows * math.sqrt(config.d_model), vectors, rtol=tolerance, atol=tolerance)
    *summands, output = panels(view, f"{side}-sum")
    assert len(summands) == (1 if config.positional == "none" else 2)
    np.testing.assert_allclose(sum(summands), output, rtol=tolerance, atol=tolerance)


def test_rows_are_called_by_what_is_read(recorded):
    for side, read, ids in (
        ("source", recorded.source, recorded.trace.src),
        ("target", recorded.inputs, recorded.trace.tgt_in),
    ):
        view = tokens_view(recorded, state(stage=f"{side}-rows"))
        assert view.tensors["rows"].axes[0].labels == read
        assert view.tensors["rows"].axes[0].places == tuple(ids.tolist())
        assert view.tensors["output"].axes[0].labels == read
        assert view.tensors["tokens"].axes[0].side == side


def test_the_words_say_whether_the_table_is_shared():
    shared, apart = (
        tokens_view(random_recording(tie_embeddings=tied), state()).stages[0] for tied in (True, False)
    )
    assert "same table on both sides" in shared.note
    assert "same table" not in apart.note
    assert (shared.formula, apart.formula) == ("row p = E[idₚ]", "row p = E_src[idₚ]")
    none = tokens_view(random_recording(positional="none"), state())
    assert "adds no positions" in none.stages[2].note


def test_a_side_is_that_of_the_open_stage_or_of_the_chosen_stack_or_the_source(recorded):
    assert tokens_view(recorded, state(stage="target-sum")).stage == "target-sum"
    assert tokens_view(recorded, state(stage="target-sum", block="encoder")).row_side == "target"
    assert tokens_view(recorded, state(block="decoder")).row_side == "target"
    unknown = tokens_view(recorded, state(stage="scores"))
    assert (unknown.row_side, unknown.stage) == ("source", "source-sum")


def test_what_is_added_is_called_by_what_it_is(recorded):
    stage = tokens_view(recorded, state()).stages[-1]
    titles = {"sinusoidal": ["sinusoid"], "learned": ["learned vector"], "none": []}
    assert [panel.title for panel in stage.panels[1:-1]] == titles[recorded.run.config.positional]


@pytest.mark.proof
def test_the_papers_base_model_fits_into_a_message():
    config = TransformerConfig(
        src_vocab_size=37_000, tgt_vocab_size=37_000, n_encoder_layers=1, n_decoder_layers=1, max_len=128
    )
    recorded = recording_of(random_run(config), 128, 128)
    view = tokens_view(recorded, state())
    assert sum(tensor.values.size for tensor in view.tensors.values()) <= MAX_NUMBERS
    assert len(pack(view)) < 2**20
    window = view.tensors["rows"].axes[1]
    assert window.window == f"Numbers 0 to {window.shown - 1} of the 512 of each vector."
    assert torch.equal(
        torch.from_numpy(view.tensors["rows"].values.copy()),
        recorded.run.model.src_embed.weight.detach()[recorded.trace.src, : window.shown],
    )
