"""The arms of an experiment on one time: each with its attention and its words, and below them two curves for all.

It is fed one message with every kept moment that is known so far. Time, probe and head are chosen in the browser and
are the same for all arms. Python hears that the end was reached, since the verdict waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.browser.assets import beside, script, view_style
from explorer.browser.kept_view import KeptView
from explorer.browser.message import pack_message
from explorer.browser.theatre import STAGE_STYLE, PackedMoments
from explorer.histories.figures import Line
from explorer.visitor.reports import Event, Payload

_HERE = Path(__file__).parent
SCRIPTS = beside(__file__, "view")


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
        moments: What its weights make of them.
        loss: Of the batches, smoothed.
        exact: Exact match of the validation pairs.
    """

    label: str
    shape: str
    note: str
    awaited: bool
    problem: str
    probes: Mapping[str, Any]
    moments: PackedMoments
    loss: Line
    exact: Line


@dataclass(frozen=True, eq=False)
class ExperimentData:
    """What the view is fed.

    Attributes:
        key: Of the experiment and its runs: another one begins anew.
        arms: The control first.
        span: Updates of each training.
        held_out: What exact match is measured on, in words.
        follows: Whether more moments come after these, which are shown as they come.
        ended: Whether all arms have ended and every moment is here.
        begun: Whether there are runs at all.
    """

    key: str
    arms: Sequence[ArmShown]
    span: int
    held_out: str
    follows: bool
    ended: bool
    begun: bool


@dataclass(frozen=True)
class Ended:
    """The last moment of all arms was shown."""

    report: int


def prefix_of(place: int) -> str:
    """Names the arrays of an arm in the message."""
    return f"arm{place}"


def pack(data: ExperimentData) -> bytes:
    """The message: what is known of each arm, then P and weights of its moments."""
    arms = [
        {
            "label": arm.label,
            "shape": arm.shape,
            "note": arm.note,
            "awaited": arm.awaited,
            "problem": arm.problem,
            "probes": arm.probes,
            "moments": arm.moments.header,
            "loss": _points(arm.loss),
            "exact": _points(arm.exact),
        }
        for arm in data.arms
    ]
    header = {
        "key": data.key,
        "arms": arms,
        "span": data.span,
        "held_out": data.held_out,
        "follows": data.follows,
        "ended": data.ended,
        "begun": data.begun,
    }
    arrays = {name: array for arm in data.arms for name, array in arm.moments.arrays.items()}
    codes = {name: array for arm in data.arms for name, array in arm.moments.codes.items()}
    return pack_message(header, arrays, codes)


def experiment_view(data: ExperimentData, *, key: str) -> None:
    """Draw the arms. Their words are untrusted and reach the page as text only."""
    _view(data=pack(data), key=key, events=(END,))


def _points(line: Line) -> list[tuple[int, float]]:
    return [(at, round(value, 4)) for at, value in zip(line.updates, line.values, strict=True)]


def _read_end(payload: Payload, report: int, data: ExperimentData) -> Ended | None:
    return Ended(report) if data.ended else None


END: Event[Ended, ExperimentData] = Event("end", _read_end)

_view = KeptView(
    "experiment_view",
    html='<div class="experiment-view" data-look="light"></div>',
    css=view_style(STAGE_STYLE, _HERE / "view.css"),
    js=script(*SCRIPTS),
)
