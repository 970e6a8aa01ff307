"""Interventions made ready for one model: the edits that do them, and what they ask of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import torch
from torch import Tensor

from core.activations.location import Side
from core.activations.record import PlacedEdit, match_sites, refuse_derived
from core.activations.sites import Site, axis_sizes
from core.activations.trace import Trace
from core.config import TransformerConfig
from core.errors import CaptureError, InputError, excerpt
from core.interventions.intervention import (
    AttentionRow,
    Intervention,
    Mask,
    MeanAblation,
    Patch,
    Scaling,
    SiteIntervention,
    Steering,
    Unmask,
    ZeroAblation,
)
from core.model.masks import causal_mask
from core.model.transformer import Transformer
from core.notebook import Brief, brief

Traces = Callable[[str, tuple[str, ...]], Trace]
"""From a sentence and the sites that are needed of it to its trace: what the model, unchanged, makes of it."""


@dataclass(frozen=True)
class Need:
    """What an intervention asks of a sentence.

    Attributes:
        side: Whose tokens are counted.
        least: How many there must be.
        exactly: How many there must be, neither more nor fewer; None where more do no harm.
        why: What the tokens are needed for, as an error says it.
    """

    side: Side
    least: int
    exactly: int | None
    why: str

    def check(self, length: int) -> None:
        """Refuse a sentence of another length.

        Raises:
            CaptureError: when it has too few tokens, or too many.
        """
        if length < self.least or (self.exactly is not None and length != self.exactly):
            least = "" if self.exactly is not None else "at least "
            raise CaptureError(f"{self.why} needs {least}{self.least} {self.side} tokens; this has {length}")


@dataclass(frozen=True, repr=False)
class Changes(Brief):
    """Interventions bound to a model by `bind`.

    Attributes:
        interventions: In their order.
        edits: What does them, for `edit` and for every decoder: a site, and a function of its value.
        needs: What they ask of a sentence.
    """

    interventions: tuple[Intervention, ...] = ()
    edits: tuple[tuple[str, PlacedEdit], ...] = ()
    needs: tuple[Need, ...] = ()

    def then(self, later: Changes) -> Changes:
        """Both, the later ones acting on what these have left."""
        return Changes(
            (*self.interventions, *later.interventions),
            (*self.edits, *later.edits),
            (*self.needs, *later.needs),
        )

    def check(self, n_source: int, n_target: int | None = None) -> None:
        """Refuse a sentence that has not what the interventions ask for.

        Args:
            n_source: Source tokens, with EOS.
            n_target: Decoder positions; None in a decoding, which finds out how many there will be.

        Raises:
            CaptureError: when a position is not there, or two sentences differ in length.
        """
        lengths = {"source": n_source, "target": n_target}
        for need in self.needs:
            if (length := lengths[need.side]) is not None:
                need.check(length)


UNCHANGED = Changes()
"""What a model as it was trained has."""


def bind(model: Transformer, interventions: Iterable[Intervention], traces: Traces | None = None) -> Changes:
    """Make interventions ready for a model; nothing stays on it.

    Args:
        model: In evaluation mode.
        interventions: In the order in which they act on one value.
        traces: Where the traces of the sentences come from that they name; `Run.intervene` has its own.

    Raises:
        InputError: when one of them is no intervention.
        UnknownSite: when a site matches nothing in the model.
        CaptureError: when a site cannot be edited so, has no such head or unit, or a donor has no such position.
    """
    interventions = tuple(interventions)
    for number, given in enumerate(interventions, start=1):
        if not isinstance(given, SiteIntervention | Unmask):
            raise InputError(
                f"change {number} must be an intervention, such as ZeroAblation(site), not {brief(given)}; "
                "use core.edit for a function of a value"
            )
    donors = _Donors(model, interventions, traces)
    causal = model.config.causal and Unmask("causal") not in interventions
    edits: list[tuple[str, PlacedEdit]] = []
    needs: list[Need] = []
    for each in interventions:
        if isinstance(each, Unmask):
            edits += _unmasking(each.mask, model)
        elif isinstance(each, SiteIntervention):
            for site in match_sites(model, each.site):
                region = _Region(site, each, model.config)
                edits.append((site.name, PlacedEdit(_change(each, region, donors, causal=causal))))
                needs += region.needs(donors)
    return Changes(interventions, tuple(edits), tuple(dict.fromkeys(needs)))


def changes_of(
    model: Transformer, interventions: Iterable[Intervention], name: str, index: tuple[int, ...]
) -> tuple[Intervention, ...]:
    """Which interventions set one number of a site, in the order in which they act.

    Args:
        model: That they change.
        interventions: In their order.
        name: Of the site.
        index: Of the number, with that of the batch.
    """
    (site,) = match_sites(model, name)
    return tuple(each for each in interventions if _sets(each, site, index, model.config))


def _sets(each: Intervention, site: Site, index: tuple[int, ...], config: TransformerConfig) -> bool:
    if isinstance(each, Unmask):
        return site.operation == "mask" and (each.mask == "padding" or site.location.causal)
    if not isinstance(each, SiteIntervention) or not site.editable or not fnmatchcase(site.name, each.site):
        return False
    region = _Region(site, each, config)
    places = [(each.positions, index[region.rows_axis])]
    if region.headed and each.head is not None:
        places.append(((each.head,), index[site.axes.index("head")]))
    if each.unit is not None:
        places.append(((each.unit,), index[-1]))
    return all(place in wanted for wanted, place in places if wanted)


class _Donors:
    """The recorded values of the sentences that interventions name."""

    def __init__(
        self, model: Transformer, interventions: Iterable[Intervention], traces: Traces | None
    ) -> None:
        wanted: dict[str, set[str]] = {}
        for each in interventions:
            if isinstance(each, SiteIntervention) and each.donors:
                found = match_sites(model, each.site)
                for site in found:
                    refuse_derived(site)
                for sentence in each.donors:
                    wanted.setdefault(sentence, set()).update(site.name for site in found)
        if wanted and traces is None:
            raise CaptureError("these changes name sentences; say where the traces of these come from")
        self._traces = {
            sentence: traces(sentence, tuple(sorted(names))) for sentence, names in wanted.items() if traces
        }

    def value(self, sentence: str, site: Site) -> Tensor:
        """A site's value in a sentence's trace, without the axis of the batch."""
        return self._traces[sentence].activations[site.name][0]

    def length(self, sentence: str, side: Side) -> int:
        """How many tokens a sentence has on a side."""
        trace = self._traces[sentence]
        return len(trace.src if side == "source" else trace.tgt_out)


class _Region:
    """The part of a site's value that an intervention changes."""

    def __init__(self, site: Site, wanted: SiteIntervention, config: TransformerConfig) -> None:
        refuse_derived(site)
        if site.operation == "mask":
            raise CaptureError(
                f"{site.name!r} says what may be seen, yes or no; switch a whole mask off instead"
            )
        self.site, self.wanted = site, wanted
        self.rows_axis, self.side = site.rows_axis, site.rows_side
        self.headed = "head" in site.axes
        self.crosses_keys = site.axes[-1] == "key"
        sizes = axis_sizes(config, batch=1, src_length=1, tgt_length=1)
        if wanted.head is not None and not self.headed:
            raise CaptureError(
                f"{site.name!r} has no heads; leave the head out, or name the site of the context"
            )
        if wanted.unit is not None and self.crosses_keys:
            raise CaptureError(f"{site.name!r} has keys in place of units; leave the unit out")
        for what, index, axis in (("head", wanted.head, "head"), ("unit", wanted.unit, site.axes[-1])):
            if index is not None and index >= sizes[axis]:
                raise CaptureError(f"{what} {index} is outside of {site.name!r}, which has {sizes[axis]}")
        self.width = 1 if wanted.unit is not None else sizes.get(site.axes[-1], 0)

    def rows(self, value: Tensor, first: int) -> list[tuple[int, int]]:
        """The places in a value, and their positions, that are changed; none where they are not there yet."""
        offset = first if self.side == "target" else 0
        here = range(offset, offset + value.shape[self.rows_axis])
        return [
            (position - offset, position) for position in self.wanted.positions or here if position in here
        ]

    def index(self, rows: Sequence[int], *, batch: bool = True) -> tuple[slice | list[int], ...]:
        """Where rows stand in a value, or in a donor's without the axis of the batch."""
        index: list[slice | list[int]] = [slice(None)] * len(self.site.axes)
        index[self.rows_axis] = list(rows)
        if self.headed:
            index[self.site.axes.index("head")] = _only(self.wanted.head)
        if not self.crosses_keys:
            index[-1] = _only(self.wanted.unit)
        return tuple(index if batch else index[1:])

    def needs(self, donors: _Donors) -> list[Need]:
        """What the intervention asks of a sentence here."""
        wanted, name = self.wanted, self.site.name
        needs = []
        if wanted.positions:
            last = max(wanted.positions)
            needs.append(Need(self.side, last + 1, None, f"position {last} of {name!r}"))
        key_side = self.site.side("key") if self.crosses_keys else None
        if isinstance(wanted, AttentionRow) and key_side == "source":
            needs.append(Need("source", len(wanted.weights), None, f"a row of {len(wanted.weights)} weights"))
        if isinstance(wanted, Patch):
            donor = f"a patch from “{excerpt(wanted.sentence)}”"
            same = {key_side} if key_side else set()
            # A position says itself where it belongs; all positions, only with as many on both sides.
            same |= set() if wanted.donor_positions else {self.side}
            for side in sorted(same):
                length = donors.length(wanted.sentence, side)
                needs.append(Need(side, length, length, donor))
        return needs


