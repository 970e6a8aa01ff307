"""What the theatre is fed: the moments of a run that the browser lacks, its curve, and what can be asked of it now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.browser.theatre import (
    MOST_BYTES,
    first_moments,
    pack_moments,
    pack_picked,
    probes_header,
)
from explorer.histories.cached import moments_of, picked_of, probes_of
from explorer.histories.figures import Figures
from explorer.histories.picked import pickable
from explorer.trainings.status import RunStatus
from explorer.views.training.subject import Subject
from explorer.views.training.theatre import TheatreData, Wish

MOST_NEW = 12
"""Moments that are computed for one message, so that the first ones are there soon; the others follow at once."""
MOST_PICKED = 3
"""The same where a tensor is drawn: its numbers are many."""


@dataclass(frozen=True)
class Shown:
    """What somebody looks at of a run.

    Attributes:
        layer: Of the decoder; None for its last.
        tensor: In place of the attention; empty for that.
        probe: Whose values the tensor has.
    """

    layer: int | None = None
    tensor: str = ""
    probe: int = 0


def theatre_of(subject: Subject, figures: Figures, wishes: Sequence[Wish], shown: Shown) -> TheatreData:
    """What the theatre is fed of a run, but for its moments, which `with_moments` adds.

    Args:
        subject: The run.
        figures: What its training has told.
        wishes: What the visitor may ask of it now.
        shown: What is looked at.

    Raises:
        RunError: when there is no such run any more.
    """
    run = subject.run
    probes = probes_of(subject.name, run, subject.folder) if run else ()
    n_layers = run.config.n_decoder_layers if run else 1
    layer = n_layers - 1 if shown.layer is None else min(shown.layer, n_layers - 1)
    header = {
        **(
            probes_header(probes, run)
            if run
            else {"unit": "token", "n_layers": 1, "n_heads": 1, "probes": []}
        ),
        "span": subject.span,
        "made": subject.made,
        "state": subject.state,
        "plays": subject.state == "finished",
        "opens": subject.has_model,
    }
    packed = {"layer": layer, "moments": []}
    kept = subject.kept()
    # A tensor is drawn from weights, which a recording does not have.
    all_moments = (kept if shown.tensor else subject.moments()) if probes else ()
    key = f"{subject.key}/{layer}" + (f"/{shown.tensor}/{shown.probe}" if shown.tensor else "")
    known = pickable(run) if run and probes else None
    return TheatreData(
        key, header, packed, 0, all_moments, kept, figures, wishes, n_layers, tuple(probes), known
    )


def with_moments(data: TheatreData, subject: Subject, have: int, shown: Shown) -> TheatreData:
    """The same with the moments after those that the browser has, as many as a message has room for."""
    probes, layer = data.probes, int(data.packed["layer"])
    since = min(have, len(data.all))
    n_heads = subject.run.config.n_heads if subject.run else 1
    most = MOST_BYTES if not shown.tensor else MOST_BYTES // 2
    wanted = first_moments(probes, data.all[since:], n_heads, most)[
        : MOST_PICKED if shown.tensor else MOST_NEW
    ]
    best = subject.run.best_after if subject.run and subject.state == "finished" else None
    found = moments_of(subject.name, wanted, probes, best_after=best, folder=subject.folder)
    tensors = (
        picked_of(
            subject.name, wanted, shown.tensor, probes[shown.probe], best_after=best, folder=subject.folder
        )
        if shown.tensor and probes
        else None
    )
    gone = {*wanted} - {each.updates for each in found}
    return replace(
        data,
        packed=pack_moments(probes, found, layer=layer),
        picked=None if tensors is None else pack_picked(shown.tensor, tensors),
        since=since,
        # A moment that is damaged or was discarded meanwhile is none.
        all=tuple(each for each in data.all if each not in gone),
    )


def wishes_of(status: RunStatus | None, *, may_steer: bool) -> tuple[Wish, ...]:
    """What somebody may ask of a training as it stands."""
    if status is None or not may_steer:
        return ()
    known: dict[str, tuple[Wish, ...]] = {
        "waiting": ("stop",),
        "starting": ("stop",),
        "training": ("pause", "stop"),
        "paused": ("go_on", "step", "stop"),
        "silent": ("stop",),
    }
    return known.get(status.state, ("resume",) if status.can_resume else ())
