"""Decode many sources, several at a time: the same targets as one by one, in a fraction of the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.record import Edits
from core.config import BeamConfig, DecodeConfig
from core.data.batching import by_length, padded
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps
from core.decoding.beam import beam_steps
from core.decoding.step import last_step
from core.model.transformer import Transformer

TOGETHER = 200
"""Sources decoded at a time."""


@dataclass(frozen=True)
class Target:
    """A decoded target.

    Attributes:
        ids: Up to and with eos, or as long as it may be.
        log_prob: log P(ids | source), the sum over all tokens; those of a prefix count.
        score: What beam search compares by; None where there was no search.
    """

    ids: tuple[int, ...]
    log_prob: float
    score: float | None = None


def decode_together(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    config: DecodeConfig | BeamConfig | None = None,
    *,
    prefix: Sequence[int] = (),
    edits: Edits = (),
    places: Sequence[int] | None = None,
    batch_size: int = TOGETHER,
) -> list[tuple[Target, ...]]:
    """What decoding makes of each source by itself, in their order.

    The result is the same but where rounding decides: where two tokens are equally probable, or a drawn number lies
    between two tokens, to the last bits. The draws of a sampled source follow from the seed and its place alone.

    Args:
        model: In evaluation mode.
        sources: Ids of each, ending in eos.
        config: As for `decode`.
        prefix: Likewise.
        edits: Likewise; an edit of a position acts on each source's.
        places: Place of each source among all that are sampled, by default in this list: source i draws as row i of
            `generate` does.
        batch_size: Sources decoded at a time; like lengths are.

    Returns:
        For each source its target; of a BeamConfig its n best, best first.

    Raises:
        InputError: as decode_steps and beam_steps.
    """
    config = config or DecodeConfig()
    all_places = range(len(sources)) if places is None else places
    targets: dict[int, tuple[Target, ...]] = {}
    for rows in by_length(list(map(len, sources)), batch_size):
        src = padded([sources[row] for row in rows]).to(model.device)
        if isinstance(config, BeamConfig):
            found = _searched(model, src, config, prefix, edits)
        else:
            found = _written(model, src, config, prefix, edits, [all_places[row] for row in rows])
        targets.update(zip(rows, found, strict=True))
    return [targets[row] for row in range(len(sources))]


def _written(
    model: Transformer,
    src: Tensor,
    config: DecodeConfig,
    prefix: Sequence[int],
    edits: Edits,
    places: Sequence[int],
) -> list[tuple[Target, ...]]:
    log_probs = torch.zeros(len(src), dtype=torch.float64)
    for step in decode_steps(model, src, config, prefix=prefix, edits=edits, places=places):
        log_probs += step.log_prob.cpu()
        hypotheses = step.hypotheses
    without_padding = (tuple(id for id in row if id != Vocabulary.pad_id) for row in hypotheses.tolist())
    return [(Target(*each),) for each in zip(without_padding, log_probs.tolist(), strict=True)]


def _searched(
    model: Transformer, src: Tensor, config: BeamConfig, prefix: Sequence[int], edits: Edits
) -> list[tuple[Target, ...]]:
    beams = last_step(beam_steps(model, src, config, prefix=prefix, edits=edits)).beams
    return [tuple(Target(best.ids, best.log_prob, best.score) for best in beam.n_best) for beam in beams]
