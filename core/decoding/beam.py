"""Beam search: the few best hypotheses side by side, compared by length-normalised log P(y | x) (section 6.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor

from core.activations.record import Edits
from core.config import BeamConfig, TransformerConfig
from core.decoding.exact import exact
from core.decoding.next_token import NextToken, check_prefix, longest_output
from core.decoding.step import last_step
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief

T = TypeVar("T")


@dataclass(frozen=True)
class BeamHypothesis:
    """A target, whole or still growing. Its newest token came in step len(ids) - 1.

    Attributes:
        ids: Produced ids, without bos; the last is eos where it has ended.
        log_prob: log P(ids | source), the sum over all tokens.
        score: log_prob / length_penalty(len(ids), α): what hypotheses are compared by.
        parent: Which of the previous step's kept hypotheses it extends; None in the first step.
        token_log_prob: Log-probability of the newest token under the model.
        ended: Whether the newest token is eos.
    """

    ids: tuple[int, ...]
    log_prob: float
    score: float
    parent: int | None
    token_log_prob: float
    ended: bool


@dataclass(frozen=True, repr=False)
class Beam(Brief):
    """What a step of beam search decided for one source; best first, of equal scores the smaller ids.

    Attributes:
        index: The step, counted from 0; everything new in it has index + 1 tokens. A search that is over
            stays at its last one.
        kept: The unfinished hypotheses that the next step extends, at most `width`.
        pruned: The best 2 · width at most of the continuations that were dropped, ended ones among them.
        finished: The hypotheses that ended with this step.
        n_best: The answer so far: the best that have finished, in this step or before. Where they are
            too few, kept hypotheses follow them, whatever their score; they have not `ended`.
    """

    index: int
    kept: tuple[BeamHypothesis, ...]
    pruned: tuple[BeamHypothesis, ...]
    finished: tuple[BeamHypothesis, ...]
    n_best: tuple[BeamHypothesis, ...]


class BeamStep:
    """What one step of beam search decided, for a batch of sources.

    Attributes:
        index: Step number, counted from 0.
        forced: Whether the newest token was given by the prefix: then `kept` is the forced hypothesis alone
            and `pruned` are the best of the others.
    """

    def __init__(
        self, index: int, choices: tuple[_Choice, ...], config: TransformerConfig, *, forced: bool
    ) -> None:
        self.index = index
        self.forced = forced
        self._choices = choices
        self._config = config

    @cached_property
    def beams(self) -> tuple[Beam, ...]:
        """Each source's beam."""
        # Only made when somebody looks: most of the hypotheses are pruned ones.
        return tuple(choice.beam(self._config.eos_id) for choice in self._choices)

    @property
    def hypotheses(self) -> Tensor:
        """The best target of each source so far [batch, length of the longest], right-padded, on the CPU."""
        best = [torch.tensor(choice.n_best[0].ids) for choice in self._choices]
        return torch.nn.utils.rnn.pad_sequence(best, batch_first=True, padding_value=self._config.pad_id)

    @property
    def finished(self) -> Tensor:
        """Whether each of them has ended [batch]."""
        return torch.tensor([choice.n_best[0].ended for choice in self._choices])


def length_penalty(length: int, alpha: float) -> float:
    """lp(y) = ((5 + |y|) / 6)^α of Wu et al. 2016, equation 14; |y| counts produced tokens, eos included."""
    return float(((5 + length) / 6) ** alpha)


def beam_score(log_prob: float, length: int, alpha: float) -> float:
    """log P(y | x) / lp(y): α = 0 leaves the log-probability, a larger α favours longer hypotheses."""
    return log_prob / length_penalty(length, alpha)


