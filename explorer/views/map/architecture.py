"""The map of a model: its blocks and the edges between them, as the catalogue of sites tells, with recorded values.

Nothing of the architecture is written down a second time: a block is the module of some sites, and an edge leads from
the block of each site's input to the block of that site.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.activations.location import locate
from core.activations.sites import TOKEN_AXES, Site
from core.config import TransformerConfig
from core.model.parameters import count_parameters, find_parameter, named_parameters, parameters_by_block
from explorer.look.thumbnails import Preview, as_column, common_limit, heads_thumbnail, thumbnail
from explorer.models.recorded import Recorded
from explorer.tensors import Axis
from explorer.views.map.block_texts import block_note, block_text, block_title
from explorer.views.map.component.data import (
    SO_FAR,
    EdgeKind,
    Item,
    Kind,
    MapBlock,
    MapData,
    MapEdge,
    Part,
    Stack,
)

PREDICTION = "prediction"
"""Id of the block that stands for the token that comes out."""

_CARRIERS = ("sum", "embedding", "positions", "add", "value")
"""Kinds of blocks whose results are worth a picture: the residual stream and what is added to it at first."""


def map_data(recorded: Recorded, *, compact: bool = False) -> MapData:
    """The map of a recorded run; `explorer.views.map.map_choices` says what is lit on it.

    Args:
        recorded: The run.
        compact: Whether the blocks come without pictures of what is in them: their overview shows none.
    """
    config = recorded.run.config
    draft = _Draft(recorded, compact)
    values = {edge.name: recorded.values(edge.name) for edge in draft.edges if draft.has_picture(edge)}
    limit = common_limit(list(values.values()))
    pictures = {
        name: thumbnail(recorded.tensor(name), limit=limit, grows=draft.rows_grow(name)) for name in values
    }
    parts, note = _parts(recorded)
    return MapData(
        key=f"map/{recorded.key}",
        source=recorded.source,
        inputs=recorded.inputs,
        outputs=recorded.outputs,
        probabilities=_probabilities(recorded),
        dtype=recorded.dtype,
        n_layers={"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers},
        blocks=draft.blocks,
        edges=tuple(
            replace(edge, preview=pictures[edge.name]) if draft.has_picture(edge) else edge
            for edge in draft.edges
        ),
        parts=parts,
        parts_note=note,
        edge_limit=limit,
        edge_beyond=sum(picture.beyond for picture in pictures.values()),
        step=recorded.telling_step,
        edge_values=sum(picture.codes.size for picture in pictures.values()),
        compact=compact,
    )


@dataclass
class _Draft:
    """Blocks and edges, grown site by site."""

    recorded: Recorded
    compact: bool

    def __post_init__(self) -> None:
        config, model = self.recorded.run.config, self.recorded.run.model
        self.sites = {site.name: site for site in model.sites()}
        self.by_block: dict[str, list[str]] = {"src": []}
        for site in model.sites():
            if site.name == "tgt_embed.tokens":
                self.by_block["tgt_in"] = []
            self.by_block.setdefault(block_id(site.name, config), []).append(site.name)
        self.by_block[PREDICTION] = []
        self.parameters: dict[str, list[str]] = {}
        for name in named_parameters(model):
            self.parameters.setdefault(block_id(name, config), []).append(name)
        self.kinds = {block: _kind(block) for block in self.by_block}
        self.counts = _counts(self.recorded)
        self.blocks = tuple(self._block(name) for name in self.by_block)
        self.edges = self._edges()

    def rows_grow(self, name: str) -> bool:
        """Whether row t of a site's picture is computed at step t."""
        site = self.sites[name]
        rows = [place for place, axis in enumerate(site.axes) if axis in ("position", "query", "key")]
        return _shape(site, self.recorded)[rows[0]] == SO_FAR

    def has_picture(self, edge: MapEdge) -> bool:
        """Whether there is room on the edge for a picture, and a reason."""
        return (
            edge.name in self.sites
            and edge.kind != "residual"
            and self.kinds[edge.start] in _CARRIERS
            and (self.kinds[edge.start] != "embedding" or self.kinds[edge.end] != "sum")
            and self.kinds[edge.end] != "value"
        )

    def _block(self, name: str) -> MapBlock:
        config, kind = self.recorded.run.config, self.kinds[name]
        where = locate(name)
        stack = where.stack
        heads: Preview | None = None
        reads: tuple[tuple[int, float], ...] = ()
        if kind == "attention":
            weights = self.recorded.tensor(f"{name}.weights")
            heads = None if self.compact else heads_thumbnail(weights, grows=stack == "decoder")
            reads = _reads(weights.values) if stack == "decoder" else ()
        return MapBlock(
            id=name,
            kind=kind,
            title=block_title(name, kind, config),
            pages=(),
            stack=stack,
            layer=where.layer,
            meaning=block_text(name, kind, config),
            parameters=self.counts.get(name, 0),
            note=block_note(name, kind, config),
            items=() if self.compact else self._items(name),
            heads=heads,
            reads=reads,
        )

    def _items(self, name: str) -> tuple[Item, ...]:
        parameters = self.parameters.get(name, ())
        return (*map(self._site, self.by_block[name]), *map(self._parameter, parameters))

    def _site(self, name: str) -> Item:
        site, tensor = self.sites[name], self.recorded.tensor(name)
        if site.axes == ("batch", "position"):
            tensor = as_column(tensor)
        preview = thumbnail(tensor, grows=self.rows_grow(name))
        return Item(name, _shape(site, self.recorded), preview, tensor.letter, False, site.meaning)

    def _parameter(self, name: str) -> Item:
        values = find_parameter(self.recorded.run.model, name)
        assert values is not None, name
        axes = (Axis(f"axis {place}", size) for place, size in enumerate(values.shape))
        preview = thumbnail(self.recorded.parameter(name, *axes))
        return Item(name, tuple(values.shape), preview, learned=True)

    def _edges(self) -> tuple[MapEdge, ...]:
        config = self.recorded.run.config
        found: dict[tuple[str, str, EdgeKind], MapEdge] = {}
        for site in self.sites.values():
            end = block_id(site.name, config)
            for name in site.inputs:
                start = block_id(name, config)
                if start != end:
                    kind = _edge_kind(site, name, self.kinds[start])
                    found.setdefault(
                        (start, end, kind), MapEdge(start, end, kind, name, self._edge_shape(name))
                    )
        last = "generator.log_probs"
        found[last, PREDICTION, "stream"] = MapEdge(last, PREDICTION, "stream", last, self._edge_shape(last))
        return tuple(found.values())

    def _edge_shape(self, name: str) -> tuple[int, ...]:
        if name == "src":
            return (len(self.recorded.source),)
        return (SO_FAR,) if name == "tgt_in" else _shape(self.sites[name], self.recorded)[1:]