Change = Callable[[Tensor, int], Tensor]


def _change(wanted: SiteIntervention, region: _Region, donors: _Donors, *, causal: bool) -> Change:
    """The function of a value and of its first row's position that does the intervention."""
    make = _new_rows(wanted, region, donors, causal=causal)

    def change(value: Tensor, first: int) -> Tensor:
        rows = region.rows(value, first)
        if not rows:
            return value
        index = region.index([row for row, _ in rows])
        made = make(value[index], [position for _, position in rows]).to(value)
        if not made.isfinite().all():
            raise CaptureError(
                f"the change of {region.site.name!r} makes numbers that are not finite; choose a smaller factor"
            )
        value[index] = made
        return value

    return change


NewRows = Callable[[Tensor, list[int]], Tensor]
"""From the old rows of a region and their positions to the new ones, of a shape that fits."""


def _new_rows(wanted: SiteIntervention, region: _Region, donors: _Donors, *, causal: bool) -> NewRows:
    match wanted:
        case ZeroAblation():
            return lambda old, _: torch.zeros_like(old)
        case Scaling():
            return lambda old, _: old * wanted.factor
        case Steering():
            return _steered(wanted, region)
        case MeanAblation():
            return _averaged(wanted, region, donors)
        case Patch():
            return _patched(wanted, region, donors)
        case AttentionRow():
            return _set_row(wanted, region, causal=causal)
    raise CaptureError(f"a change of the kind {wanted.kind} cannot be made")