def beam_steps(
    model: Transformer,
    src: Tensor,
    config: BeamConfig | None = None,
    *,
    prefix: Sequence[int] = (),
    edits: Edits = (),
) -> Iterator[BeamStep]:
    """Search for the best targets of each source and yield every step; stop pulling to stop the search.

    Each step extends every kept hypothesis by every token but padding and bos, and ranks these
    continuations together. One that ends with eos is finished if it is among the `width` best; the
    `width` best of the others are kept, so that an ended hypothesis takes no place from a growing one.

    The search stops as soon as nothing kept can still change the answer. log P only falls as a
    hypothesis grows and no penalty exceeds the one at `max_length`, so whatever a kept hypothesis
    becomes scores at most log_prob / lp(max_length). The search is over when `n_best` hypotheses have
    finished and this bound is below the worst score among them for every kept one (where it is equal
    the search goes on, since the ids would decide), when nothing is kept, or after `max_length` tokens
    (or fewer, in the bound as well, where learned positions end before).

    Each source has a beam and an end of its own; the model is called once a step for all that go on.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position], each row ending in eos, right-padded.
        config: Width, length penalty, lengths, cache.
        prefix: Token ids with which every hypothesis begins, whatever the model says: a step for each, marked
            as forced, with the probabilities that the model gives.
        edits: What is changed on the way in each step, as for `decode_steps`.

    Raises:
        InputError: when the model is in training mode, cannot take the source, or gives no token a
            probability; or when the prefix is too long, has other tokens than words, or one without probability.
        UnknownSite: when an edit matches no site.
        CaptureError: as `edit`.
    """
    config = config or BeamConfig()
    forced = check_prefix(model, prefix, config.max_length)
    search = _BeamSearch(model, src, config, edits)
    for index in range(search.max_length):
        yield search.advance(index, forced[index] if index < len(forced) else None)
        if not search.going:
            return


def beam_search(
    model: Transformer, src: Tensor, config: BeamConfig | None = None, *, prefix: Sequence[int] = ()
) -> tuple[BeamHypothesis, ...]:
    """The n-best list of one source, best first: what the last step of `beam_steps` gives for it.

    Args:
        model: In evaluation mode.
        src: Source ids [1, source position], ending in eos.
        config: Width, length penalty, lengths, cache.
        prefix: Token ids with which every hypothesis begins.

    Raises:
        InputError: as beam_steps; or when there is not exactly one source.
    """
    if src.dim() != 2 or len(src) != 1:
        raise InputError(
            f"beam_search takes one source of shape [1, source position], not {list(src.shape)}; "
            "beam_steps takes several"
        )
    return last_step(beam_steps(model, src, config, prefix=prefix)).beams[0].n_best


@dataclass(frozen=True)
class _Continuations:
    """The best continuations of what one source has kept, best first, as columns of plain numbers.

    Most are dropped unseen, so hypotheses are made of those alone that are kept or looked at.

    Attributes:
        parents: What was kept, best first.
        rows: The parent that each continues.
        token_ids: The token that it adds.
        token_log_probs: The token's log-probability.
        log_probs: The whole's.
        scores: The whole's.
    """

    parents: tuple[BeamHypothesis, ...]
    rows: list[int]
    token_ids: list[int]
    token_log_probs: list[float]
    log_probs: list[float]
    scores: list[float]

    def hypothesis(self, place: int, eos_id: int) -> BeamHypothesis:
        """The one at this place."""
        parent, token_id = self.parents[self.rows[place]], self.token_ids[place]
        return BeamHypothesis(
            ids=(*parent.ids, token_id),
            log_prob=self.log_probs[place],
            score=self.scores[place],
            parent=self.rows[place] if parent.ids else None,
            token_log_prob=self.token_log_probs[place],
            ended=token_id == eos_id,
        )


@dataclass(frozen=True)
class _Choice:
    """What a step decided for one source.

    Attributes:
        index: The step.
        continuations: Among what.
        pruned: Places of those that were dropped.
        kept: As in Beam; and so are finished and n_best.
    """

    index: int
    continuations: _Continuations
    pruned: list[int]
    kept: tuple[BeamHypothesis, ...]
    finished: tuple[BeamHypothesis, ...]
    n_best: tuple[BeamHypothesis, ...]

    def beam(self, eos_id: int) -> Beam:
        """The same with every hypothesis made."""
        pruned = tuple(self.continuations.hypothesis(place, eos_id) for place in self.pruned)
        return Beam(self.index, self.kept, pruned, self.finished, self.n_best)


