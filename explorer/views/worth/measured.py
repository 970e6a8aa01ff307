"""What parts of a run are worth, as it was measured, and which parts these are."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.head_looks import HeadLook
from core.data.tasks import Pair
from core.interventions.intervention import ZeroAblation
from core.interventions.sweep import head_ablations, neuron_ablations
from core.interventions.worth import Worth
from core.run import Run


@dataclass(frozen=True, eq=False)
class Measured:
    """The measured worth of every part.

    Attributes:
        split: Key of the split that the pairs come from.
        pairs: Pairs of the split over which it is measured.
        n_done: How many of them are done.
        n_available: Pairs of the split.
        network: Module path of the feed-forward network whose neurons they are; empty for heads.
        parts: Each as the change that switches it off, in the order of the model.
        worths: Worth of each part, in the order of `parts`.
        looks: Where each head looks. Empty for neurons.
        loss: Of the whole model, in nats per reference token.
        n_exact: References that the whole model writes.
    """

    split: str
    pairs: tuple[Pair, ...]
    n_done: int
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


def parts_of(run: Run, parts: str) -> tuple[str, tuple[ZeroAblation, ...]]:
    """Return the network whose neurons some parts are, empty for heads, and each part as what switches it off."""
    network = _network(run, parts) if parts else ""
    return network, tuple(neuron_ablations(run.model, network) if network else head_ablations(run.model))


def _network(run: Run, parts: str) -> str:
    """The module path of a feed-forward network that a link names."""
    places = (site.location for site in run.model.sites())
    return next(
        where.path
        for where in places
        if where.kind == "feed_forward" and f"{where.stack}-{where.layer}" == parts
    )
