"""What a visitor has chosen on the map: read from the state, written back to it, and the page that it leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.activations.location import locate
from explorer.view import Registry
from explorer.views.map.component import MAP_PAGE, MapLook, OpenPage
from explorer.views.map.component.data import MapBlock, MapData, Stack, stage_of
from explorer.visitor.declared import PAGE, cleared
from explorer.visitor.state import ExplorerState, choose_block, choose_site

INSPECTOR = "tensors"


def looked_at(data: MapData, state: ExplorerState, report: int = 0) -> MapData:
    """The map with the step and the block that a visitor's state names."""
    by_stage = {stage_of(name): name for name in (*(block.id for block in data.blocks), *data.layers)}
    layers: dict[Stack, int] = {stack: n - 1 for stack, n in data.n_layers.items()}
    if state.look.layer is not None:
        layers = {stack: min(state.look.layer, last_layer) for stack, last_layer in layers.items()}
    chosen = by_stage.get(state.look.stage) or _named_block(data, state.look.block, layers)
    where = locate(chosen)
    if where.layer is not None:
        layers[where.stack] = where.layer
    return replace(
        data,
        step=data.step if state.decoding.step is None else min(state.decoding.step, len(data.outputs) - 1),
        chosen=chosen,
        unfolded=layers,
        report=report,
    )


def with_pages(data: MapData, views: Registry) -> MapData:
    """The map with the views that each of its blocks opens."""
    return replace(data, blocks=tuple(replace(block, pages=_pages(block, views)) for block in data.blocks))


def _pages(block: MapBlock, views: Registry) -> tuple[tuple[str, str], ...]:
    """Keys and titles of the views that show a block."""
    owner = views.showing(locate(block.id))
    keys = (
        *_FIRST.get(block.id if block.kind == "value" else block.kind, ()),
        owner.key if owner else OUTPUT,
    )
    if block.kind == "attention":
        keys = (*keys, "masks")
    return tuple((key, views[key].title) for key in keys)


_FIRST: Mapping[str, tuple[str, ...]] = {"sum": ("positions",), "encoder.output": ("cross-attention",)}
"""Views that say more of a block than the one that owns its value: who adds to the sum, who reads the memory."""
OUTPUT = "output"
"""The view of the token that comes out, which no site stands for."""


def _named_block(data: MapData, name: str, layers: Mapping[Stack, int]) -> str:
    """The block that the other pages call ``decoder.feed_forward``; a cross-attention if there is none."""
    where = locate(name)
    for block in (where.in_layer(layers[where.stack]), name):
        if data.block(block) is not None:
            return block
    return f"decoder.layers.{layers['decoder']}.cross_attn"


def overview(data: MapData, state: ExplorerState) -> MapData:
    """The map as the home page has it: the figure alone, with all layers folded."""
    return replace(
        looked_at(data, replace(state, look=replace(state.look, stage=""))),
        compact=True,
        chosen="",
        unfolded={},
    )


def seen_state(state: ExplorerState, data: MapData, seen: MapLook | OpenPage) -> ExplorerState:
    """The state of a visitor who looks at this step and this block."""
    layer = locate(seen.chosen).layer
    shown = state.look.layer if layer is None else layer
    stage = "" if data.compact else stage_of(seen.chosen)
    return replace(
        state,
        decoding=replace(state.decoding, step=seen.step),
        look=replace(state.look, stage=stage, layer=shown),
    )


def opened_state(state: ExplorerState, data: MapData, asked: OpenPage) -> ExplorerState:
    """The state with which the page that is asked for opens: at the block's layer and sub-layer, or at its tensor."""
    state = cleared(state, PAGE)
    if asked.page == MAP_PAGE:
        return replace(
            state,
            decoding=replace(state.decoding, step=asked.step),
            look=replace(state.look, stage=stage_of(asked.chosen)),
        )
    where = locate(asked.item or asked.chosen)
    block = f"{where.stack}.{where.part}" if where.part else locate(asked.chosen).stack
    state = choose_block(state, block)
    return choose_site(state, asked.item) if asked.item else state


def page_of(data: MapData, asked: OpenPage, views: Registry) -> str:
    """File of the page that is asked for; a tensor's is the inspector."""
    if asked.page:
        return views[asked.page].page
    return views[INSPECTOR].page
