"""Results that are computed once for all visitors, and how much may be computed before a visitor is asked."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from core.analysis.attention_statistics import gold_mask
from core.analysis.attribution import AlignmentErrors, alignment_errors
from core.interventions.sweep import Progress
from core.run import Run
from explorer.models.recorded import Recorded
from explorer.models.shared_cache import SharedCache
from explorer.views.what_if.attributing import Wrote, wrote
from explorer.views.what_if.compared import led_probabilities
from explorer.views.what_if.switching import Priced, switch_board

_BOARDS: SharedCache[tuple[Priced, ...]] = SharedCache(
    "what if: boards", 8 * 2**20, lambda parts: 256 * len(parts)
)
_ERRORS: SharedCache[AlignmentErrors] = SharedCache("what if: errors", 2**18, lambda errors: 256)
# Most actions on the page ask for these again, for another change or none.
_WROTE: SharedCache[Wrote] = SharedCache("what if: wrote", 2**20, lambda wrote: 4096)
_LED: SharedCache[torch.Tensor] = SharedCache("what if: led", 2**22, lambda probs: probs.nbytes)
MOST_AT_ONCE = 4e10
"""Multiplications that are simply done, about a second; what takes more is asked for."""


def board_of(run: Run, recorded: Recorded, progress: Progress | None = None) -> tuple[Priced, ...]:
    """What each part of a run is worth to a sentence.

    Raises:
        CaptureError: when the changes do not fit the sentence.
    """
    return _BOARDS.get((run.fingerprint, recorded.key), lambda: switch_board(run, recorded, progress))


def board_is_kept(run: Run, recorded: Recorded) -> bool:
    """Whether somebody has had it computed."""
    return _BOARDS.held((run.fingerprint, recorded.key)) is not None


def wrote_of(recorded: Recorded, step: int, rival: int | None = None) -> Wrote:
    """Return what `wrote` does."""
    key = (recorded.run.fingerprint, recorded.key, step, rival)
    return _WROTE.get(key, lambda: wrote(recorded, step, rival))


def led_probabilities_of(run: Run, trained: Recorded) -> torch.Tensor:
    """Return what `led_probabilities` does."""
    key = (run.fingerprint, trained.run.fingerprint, trained.key)
    return _LED.get(key, lambda: led_probabilities(run, trained))


def alignment_errors_of(recorded: Recorded, gold: Sequence[Sequence[int]]) -> AlignmentErrors:
    """How far what is read, and what is used, are from the known alignment of a recording’s output."""

    def compute() -> AlignmentErrors:
        mask = gold_mask(gold, len(recorded.outputs), len(recorded.source))
        return alignment_errors(recorded.run.model, recorded.trace, mask)

    return _ERRORS.get((recorded.run.fingerprint, recorded.key), compute)
