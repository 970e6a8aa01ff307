"""Sweeps: the effect of many changes, one at a time, computed side by side as rows of one batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.record import Edits, PlacedEdit, edit, match_sites
from core.device import DTYPES
from core.interventions.changes import Changes, Traces, bind
from core.interventions.effect import Effect, check_batch, effect_between, measured, teacher_forced
from core.interventions.intervention import Intervention, ZeroAblation
from core.model.transformer import Transformer
from core.notebook import Brief

MAX_BYTES = 2**24
"""Memory that the rows of one pass take, about: what stays in a processor's cache is fastest, and soon stopped."""

Progress = Callable[[int, int], object]
"""Gets the number of changes that are done, and of all."""
Stop = Callable[[], bool]
"""Asked before each pass whether to leave it at what is done."""


@dataclass(frozen=True, repr=False)
class Swept(Brief):
    """One change of a sweep with what it does.

    Attributes:
        intervention: That was made alone.
        effect: On the batch.
    """

    intervention: Intervention
    effect: Effect


def head_ablations(model: Transformer) -> tuple[ZeroAblation, ...]:
    """Zero-ablations of every head, in the order of the computation: attention by attention, each from head 0."""
    contexts = [site.name for site in model.sites() if site.operation == "weighted_sum"]
    heads = range(model.config.n_heads)
    return tuple(ZeroAblation(name, head=head) for name in contexts for head in heads)


def neuron_ablations(model: Transformer, path: str) -> tuple[ZeroAblation, ...]:
    """Zero-ablations of every hidden unit of a feed-forward network.

    Args:
        model: That has it.
        path: Of the network, such as ``encoder.layers.0.feed_forward``.

    Raises:
        UnknownSite: when the model has no such network.
    """
    (site,) = match_sites(model, f"{path}.hidden")[:1]
    return tuple(ZeroAblation(site.name, unit=unit) for unit in range(model.config.d_ff))


@torch.no_grad()
def sweep(
    model: Transformer,
    src: Tensor,
    tgt_in: Tensor,
    tgt_out: Tensor,
    interventions: Sequence[Intervention],
    *,
    traces: Traces | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    max_bytes: int = MAX_BYTES,
) -> tuple[Swept, ...]:
    """The effect of each intervention by itself on a teacher-forced batch.

    Heads can stand in for each other, so the effects of single ones do not add up.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position].
        tgt_in: Target ids shifted right [batch, position].
        tgt_out: Labels [batch, position].
        interventions: Such as `head_ablations` and `neuron_ablations` give.
        traces: As for `bind`.
        progress: Called after each pass.
        stop: Where it says so, what was measured until then is returned.
        max_bytes: Memory for the rows of one pass, about.

    Returns:
        In the order given; fewer where it was stopped.

    Raises:
        InputError: when the model is in training mode, or the labels do not fit.
        UnknownSite: when a site matches nothing in the model.
        CaptureError: as `bind`; or when a change asks for a position that a row does not have.
    """
    check_batch(model, tgt_in, tgt_out)
    variants = [bind(model, [each], traces) for each in interventions]
    lengths = set(
        zip(*((ids != model.config.pad_id).sum(dim=1).tolist() for ids in (src, tgt_in)), strict=True)
    )
    for variant in variants:
        for n_source, n_target in lengths:
            variant.check(n_source, n_target)
    before, counts = teacher_forced(model, src, tgt_in, tgt_out, ()), (tgt_out != model.config.pad_id).cpu()
    found: dict[int, Effect] = {}
    for numbers, logits in swept_logits(model, src, tgt_in, variants, stop=stop, max_bytes=max_bytes):
        for number, of_variant in zip(numbers, logits, strict=True):
            found[number] = effect_between(before, measured(of_variant, tgt_out), counts)
        if progress is not None:
            progress(len(found), len(variants))
    return tuple(Swept(interventions[number], found[number]) for number in sorted(found))


@torch.no_grad()
def swept_logits(
    model: Transformer,
    src: Tensor,
    tgt_in: Tensor,
    variants: Sequence[Changes],
    *,
    stop: Stop | None = None,
    max_bytes: int = MAX_BYTES,
) -> Iterator[tuple[tuple[int, ...], Tensor]]:
    """Yield the numbers of some variants and their logits [variant, batch, position, vocab], pass by pass.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position].
        tgt_in: Target ids shifted right [batch, position].
        variants: Each run by itself. Those that leave the encoder alone share its output, and come last.
        stop: Asked before each pass.
        max_bytes: Memory for the rows of one pass, about.
    """
    at_once = max(1, max_bytes // (len(src) * _row_bytes(model, src.shape[1], tgt_in.shape[1])))
    in_encoder = [n for n, each in enumerate(variants) if _reaches_encoder(model, each)]
    in_decoder = [n for n in range(len(variants)) if n not in set(in_encoder)]
    memory = None
    for numbers in (in_encoder, in_decoder):
        for start in range(0, len(numbers), at_once):
            if stop is not None and stop():
                return
            chosen = tuple(numbers[start : start + at_once])
            edits = _side_by_side([variants[number] for number in chosen], len(src))
            if numbers is in_decoder and memory is None:
                with edit(model, ()):
                    memory = model.encode(src)
            shared = memory if numbers is in_decoder else None
            yield chosen, _logits(model, src, tgt_in, edits, len(chosen), shared)


def _logits(
    model: Transformer,
    src: Tensor,
    tgt_in: Tensor,
    edits: Edits,
    n: int,
    memory: tuple[Tensor, Tensor | None] | None,
) -> Tensor:
    """Logits [variant, batch, position, vocab] of n variants, over the given memory or one of their own."""
    with edit(model, edits):
        if memory is None:
            memory = model.encode(src.repeat(n, 1))
        else:
            values, mask = memory
            memory = values.repeat(n, 1, 1), None if mask is None else mask.repeat(n, 1, 1, 1)
        logits = model.generator(model.decode(tgt_in.repeat(n, 1), *memory))
    by_variant: Tensor = logits.unflatten(0, (n, len(src)))
    return by_variant


def _side_by_side(variants: Sequence[Changes], n_rows: int) -> list[tuple[str, PlacedEdit]]:
    """Edits of a batch in which each variant has as many rows, and acts on its own alone."""
    by_site: dict[str, list[tuple[slice, PlacedEdit]]] = {}
    for number, variant in enumerate(variants):
        rows = slice(number * n_rows, (number + 1) * n_rows)
        for site, placed in variant.edits:
            by_site.setdefault(site, []).append((rows, placed))
    return [(site, _on_rows(several)) for site, several in by_site.items()]


def _on_rows(several: Sequence[tuple[slice, PlacedEdit]]) -> PlacedEdit:
    def change(value: Tensor, first: int) -> Tensor:
        for rows, placed in several:
            value[rows] = placed.change(value[rows], first)
        return value

    return PlacedEdit(change)


def _reaches_encoder(model: Transformer, changes: Changes) -> bool:
    sites = {site.name: site for site in model.sites()}
    return any(sites[name].location.stack == "encoder" for name, _ in changes.edits)


def _row_bytes(model: Transformer, n_source: int, n_target: int) -> int:
    """Bytes of the largest values that are alive at one time while one row is computed, about."""
    config = model.config
    tokens = (n_source + n_target) * (4 * config.d_model + 2 * config.d_ff)
    pairs = 3 * config.n_heads * max(n_source, n_target) ** 2
    logits = 3 * n_target * config.tgt_vocab_size
    return (tokens + pairs + logits) * DTYPES[config.dtype].itemsize
