"""Which updates of a run can be taken apart: its first ones, made again from the seed, and those after a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.training.replay import MAX_REPLAYED

FROM_SEED = (0, 1, 5, 10, 25)
"""Updates that are offered of every run."""
MOST_TOLD = 3


@dataclass(frozen=True)
class UpdateChoice:
    """One update.

    Attributes:
        update: Counted from 0.
        checkpoint: Updates after which the checkpoint was made that it follows; None: made again from the seed.
    """

    update: int
    checkpoint: int | None = None

    @property
    def key(self) -> str:
        """For the address."""
        return f"seed-{self.update}" if self.checkpoint is None else f"checkpoint-{self.checkpoint}"

    @property
    def title(self) -> str:
        """For the visitor."""
        return str(self.update) if self.checkpoint is None else f"{self.update:,}, after a checkpoint"


def update_choices(
    steps: int, checkpoints: Sequence[int], kept: Sequence[int], told: Sequence[int] = ()
) -> tuple[UpdateChoice, ...]:
    """The updates that are offered, the earliest first.

    Args:
        steps: Updates of the run in all.
        checkpoints: After how many updates its training checkpoints were made.
        kept: After how many updates its weights are kept: the update before each can be compared with them.
        told: Updates whose figures the run's description keeps, to compare with; the first few are offered.
    """
    compared = [moment - 1 for moment in kept if 1 <= moment <= MAX_REPLAYED + 1]
    compared += [update for update in told[:MOST_TOLD] if update <= MAX_REPLAYED]
    from_seed = sorted({update for update in (*FROM_SEED, *compared) if update < steps})
    after = [UpdateChoice(made, made) for made in sorted(checkpoints) if 0 < made < steps]
    return (*map(UpdateChoice, from_seed), *after)


def chosen_update(key: str, choices: Sequence[UpdateChoice]) -> UpdateChoice:
    """The choice of this key, or the first one."""
    return next((choice for choice in choices if choice.key == key), choices[0])
