"""What the map of the architecture is drawn from: blocks, edges between them, and small pictures of their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from explorer.look.thumbnails import Preview
from explorer.tensors import Letter

Stack = Literal["encoder", "decoder"]
Kind = Literal[
    "tokens",
    "embedding",
    "positions",
    "sum",
    "norm",
    "attention",
    "add",
    "feed-forward",
    "value",
    "linear",
    "softmax",
    "token",
]
"""How a block is drawn."""
EdgeKind = Literal["stream", "qkv", "q", "residual", "memory", "positions"]
"""How an edge is drawn: ``qkv`` splits into three arrows, ``memory`` ends in keys and values."""


SO_FAR = -1
"""In a shape: as many as the decoder has read at the step that is shown."""


@dataclass(frozen=True, eq=False)
class Item:
    """One tensor of a block: a recorded site or a parameter.

    Attributes:
        name: As `core.explain` knows it.
        shape: With the batch axis for a site; SO_FAR stands for an axis that grows with the steps.
        preview: Its values, or the first rows and columns of them.
        letter: Whether these are queries, keys or values.
        learned: Whether it is a parameter.
        meaning: One sentence, for a site.
    """

    name: str
    shape: tuple[int, ...]
    preview: Preview
    letter: Letter = ""
    learned: bool = False
    meaning: str = ""


@dataclass(frozen=True, eq=False)
class MapBlock:
    """One block of the figure.

    Attributes:
        id: Module path, or that of its value where it is no module: ``decoder.layers.1.cross_attn``.
        kind: How it is drawn.
        title: For the visitor.
        pages: Keys of the pages that show it, as in `explorer.blocks`, with their titles; the first one is its own.
        stack: The side that it belongs to.
        layer: Its layer, None outside of the layers.
        meaning: What it does, in one or two sentences.
        parameters: Learned numbers; a shared matrix counts where it comes first.
        note: A few words beside the title: ``tied to the embedding``.
        items: All its recorded sites, then its parameters.
        heads: Attention weights of all heads, for an attention block.
        reads: For each step the place and the weight of what the produced token reads most, in the mean over
            the heads; for attention blocks of the decoder.
    """

    id: str
    kind: Kind
    title: str
    pages: tuple[tuple[str, str], ...]
    stack: Stack
    layer: int | None
    meaning: str
    parameters: int = 0
    note: str = ""
    items: tuple[Item, ...] = ()
    heads: Preview | None = None
    reads: tuple[tuple[int, float], ...] = ()

    @property
    def stage(self) -> str:
        """The block's name in a link."""
        return stage_of(self.id)


@dataclass(frozen=True, eq=False)
class MapEdge:
    """A tensor on its way from one block to another."""

    start: str
    end: str
    kind: EdgeKind
    name: str
    shape: tuple[int, ...]
    preview: Preview | None = None


@dataclass(frozen=True)
class Part:
    """A part of the model with its parameters, for the bars."""

    title: str
    stack: Stack
    parameters: int


@dataclass(frozen=True, eq=False)
class MapData:
    """What the map is fed.

    Attributes:
        key: Names the run; a new key resets the view.
        source: Source tokens.
        inputs: What the decoder reads.
        outputs: What it produces.
        probabilities: Of each produced token.
        dtype: That the model computes in.
        n_layers: Of each stack.
        blocks: Every block, in the order of the computation.
        edges: Every edge.
        parts: Parameters by part; together they are all of them.
        parts_note: One sentence on shared matrices, or nothing.
        edge_limit: Value of the last colour in the pictures on the edges.
        edge_beyond: How many values in those pictures are larger.
        edge_values: How many values those pictures show.
        step: Step of the decoding that is lit.
        chosen: What is chosen: a block's id, or ``decoder.layers.1`` for a whole layer.
        unfolded: The layer of each stack that is drawn with its blocks.
        compact: Whether only the figure is drawn, with all layers folded.
        report: Number of the last report that this message knows of.
    """

    key: str
    source: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    probabilities: tuple[float, ...]
    dtype: str
    n_layers: Mapping[Stack, int]
    blocks: tuple[MapBlock, ...]
    edges: tuple[MapEdge, ...]
    parts: tuple[Part, ...]
    parts_note: str
    edge_limit: float
    edge_beyond: int
    edge_values: int
    step: int = 0
    chosen: str = ""
    unfolded: Mapping[Stack, int] | None = None
    compact: bool = False
    report: int = 0

    @property
    def n_bytes(self) -> int:
        """Bytes of all pictures, and about as much again for what is said of each."""
        items = [item.preview for block in self.blocks for item in block.items]
        edges = [edge.preview for edge in self.edges if edge.preview is not None]
        return sum(picture.codes.nbytes + 1000 for picture in (*items, *edges))

    @property
    def layers(self) -> tuple[str, ...]:
        """Ids of the layers."""
        return tuple(f"{stack}.layers.{i}" for stack, n in self.n_layers.items() for i in range(n))

    def block(self, block_id: str) -> MapBlock | None:
        """A block by its id."""
        return next((block for block in self.blocks if block.id == block_id), None)


def stage_of(block_id: str) -> str:
    """The id of a block or a layer as a link may carry it."""
    return block_id.replace(".", "-")
