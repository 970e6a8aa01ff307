"""The button that plays a training: from one kept moment to the next, each as soon as the page shows the one before."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.numbers import is_whole
from explorer.browser.assets import beside, script, shared, style
from explorer.visitor.reports import handlers, payload

ASKED = "asked"
_HERE = Path(__file__).parent
SCRIPTS = (*shared("mount"), *beside(__file__, "player"))

_component = st.components.v2.component(
    "moment_player",
    html='<div class="moment-player" data-look="light"></div>',
    css=style(_HERE / "player.css"),
    js=script(*SCRIPTS),
)


@dataclass(frozen=True)
class AskedMoment:
    """What the player wishes.

    Attributes:
        stop: Of the stops that it was fed.
        goes_on: Whether another one follows by itself.
    """

    stop: int
    goes_on: bool


def pack(stops: Sequence[int], stop: int) -> bytes:
    """The message: where one may stop, and where one is, as UTF-8 JSON."""
    return json.dumps({"stops": list(stops), "stop": stop}).encode()


def moment_player(stops: Sequence[int], stop: int, *, key: str, on_ask: Callable[[], None]) -> None:
    """Draw the button. Draw it last: its message tells the browser that the page of this stop is there.

    Args:
        stops: Moments of the training in their order.
        stop: The one that is shown.
        key: Of the component in the session.
        on_ask: Called when it wishes another one; `asked_moment` then says which.
    """
    _component(data=pack(stops, stop), key=key, **handlers(ASKED, handler=on_ask))


def asked_moment(stops: Sequence[int], *, key: str) -> AskedMoment | None:
    """What the player wishes; None for nothing, and for whatever a browser sends that is none of the stops."""
    raw = payload(key, ASKED)
    if not isinstance(raw, dict):
        return None
    stop, goes_on = raw.get("stop"), raw.get("goes_on")
    if not is_whole(stop) or stop not in stops or not isinstance(goes_on, bool):
        return None
    return AskedMoment(stop, goes_on)
