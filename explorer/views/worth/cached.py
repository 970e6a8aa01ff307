"""What parts of a run are worth, measured once for all visitors, when the first of them asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.run_description import RunDescription
from explorer.models.background import Job, Jobs, passes_of
from explorer.models.held_out import pairs_of, splits_of
from explorer.models.known import loaded_run

if TYPE_CHECKING:
    from core.analysis.head_looks import HeadLook
    from core.data.tasks import Pair
    from core.interventions.intervention import ZeroAblation
    from core.interventions.worth import Worth
    from core.run import Run

MOST_PASSES = 51_200
"""Parts × pairs of one measurement: 200 pairs for 256 neurons, which take a small model ten seconds."""
MOST_PAIRS, LEAST_PAIRS = 1_000, 50
MOST_AT_ONCE = 4e11
"""Multiplications that begin when the page is opened, some ten seconds; what takes more is asked for."""
LOOKED_TOGETHER = 64


@dataclass(frozen=True, eq=False)
class Measured:
    """What every part is worth.

    Attributes:
        key: Of the measurement.
        split: Of which pairs, by its key.
        pairs: They that were measured over, of `n_available`.
        n_available: Pairs of the split.
        network: Module path of the feed-forward network whose neurons they are; empty for heads.
        parts: Each as the change that switches it off, in the order of the model.
        worths: Of the parts.
        looks: Of the heads, as many; none of neurons.
        loss: Of the whole model, in nats per reference token.
        n_exact: References that the whole model writes.
    """

    key: str
    split: str
    pairs: tuple[Pair, ...]
    n_available: int
    network: str
    parts: tuple[ZeroAblation, ...]
    worths: tuple[Worth, ...]
    looks: tuple[HeadLook, ...]
    loss: float
    n_exact: int

    @property
    def n_bytes(self) -> int:
        """About 100 bytes for each token of the strongest pairs, with its loss."""
        tokens = sum(len(cost.losses) for worth in self.worths for cost in worth.strongest)
        return 100 * tokens + 2_000 * len(self.worths) + 1_000 * len(self.pairs)


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
    key, jobs = (run.fingerprint, plan.parts), _jobs()
    takes_long = passes_of(run, plan.n_parts * plan.n_pairs, run.max_source_tokens) > MOST_AT_ONCE
    if takes_long and not may_take_long and jobs.known(key) is None:
        return None
    return jobs.of(key, lambda job: _measure(run, plan, job))


def begin(plan: Plan) -> None:
    """Measure, however long it takes."""
    measured(plan, may_take_long=True)


def _measure(run: Run, plan: Plan, job: Job) -> Measured | None:
    from core.interventions.sweep import head_ablations, neuron_ablations
    from core.interventions.worth import WorthSweep

    split = splits_of(run)[0][0]
    every = pairs_of(plan.run, split)
    pairs = every[: plan.n_pairs]
    network = _network(run, plan.parts) if plan.parts else ""
    parts = neuron_ablations(run.model, network) if network else head_ablations(run.model)
    sweep = WorthSweep(run, pairs, parts)
    job.n_all = sweep.n_all
    looks = () if network else _looks(run, pairs, job)
    for done in job.pull(sweep.passes()):
        job.n_done = done
    if job.n_done < job.n_all:
        return None
    key = f"{run.fingerprint}/{plan.parts}"
    found = sweep.worths()
    return Measured(
        key, split, pairs, len(every), network, parts, found, looks, sweep.loss_before, sweep.n_exact_before
    )


def _network(run: Run, parts: str) -> str:
    """The module path of a feed-forward network that a link names."""
    places = (site.location for site in run.model.sites())
    return next(
        where.path
        for where in places
        if where.kind == "feed_forward" and f"{where.stack}-{where.layer}" == parts
    )


def _looks(run: Run, pairs: tuple[Pair, ...], job: Job) -> tuple[HeadLook, ...]:
    from core.analysis.head_looks import head_looks, joined_looks

    starts = range(0, len(pairs), LOOKED_TOGETHER)
    found: tuple[HeadLook, ...] = ()
    for some in job.pull(head_looks(run, pairs[start : start + LOOKED_TOGETHER]) for start in starts):
        found = joined_looks(found, some) if found else some
    return found


@st.cache_resource(show_spinner=False)
def _jobs() -> Jobs[Measured]:
    return Jobs("measurement", 64 * 2**20)
