"""Activation patching, everywhere: which value of another sentence's run, put in this one's, brings its answer along.

After Meng et al., "Locating and Editing Factual Associations in GPT" (2022), for an encoder and a decoder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from core.activations.location import Side, locate
from core.activations.sites import Site
from core.activations.trace import Trace
from core.errors import InputError
from core.interventions.changes import bind
from core.interventions.intervention import Patch
from core.interventions.sweep import MAX_BYTES, Progress, Stop, swept_logits
from core.notebook import Brief, Shade, html_table
from core.numbers import is_whole

if TYPE_CHECKING:
    from core.run import Run


@dataclass(frozen=True, repr=False)
class PatchingMap(Brief):
    """How much of the difference between two sentences' answers each single value carries.

    The difference is logit(donor's token) - logit(own token) at one step, the decoder reading what the model writes
    for the sentence as it was trained. Shares of single values do not add up: what one carries, a later one carries on.

    Attributes:
        sites: Those that are patched, in the order of the computation. A feed-forward network works position by
            position, so what follows it would repeat the row before it.
        source_tokens: Of the sentence; columns of the sites on the source's side.
        target_tokens: What it writes; columns of the sites on the target's side.
        step: Whose logits are compared, counted from 0.
        own: Token that the sentence's run writes there.
        donor: Token that the donor's run writes there.
        differences: The difference without any patch and in the donor's own run.
        shares: For each site the share of the way from the one to the other at each position [position]; NaN where
            a stop left it out, and where the donor's answer has no such position.
    """

    sites: tuple[str, ...]
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    step: int
    own: str
    donor: str
    differences: tuple[float, float]
    shares: tuple[Tensor, ...]

    def _repr_html_(self) -> str:
        """Show one table for the sites of each side, with a column for each of its tokens."""
        tables = []
        for side, tokens in (("source", self.source_tokens), ("target", self.target_tokens)):
            rows = [
                (site, *(Shade(share) for share in shares.tolist()))
                for site, shares in zip(self.sites, self.shares, strict=True)
                if _side_of(site) == side
            ]
            title = f"Share of the way from “{self.own}” to “{self.donor}” at step {self.step}: {side}"
            tables.append(html_table(title, rows, head=("patched", *tokens)))
        return "".join(tables)

    def share(self, site: str, position: int) -> float:
        """The share that one value carries.

        Raises:
            InputError: when the map has no such site or position.
        """
        if site not in self.sites or not is_whole(position, 0, len(self.shares[self.sites.index(site)]) - 1):
            raise InputError(f"this map has no position {position} of {site!r}")
        return float(self.shares[self.sites.index(site)][position])


def patched_sites(catalogue: Iterable[Site]) -> tuple[Site, ...]:
    """The rows of a map: the embeddings, the stream after each attention, keys and values of cross-attention."""
    return tuple(site for site in catalogue if _is_row(site))


def patching_map(
    run: Run,
    sentence: str,
    donor: str,
    step: int | None = None,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
    max_bytes: int = MAX_BYTES,
) -> PatchingMap:
    """Patch every value of a donor's run into a sentence's run, one at a time, and look at one step's answer.

    Args:
        run: Its changes act in every pass, the donor's included.
        sentence: A source.
        donor: Another with as many tokens. The model may write more or fewer for it.
        step: Of both answers; by default the first at which the two differ.
        progress: Called after each pass with the number of patches that are done, and of all.
        stop: Asked before each pass whether to leave it at what is done.
        max_bytes: Memory for the rows of one pass, about.

    Raises:
        InputError: when a sentence cannot be read, the two differ in length, or both answers have the same token there.
    """
    rows = patched_sites(run.model.sites())
    names = tuple(site.name for site in rows)
    own, other = run.trace(sentence, "generator.logits"), run.trace(donor, *names)
    step = _step(own, other, step)
    tokens = [int(each.tgt_out[step]) for each in (own, other)]
    positions = [len(own.src if site.rows_side == "source" else own.tgt_out) for site in rows]
    taken = [len(other.src if site.rows_side == "source" else other.tgt_out) for site in rows]
    places = [(row, place) for row, n in enumerate(positions) for place in range(min(n, taken[row]))]
    variants = [
        run.changes.then(bind(run.model, [Patch(names[row], donor, positions=(position,))], lambda *_: other))
        for row, position in places
    ]
    start, end = (_difference(each.logits[step], tokens) for each in (own, other))
    shares = tuple(torch.full((n,), torch.nan, dtype=torch.float64) for n in positions)
    device, done = run.model.device, 0
    ids = own.src[None].to(device), own.tgt_in[None].to(device)
    for numbers, logits in swept_logits(run.model, *ids, variants, stop=stop, max_bytes=max_bytes):
        for number, of_variant in zip(numbers, logits, strict=True):
            row, position = places[number]
            shares[row][position] = (_difference(of_variant[0, step], tokens) - start) / (end - start)
        done += len(numbers)
        if progress is not None:
            progress(done, len(places))
    return PatchingMap(
        sites=names,
        source_tokens=own.source_tokens,
        target_tokens=own.target_tokens,
        step=step,
        own=own.target_tokens[step],
        donor=other.target_tokens[step],
        differences=(start, end),
        shares=shares,
    )


def _side_of(site: str) -> Side:
    """Return the side whose tokens the positions of a patched site are."""
    place = locate(site)
    return place.key_side if place.value in ("k", "v") else place.side


def _is_row(site: Site) -> bool:
    place = site.location
    if place.kind == "embedding":
        return site.value == "output"
    if place.crosses:
        return site.value in ("k", "v")
    return place.joins and place.sublayer != "feed_forward" and site.value == "output"


def _step(own: Trace, other: Trace, step: int | None) -> int:
    if len(own.src) != len(other.src):
        raise InputError(f"the second sentence needs {len(own.src)} source tokens; this has {len(other.src)}")
    both = min(len(own.tgt_out), len(other.tgt_out))
    differing = (own.tgt_out[:both] != other.tgt_out[:both]).nonzero()[:, 0].tolist()
    if not differing:
        raise InputError("the model writes the same for both sentences; choose two with different answers")
    if step is None:
        return int(differing[0])
    if not is_whole(step, 0, both - 1):
        raise InputError(f"choose a step from 0 to {both - 1}, not {step}")
    if step not in differing:
        raise InputError(f"both answers have the same token at step {step}; choose one where they differ")
    return step


def _difference(logits: Tensor, tokens: list[int]) -> float:
    own, donor = logits.double()[tokens].tolist()
    return float(donor - own)