def _steered(wanted: Steering, region: _Region) -> NewRows:
    if region.crosses_keys or len(wanted.direction) != region.width:
        size = "no direction" if region.crosses_keys else f"a direction of {region.width} numbers"
        raise CaptureError(f"{region.site.name!r} takes {size}, not {len(wanted.direction)}")
    direction = torch.tensor(wanted.direction, dtype=torch.float64) * wanted.factor
    return lambda old, _: old + direction.to(old)


def _averaged(wanted: MeanAblation, region: _Region, donors: _Donors) -> NewRows:
    if region.crosses_keys:
        raise CaptureError(
            f"{region.site.name!r} has as many keys as the sentence; a mean over sentences has none"
        )
    rows_axis = region.rows_axis - 1
    every = torch.cat([donors.value(sentence, region.site) for sentence in wanted.sentences], dim=rows_axis)
    mean = every.mean(dim=rows_axis, keepdim=True)
    part = mean[region.index([0], batch=False)]
    return lambda old, _: part.to(old).expand_as(old)


def _patched(wanted: Patch, region: _Region, donors: _Donors) -> NewRows:
    donor = donors.value(wanted.sentence, region.site)
    taken = dict(zip(wanted.positions, wanted.donor_positions or wanted.positions, strict=True))
    n_rows = donor.shape[region.rows_axis - 1]
    if taken and max(taken.values()) >= n_rows:
        raise CaptureError(
            f"position {max(taken.values())} is not there in “{excerpt(wanted.sentence)}”, "
            f"which has {n_rows} {region.side} tokens"
        )

    def patched(old: Tensor, positions: list[int]) -> Tensor:
        # What is written may become longer than the donor's: there is nothing to take for the rest.
        there = [place for place, position in enumerate(positions) if taken.get(position, position) < n_rows]
        rows = [taken.get(positions[place], positions[place]) for place in there]
        part = donor[region.index(rows, batch=False)].to(old)
        where: list[slice | list[int]] = [slice(None)] * old.dim()
        where[region.rows_axis] = there
        if region.crosses_keys:
            # In a decoding the later keys of a donor's row are not there yet, and hidden from it.
            keys = min(old.shape[-1], part.shape[-1])
            where[-1], part = slice(keys), part[..., :keys]
        old[tuple(where)] = part
        return old

    return patched


