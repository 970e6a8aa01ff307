"""Golden values: the model agrees with the paper's equations, written out without torch, and with a file."""

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.activations.record import record
from core.config import TransformerConfig
from core.model.transformer import Transformer
from core.training.loss import label_smoothed_cross_entropy
from tests.core.golden import formulas, make, weights
from tests.core.golden.weights import ATTENTIONS, N_HEADS, N_LAYERS, golden_weights

NORMS = ("post", "pre")
CONFIG: dict[str, Any] = {
    "src_vocab_size": weights.SRC_VOCAB,
    "tgt_vocab_size": weights.TGT_VOCAB,
    "tie_embeddings": False,
    "d_model": weights.D_MODEL,
    "n_heads": N_HEADS,
    "n_encoder_layers": N_LAYERS,
    "n_decoder_layers": N_LAYERS,
    "d_ff": weights.D_FF,
    "dtype": "float64",
}
SRC, TGT_IN, LABELS = (torch.tensor(ids) for ids in (weights.SRC, weights.TGT_IN, weights.LABELS))


@cache
def computed(norm):
    return formulas.golden_values(golden_weights(), norm)


@cache
def stored(norm):
    return json.loads(make.FILE.read_text())[norm]


def attention_state(w, ours, path):
    heads = [f"{path}.{head}" for head in range(N_HEADS)]
    return {
        f"{ours}.in_proj.weight": np.concatenate([w[f"{head}.W_{m}"].T for m in "QKV" for head in heads]),
        f"{ours}.in_proj.bias": np.concatenate([w[f"{head}.b_{m}"] for m in "QKV" for head in heads]),
        f"{ours}.out_proj.weight": w[f"{path}.W_O"].T,
        f"{ours}.out_proj.bias": w[f"{path}.b_O"],
    }


def feed_forward_state(w, ours, path):
    parts = {"linear1": "1", "linear2": "2"}
    matrices = {f"{ours}.{name}.weight": w[f"{path}.W_{i}"].T for name, i in parts.items()}
    return matrices | {f"{ours}.{name}.bias": w[f"{path}.b_{i}"] for name, i in parts.items()}


def norm_state(w, ours, path):
    return {f"{ours}.weight": w[f"{path}.gamma"], f"{ours}.bias": w[f"{path}.beta"]}


def state(w, norm):
    """The formulas' matrices under the names, and in the packing, of the model."""
    suffix = {"post": "add_norm", "pre": "norm"}[norm]
    values = {
        "src_embed.weight": w["src_embedding"],
        "tgt_embed.weight": w["tgt_embedding"],
        "generator.weight": w["generator"].T,
    }
    for stack, attentions in ATTENTIONS.items():
        for layer in range(N_LAYERS):
            for name in (*attentions, "feed_forward"):
                ours, path = f"{stack}.layers.{layer}.{name}", f"{stack}.{layer}.{name}"
                part = feed_forward_state if name == "feed_forward" else attention_state
                values |= part(w, ours, path) | norm_state(w, f"{ours}_{suffix}", path)
        if norm == "pre":
            values |= norm_state(w, f"{stack}.final_norm", f"{stack}.final")
    return {name: torch.from_numpy(value.copy()) for name, value in values.items()}


def golden_model(norm):
    model = Transformer(TransformerConfig(norm_position=norm, **CONFIG)).eval()
    model.load_state_dict(state(golden_weights(), norm))
    return model


def close(ours, expected, atol):
    torch.testing.assert_close(ours, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=atol)


@torch.no_grad()
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("reference", [computed, stored])
def test_the_logits_and_the_loss_are_those_of_the_equations(reference, norm):
    logits, expected = golden_model(norm)(SRC, TGT_IN), reference(norm)
    close(logits, expected["logits"], 1e-10)
    loss = label_smoothed_cross_entropy(logits, LABELS, smoothing=weights.SMOOTHING, pad_id=weights.PAD)
    close(loss, expected["loss"], 1e-10)


@torch.no_grad()
@pytest.mark.parametrize("norm", NORMS)
def test_every_attention_weight_is_that_of_the_equations(norm):
    model = golden_model(norm)
    with record(model) as activations:
        logits = model(SRC, TGT_IN)
    close(logits, computed(norm)["logits"], 1e-10)
    names = [name for name in computed(norm) if name.endswith(".weights")]
    assert len(names) == 3 * N_LAYERS
    for name in names:
        stack, rest = name.split(".", 1)
        close(activations[f"{stack}.layers.{rest}"], computed(norm)[name], 1e-10)


@pytest.mark.parametrize("norm", NORMS)
def test_the_file_is_what_its_script_writes(norm):
    expected = {name: value for name, value in computed(norm).items() if make.kept(name)}
    assert stored(norm).keys() == expected.keys()
    for name, value in expected.items():
        # Half of the last decimal, and what another machine's exp may differ by.
        np.testing.assert_allclose(stored(norm)[name], value, rtol=0, atol=0.6 * 10**-make.DECIMALS)


def test_the_equations_lean_on_nothing_of_ours():
    for path in (Path(formulas.__file__), Path(weights.__file__)):
        names = {
            node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert names <= {"math", "collections.abc", "numpy", "tests.core.golden.weights"}


def test_the_weights_hide_no_mistake():
    matrices = [value for value in golden_weights().values() if value.ndim == 2]
    assert all(np.linalg.matrix_rank(matrix) == min(matrix.shape) for matrix in matrices)
    for norm in NORMS:
        cross = computed(norm)[f"decoder.{N_LAYERS - 1}.cross_attn.weights"][0]
        # Neither all alike nor all on one key.
        assert 0.3 < cross.max(axis=-1).mean() < 0.9
        assert np.abs(np.diff(computed(norm)["logits"], axis=1)).max() > 0.5
