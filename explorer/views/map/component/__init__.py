"""The map: the figure of the paper with this model's blocks, shapes, parameters and small pictures of its values.

It is fed once per recorded run by one binary message; steps, unfolding and choosing cost no round trip. Python hears
of the visitor's choice when it rests, and at once of a page that is to be opened. The browser side is plain
JavaScript in the ``.js`` files beside this one, joined in the order of :data:`SCRIPTS`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.browser.assets import beside, script, shared, view_style
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.look.thumbnails import Preview
from explorer.views.map.component.data import Item, MapBlock, MapData, MapEdge
from explorer.visitor.reports import Event, Payload, is_index

_HERE = Path(__file__).parent
SCRIPTS = (
    *shared("look", "table_button", "choices", "lesson_keys"),
    *beside(__file__, "thumbnails", "layout", "edges", "picture", "cards", "view"),
)
"""The browser side, in reading order: each file uses only what stands before it."""
MAP_PAGE = "map"
"""What the compact map opens."""

Pictures = dict[int, tuple[int, np.ndarray]]
"""The codes to send with the place of their first byte, by the identity of their array."""


@dataclass(frozen=True)
class MapLook:
    """What a visitor looks at: a step, and a block or a layer."""

    step: int
    chosen: str
    report: int


@dataclass(frozen=True)
class OpenPage:
    """A visitor wants to see a block on its page, or one of its tensors in the inspector.

    Attributes:
        step: That was lit.
        chosen: Block or layer on the map.
        page: Key of the page; the map itself from the compact one. Empty where a tensor is asked for.
        item: Name of the tensor, or nothing.
        report: Number of the report.
    """

    step: int
    chosen: str
    page: str
    item: str
    report: int


def pack(data: MapData) -> bytes:
    """The message: a header with everything but the pictures, whose bytes follow four to a float32.

    Nothing in the browser reads them as floats, so their bits arrive as they are.
    """
    pictures: Pictures = {}
    header = {
        "key": data.key,
        "source": data.source,
        "inputs": data.inputs,
        "outputs": data.outputs,
        "probabilities": data.probabilities,
        "dtype": data.dtype,
        "n_layers": dict(data.n_layers),
        "blocks": [_block(block, pictures, compact=data.compact) for block in data.blocks],
        "edges": [_edge(edge, pictures) for edge in data.edges],
        "parts": [asdict(part) for part in data.parts],
        "parts_note": data.parts_note,
        "edge_limit": data.edge_limit,
        "edge_beyond": data.edge_beyond,
        "edge_values": data.edge_values,
        "step": data.step,
        "chosen": data.chosen,
        "unfolded": None if data.unfolded is None else dict(data.unfolded),
        "compact": data.compact,
        "report": data.report,
    }
    codes = [codes.ravel() for _, codes in pictures.values()]
    padded = np.concatenate([*codes, np.zeros(-sum(map(len, codes)) % 4, np.uint8)])
    return pack_message(header, {"pictures": padded.view("<f4")})


def map_view(data: MapData, *, key: str) -> None:
    """Show the map. The browser keeps its own choices while ``data.key`` stays the same."""
    _component(data=pack(data), key=key, events=EVENTS)


def _read_look(payload: Payload, report: int, data: MapData) -> MapLook | None:
    step, chosen = payload.get("step"), payload.get("chosen")
    if not is_index(step, len(data.outputs)) or not isinstance(chosen, str):
        return None
    return MapLook(step, chosen, report) if _can_be_chosen(chosen, data) else None


def _read_open(payload: Payload, report: int, data: MapData) -> OpenPage | None:
    look = _read_look(payload, report, data)
    if look is None:
        return None
    page, item = payload.get("page"), payload.get("item")
    if not (isinstance(page, str) and isinstance(item, str)) or bool(page) == bool(item):
        return None
    blocks = [block for block in data.blocks if f"{block.id}.".startswith(f"{look.chosen}.")]
    pages = {key for block in blocks for key, _ in block.pages}
    items = {each.name for block in blocks for each in block.items}
    if item in items or page in pages or (data.compact and page == MAP_PAGE):
        return OpenPage(look.step, look.chosen, page, item, look.report)
    return None


def _can_be_chosen(chosen: str, data: MapData) -> bool:
    return data.block(chosen) is not None or chosen in data.layers


def _block(block: MapBlock, pictures: Pictures, *, compact: bool) -> dict[str, Any]:
    return {
        "id": block.id,
        "kind": block.kind,
        "title": block.title,
        "pages": block.pages,
        "stack": block.stack,
        "layer": block.layer,
        "meaning": block.meaning,
        "parameters": block.parameters,
        "note": block.note,
        "items": [] if compact else [_item(item, pictures) for item in block.items],
        "heads": None if compact else _preview(block.heads, pictures),
        "reads": [(place, round(weight, 6)) for place, weight in block.reads],
    }


def _item(item: Item, pictures: Pictures) -> dict[str, Any]:
    return {
        "name": item.name,
        "shape": item.shape,
        "letter": item.letter,
        "learned": item.learned,
        "meaning": item.meaning,
        "preview": _preview(item.preview, pictures),
    }


def _edge(edge: MapEdge, pictures: Pictures) -> dict[str, Any]:
    return {
        "start": edge.start,
        "end": edge.end,
        "kind": edge.kind,
        "name": edge.name,
        "shape": edge.shape,
        "preview": _preview(edge.preview, pictures),
    }


def _preview(preview: Preview | None, pictures: Pictures) -> dict[str, Any] | None:
    if preview is None:
        return None
    # The same picture may stand on several edges; it travels once.
    end = sum(codes.size for _, codes in pictures.values())
    offset, _ = pictures.setdefault(id(preview.codes), (end, preview.codes))
    return {
        "shape": preview.codes.shape,
        "offset": offset,
        "scale": preview.scale,
        "limit": float(f"{preview.limit:.4g}"),
        "grows": preview.grows,
    }


LOOK: Event[MapLook, MapData] = Event("view", _read_look)
"""The visitor rests on something."""
OPEN: Event[OpenPage, MapData] = Event("open", _read_open)
"""The visitor wants to see the named block on a page, or one of its tensors."""
EVENTS: tuple[Event[MapLook | OpenPage, MapData], ...] = (LOOK, OPEN)

_component = KeptView(
    "map_view",
    html='<div class="map-view" data-look="light"></div>',
    css=view_style(_HERE / "view.css"),
    js=script(*SCRIPTS),
)
