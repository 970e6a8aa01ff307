"""Tensors of an attention with two of its stages, each axis of its own size: a swapped axis fails."""

import numpy as np

from explorer.tensors import Axis, Panel, Stage, TensorData, decoder_rows

LAYERS, HEADS, QUERIES, KEYS, SIZE = 2, 3, 4, 5, 6
SOURCE = ("the", "<b>x</b>", " ", "cat", "</s>")
INPUT, OUTPUT = ("<s>", "le", "chat", "dort"), ("le", "chat", "dort", "</s>")


def values(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def tensors() -> dict[str, TensorData]:
    layer, head = Axis("layer", LAYERS), Axis("head", HEADS)
    query, key = decoder_rows("query", INPUT, OUTPUT), Axis("key", KEYS, SOURCE, "source")
    size = Axis("d_head", SIZE)
    weights = np.abs(values(LAYERS, HEADS, QUERIES, KEYS, seed=1)) + 0.01
    hidden = np.zeros(weights.shape, bool)
    hidden[..., 0, 4] = True
    weights[hidden] = 0
    site = "decoder.layers.{layer}.cross_attn"
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    return {
        "q": TensorData(
            f"{site}.q", values(LAYERS, HEADS, QUERIES, SIZE), (layer, head, query, size), letter="q"
        ),
        "k": TensorData(
            f"{site}.k", values(LAYERS, HEADS, KEYS, SIZE, seed=2), (layer, head, key, size), letter="k"
        ),
        "scores": TensorData(
            f"{site}.scores", values(LAYERS, HEADS, QUERIES, KEYS, seed=3), (layer, head, query, key)
        ),
        "weights": TensorData(
            f"{site}.weights", weights, (layer, head, query, key), scale="weight", hidden=hidden
        ),
        "bias": TensorData(
            f"{site}.b_q",
            values(LAYERS, HEADS, SIZE, seed=4),
            (layer, head, size),
            (("head", "d_head"),),
            lead=(),
        ),
    }


PRODUCT = Stage(
    "scores",
    "Scores",
    "product",
    (
        Panel("q", "Q queries", ("query",), ("d_head",), "qk"),
        Panel("k", "Kᵀ keys", ("d_head",), ("key",), "qk"),
        Panel("scores", "S scores", ("query",), ("key",)),
    ),
    formula="S = Q Kᵀ / √6",
)
SOFTMAX = Stage(
    "softmax",
    "Softmax",
    "map",
    (Panel("scores", "S scores", ("query",), ("key",)), Panel("weights", "A weights", ("query",), ("key",))),
    arrows=("softmax of each row",),
)
