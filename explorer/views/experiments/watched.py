"""The arms of an experiment as the view is fed them: how each stands, and what its weights make of fixed sources."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from core.errors import ExplorerError
from core.experiments.experiment import Arm, Experiment
from core.run_description import RunDescription
from explorer.browser.theatre import pack_moments, probes_header
from explorer.histories.cached import moments_of, probes_of
from explorer.histories.figures import Line, read_figures
from explorer.histories.moments import TrainingMoment, TrainingProbe, make_probe, probe_sources
from explorer.histories.words import progress_words, state_words
from explorer.models.known import kept_moments, own_description
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.status import GOING_ON, LIVING, RunStatus
from explorer.views.experiments.component import ArmShown, Asked, ExperimentData
from explorer.views.experiments.dots import SHAPES
from explorer.views.experiments.words import differences

PATIENCE = 0.4
"""Seconds in which moments are computed before what is known is drawn; the others come with later looks."""


@dataclass(frozen=True)
class Watched:
    """The arms at one look.

    Attributes:
        data: What the view is fed.
        statuses: Of the runs.
    """

    data: ExperimentData
    statuses: tuple[RunStatus, ...]

    @property
    def may_grow(self) -> bool:
        """Whether there may be more to see: an arm goes on, or moments of it are still to be computed."""
        return not self.data.ended


def before_training(experiment: Experiment, control: RunDescription) -> ExperimentData:
    """The arms before there are any: the fixed sources with nothing written yet.

    Args:
        experiment: Of the arms.
        control: What its control would be.
    """
    probes = [
        probe for source in probe_sources(control) if (probe := make_probe("", control, source)) is not None
    ]
    arms = [
        ArmShown(
            label=arm.label,
            shape=SHAPES[place],
            note=_note(experiment, arm, control),
            awaited=False,
            problem="",
            probes=probes_header(probes, control),
            moments=pack_moments(probes, [], layer=0),
            all=(),
            had=(),
            loss=Line(),
            exact=Line(),
        )
        for place, arm in enumerate(experiment.arms)
    ]
    return ExperimentData(
        experiment.key,
        arms,
        experiment.training.steps,
        _held_out(experiment),
        follows=False,
        ended=False,
        begun=False,
        layer=0,
        n_layers=1,
    )


def watch_arms(
    engine: TrainingEngine,
    experiment: Experiment,
    run_ids: Sequence[str],
    *,
    newest_first: bool,
    layer: int | None = None,
    has: Callable[[Asked], Sequence[Collection[int]]] = lambda asked: [()] * asked.n_arms,
) -> Watched:
    """Look at the arms' runs.

    Args:
        engine: Of their trainings.
        experiment: Of the arms.
        run_ids: In the experiment's order.
        newest_first: Whether moments that nobody has asked for yet are computed from the last one back, as for
            somebody who comes when all is over; otherwise they come in their order.
        layer: Of the decoder; None for its last.
        has: Says which moments of each arm the browser has; they are not sent again.

    Raises:
        ExplorerError: when one of them is not here any more, or its files are damaged.
    """
    statuses = tuple(engine.status(run_id) for run_id in run_ids)
    found_runs = [own_description(run_id) for run_id in run_ids]
    runs = [run for run in found_runs if run is not None]
    if len(runs) < len(found_runs):
        raise ExplorerError("The description of a run of this experiment cannot be read; begin it again.")
    n_layers = min(run.config.n_decoder_layers for run in runs)
    shown_layer = n_layers - 1 if layer is None else min(layer, n_layers - 1)
    key = f"{'-'.join(run_ids)}/{shown_layer}"
    parts = zip(experiment.arms, statuses, runs, has(Asked(key, len(runs))), strict=True)
    found = [
        _look(
            engine,
            _Arm(place, arm, status, run, held),
            PATIENCE / len(runs),
            shown_layer,
            newest_first=newest_first,
        )
        for place, (arm, status, run, held) in enumerate(parts)
    ]
    ended = all(whole for _, whole in found) and not any(status.state in GOING_ON for status in statuses)
    data = ExperimentData(
        key,
        [arm for arm, _ in found],
        experiment.training.steps,
        _held_out(experiment),
        follows=not ended and not newest_first,
        ended=ended,
        begun=True,
        layer=shown_layer,
        n_layers=n_layers,
    )
    return Watched(data, statuses)


@dataclass(frozen=True)
class _Arm:
    """One arm to be looked at: its place and run, and which of its moments the browser has."""

    place: int
    arm: Arm
    status: RunStatus
    run: RunDescription
    held: Collection[int]


def _look(
    engine: TrainingEngine, of: _Arm, patience: float, layer: int, *, newest_first: bool
) -> tuple[ArmShown, bool]:
    """One arm, and whether all of its moments are there."""
    status, run = of.status, of.run
    probes = probes_of(status.run_id, run)
    kept = kept_moments(status.run_id)
    new = [each for each in kept if each not in of.held] if probes else []
    moments, is_whole = _computed(status.run_id, new[::-1] if newest_first else new, probes, patience)
    figures = read_figures(engine.run_folder(status.run_id))
    had = tuple(each for each in kept if each in of.held)
    shown = ArmShown(
        label=of.arm.label,
        shape=SHAPES[of.place],
        note="" if status.state == "finished" else f"{state_words(status)}: {progress_words(status)}",
        awaited=status.state in (*LIVING, "finished"),
        problem=status.reason,
        probes=probes_header(probes, run),
        moments=pack_moments(probes, moments, layer=layer),
        all=tuple(sorted({*had, *(each.updates for each in moments)})),
        had=had,
        loss=figures.smoothed,
        exact=figures.exact_match,
    )
    return shown, is_whole


def _computed(
    run_id: str, order: Sequence[int], probes: Sequence[TrainingProbe], patience: float
) -> tuple[list[TrainingMoment], bool]:
    """The moments of a run up to the one at which time is up, by their updates, and whether there was time for all."""
    until, found = time.monotonic() + patience, []
    for place, updates in enumerate(order, 1):
        found += moments_of(run_id, [updates], probes)
        if time.monotonic() > until and place < len(order):
            return sorted(found, key=_updates), False
    return sorted(found, key=_updates), True


def _updates(moment: TrainingMoment) -> int:
    return moment.updates


def _note(experiment: Experiment, arm: Arm, control: RunDescription) -> str:
    if arm is experiment.control:
        return "the control"
    return differences(arm, control.config, control.train_config.warmup_steps)


def _held_out(experiment: Experiment) -> str:
    return f"exact match, {experiment.training.n_validation:,} held-out pairs"
