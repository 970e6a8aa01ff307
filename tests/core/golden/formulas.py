"""The paper's equations in NumPy and float64, one sentence at a time: no torch, and nothing of core.

Rows are positions, matrices are used as x·W and every head has matrices of its own, as in the paper.
"""

import math
from collections.abc import Callable

import numpy as np

from tests.core.golden.weights import D_HEAD, D_MODEL, LABELS, N_HEADS, N_LAYERS, PAD, SMOOTHING, SRC, TGT_IN

Array = np.ndarray
Weights = dict[str, Array]
NORM_EPS = 1e-5
"""The paper names no ε; this one is torch's."""


def positional_encoding(length: int) -> Array:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos of the same (section 3.5)."""
    table = np.zeros((length, D_MODEL))
    for pos in range(length):
        for i in range(D_MODEL // 2):
            angle = pos / 10000 ** (2 * i / D_MODEL)
            table[pos, 2 * i], table[pos, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return table


def embedded(table: Array, ids: list[int]) -> Array:
    """Rows of the table times √d_model (section 3.4), plus the positions."""
    return table[ids] * math.sqrt(D_MODEL) + positional_encoding(len(ids))


def softmax_over(scores: Array, seen: Array) -> Array:
    """exp sᵢ / Σ exp sⱼ over the seen keys, 0 at the others."""
    exponentials = np.where(seen, np.exp(scores - scores[seen].max()), 0.0)
    return exponentials / exponentials.sum()


def attention(q: Array, k: Array, v: Array, may_look: Array) -> tuple[Array, Array]:
    """softmax(QKᵀ/√d_k)·V (equation 1), and the softmax alone."""
    scores = q @ k.T / math.sqrt(D_HEAD)
    weights = np.array([softmax_over(row, seen) for row, seen in zip(scores, may_look, strict=True)])
    return weights @ v, weights


def multi_head(w: Weights, path: str, x: Array, memory: Array, may_look: Array) -> tuple[Array, Array]:
    """Concat(head_1, …, head_h) W_O (section 3.2.2), and the weights of each head."""
    heads, weights = [], []
    for head in range(N_HEADS):
        q, k, v = (
            rows @ w[f"{path}.{head}.W_{matrix}"] + w[f"{path}.{head}.b_{matrix}"]
            for matrix, rows in (("Q", x), ("K", memory), ("V", memory))
        )
        context, of_head = attention(q, k, v, may_look)
        heads.append(context)
        weights.append(of_head)
    return np.concatenate(heads, axis=1) @ w[f"{path}.W_O"] + w[f"{path}.b_O"], np.array(weights)


def feed_forward(w: Weights, path: str, x: Array) -> Array:
    """max(0, x W₁ + b₁) W₂ + b₂ (equation 2)."""
    return np.maximum(0.0, x @ w[f"{path}.W_1"] + w[f"{path}.b_1"]) @ w[f"{path}.W_2"] + w[f"{path}.b_2"]


def layer_norm(w: Weights, path: str, x: Array) -> Array:
    """γ·(x - μ)/√(σ² + ε) + β for each position."""
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1, keepdims=True)
    return w[f"{path}.gamma"] * centred / np.sqrt(variance + NORM_EPS) + w[f"{path}.beta"]


def with_residual(w: Weights, path: str, x: Array, sublayer: Callable[[Array], Array], norm: str) -> Array:
    """Post: LayerNorm(x + sublayer(x)) (section 3.1). Pre: x + sublayer(LayerNorm(x))."""
    if norm == "post":
        return layer_norm(w, path, x + sublayer(x))
    return x + sublayer(layer_norm(w, path, x))


class Reading:
    """One sentence pair through the model; `weights` keeps each attention's [head, query, key]."""

    def __init__(self, w: Weights, src: list[int], tgt_in: list[int], norm: str) -> None:
        self.w, self.norm = w, norm
        self.weights: dict[str, Array] = {}
        real_src, real_tgt = np.array(src) != PAD, np.array(tgt_in) != PAD
        earlier = np.array([[key <= query for key in range(len(tgt_in))] for query in range(len(tgt_in))])
        memory = self.encode(embedded(w["src_embedding"], src), np.tile(real_src, (len(src), 1)))
        decoded = self.decode(
            embedded(w["tgt_embedding"], tgt_in),
            memory,
            earlier & real_tgt,
            np.tile(real_src, (len(tgt_in), 1)),
        )
        self.logits = decoded @ w["generator"]

    def encode(self, x: Array, may_look: Array) -> Array:
        """The encoder (figure 1, left)."""
        for layer in range(N_LAYERS):
            x = self.attend(f"encoder.{layer}.self_attn", x, None, may_look)
            x = self.feed_forward(f"encoder.{layer}.feed_forward", x)
        return self.finish("encoder.final", x)

    def decode(self, x: Array, memory: Array, own: Array, cross: Array) -> Array:
        """The decoder (figure 1, right)."""
        for layer in range(N_LAYERS):
            x = self.attend(f"decoder.{layer}.self_attn", x, None, own)
            x = self.attend(f"decoder.{layer}.cross_attn", x, memory, cross)
            x = self.feed_forward(f"decoder.{layer}.feed_forward", x)
        return self.finish("decoder.final", x)

    def attend(self, path: str, x: Array, memory: Array | None, may_look: Array) -> Array:
        """An attention sub-layer with its residual; without a memory the sequence attends to itself."""

        def sublayer(y: Array) -> Array:
            output, self.weights[path] = multi_head(
                self.w, path, y, y if memory is None else memory, may_look
            )
            return output

        return with_residual(self.w, path, x, sublayer, self.norm)

    def feed_forward(self, path: str, x: Array) -> Array:
        """A feed-forward sub-layer with its residual."""
        return with_residual(self.w, path, x, lambda y: feed_forward(self.w, path, y), self.norm)

    def finish(self, path: str, x: Array) -> Array:
        """Pre-norm's last norm; post-norm has none."""
        return layer_norm(self.w, path, x) if self.norm == "pre" else x


def smoothed_loss(logits: Array) -> float:
    """Mean over the real labels of -Σ y'·log p, y' being 1-α on the label plus α/V on each (section 5.4)."""
    losses = []
    for row, label in zip(logits.reshape(-1, logits.shape[-1]), np.ravel(LABELS), strict=True):
        if label != PAD:
            wanted = np.full(len(row), SMOOTHING / len(row))
            wanted[label] += 1 - SMOOTHING
            losses.append(-(wanted * np.log(softmax_over(row, np.full(len(row), True)))).sum())
    return float(np.mean(losses))


def golden_values(w: Weights, norm: str) -> dict[str, Array]:
    """Logits [batch, position, vocab], loss, and each attention's weights [batch, head, query, key]."""
    readings = [Reading(w, src, tgt_in, norm) for src, tgt_in in zip(SRC, TGT_IN, strict=True)]
    logits = np.array([reading.logits for reading in readings])
    weights = {
        f"{path}.weights": np.array([reading.weights[path] for reading in readings])
        for path in readings[0].weights
    }
    return {"logits": logits, "loss": np.array(smoothed_loss(logits)), **weights}
