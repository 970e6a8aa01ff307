"""The theatre of a training: its attention and words at one moment, and the curve that leads through all of them.

The browser keeps the moments that it was sent and says how many they are; Python sends those after them. What somebody
plays, and which head, probe or moment is looked at, stays in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.browser.theatre import LAYER, Layer
from explorer.histories.figures import Figures
from explorer.histories.moments import TrainingProbe
from explorer.histories.picked import Pickable
from explorer.visitor.reports import Event, Payload, Refused

Wish = Literal["pause", "go_on", "step", "stop", "resume"]
WISHES: tuple[Wish, ...] = get_args(Wish)


@dataclass(frozen=True, eq=False)
class TheatreData:
    """What the theatre is fed.

    Attributes:
        key: Of the run and what is looked at of it; the browser keeps what it was sent under it.
        header: What is said of the run and its probes.
        packed: Moments of this message.
        since: How many moments come before them.
        all: After how many updates all moments are that there are now.
        kept: After how many updates the app can be opened with the weights.
        figures: What the training has told.
        wishes: What somebody may ask of it now.
        n_layers: Of the decoder.
        probes: Its fixed sources.
        pickable: Tensors that can be drawn in place of the attention; None where nothing is known of the model.
        picked: The one that is, at the moments of this message; None for the attention.
    """

    key: str
    header: Mapping[str, Any]
    packed: Mapping[str, Any]
    since: int
    all: Sequence[int]
    kept: Sequence[int]
    figures: Figures
    wishes: Sequence[Wish]
    n_layers: int
    probes: tuple[TrainingProbe, ...]
    pickable: Pickable | None = None
    picked: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Wished:
    """What somebody asks of the training."""

    wish: Wish


@dataclass(frozen=True)
class Opened:
    """A moment and a probe with which somebody wants to see the app; `walks` leads into the living map."""

    updates: int
    probe: int
    walks: bool


@dataclass(frozen=True)
class Picked:
    """The tensor that somebody wants to see, and the probe whose values it has; the attention with an empty name."""

    name: str
    probe: int


@dataclass(frozen=True)
class Have:
    """How many moments the browser has."""

    count: int


def pack(data: TheatreData) -> bytes:
    """The message: a header, float32 arrays of the curve and of P, and the weights as whole numbers of two bytes."""
    figures = data.figures
    loss = np.array([figures.loss.updates, figures.loss.values, figures.smoothed.values], np.float32).T
    exact = np.array([figures.exact_match.updates, figures.exact_match.values], np.float32).T
    return pack_message(
        {
            **data.header,
            "key": data.key,
            "run": data.packed,
            "since": data.since,
            "all": list(data.all),
            "wishes": list(data.wishes),
            "picked": data.picked,
            # They are many, and stay the same.
            "pickable": data.pickable if data.since == 0 else None,
            "loss": loss.reshape(-1, 3),
            "exact": exact.reshape(-1, 2),
        }
    )


def _read_opened(payload: Payload, data: TheatreData, *, walks: bool) -> Opened:
    updates = payload["updates"].whole()
    if updates not in data.kept:
        raise Refused
    return Opened(updates, payload["probe"].index(len(data.probes)), walks)


def _read_picked(payload: Payload, data: TheatreData) -> Picked:
    name = payload["name"].text()
    if name and (data.pickable is None or name not in data.pickable):
        raise Refused
    return Picked(name, payload["probe"].index(len(data.probes)))


WISH: Event[Wished, TheatreData] = Event("wish", lambda payload, data: Wished(payload["do"].one_of(WISHES)))
"""Somebody asks something of the training."""
OPEN: Event[Opened, TheatreData] = Event("open", partial(_read_opened, walks=False))
"""Somebody wants to see the whole app with the weights of a moment."""
WALK: Event[Opened, TheatreData] = Event("walk", partial(_read_opened, walks=True))
"""Somebody wants to step through the model with the weights of a moment."""
PICK: Event[Picked, TheatreData] = Event("pick", _read_picked)
"""Somebody wants to see another tensor."""
HAVE: Event[Have, TheatreData] = Event(
    "have", lambda payload, data: Have(payload["have"].index(len(data.all) + 1))
)
"""The browser has so many moments; those after them are sent."""
ACTS: tuple[Event[Wished | Opened | Layer | Picked, TheatreData], ...] = (WISH, OPEN, WALK, LAYER, PICK)
EVENTS: tuple[Event[Any, TheatreData], ...] = (*ACTS, HAVE)

theatre_view = KeptView(
    __file__,
    "theatre",
    pack,
    EVENTS,
    html='<div class="theatre" data-look="light" tabindex="-1"></div>',
)
"""Draws the theatre in the browser."""
