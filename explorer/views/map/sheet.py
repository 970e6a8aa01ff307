"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.explaining.scene import Scene
from explorer.views.map.cached import map_of
from explorer.views.map.component import MapBlock
from explorer.worksheets.document import Block, Heading, Table


def blocks(scene: Scene) -> Iterator[Block]:
    """Every block with what it does, its shapes and its parameters."""
    figure = map_of(scene.recorded.run, scene.state.sentence, scene.state.decoding.prefix)
    yield Heading("The blocks")
    yield Table(
        ("block", "name in the code", "what it does", "parameters"),
        tuple(
            (_in_layer(block), block.id, block.meaning, f"{block.parameters:,}") for block in figure.blocks
        ),
        (0, 1, 2),
    )
    parts = figure.parts
    yield Heading("Parameters")
    yield Table(("part", "parameters"), tuple((part.title, f"{part.parameters:,}") for part in parts), (0,))


def _in_layer(block: MapBlock) -> str:
    return block.title if block.layer is None else f"{block.title}, {block.stack} layer {block.layer}"