def _set_row(wanted: AttentionRow, region: _Region, *, causal: bool) -> NewRows:
    site = region.site
    if site.operation != "softmax":
        raise CaptureError(f"{site.name!r} has no rows of attention; name a site of weights")
    (query,) = wanted.positions
    hides_later = causal and site.location.causal
    if hides_later and any(wanted.weights[query + 1 :]):
        raise CaptureError(f"position {query} cannot look at later ones; give weights for keys 0 to {query}")
    given = torch.tensor(wanted.weights, dtype=torch.float64)

    def row(old: Tensor, _: list[int]) -> Tensor:
        n_keys = old.shape[-1]
        weights = given.new_zeros(n_keys)
        weights[: len(given)] = given[:n_keys]
        if not weights.any():
            raise CaptureError(f"the row of {site.name!r} has no weight above 0 on the keys that are there")
        return (weights / weights.sum()).to(old).expand_as(old)

    return row


def _unmasking(mask: Mask, model: Transformer) -> list[tuple[str, PlacedEdit]]:
    """Edits of every attention's mask [batch, query, key] that switch one mask off."""
    masks = [site for site in model.sites() if site.operation == "mask"]
    causal = model.config.causal
    if mask == "causal":
        if not causal:
            raise CaptureError("this model has no causal mask; there is nothing to switch off")
        # The last position sees all but padding.
        last = PlacedEdit(lambda value, _: value[:, -1:].expand_as(value).clone(), needs_whole=True)
        return [(site.name, last) for site in masks if site.location.causal]
    everything = PlacedEdit(lambda value, _: torch.ones_like(value))
    future = PlacedEdit(lambda value, _: _only_causal(value))
    return [(site.name, future if causal and site.location.causal else everything) for site in masks]


def _only_causal(mask: Tensor) -> Tensor:
    return causal_mask(mask.shape[1], mask.shape[2], device=mask.device).expand_as(mask).clone()


def _only(index: int | None) -> slice:
    return slice(None) if index is None else slice(index, index + 1)
