"""The arms of an experiment on one time: each with its attention and its words, and below them two curves for all.

The browser keeps the moments that it was sent and says which they are; Python sends the others. Time, probe and head
are chosen in the browser and are the same for all arms, as is the layer, whose weights Python sends. Python hears that
the end was reached, since the verdict waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.browser.theatre import LAYER
from explorer.histories.figures import Line
from explorer.visitor.reports import Event, Payload, Refused


@dataclass(frozen=True, eq=False)
class ArmShown:
    """One of the models, as far as it has come.

    Attributes:
        label: For people, beside the other arms.
        shape: Of its mark.
        note: How it stands; of one that is not begun, what it differs in.
        awaited: Whether time goes no further than its moments: not where it waits in the queue, has failed, or was
            stopped.
        problem: Why it has failed or cannot be shown; empty where all is well.
        probes: The fixed sources (`explorer.browser.theatre.probes_header`).
        moments: What its weights make of them, packed; of the moments that this message brings.
        all: After how many updates its moments are that there are now.
        had: Those of them that the browser has said to have.
        loss: Of the batches, smoothed.
        exact: Exact match of the validation pairs.
    """

    label: str
    shape: str
    note: str
    awaited: bool
    problem: str
    probes: Mapping[str, Any]
    moments: Mapping[str, Any]
    all: Sequence[int]
    had: Sequence[int]
    loss: Line
    exact: Line


@dataclass(frozen=True, eq=False)
class ExperimentData:
    """What the view is fed.

    Attributes:
        key: Of the experiment and its runs, and of the layer; the browser keeps what it was sent under it.
        arms: The control first.
        span: Updates of each training.
        held_out: What exact match is measured on, in words.
        follows: Whether more moments come after these, which are shown as they come.
        ended: Whether all arms have ended and every moment is here.
        begun: Whether there are runs at all.
        layer: Of the decoder.
        n_layers: Of it.
    """

    key: str
    arms: Sequence[ArmShown]
    span: int
    held_out: str
    follows: bool
    ended: bool
    begun: bool
    layer: int
    n_layers: int


@dataclass(frozen=True)
class Ended:
    """The last moment of all arms was shown."""


@dataclass(frozen=True)
class Have:
    """After how many updates the moments are that the browser has, of each arm."""

    updates: tuple[frozenset[int], ...]


@dataclass(frozen=True)
class Asked:
    """The data of which a browser says what it has."""

    key: str
    n_arms: int


def pack(data: ExperimentData) -> bytes:
    """The message: what is known of each arm, then P and weights of its moments."""
    arms = [{**vars(arm), "loss": _points(arm.loss), "exact": _points(arm.exact)} for arm in data.arms]
    return pack_message({**vars(data), "arms": arms})


def _points(line: Line) -> list[tuple[int, float]]:
    return [(at, round(value, 6)) for at, value in zip(line.updates, line.values, strict=True)]


def _read_end(payload: Payload, data: ExperimentData) -> Ended:
    if not data.ended:
        raise Refused
    return Ended()


def _read_have(payload: Payload, data: Asked) -> Have:
    arms = tuple(frozenset(each.whole() for each in arm.items()) for arm in payload["have"].items())
    if len(arms) != data.n_arms:
        raise Refused
    return Have(arms)


END: Event[Ended, ExperimentData] = Event("end", _read_end)
"""The last moment was shown."""
HAVE: Event[Have, Asked] = Event("have", _read_have)
"""The browser has these moments; the others are sent."""

experiment_view = KeptView(
    __file__,
    "experiment_view",
    pack,
    (END, LAYER, HAVE),
)
"""Draws the arms in the browser."""
