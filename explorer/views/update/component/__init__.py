"""The story of one update in four pictures, which lie beside one another; a click asks for a number or another pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.explanation.update_sites import PREFIX
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.tensors import CellPlace
from explorer.visitor.reports import Event, Explain, Payload

OF_WEIGHT = ("gradient", "clipped", "change", "weight")


@dataclass(frozen=True, eq=False)
class StoryData:
    """What the pictures are fed.

    Attributes:
        key: Of the update and the weight.
        message: All that the browser draws from.
        name: Of the parameter.
        index: Of its weight.
        labels: How many labels each pair of the batch has.
    """

    key: str
    message: Mapping[str, Any]
    name: str
    index: tuple[int, ...]
    labels: tuple[int, ...]


@dataclass(frozen=True)
class OtherPair:
    """The pair of the batch that somebody wants to look at."""

    pair: int


def _read_asked(payload: Payload, data: StoryData) -> Explain:
    part = payload["part"].one_of((*OF_WEIGHT, "token_loss"))
    if part in OF_WEIGHT:
        return Explain(CellPlace(f"{PREFIX}{part}.{data.name}", data.index))
    pair = payload["pair"].index(len(data.labels))
    return Explain(CellPlace(f"{PREFIX}token_loss", (pair, payload["position"].index(data.labels[pair]))))


EVENTS: tuple[Event[Explain | OtherPair, StoryData], ...] = (
    Event("ask", _read_asked),
    Event("pair", lambda payload, data: OtherPair(payload["pair"].index(len(data.labels)))),
)
story_view: KeptView[StoryData] = KeptView(
    __file__, "update_story", lambda data: pack_message(data.message), EVENTS
)
"""Draws the pictures of an update in the browser."""
