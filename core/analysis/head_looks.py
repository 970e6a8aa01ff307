"""Where heads look over many pairs: at the gold alignment, at the position before or after, at the token of rest.

A row of a head looks at the key of its largest weight. Of a head all is counted in rows, so that the shares of one
head can be compared with each other and with those of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import torch
from torch import Tensor

from core.activations.location import locate
from core.activations.record import PlacedEdit, edit, record
from core.activations.sites import Site
from core.analysis.attention_statistics import gold_mask, looks_at
from core.data.batching import Batch, by_length, collate
from core.data.tasks import Pair
from core.data.vocabulary import Vocabulary
from core.interventions.worth import ScoredLogits, checked_ids

if TYPE_CHECKING:
    from core.run import Run

Place = Literal["gold", "previous", "next", "rest"]
"""What a row may look at: a source token of its gold alignment, its neighbours, or the token of rest.

The token of rest is one that stands in every sentence: the source's EOS, and BOS where the keys are the target's. A
head whose weight is there may read something from it, such as the source's length at EOS, or nothing: then it is an
attention sink, which `measure_rest` finds out.
"""
PLACES: tuple[Place, ...] = get_args(Place)
TOGETHER = 64
NAMED_FROM = 0.75
"""Share of its rows from which on a head is named by what they look at."""
LEAST_ROWS = 20
"""A head with fewer rows gets no name."""
MOST_RISE = 0.01
"""Rise of the loss in nats per token below which values cost nothing, if no output is lost without them."""


@dataclass(frozen=True)
class Rows:
    """How many rows of a head could look at a place, and how many of these do."""

    n: int
    hits: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where no row could."""
        return self.hits / self.n if self.n else None


@dataclass(frozen=True)
class RestCost:
    """Cost of setting a head's values at the token of rest to 0.

    Attributes:
        rise: Rise of the mean loss per reference token, in nats, under teacher forcing.
        n_lost: Pairs whose reference the model writes with these values only.
    """

    rise: float
    n_lost: int

    @property
    def is_nothing(self) -> bool:
        """True if the outputs are as right without these values."""
        return self.n_lost == 0 and self.rise < MOST_RISE


@dataclass(frozen=True)
class HeadLook:
    """Where the rows of one head look.

    Attributes:
        site: Of its weights.
        head: Counted from 0.
        rows: By place; only places that the head can look at.
        rest_cost: Cost of its values at the token of rest; None where that was not measured.
    """

    site: str
    head: int
    rows: dict[Place, Rows]
    rest_cost: RestCost | None = None

    @property
    def role(self) -> Place | None:
        """The place that most of its rows look at, where these are NAMED_FROM of them or more; else it has no name."""
        counted = {place: rows.share or 0.0 for place, rows in self.rows.items() if rows.n >= LEAST_ROWS}
        best = max(counted, key=lambda place: counted[place], default=None)
        return best if best is not None and counted[best] >= NAMED_FROM else None

    @property
    def rest_token(self) -> str:
        """Name of the token of rest among its keys."""
        return "EOS" if locate(self.site).key_side == "source" else "BOS"

    @property
    def is_sink(self) -> bool:
        """True if most of its rows look at the token of rest, whose values are measured to cost nothing."""
        return self.role == "rest" and self.rest_cost is not None and self.rest_cost.is_nothing


def joined_looks(some: Sequence[HeadLook], more: Sequence[HeadLook]) -> tuple[HeadLook, ...]:
    """What the same heads look at over two sets of pairs together."""
    return tuple(
        replace(one, rows=_joined(one.rows, other.rows)) for one, other in zip(some, more, strict=True)
    )


def _joined(one: dict[Place, Rows], other: dict[Place, Rows]) -> dict[Place, Rows]:
    none = Rows(0, 0)
    both = {place: (one.get(place, none), other.get(place, none)) for place in PLACES}
    found = {place: Rows(a.n + b.n, a.hits + b.hits) for place, (a, b) in both.items()}
    return {place: rows for place, rows in found.items() if rows.n}


@torch.no_grad()
def head_looks(run: Run, pairs: Sequence[Pair]) -> tuple[HeadLook, ...]:
    """Where every head looks while the decoder reads the references of some pairs, in the order of the computation.

    Args:
        run: With its changes.
        pairs: Where one has a gold alignment, the heads of the cross-attentions are compared with it.

    Raises:
        CaptureError: when a change asks for a position that a pair does not have.
    """
    encoded = checked_ids(run, pairs)
    sites = [site for site in run.model.sites() if site.operation == "softmax" and "head" in site.axes]
    counts: dict[str, dict[Place, Tensor]] = {
        site.name: {place: torch.zeros(2, run.config.n_heads, dtype=torch.int64) for place in PLACES}
        for site in sites
    }
    for rows in by_length(list(map(len, encoded.sources)), TOGETHER):
        batch = collate(encoded.select(rows))
        with edit(run.model, run.changes.edits), record(run.model, *counts) as seen:
            run.model(batch.src.to(run.model.device), batch.tgt_in.to(run.model.device))
        gold = _gold([pairs[row] for row in rows], batch)
        for site in sites:
            may = _may_look(site, batch, gold, causal=run.config.causal)
            for place, targets in may.items():
                counts[site.name][place] += _counted(seen[site.name], targets)
    return tuple(
        HeadLook(site.name, head, _rows(counts[site.name], head))
        for site in sites
        for head in range(run.config.n_heads)
    )