def block_id(name: str, config: TransformerConfig) -> str:
    """The block of the map that a site, a parameter or the ids of a side belong to."""
    where = locate(name)
    if where.kind == "generator":
        return where.path if where.value in ("logits", "weight") else name
    if where.kind == "embedding":
        if where.value in ("positions", "positional.weight"):
            return where.beside("positions")
        summed = where.value == "output" and config.positional != "none"
        return where.beside("sum") if summed else where.path
    # A stack's output, and ids, are blocks by themselves.
    return name if where.kind in ("stack", "ids") else where.path


_KINDS: dict[str, Kind] = {
    "ids": "tokens",
    "embedding": "embedding",
    "attention": "attention",
    "feed_forward": "feed-forward",
    "norm": "norm",
    "final_norm": "norm",
    "stack": "value",
    "unknown": "token",
}
"""What the map calls each kind of module; the one block that no site stands in is the token that comes out."""


def _kind(block: str) -> Kind:
    where = locate(block)
    if where.kind == "embedding" and where.value:
        return "positions" if where.value == "positions" else "sum"
    if where.kind == "generator":
        return "softmax" if where.value else "linear"
    return "add" if where.joins else _KINDS[where.kind]


def _edge_kind(site: Site, name: str, start: Kind) -> EdgeKind:
    if site.operation == "project_to_heads":
        if name == "encoder.output":
            return "memory"
        return "q" if site.location.crosses else "qkv"
    if site.operation != "add":
        return "stream"
    if start == "positions":
        return "positions"
    where = site.location
    return "residual" if where.sublayer and locate(name).path != where.sublayer_path else "stream"


def _shape(site: Site, recorded: Recorded) -> tuple[int, ...]:
    """A site's sizes, with SO_FAR for axes that have one more place after each step."""
    sizes = recorded.trace.activations[site.name].shape
    return tuple(
        SO_FAR if axis in TOKEN_AXES and site.side(axis) == "target" else size
        for axis, size in zip(site.axes, sizes, strict=True)
    )


def _reads(weights: np.ndarray) -> tuple[tuple[int, float], ...]:
    mean = weights.mean(axis=0)
    return tuple((int(row.argmax()), float(row.max())) for row in mean)


def _probabilities(recorded: Recorded) -> tuple[float, ...]:
    log_probs = recorded.values("generator.log_probs")
    return tuple(
        math.exp(row[token]) for row, token in zip(log_probs, recorded.trace.tgt_out.tolist(), strict=True)
    )


def _counts(recorded: Recorded) -> dict[str, int]:
    """Parameters of each block; a learned table of positions is a block of its own."""
    model = recorded.run.model
    counts = dict(parameters_by_block(model))
    for side in ("src_embed", "tgt_embed"):
        table = find_parameter(model, f"{side}.positional.weight")
        if table is not None:
            counts[f"{side}.positions"] = table.numel()
            counts[side] -= table.numel()
    return counts


def _parts(recorded: Recorded) -> tuple[tuple[Part, ...], str]:
    """The bars, largest first, and a sentence on shared matrices."""
    config, counts = recorded.run.config, _counts(recorded)

    def total(stack: Stack, *, final: bool = False) -> int:
        found = ((locate(block), count) for block, count in counts.items())
        return sum(
            count
            for where, count in found
            if where.stack == stack and (where.kind == "final_norm" if final else where.sublayer)
        )

    def layers(stack: str, n: int) -> str:
        return f"{n} {stack} layer{'' if n == 1 else 's'}"

    tied = config.tie_embeddings
    parts = (
        Part(layers("decoder", config.n_decoder_layers), "decoder", total("decoder")),
        Part(layers("encoder", config.n_encoder_layers), "encoder", total("encoder")),
        Part("embedding, shared" if tied else "source embedding", "encoder", counts["src_embed"]),
        Part("target embedding", "decoder", counts["tgt_embed"]),
        Part("source positions", "encoder", counts.get("src_embed.positions", 0)),
        Part("target positions", "decoder", counts.get("tgt_embed.positions", 0)),
        Part("output matrix", "decoder", counts["generator"]),
        Part("encoder final norm", "encoder", total("encoder", final=True)),
        Part("decoder final norm", "decoder", total("decoder", final=True)),
    )
    assert sum(part.parameters for part in parts) == count_parameters(recorded.run.model)
    note = (
        "One matrix is source embedding, target embedding and output matrix; it counts once." if tied else ""
    )
    return tuple(sorted((p for p in parts if p.parameters), key=lambda p: -p.parameters)), note
