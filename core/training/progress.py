"""Whether a training still gets better: what its validations have shown so far, and when patience with it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.config import TrainConfig
from core.training.records import Validation

LEAST_GAIN = 0.01
"""Share by which the validation loss must be below the lowest so far; less is chance, and would go on for ever."""
LEAST_PAIRS = 10
"""Validation pairs without which a perfect validation shows nothing: one pair comes out right by chance."""


@dataclass(frozen=True)
class Progress:
    """What the validations of a training have shown, up to the last of them.

    Attributes:
        lowest_loss: Of the validation pairs; None before the first validation.
        lowest_after: Updates after which it was measured.
        most_exact: Largest share of the validation pairs that came out exactly right.
        most_exact_after: Updates after which it was measured.
        last_loss: Of the last validation.
        stale: Validations in a row without a lower loss and without more exact answers, those of the warm-up left out.
        perfect: Validations in a row in which every answer was exact, up to the last.
    """

    lowest_loss: float | None = None
    lowest_after: int = 0
    most_exact: float = 0.0
    most_exact_after: int = 0
    last_loss: float = 0.0
    stale: int = 0
    perfect: int = 0

    def after(self, validation: Validation, warmup_steps: int) -> Progress:
        """The progress with one validation more."""
        updates, figures = validation.updates, validation.figures
        lower = self.lowest_loss is None or figures.loss < self.lowest_loss * (1 - LEAST_GAIN)
        better = figures.exact_match > self.most_exact
        stale = 0 if lower or better or updates <= warmup_steps else self.stale + 1
        is_perfect = figures.exact_match == 1 and figures.n_pairs >= LEAST_PAIRS
        perfect = self.perfect + 1 if is_perfect else 0
        found = replace(self, last_loss=figures.loss, stale=stale, perfect=perfect)
        if lower:
            found = replace(found, lowest_loss=figures.loss, lowest_after=updates)
        if better:
            found = replace(found, most_exact=figures.exact_match, most_exact_after=updates)
        return found

    def is_exhausted(self, config: TrainConfig) -> bool:
        """Return True if the patience of the training has ended, or its validations can get no better."""
        is_perfect = 0 < config.perfect_validations <= self.perfect
        return config.patience > 0 and (is_perfect or config.patience <= self.stale)
