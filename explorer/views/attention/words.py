r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.activations.location import Location, Stack, locate
from core.config import TransformerConfig
from core.model import attention
from explorer.explaining.formula import Formula, Sizes, space
from explorer.explaining.printing import WEIGHT_DECIMALS, plural
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, Side, number
from explorer.visitor.extent import PATHS, AttentionKind

IDEAS: Mapping[AttentionKind, str] = {
    "self-attention": "Each source token compares its query with the key of every source token and takes their values "
    "in as weighted averages, one for each head. So a token’s vector can hold what stands around it; the "
    "weights say what was read, not why.",
    "masked-self-attention": "Each output token reads itself and the output tokens before it, never a later one. The "
    "mask is there because in training the whole right answer is fed in at once, and without it a token could "
    "be copied from the place that it is meant to predict.",
    "cross-attention": "The queries come from the decoder, the keys and values from the encoder’s output. It is the "
    "only place where the source reaches the output; the weights say which source vectors were read, not why.",
}
"""What each does and why it is there, in two sentences."""


SUM_DECIMALS = 6


@dataclass(frozen=True)
class AttentionWords:
    """The words of one of the three attentions."""

    kind: AttentionKind

    @property
    def IDEA(self) -> str:  # noqa: N802 (as the other rooms' modules have it)
        """What it does and why it is there."""
        return IDEAS[self.kind]

    @property
    def where(self) -> Location:
        """Where it stands in the model, whatever its layer."""
        return locate(PATHS[self.kind])

    def numbers(self, scene: Scene) -> Numbers:
        """The strongest weight of the row, and the row's sum."""
        stack, head = self.where.stack, scene.head
        layer = scene.layer(stack)
        site = f"{PATHS[self.kind].format(layer=layer)}.weights"
        weights = scene.recorded.values(site)[head]
        query, key = _query_and_key(scene, stack, weights)
        row, largest = weights[query], int(weights[query].argmax())
        source = not self.where.causal
        names = scene.recorded.source if source else scene.recorded.inputs
        side: Side = "source" if source else "target"
        shown = f"{row[key]:.{WEIGHT_DECIMALS}f}"
        n_zero, n_later = int((row == 0).sum()), 0 if source else len(row) - 1 - query
        # The picture leaves them out: while the model writes, they are not there yet.
        unwritten = ", those of tokens that are not read yet" if 0 < n_zero == n_later else ""
        return Numbers(
            (
                *scene.where(stack, query),
                Piece(f"head {head} of {stack} layer {layer} gives "),
                Piece(names[key], side),
                Piece(f" at position {key} "),
                number(shown),
                *(
                    (Piece(f" of its weight, the largest of {len(row)}. The row sums to "),)
                    if row[key] == row[largest]
                    else (
                        Piece(" of its weight. The largest, "),
                        number(f"{row[largest]:.{WEIGHT_DECIMALS}f}"),
                        Piece(", goes to "),
                        Piece(names[largest], side),
                        Piece(f" at position {largest}. The row sums to "),
                    )
                ),
                number(f"{row.sum(dtype=np.float64):.{SUM_DECIMALS}f}"),
                Piece(f", and {plural(n_zero, 'weight is', 'weights are')} exactly 0{unwritten}."),
            ),
            Shown(
                shown,
                (
                    f'weights = recorded.activations["{site}"]',
                    f'print(f"{{weights[0, {head}, {query}, {key}].item():.{WEIGHT_DECIMALS}f}}")',
                ),
            ),
        )

    def formula(self, sizes: Sizes) -> Formula:
        """Scaled dot-product attention in several heads."""
        config, reads_output = sizes.config, self.where.causal
        masked = reads_output and config.causal
        queries = sizes.n_source if self.where.stack == "encoder" else sizes.n_outputs
        keys = sizes.n_outputs if reads_output else sizes.n_source
        mask = " + M" if masked else ""
        source, bias = "Z" if self.where.crosses else "X", config.attention_bias
        head = r"\text{head}_n = \text{softmax}\!\left(%s\right) V_n"
        joined = r"\text{MultiHead} = \text{Concat}(\text{head}_0, \dots, \text{head}_{%s})\, W_O"
        joined += " + b_O" if bias else ""
        scores = r"\frac{Q_n K_n^{\top}}{\sqrt{%s}}" if config.scale_scores else r"Q_n K_n^{\top}%.0s"
        project = tuple(
            f"{letter} = {x} W_{letter}" + (f" + b_{letter}" if bias else "")
            for letter, x in (("Q", "X"), ("K", source), ("V", source))
        )
        d, e, h = config.d_model, config.d_head, config.n_heads
        symbols = [
            ("Q, K, V", "queries, keys and values; each head has its own slice of them"),
            ("X", "what the sub-layer reads, a row for each token"),
            ("n", "number of the head, from 0"),
            ("W_Q, W_K, W_V, W_O", "learned matrices"),
        ]
        if bias:
            symbols.append(("b_Q, b_K, b_V, b_O", "learned biases"))
        if self.where.crosses:
            symbols.insert(2, ("Z", "the encoder’s output, a row for each source token"))
        if config.scale_scores:
            symbols.append(("d_k", "numbers of a head’s query, key or value"))
        if masked:
            symbols.append(("M", "0 where the query may look, minus infinity where it may not"))
        return Formula(
            "Equation 1 and section 3.2.2"
            + ("" if config.scale_scores else "; this model leaves out the division by the root"),
            (*project, head % (scores % "d_k" + mask), joined % "h-1"),
            (
                rf"X \in {space(queries, d)}"
                + (rf", \quad Z \in {space(keys, d)}" if self.where.crosses else ""),
                rf"Q_n \in {space(queries, e)}, \quad K_n, V_n \in {space(keys, e)}",
                rf"Q_n K_n^{{\top}} \in {space(queries, keys)}",
                head % (scores % e + mask),
                joined % (h - 1),
                rf"W_O \in {space(d, d)}",
            ),
            (*symbols, ("h", "number of heads")),
        )

    def functions(self, config: TransformerConfig) -> tuple[Callable[..., object], ...]:
        """What it runs, in the order of the computation; a masked softmax only where something is hidden."""
        shared = attention.MultiHeadAttention
        first = attention.CrossAttention if self.where.crosses else attention.SelfAttention
        masked = self.where.causal and config.causal
        hidden = (attention.masked_softmax,) if masked else ()
        return (first.forward, shared.split_heads, shared.attend, shared._attend_eager, *hidden)


def _query_and_key(scene: Scene, stack: Stack, weights: np.ndarray) -> tuple[int, int]:
    """The explained query and key of a head's weights; of one alone, the other one that has the most of it."""
    marked = scene.marked if scene.marked is not None and scene.marked.explained else None
    query = replace(scene, marked=marked).place(stack)
    key = None if marked is None else marked.numbers.get("key")
    if key is None:
        return query, int(weights[query].argmax())
    if stack == "encoder" and marked is not None and marked.place("source") is None:
        query = query if scene.state.look.position is not None else int(weights[:, key].argmax())
    return query, key
