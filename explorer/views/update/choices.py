"""Which updates of a run can be taken apart: its first ones, made again from the seed, and those after a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.training.replay import MAX_REPLAYED

FROM_SEED = (0, 1, 5, 10, 25)
"""Updates that are offered of every run."""
MOST_COMPARED = 3


@dataclass(frozen=True)
class UpdateChoice:
    """One update of a run that can be taken apart.

    Attributes:
        update: Counted from 0.
        checkpoint: Updates after which the checkpoint was made that it follows; None: made again from the seed.
    """

    update: int
    checkpoint: int | None = None

    @property
    def key(self) -> str:
        """What an address calls the update."""
        return f"seed-{self.update}" if self.checkpoint is None else f"checkpoint-{self.checkpoint}"

    @property
    def title(self) -> str:
        """What a visitor reads of the update."""
        return str(self.update) if self.checkpoint is None else f"{self.update:,}, after a checkpoint"


def update_choices(
    steps: int, checkpoints: Sequence[int], kept: Sequence[int], reported: Sequence[int] = ()
) -> tuple[UpdateChoice, ...]:
    """The updates that are offered, the earliest first; one from the seed comes before the same after a checkpoint.

    Args:
        steps: Updates of the run in all.
        checkpoints: After how many updates its training checkpoints were made.
        kept: After how many updates its weights are kept: the update before each can be compared with them.
        reported: Updates whose figures the run's description keeps, to compare with; the first few that can be made are
            offered. Some may be impossible: a description can be somebody's own work.
    """
    can_be_made = range(min(steps, MAX_REPLAYED + 1))
    compared = [moment - 1 for moment in kept] + [update for update in reported if update in can_be_made][
        :MOST_COMPARED
    ]
    from_seed = [UpdateChoice(update) for update in {*FROM_SEED, *compared} if update in can_be_made]
    after = [UpdateChoice(made, made) for made in checkpoints if 0 < made < steps]
    # Python's sort keeps what is equal in its order.
    return tuple(sorted([*from_seed, *after], key=lambda choice: choice.update))


def chosen_update(key: str, choices: Sequence[UpdateChoice]) -> UpdateChoice:
    """The choice of this key, or the first one."""
    return next((choice for choice in choices if choice.key == key), choices[0])
