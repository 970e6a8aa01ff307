"""Batches of a shipped model's first updates as they are stored with the model: making the pairs takes seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from core.data.batching import Batch
from explorer.models.shipped_figures import read_figures, write_figures

_KEY = "first-batches"
_SIDES = ("src", "tgt_in", "tgt_out")


def write_first_batches(folder: Path, fingerprint: str, batches: Sequence[Batch]) -> None:
    """Store the batches of a shipped model's first updates.

    Raises:
        RunError: when the file cannot be written.
    """
    stored = [[getattr(batch, side).tolist() for side in _SIDES] for batch in batches]
    write_figures(
        folder, _KEY, fingerprint, {"batches": stored, "n_tokens": [batch.n_tokens for batch in batches]}
    )


def read_first_batches(folder: Path, fingerprint: str) -> tuple[Batch, ...]:
    """Return the batches of a shipped model's first updates; none where they are missing or another model's."""
    figures = read_figures(folder, _KEY, fingerprint)
    if figures is None:
        return ()
    try:
        return tuple(
            Batch(torch.tensor(src), torch.tensor(tgt_in), torch.tensor(tgt_out), n_tokens)
            for (src, tgt_in, tgt_out), n_tokens in zip(figures["batches"], figures["n_tokens"], strict=True)
        )
    except (KeyError, TypeError, ValueError):
        return ()
