"""What parts of a model are worth over held-out pairs: what it costs to switch each off, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from core.activations.record import edit
from core.data.batching import Batch, EncodedPairs, by_length, collate, encode_pairs, spread_lengths
from core.data.tasks import Pair
from core.data.vocabulary import Vocabulary
from core.errors import InputError
from core.interventions.changes import bind
from core.interventions.intervention import Intervention
from core.interventions.sweep import Progress, Stop, swept_logits
from core.notebook import Brief, brief, html_table, listed

if TYPE_CHECKING:
    from core.run import Run

TOGETHER = 16
"""Pairs of like length in one pass, beside each other for each of several changes; few, so that figures come soon."""
N_STRONGEST = 6
"""Pairs that are kept for each change, with every token."""
Z = 1.959964
"""Standard deviations to each side of the middle of a normal distribution that hold 95 % of it."""


@dataclass(frozen=True)
class Estimate:
    """A figure of some sentences, with its 95 % confidence interval over sentences."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class PairCost(Brief):
    """What a change costs one pair.

    Attributes:
        row: Of the pair among the given ones.
        losses: By how much the loss of each reference token rises, EOS included, in nats; below 0 where it falls.
        tokens: Ids of the most probable tokens with the change, at each place of the reference.
        exact: Whether the model, with the change, still writes the reference by itself.
    """

    row: int
    losses: tuple[float, ...]
    tokens: tuple[int, ...]
    exact: bool

    @property
    def cost(self) -> float:
        """By how much log P of the whole reference falls, in nats."""
        return sum(self.losses)


@dataclass(frozen=True, repr=False)
class Worth(Brief):
    """What one change costs, over all pairs.

    Attributes:
        intervention: The change, made alone; switching a part off, its cost is what the part is worth.
        loss: Rise of the mean loss per reference token, in nats, under teacher forcing.
        exact: Fall of the share of sources whose reference the model writes, token by token.
        strongest: The pairs that it costs most, the dearest first.
    """

    intervention: Intervention
    loss: Estimate
    exact: Estimate
    strongest: tuple[PairCost, ...]

    def _repr_html_(self) -> str:
        """Show both figures with their 95 % confidence intervals, and what the change costs single pairs."""
        figures = [
            (name, f"{each.value:.4f}", f"{each.low:.4f} to {each.high:.4f}")
            for name, each in (("rise of the loss", self.loss), ("fall of the exact share", self.exact))
        ]
        pairs = [(f"pair {each.row}", f"{each.cost:.4f} nats", "") for each in self.strongest]
        return html_table(
            brief(self.intervention), [*figures, *listed(pairs)], head=("cost", "value", "95 % interval")
        )


