"""What parts of a run are worth, measured once for all visitors, when the first of them asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from core.analysis.head_looks import HeadLook, head_looks, joined_looks, measure_rest
from core.interventions.worth import WorthSweep
from core.run import Run
from core.run_description import RunDescription
from explorer.models.background import Job, Jobs, passes_of
from explorer.models.held_out import pairs_of, splits_of
from explorer.models.known import loaded_run, run_folder, shipped_runs
from explorer.server.singleton import Singleton
from explorer.views.worth.measured import Measured, parts_of
from explorer.views.worth.shipped import read_measured

MOST_PASSES = 51_200
"""Parts × pairs of one measurement: 200 pairs for 256 neurons, which take a small model ten seconds."""
MOST_PAIRS, LEAST_PAIRS = 1_000, 50
MOST_AT_ONCE = 4e11
"""Multiplications that begin when the page is opened, some ten seconds; what takes more is asked for."""


@dataclass(frozen=True)
class Plan:
    """A measurement that can be made.

    Attributes:
        run: Its name among all.
        updates: Moment of its training whose weights it has; None for the best.
        parts: Those of `choices`.
        n_parts: How many they are.
        n_pairs: Over how many pairs.
    """

    run: str
    updates: int | None
    parts: str
    n_parts: int
    n_pairs: int


@Singleton
def measurements() -> Jobs[Measured]:
    """The measurements of this server, each made once for all visitors."""
    return Jobs("measurement", 64 * 2**20)


def choices(run: RunDescription) -> dict[str, str]:
    """Which parts can be measured together: how a link names them, and what people call them."""
    layers = (("encoder", run.config.n_encoder_layers), ("decoder", run.config.n_decoder_layers))
    networks = {
        f"{stack}-{layer}": f"{run.config.d_ff:,} neurons of {stack} layer {layer}"
        for stack, n_layers in layers
        for layer in range(n_layers)
    }
    n_heads = run.config.n_heads * (run.config.n_encoder_layers + 2 * run.config.n_decoder_layers)
    return {"": f"{n_heads:,} heads", **networks}


def plan_of(name: str, updates: int | None, run: RunDescription, parts: str) -> Plan:
    """The measurement of some parts; of the heads where a run has no such layer."""
    config, known = run.config, parts in choices(run)
    heads = config.n_heads * (config.n_encoder_layers + 2 * config.n_decoder_layers)
    n_parts = config.d_ff if known and parts else heads
    available = run.train_config.n_test or run.train_config.n_validation
    n_pairs = min(available, MOST_PAIRS, max(LEAST_PAIRS, MOST_PASSES // n_parts))
    return Plan(name, updates, parts if known else "", n_parts, n_pairs)


def measured(plan: Plan, *, may_take_long: bool = False) -> Measured | Job | None:
    """What was measured, or how far it is; None where nobody has asked for it and it does not begin.

    Args:
        plan: What is measured.
        may_take_long: Whether it begins however long it takes; what does not take long always does.

    Raises:
        RunError: when there is no such run, or its files are damaged.
    """
    run = loaded_run(plan.run, plan.updates)
    if (found := _shipped(run, plan)) is not None:
        return found
    key = (run.fingerprint, plan.parts)
    takes_long = passes_of(run, plan.n_parts * plan.n_pairs, run.max_source_tokens) > MOST_AT_ONCE
    if takes_long and not may_take_long and measurements().known(key) is None:
        return None
    return measurements().of(key, lambda job: _measure(run, plan, job))


def begin(plan: Plan) -> Measured | Job:
    """Return what was measured, or how far it is; it begins however long it takes.

    Raises:
        RunError: when there is no such run, or its files are damaged.
    """
    found = measured(plan, may_take_long=True)
    assert found is not None
    return found


def held(plan: Plan) -> Measured | Job | None:
    """Return what was measured, or else the last job for it; asking begins nothing.

    Raises:
        RunError: when there is no such run, or its files are damaged.
    """
    run = loaded_run(plan.run, plan.updates)
    found = _shipped(run, plan)
    return measurements().held((run.fingerprint, plan.parts)) if found is None else found


def _measure(run: Run, plan: Plan, job: Job) -> Measured | None:
    measurement = Measurement(run, plan)
    job.n_all = measurement.sweep.n_all
    for n in job.pull(measurement.passes()):
        job.n_done += n
        job.show(measurement.sweep.n_done, measurement.measured)
    return measurement.measured() if measurement.is_complete else None


class Measurement:
    """Measures what parts of a model are worth, pass by pass: go through `passes`, then ask for `measured`.

    Args:
        run: The model.
        plan: What is measured, of which run.

    Attributes:
        sweep: Measurement of the parts, without where heads look.
        is_complete: Whether all passes are done.
    """

    def __init__(self, run: Run, plan: Plan) -> None:
        self._run, self._plan = run, plan
        self._split = splits_of(run)[0][0]
        self._available = pairs_of(plan.run, self._split)
        self._pairs = self._available[: plan.n_pairs]
        self._looks: tuple[HeadLook, ...] = ()
        self.is_complete = False
        self._network, self._parts = parts_of(run, plan.parts)
        self.sweep = WorthSweep(run, self._pairs, self._parts)

    def passes(self) -> Iterator[int]:
        """Measure; yields what each pass adds to how many pairs × parts are done."""
        for rows in self.sweep.groups:
            if not self._network:
                found = head_looks(self._run, [self._pairs[row] for row in rows])
                self._looks = joined_looks(self._looks, found) if self._looks else found
            yield from self.sweep.passes_over(rows)
        # Which heads look at the token of rest is known only over all pairs.
        looks = []
        for look in self._looks:
            looks.append(measure_rest(self._run, self._pairs, look))
            yield 0
        self._looks, self.is_complete = tuple(looks), True

    def measured(self) -> Measured:
        """Return the figures over the pairs that are done."""
        sweep = self.sweep
        return Measured(
            self._split,
            self._pairs,
            sweep.n_done,
            len(self._available),
            self._network,
            self._parts,
            sweep.worths(),
            self._looks,
            sweep.loss_before,
            sweep.n_exact_before,
        )


def _shipped(run: Run, plan: Plan) -> Measured | None:
    is_shipped = plan.run in shipped_runs() and plan.updates is None
    return _shipped_figures(run.fingerprint, plan, run) if is_shipped else None


@st.cache_resource(show_spinner=False, max_entries=32)
def _shipped_figures(fingerprint: str, plan: Plan, _run: Run) -> Measured | None:
    return read_measured(run_folder(plan.run), _run, plan.parts)
