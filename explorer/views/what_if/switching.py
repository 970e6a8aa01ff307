"""Switch a part off: heads, sub-layers, hidden units, source positions and the mask, each with its price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from core.activations.location import locate
from core.interventions.changes import Changes, bind
from core.interventions.intervention import Intervention, Unmask, ZeroAblation
from core.interventions.sweep import Progress, swept_logits
from core.run import Run
from explorer.models.recorded import Recorded

UNITS_TRIED = 8
"""Hidden units of each network that are tried, the most active ones: one of them is shown."""


@dataclass(frozen=True)
class Part:
    """Something that can be switched off.

    Attributes:
        row: Of the board: ``encoder 0 · self-attention``.
        column: ``head 1``, ``all of it``, ``unit 112``, a token.
        change: That switches it off.
        kind: Of the columns it stands in.
    """

    row: str
    column: str
    change: Intervention
    kind: str


@dataclass(frozen=True)
class Priced:
    """A part, whether it is off, and how much the probability of a right word falls by that at most."""

    part: Part
    is_off: bool
    fall: float


def parts_of(run: Run, recorded: Recorded) -> tuple[Part, ...]:
    """Everything that the board offers, in the order of the computation."""
    return tuple(_parts(run, recorded))


def _parts(run: Run, recorded: Recorded) -> Iterator[Part]:
    heads = range(run.config.n_heads)
    for site in run.model.sites():
        where = locate(site.name)
        if where.value != "output" or where.kind not in ("attention", "feed_forward"):
            continue
        row = f"{where.stack} {where.layer} · {where.sublayer_title.lower()}"
        if where.kind == "attention":
            for head in heads:
                yield Part(row, f"head {head}", ZeroAblation(where.beside("context"), head=head), "head")
        yield Part(row, "all of it", ZeroAblation(site.name), "whole")
        if where.kind == "feed_forward":
            for unit in _active_units(run, recorded, where.path):
                yield Part(row, f"unit {unit}", ZeroAblation(where.beside("hidden"), unit=unit), "unit")
    for position, token in enumerate(recorded.source):
        yield Part("source", token, ZeroAblation("src_embed.output", positions=(position,)), "position")
    if run.config.causal:
        yield Part("mask", "causal", Unmask("causal"), "mask")


def _active_units(run: Run, recorded: Recorded, path: str) -> list[int]:
    """The hidden units that write most at a position of the sentence: activation times length of what it writes."""
    hidden = recorded.trace.activations[f"{path}.hidden"][0].abs()
    written = run.model.get_parameter(f"{path}.linear2.weight").norm(dim=0).cpu()
    found: list[int] = (hidden * written).amax(dim=0).topk(min(UNITS_TRIED, len(written))).indices.tolist()
    return found


def switch_board(run: Run, recorded: Recorded, progress: Progress | None = None) -> tuple[Priced, ...]:
    """What each part is worth to the sentence: of each network only the unit that matters most.

    The decoder reads what the model writes as it was trained. A part that is off is priced by what comes back with it.

    Args:
        run: With its changes; the numbers are of what they have left.
        recorded: The sentence as the trained model reads it.
        progress: Called with the number of parts that are done, and of all.

    Raises:
        CaptureError: when the changes do not fit the sentence.
    """
    parts = parts_of(run, recorded)
    on, seen = run.changes.interventions, recorded.trace
    variants = [run.changes, *(_toggled(run, part.change) for part in parts)]
    run.changes.check(len(seen.src))
    probs = torch.empty(len(variants), len(seen.tgt_out), dtype=torch.float64)
    device, done = next(run.model.parameters()).device, 0
    ids = seen.src[None].to(device), seen.tgt_in[None].to(device)
    for numbers, logits in swept_logits(run.model, *ids, variants):
        found = logits[:, 0].double().softmax(dim=-1).cpu()  # [variant, step, vocab]
        probs[list(numbers)] = found.gather(-1, seen.tgt_out.expand(len(numbers), -1)[..., None])[..., 0]
        done += len(numbers)
        if progress is not None:
            progress(done, len(variants))
    now = probs[0]
    priced = []
    for part, other in zip(parts, probs[1:], strict=True):
        is_off = part.change in on
        fall = float(((other - now) if is_off else (now - other)).max())
        priced.append(Priced(part, is_off, max(0.0, fall)))
    return tuple(_without_minor_units(priced))


def _toggled(run: Run, change: Intervention) -> Changes:
    on = run.changes.interventions
    if change not in on:
        return run.changes.then(bind(run.model, [change]))
    trained = run.trained or run
    return trained.intervene(*(each for each in on if each != change)).changes


def _without_minor_units(priced: list[Priced]) -> Iterator[Priced]:
    """Every part, but of each network only the unit whose loss costs most, and the units that are off."""
    best: dict[str, Priced] = {}
    for each in priced:
        if each.part.kind == "unit" and each.fall > (
            best[each.part.row].fall if each.part.row in best else -1.0
        ):
            best[each.part.row] = each
    yield from (
        each for each in priced if each.part.kind != "unit" or each.is_off or best[each.part.row] is each
    )