def worths(
    run: Run,
    pairs: Sequence[Pair],
    interventions: Sequence[Intervention],
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> tuple[Worth, ...]:
    """What each intervention costs by itself, over held-out pairs.

    ``worths(run, pairs, head_ablations(run.model))`` tells what every head is worth. Heads can stand in for each other,
    so the worths of several do not add up to that of all of them.

    Args:
        run: With its changes, beside which each intervention is made.
        pairs: At least two: the intervals are over sentences.
        interventions: Such as `head_ablations` and `neuron_ablations` give.
        progress: Called after each pass with how many of all pairs × interventions are done.
        stop: Asked before each pass whether to leave it; nothing is returned then.

    Raises:
        InputError: when there are fewer than two pairs.
        UnknownSite: when a site matches nothing in the model.
        CaptureError: as `bind`; or when a change asks for a position that a pair does not have.
    """
    sweep = WorthSweep(run, pairs, interventions)
    for done in sweep.passes():
        if progress is not None:
            progress(done, sweep.n_all)
        if stop is not None and stop():
            return ()
    return sweep.worths()


class WorthSweep:
    """What `worths` does, pass by pass, for whoever lets others in between: go through `passes`, then ask for `worths`.

    After each group of pairs `worths` has the figures of the pairs that are done.

    Attributes:
        n_all: Pairs × interventions.
        groups: Rows of pairs that are measured together, in their order.

    Args:
        run: As for `worths`.
        pairs: Likewise.
        interventions: Likewise.
    """

    def __init__(self, run: Run, pairs: Sequence[Pair], interventions: Sequence[Intervention]) -> None:
        if len(pairs) < 2:
            raise InputError("an interval over sentences needs at least two held-out pairs")
        self._run, self._interventions = run, tuple(interventions)
        self._encoded = checked_ids(run, pairs)
        self._variants = [run.changes.then(bind(run.model, [each])) for each in interventions]
        self.n_all = len(pairs) * len(self._interventions)
        size = len(self._interventions), len(pairs)
        self._costs = torch.zeros(size, dtype=torch.float64)
        self._exact = torch.zeros(size, dtype=torch.bool)
        self._exact_before = torch.zeros(len(pairs), dtype=torch.bool)
        self._lengths = torch.tensor([len(row) + 1 for row in self._encoded.targets], dtype=torch.float64)
        self._losses_before = torch.zeros(len(pairs), dtype=torch.float64)
        self._is_done = torch.zeros(len(pairs), dtype=torch.bool)
        self._strongest: list[list[PairCost]] = [[] for _ in self._interventions]
        # A short reference with a long source is beside its like, too.
        lengths = list(zip(map(len, self._encoded.sources), map(len, self._encoded.targets), strict=True))
        self.groups = spread_lengths(by_length(lengths, TOGETHER))

    def passes(self) -> Iterator[int]:
        """Measure; yields after each pass how many of `n_all` are done. Stop pulling to stop."""
        done = 0
        for rows in self.groups:
            for n in self.passes_over(rows):
                done += n
                yield done

    def passes_over(self, rows: Sequence[int]) -> Iterator[int]:
        """Measure one of the groups; yields what each pass adds to how many of `n_all` are done."""
        model = self._run.model
        batch = collate(self._encoded.select(rows)).to(model.device)
        # An open block, even without changes, makes attention eager, as in the passes that follow.
        with torch.no_grad(), edit(model, self._run.changes.edits):
            before = ScoredLogits(model(batch.src, batch.tgt_in), batch)
        self._exact_before[rows], self._losses_before[rows] = before.exact, before.losses.sum(dim=1)
        n_left = len(self._interventions)
        for numbers, logits in swept_logits(model, batch.src, batch.tgt_in, self._variants):
            for number, of_variant in zip(numbers, logits, strict=True):
                self._take(number, rows, before, ScoredLogits(of_variant, batch))
            n_left -= len(numbers)
            self._is_done[rows] = n_left == 0
            yield len(numbers) * len(rows)

    @property
    def n_done(self) -> int:
        """Number of pairs that all interventions are measured over."""
        return int(self._is_done.sum())

    @property
    def n_tokens(self) -> int:
        """Number of reference tokens of the pairs that are done, EOS included."""
        return int(self._lengths[self._is_done].sum())

    @property
    def loss_before(self) -> float:
        """Mean loss per reference token without the interventions, in nats."""
        return float(self._losses_before[self._is_done].sum()) / self.n_tokens

    @property
    def n_exact_before(self) -> int:
        """How many references the model writes without the interventions."""
        return int(self._exact_before[self._is_done].sum())

    def worths(self) -> tuple[Worth, ...]:
        """Return the figures over the pairs that are done, in the order of the interventions."""
        done = self._is_done
        return tuple(
            Worth(
                intervention,
                _mean_per_token(self._costs[number, done], self._lengths[done]),
                _fall_of_share(self._exact_before[done], self._exact[number, done]),
                tuple(self._strongest[number]),
            )
            for number, intervention in enumerate(self._interventions)
        )

    def _take(self, number: int, rows: Sequence[int], before: ScoredLogits, after: ScoredLogits) -> None:
        """Keep what one change costs the pairs of a batch."""
        rises = after.losses - before.losses  # [pair, position], 0 at padding
        costs = rises.sum(dim=1)
        self._costs[number, rows], self._exact[number, rows] = costs, after.exact
        kept = self._strongest[number]
        least = kept[-1].cost if len(kept) == N_STRONGEST else -math.inf
        for place in (costs > least).nonzero()[:, 0].tolist():
            n = int(self._lengths[rows[place]])
            losses, tokens = rises[place, :n].tolist(), after.tokens[place, :n].tolist()
            kept.append(PairCost(rows[place], tuple(losses), tuple(tokens), bool(after.exact[place])))
        kept.sort(key=lambda each: (-each.cost, each.row))
        del kept[N_STRONGEST:]


def checked_ids(run: Run, pairs: Sequence[Pair]) -> EncodedPairs:
    """The ids of pairs that the changes of a run fit.

    Raises:
        CaptureError: when a change asks for a position that a pair does not have.
    """
    encoded = encode_pairs(pairs, run.src_tokenizer, run.tgt_tokenizer)
    for source, target in zip(encoded.sources, encoded.targets, strict=True):
        run.changes.check(len(source) + 1, len(target) + 1)
    return encoded


class ScoredLogits:
    """Logits [pair, position, vocab] beside a batch's labels.

    Attributes:
        losses: -log p of each label, 0 at padding [pair, position].
        tokens: The most probable token of those that are ever written [pair, position].
        exact: Whether the model writes exactly the labels by itself [pair]: greedily it does where each of them is the
            most probable after those before it, and nowhere else.
    """

    def __init__(self, logits: Tensor, batch: Batch) -> None:
        labels = batch.tgt_out.to(torch.int64)
        is_label = labels != Vocabulary.pad_id
        log_probs = logits.double().log_softmax(dim=-1)
        of_labels = -log_probs.gather(-1, labels[..., None])[..., 0]
        for never in (Vocabulary.pad_id, Vocabulary.bos_id):  # As in decoding.
            log_probs[..., never] = -torch.inf
        best = log_probs.argmax(dim=-1)
        # A token that the vocabulary lacks cannot be written, not even by saying "unknown".
        right = (best == labels) & (labels != Vocabulary.unk_id)
        self.losses = of_labels.masked_fill(~is_label, 0.0).cpu()
        self.tokens, self.exact = best.cpu(), (right | ~is_label).all(dim=1).cpu()


def _mean_per_token(costs: Tensor, lengths: Tensor) -> Estimate:
    """Costs [pair] by token, with the interval of a ratio of sums over sentences, which are drawn whole."""
    n, n_tokens = len(costs), lengths.sum()
    mean = costs.sum() / n_tokens
    error = (n / (n - 1) * (costs - mean * lengths).square().sum()).sqrt() / n_tokens
    return Estimate(float(mean), float(mean - Z * error), float(mean + Z * error))


def _fall_of_share(before: Tensor, after: Tensor) -> Estimate:
    """By how much the share of the exact falls, with the interval of a difference of paired shares.

    Bonett and Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired data"
    (2012): one imagined pair more on either side, so that it has a width where none of the sentences is another.
    """
    n, n_lost, n_won = len(before), int((before & ~after).sum()), int((after & ~before).sum())
    lost, won = (n_lost + 1) / (n + 2), (n_won + 1) / (n + 2)
    error = Z * math.sqrt((lost + won - (lost - won) ** 2) / (n + 2))
    return Estimate((n_lost - n_won) / n, max(-1.0, lost - won - error), min(1.0, lost - won + error))
