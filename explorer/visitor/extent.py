"""How much of an attention block one message holds: all layers and heads of a small model, windows of a large one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from explorer.models.recorded import Recorded
from explorer.visitor.state import ExplorerState

AttentionKind = Literal["self-attention", "masked-self-attention", "cross-attention"]
"""The three attentions, by the keys of their views."""

PATHS: dict[AttentionKind, str] = {
    "self-attention": "encoder.layers.{layer}.self_attn",
    "masked-self-attention": "decoder.layers.{layer}.self_attn",
    "cross-attention": "decoder.layers.{layer}.cross_attn",
}
"""Where each kind stands in the model."""

MAX_NUMBERS = 250_000
"""In one message: with its header it stays below 1 MB."""
MIN_OUTPUTS = 8
"""Numbers of each output vector that are sent at least."""


@dataclass(frozen=True)
class Extent:
    """How much of an attention block one message holds.

    Attributes:
        layer: The layer that is looked at.
        head: Its head.
        all_layers: Whether the other layers are there too.
        all_heads: Whether the other heads are there too.
        outputs: Which numbers of each output vector are there.
    """

    layer: int
    head: int
    all_layers: bool
    all_heads: bool
    outputs: range


def choose_extent(recorded: Recorded, state: ExplorerState, kind: AttentionKind) -> Extent:
    """As many layers, heads and outputs as a message has room for, around what the visitor looks at."""
    path, config = PATHS[kind], recorded.run.config
    n_layers, n_heads, width = recorded.n_layers(path), config.n_heads, config.d_model
    layer = n_layers - 1 if state.look.layer is None else min(state.look.layer, n_layers - 1)
    all_layers = count_numbers(recorded, kind, n_layers, n_heads, width) <= MAX_NUMBERS
    all_heads = all_layers or count_numbers(recorded, kind, 1, n_heads, width) <= MAX_NUMBERS
    if not all_heads:
        while width > MIN_OUTPUTS and count_numbers(recorded, kind, 1, 1, width) > MAX_NUMBERS:
            width = -(-width // 2)
    first = _asked_output(state, path.format(layer=layer), config.d_model) // width * width
    outputs = range(first, min(first + width, config.d_model))
    return Extent(layer, min(state.look.head or 0, n_heads - 1), all_layers, all_heads, outputs)


def count_numbers(recorded: Recorded, kind: AttentionKind, n_layers: int, n_heads: int, width: int) -> int:
    """Numbers that a message holds with so many layers, heads and numbers of each output vector; rather too many."""
    config = recorded.run.config
    n_queries = len(recorded.source if kind == "self-attention" else recorded.outputs)
    n_keys = len(recorded.outputs if kind == "masked-self-attention" else recorded.source)
    inputs = (n_queries + (n_keys if kind == "cross-attention" else 0)) * config.d_model
    projections = config.d_head * (3 * (config.d_model + 1) + 2 * n_queries + 2 * n_keys)
    pairs = 6 * n_queries * n_keys  # four kinds of them, and which are hidden of the last two
    joined = 0 if n_heads == config.n_heads else n_queries * config.d_model
    output = width * (config.d_model + 1 + n_queries)
    return n_layers * (inputs + n_heads * (projections + pairs) + n_queries * n_keys + joined + output)


def input_site(recorded: Recorded, path: str, letter: str, layer: int) -> str:
    """The site that the queries (``q``) or keys (``k``) of a layer are computed from; ``{layer}`` is in the path."""
    return recorded.trace.activations.site(f"{path.format(layer=layer)}.{letter}").inputs[0]


def _asked_output(state: ExplorerState, path: str, d_model: int) -> int:
    """Which number of the output vectors is being explained; 0 where none is."""
    cell = state.look.cell
    if cell is None or cell.site != f"{path}.output" or len(cell.index) != 3:
        return 0
    return min(cell.index[2], d_model - 1)