class _SourceSearch:
    """The search for one source: what is kept, and the best that finished."""

    def __init__(self, config: BeamConfig, eos_id: int, max_length: int) -> None:
        self.config, self.eos_id, self.max_length = config, eos_id, max_length
        self.kept: tuple[BeamHypothesis, ...] = (BeamHypothesis((), 0.0, 0.0, None, 0.0, ended=False),)
        self.best_finished: tuple[BeamHypothesis, ...] = ()

    def advance(self, index: int, continuations: _Continuations, forced: int | None) -> _Choice:
        """Take the best continuations, or the forced one."""
        if forced is None:
            kept, finished, pruned = self.prune(continuations)
        else:
            kept, finished, pruned = self.force(continuations, forced)
        self.kept = tuple(continuations.hypothesis(place, self.eos_id) for place in kept)
        ended = tuple(continuations.hypothesis(place, self.eos_id) for place in finished)
        if ended:
            self.finish(ended)
        n_best = (self.best_finished + self.kept)[: self.config.n_returned]
        return _Choice(index, continuations, pruned[: 2 * self.config.width], self.kept, ended, n_best)

    def prune(self, continuations: _Continuations) -> tuple[list[int], list[int], list[int]]:
        """Which places are kept, finished and pruned.

        Raises:
            InputError: when none has a score above -inf.
        """
        kept: list[int] = []
        finished: list[int] = []
        pruned: list[int] = []
        for place, token_id in enumerate(continuations.token_ids):
            if continuations.scores[place] == -math.inf:
                break
            if token_id == self.eos_id:
                (finished if place < self.config.width else pruned).append(place)
            else:
                (kept if len(kept) < self.config.width else pruned).append(place)
        if not kept and not finished:
            raise InputError(
                "the model gives no token a probability: a weight or an edit of it is not finite"
            )
        return kept, finished, pruned

    def force(self, continuations: _Continuations, forced: int) -> tuple[list[int], list[int], list[int]]:
        """The place of the forced token is kept, all others are pruned.

        Raises:
            InputError: when the model gives it no probability.
        """
        kept, finished, pruned = self.prune(continuations)
        place = continuations.token_ids.index(forced)
        if continuations.scores[place] == -math.inf:
            raise InputError(f"the model gives the forced token {forced} no probability; force another")
        others = sorted({*kept, *finished, *pruned})
        return [place], [], [other for other in others if continuations.token_ids[other] != forced]

    def finish(self, finished: Sequence[BeamHypothesis]) -> None:
        """Let the newly finished compete with those that finished before."""
        everyone = sorted((*self.best_finished, *finished), key=lambda h: (-h.score, h.ids))
        self.best_finished = tuple(everyone[: self.config.n_returned])

    def is_settled(self) -> bool:
        """Whether no kept hypothesis can still get into the answer: the stop rule of `beam_steps`."""
        if not self.kept:
            return True
        if len(self.best_finished) < self.config.n_returned:
            return False
        bound = beam_score(self.kept[0].log_prob, self.max_length, self.config.length_penalty)
        return bound < self.best_finished[-1].score


