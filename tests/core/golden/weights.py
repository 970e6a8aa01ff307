"""The golden model's sizes, sentences and weights: every weight comes from a formula, none from a seed."""

import math
from collections.abc import Iterator

import numpy as np

N_LAYERS, N_HEADS, D_HEAD, D_FF = 2, 3, 4, 10
D_MODEL = N_HEADS * D_HEAD
SRC_VOCAB, TGT_VOCAB = 11, 13
PAD = 0
SRC = [[3, 7, 5, 9, 2], [8, 4, 2, PAD, PAD]]
TGT_IN = [[1, 6, 10, 4], [1, 12, 5, PAD]]
LABELS = [[6, 10, 4, 2], [12, 5, 2, PAD]]
SMOOTHING = 0.1
ATTENTIONS = {"encoder": ("self_attn",), "decoder": ("self_attn", "cross_attn")}


def golden_weights() -> dict[str, np.ndarray]:
    """The n-th number of all is sin n², scaled; matrices are used as x W, as the paper writes them."""
    # Of sin n each row would be a mix of the first two: a matrix of rank 2, blind to many mistakes.
    running = 0
    weights = {}
    for name, shape in _shapes():
        count = math.prod(shape)
        values = np.array([math.sin(n * n) for n in range(running + 1, running + count + 1)])
        running += count
        weights[name] = _scaled(name, values.reshape(shape))
    return weights


def _scaled(name: str, values: np.ndarray) -> np.ndarray:
    """Near 1 for a gain γ, small for a bias, of variance 1/rows for a matrix."""
    if name.endswith("gamma"):
        return 1 + 0.3 * values
    if values.ndim == 1:
        return 0.3 * values
    rows = D_MODEL if name.endswith("embedding") else values.shape[0]
    return values * math.sqrt(2 / rows)


def _shapes() -> Iterator[tuple[str, tuple[int, ...]]]:
    yield "src_embedding", (SRC_VOCAB, D_MODEL)
    yield "tgt_embedding", (TGT_VOCAB, D_MODEL)
    for stack, attentions in ATTENTIONS.items():
        for layer in range(N_LAYERS):
            for attention in attentions:
                yield from _attention_shapes(f"{stack}.{layer}.{attention}")
            yield from _feed_forward_shapes(f"{stack}.{layer}.feed_forward")
        yield from _norm_shapes(f"{stack}.final")
    yield "generator", (D_MODEL, TGT_VOCAB)


def _attention_shapes(path: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for head in range(N_HEADS):
        for matrix in "QKV":
            yield f"{path}.{head}.W_{matrix}", (D_MODEL, D_HEAD)
            yield f"{path}.{head}.b_{matrix}", (D_HEAD,)
    yield f"{path}.W_O", (N_HEADS * D_HEAD, D_MODEL)
    yield f"{path}.b_O", (D_MODEL,)
    yield from _norm_shapes(path)


def _feed_forward_shapes(path: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{path}.W_1", (D_MODEL, D_FF)
    yield f"{path}.b_1", (D_FF,)
    yield f"{path}.W_2", (D_FF, D_MODEL)
    yield f"{path}.b_2", (D_MODEL,)
    yield from _norm_shapes(path)


def _norm_shapes(path: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{path}.gamma", (D_MODEL,)
    yield f"{path}.beta", (D_MODEL,)
