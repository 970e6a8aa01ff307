"""The story of one update in four pictures, which lie beside one another; a click asks for a number or another pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.explanation.update_sites import PREFIX
from explorer.browser.assets import script, view_style
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.tensors import CellPlace
from explorer.visitor.reports import Event, Payload, is_index

_HERE = Path(__file__).parent
SCRIPT = script(__file__)
OF_WEIGHT = ("gradient", "clipped", "change", "weight")


@dataclass(frozen=True, eq=False)
class StoryData:
    """What the pictures are fed.

    Attributes:
        key: Of the update and the weight.
        header: What is drawn.
        name: Of the parameter.
        index: Of its weight.
        labels: How many labels each pair of the batch has.
    """

    key: str
    header: Mapping[str, Any]
    name: str
    index: tuple[int, ...]
    labels: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """The number that somebody wants to have explained."""

    cell: CellPlace


@dataclass(frozen=True)
class OtherPair:
    """The pair of the batch that somebody wants to look at."""

    pair: int


def story_view(data: StoryData, *, key: str) -> None:
    """Draw the pictures. Their tokens are untrusted and reach the page as text only."""
    _view(data=pack_message({**data.header, "key": data.key}, {}), key=key, events=EVENTS)


def _read_asked(payload: Payload, report: int, data: StoryData) -> Asked | None:
    part, pair, position = (payload.get(name) for name in ("part", "pair", "position"))
    if part in OF_WEIGHT:
        return Asked(CellPlace(f"{PREFIX}{part}.{data.name}", data.index))
    if not is_index(pair, len(data.labels)) or not is_index(position, data.labels[pair]):
        return None
    return Asked(CellPlace(f"{PREFIX}token_loss", (pair, position)))


def _read_pair(payload: Payload, report: int, data: StoryData) -> OtherPair | None:
    pair = payload.get("pair")
    return OtherPair(pair) if is_index(pair, len(data.labels)) else None


ASK: Event[Asked, StoryData] = Event("ask", _read_asked)
"""Somebody wants to have a number explained."""
PAIR: Event[OtherPair, StoryData] = Event("pair", _read_pair)
"""Somebody looks at another pair."""
EVENTS: tuple[Event[Asked | OtherPair, StoryData], ...] = (ASK, PAIR)

_view = KeptView(
    "update_story",
    html='<div class="update-story" data-look="light"></div>',
    css=view_style(_HERE / "view.css"),
    js=SCRIPT,
)