class _BeamSearch:
    """The state of the search for a batch: each source's own, and the model beside the rows of those that go on."""

    def __init__(self, model: Transformer, src: Tensor, config: BeamConfig, edits: Edits) -> None:
        self.config, self.model_config, self.device = config, model.config, src.device
        self.max_length = longest_output(model, config.max_length)
        self.next_token = NextToken(model, src, use_cache=config.use_cache, edits=edits)
        sources = [_SourceSearch(config, model.config.eos_id, self.max_length) for _ in range(len(src))]
        self.going = dict(enumerate(sources))
        self.rows_each = 1  # of the model's rows
        self.choices: dict[int, _Choice] = {}

    @torch.no_grad()
    def advance(self, index: int, forced: int | None) -> BeamStep:
        """Extend every kept hypothesis by one token, keep each source's best."""
        logits, _ = self.next_token.logits()
        expanded = self.expand(logits.log_softmax(dim=-1), index + 1, forced)
        for (number, source), continuations in zip(self.going.items(), expanded, strict=True):
            self.choices[number] = source.advance(index, continuations, forced)
        self.follow()
        choices = tuple(self.choices[number] for number in range(len(self.choices)))
        return BeamStep(index, choices, self.model_config, forced=forced is not None)

    def expand(self, log_probs: Tensor, length: int, forced: int | None) -> list[_Continuations]:
        """The best continuations of what each source has kept.

        Args:
            log_probs: [row, vocab], as many rows for each source.
            length: Of the continuations.
            forced: A token that follows the best ones, whether it is among them or not.
        """
        log_probs = exact(log_probs + self.next_token.never).nan_to_num(nan=-math.inf, neginf=-math.inf)
        kept = [_padded([h.log_prob for h in s.kept], self.rows_each, -math.inf) for s in self.going.values()]
        log_probs = log_probs.view(len(self.going), self.rows_each, -1)  # [source, kept, vocab]
        totals = log_probs + log_probs.new_tensor(kept)[..., None]
        scores = (totals / length_penalty(length, self.config.length_penalty)).flatten(1)
        places = self.best(scores)
        if forced is not None:
            # Before it, one hypothesis is kept: a token's place is its id.
            places = F.pad(places, (0, 1), value=forced)
        vocab_size = log_probs.shape[2]
        gathered = (column.flatten(1).gather(1, places) for column in (log_probs, totals, scores))
        columns = (places // vocab_size, places % vocab_size, *gathered)
        return [
            _Continuations(source.kept, *row)
            for source, *row in zip(self.going.values(), *(c.tolist() for c in columns), strict=True)
        ]

    def best(self, scores: Tensor) -> Tensor:
        """Places [source, rank] of the best scores [source, kept · vocab], of equal ones those with smaller ids."""
        # At most `width` end (each kept hypothesis has one eos): enough for kept, finished and pruned.
        count = min(4 * self.config.width, scores.shape[1])
        numbers, places = scores.topk(min(count + 1, scores.shape[1]))
        if bool((numbers[:, 1:] == numbers[:, :-1]).any()):
            ids = (_padded([h.ids for h in s.kept], self.rows_each, ()) for s in self.going.values())
            ranked = map(_ranked, ids, scores, numbers[:, count - 1])
            return torch.tensor([row[:count] for row in ranked], device=scores.device)
        return places[:, :count]

    def follow(self) -> None:
        """Drop what is settled; let the model's rows be the hypotheses kept."""
        slots = {number: slot for slot, number in enumerate(self.going)}
        self.going = {number: source for number, source in self.going.items() if not source.is_settled()}
        if not self.going:
            return
        before, self.rows_each = self.rows_each, max(len(source.kept) for source in self.going.values())
        kept = [
            (slots[number] * before + (h.parent or 0), h.ids[-1])
            for number, source in self.going.items()
            # Where fewer are kept than elsewhere, rows that nobody reads.
            for h in _padded(source.kept, self.rows_each, source.kept[0])
        ]
        rows, newest = torch.tensor(kept, device=self.device).unbind(1)
        staying = [slots[number] for number in self.going]
        sources = None if len(staying) == len(slots) else torch.tensor(staying, device=self.device)
        self.next_token.reorder(rows, sources)
        self.next_token.append(newest)


def _ranked(ids: Sequence[tuple[int, ...]], scores: Tensor, least: Tensor) -> list[int]:
    """Places of the scores [kept · vocab] from the least on, the best first, equal ones by their ids.

    Args:
        ids: Of what is kept.
        scores: Of all continuations.
        least: The smallest that counts.
    """
    vocab_size = len(scores) // len(ids)
    places: list[int] = (scores >= least).nonzero()[:, 0].tolist()
    score = dict(zip(places, scores[places].tolist(), strict=True))
    return sorted(places, key=lambda place: (-score[place], ids[place // vocab_size], place % vocab_size))


def _padded(kept: Sequence[T], length: int, filler: T) -> list[T]:
    """Followed by the filler, up to this length."""
    return [*kept, *[filler] * (length - len(kept))]