@torch.no_grad()
def measure_rest(run: Run, pairs: Sequence[Pair], look: HeadLook) -> HeadLook:
    """Measure what a head's values at the token of rest cost, if it is named by looking there.

    Args:
        run: The run, whose changes are kept.
        pairs: The pairs whose references the decoder reads.
        look: A look that `head_looks` found over these pairs.

    Raises:
        CaptureError: when a change asks for a position that a pair does not have.
    """
    if look.role != "rest":
        return look
    encoded, model = checked_ids(run, pairs), run.model
    values = locate(look.site).beside("v")
    rise, n_tokens, n_lost = 0.0, 0, 0
    lengths = list(zip(map(len, encoded.sources), map(len, encoded.targets), strict=True))
    for rows in by_length(lengths, TOGETHER):
        batch = collate(encoded.select(rows)).to(model.device)
        at_rest = _is_rest(batch, look.rest_token)[:, :, None]  # [pair, key, 1]

        def remove(value: Tensor, first: int, at_rest: Tensor = at_rest) -> Tensor:
            value[:, look.head].masked_fill_(at_rest, 0.0)
            return value

        scored = []
        for edits in (run.changes.edits, [*run.changes.edits, (values, PlacedEdit(remove))]):
            with edit(model, edits):
                scored.append(ScoredLogits(model(batch.src, batch.tgt_in), batch))
        before, after = scored
        rise += float((after.losses - before.losses).sum())
        n_lost += int((before.exact & ~after.exact).sum())
        n_tokens += batch.n_tokens
    return replace(look, rest_cost=RestCost(rise / n_tokens, n_lost))


def _is_rest(batch: Batch, token: str) -> Tensor:
    """Return where the token of rest stands among the keys, bool [pair, key]."""
    return batch.src == Vocabulary.eos_id if token == "EOS" else batch.tgt_in == Vocabulary.bos_id


def _rows(counts: dict[Place, Tensor], head: int) -> dict[Place, Rows]:
    found = {place: Rows(*map(int, of_place[:, head].tolist())) for place, of_place in counts.items()}
    return {place: rows for place, rows in found.items() if rows.n}


def _gold(pairs: Sequence[Pair], batch: Batch) -> Tensor:
    """Bool [pair, target position, source position]."""
    n_queries, n_keys = batch.tgt_out.shape[1], batch.src.shape[1]
    return torch.stack([gold_mask(pair.alignment, n_queries, n_keys) for pair in pairs])


def _may_look(site: Site, batch: Batch, gold: Tensor, *, causal: bool) -> dict[Place, Tensor]:
    """By place the keys that are it for each row: bool [pair, query, key]; a row without one does not count."""
    tokens = batch.src if site.location.key_side == "source" else batch.tgt_in
    is_key = (tokens != Vocabulary.pad_id)[:, None, :]
    rest = _is_rest(batch, "EOS" if site.location.key_side == "source" else "BOS")[:, None, :]
    if site.location.crosses:
        # The row that writes EOS has the source's for its own, as the others have their words.
        writes_word = (batch.tgt_out != Vocabulary.pad_id) & (batch.tgt_out != Vocabulary.eos_id)
        is_query = writes_word[:, :, None]
        return {"gold": gold, "rest": rest & is_query}
    # The token of rest has a row of its own, which says nothing about the words.
    is_query = is_key.mT & ~rest.mT
    neighbours = torch.ones(tokens.shape[1] - 1, dtype=torch.bool)
    found: dict[Place, Tensor] = {"previous": torch.diag(neighbours, -1) & is_key & is_query}
    if not (causal and site.location.causal):
        found["next"] = torch.diag(neighbours, 1) & is_key & is_query
    return {**found, "rest": rest & is_query}


def _counted(weights: Tensor, targets: Tensor) -> Tensor:
    """Rows that count and those of them that look at their target [2, head], of weights [pair, head, query, key]."""
    counts = targets.any(dim=-1)[:, None]  # [pair, 1, query]
    hits = looks_at(weights, targets[:, None]).sum(dim=(0, 2))
    return torch.stack((counts.sum().expand_as(hits), hits))
