"""Beam search: the few best hypotheses side by side, compared by length-normalised log P(y | x) (section 6.1)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.config import BeamConfig
from core.decoding.autoregressive import longest_output
from core.errors import InputError
from core.model.cache import KeyValueCache
from core.model.transformer import Transformer


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


@dataclass(frozen=True)
class BeamStep:
    """What one step of beam search decided; every tuple has its best first, of equal scores the smaller ids.

    Attributes:
        index: Step number, counted from 0; everything new in it has index + 1 tokens.
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


def length_penalty(length: int, alpha: float) -> float:
    """lp(y) = ((5 + |y|) / 6)^α of Wu et al. 2016, equation 14; |y| counts produced tokens, eos included."""
    return float(((5 + length) / 6) ** alpha)


def beam_score(log_prob: float, length: int, alpha: float) -> float:
    """log P(y | x) / lp(y): α = 0 leaves the log-probability, a larger α favours longer hypotheses."""
    return log_prob / length_penalty(length, alpha)


def beam_steps(model: Transformer, src: Tensor, config: BeamConfig | None = None) -> Iterator[BeamStep]:
    """Search for the best targets of one source and yield every step; stop pulling to stop the search.

    Each step extends every kept hypothesis by every token but padding and bos, and ranks these
    continuations together. One that ends with eos is finished if it is among the `width` best; the
    `width` best of the others are kept, so that an ended hypothesis takes no place from a growing one.

    The search stops as soon as nothing kept can still change the answer. log P only falls as a
    hypothesis grows and no penalty exceeds the one at `max_length`, so whatever a kept hypothesis
    becomes scores at most log_prob / lp(max_length). The search is over when `n_best` hypotheses have
    finished and this bound is below the worst score among them for every kept one (where it is equal
    the search goes on, since the ids would decide), when nothing is kept, or after `max_length` tokens
    (or fewer, in the bound as well, where learned positions end before).

    Args:
        model: In evaluation mode.
        src: Source ids [1, source position], ending in eos.
        config: Width, length penalty, lengths, cache.

    Raises:
        InputError: when the model is in training mode, cannot take the source, or gives no token a
            probability; or when there is not exactly one source.
    """
    config = config or BeamConfig()
    if model.training:
        raise InputError("decoding needs the model in evaluation mode: call model.eval() first")
    if src.dim() != 2 or len(src) != 1:
        raise InputError(
            f"beam search takes one source of shape [1, source position], not {list(src.shape)}; "
            "search for each source by itself"
        )
    search = _BeamSearch(model, src, config)
    for index in range(search.max_length):
        yield search.advance(index)
        if search.is_settled():
            return


def beam_search(
    model: Transformer, src: Tensor, config: BeamConfig | None = None
) -> tuple[BeamHypothesis, ...]:
    """The n-best list of one source, best first: the last step's n_best of `beam_steps`.

    Args:
        model: In evaluation mode.
        src: Source ids [1, source position], ending in eos.
        config: Width, length penalty, lengths, cache.

    Raises:
        InputError: as beam_steps.
    """
    *_, last = beam_steps(model, src, config)
    return last.n_best


class _BeamSearch:
    """The state of one search: what is kept, the best that finished, cache, memory."""

    def __init__(self, model: Transformer, src: Tensor, config: BeamConfig) -> None:
        self.model, self.src, self.config = model, src, config
        self.max_length = longest_output(model, config.max_length)
        # Without a causal mask every earlier value changes with each new token: no cache is valid.
        cached = config.use_cache and model.config.causal
        self.cache = KeyValueCache.empty(model.config.n_decoder_layers) if cached else None
        self.memory: Tensor | None = None
        self.memory_mask: Tensor | None = None
        self.kept: list[BeamHypothesis] = [BeamHypothesis((), 0.0, 0.0, None, 0.0, ended=False)]
        self.best_finished: list[BeamHypothesis] = []

    @torch.no_grad()
    def advance(self, index: int) -> BeamStep:
        """Extend every kept hypothesis by one token, keep the best."""
        candidates = self.expand(self._log_probs())
        self.kept, pruned, finished = self.prune(candidates)
        self.finish(finished)
        n_best = (self.best_finished + self.kept)[: self.config.n_returned]
        return BeamStep(index, tuple(self.kept), tuple(pruned), tuple(finished), tuple(n_best))

    def expand(self, log_probs: Tensor) -> list[BeamHypothesis]:
        """The best continuations by a token of the vocabulary, best first; log_probs [beam, vocab]."""
        totals = log_probs + log_probs.new_tensor([h.log_prob for h in self.kept])[:, None]  # [beam, vocab]
        # At most `width` end (each kept hypothesis has one eos): enough for kept, finished and pruned.
        count = 4 * self.config.width
        candidates = [
            self.score(row, token_id, float(log_probs[row, token_id]))
            for row, token_id in _places_of_largest(totals, count)
        ]
        return sorted(candidates, key=_rank)[:count]

    def score(self, row: int, token_id: int, token_log_prob: float) -> BeamHypothesis:
        """The kept hypothesis of this row with one more token."""
        kept = self.kept[row]
        ids, log_prob = (*kept.ids, token_id), kept.log_prob + token_log_prob
        return BeamHypothesis(
            ids=ids,
            log_prob=log_prob,
            score=beam_score(log_prob, len(ids), self.config.length_penalty),
            parent=row if kept.ids else None,
            token_log_prob=token_log_prob,
            ended=token_id == self.model.config.eos_id,
        )

    def prune(
        self, candidates: Sequence[BeamHypothesis]
    ) -> tuple[list[BeamHypothesis], list[BeamHypothesis], list[BeamHypothesis]]:
        """What of the ranked candidates is kept, pruned, finished."""
        width = self.config.width
        kept = [h for h in candidates if not h.ended][:width]
        finished = [h for h in candidates[:width] if h.ended]
        chosen = {h.ids for h in (*kept, *finished)}
        pruned = [h for h in candidates if h.ids not in chosen][: 2 * width]
        return kept, pruned, finished

    def finish(self, finished: Sequence[BeamHypothesis]) -> None:
        """Let the newly finished compete with those that finished before."""
        everyone = sorted((*self.best_finished, *finished), key=_rank)
        self.best_finished = everyone[: self.config.n_returned]

    def is_settled(self) -> bool:
        """Whether no kept hypothesis can still get into the answer: the stop rule of `beam_steps`."""
        if not self.kept:
            return True
        if len(self.best_finished) < self.config.n_returned:
            return False
        highest = max(h.log_prob for h in self.kept)
        bound = beam_score(highest, self.max_length, self.config.length_penalty)
        return bound < self.best_finished[-1].score

    def _log_probs(self) -> Tensor:
        """Log-probability [beam, vocab] of each next token; -inf for those that are never produced."""
        config = self.model.config
        logits = self._logits()
        # bfloat16 has too few digits to rank close candidates by their log-probability.
        log_probs = logits.to(torch.promote_types(logits.dtype, torch.float32)).log_softmax(dim=-1)
        # Sums of many are compared: in float64, so on the CPU, since not every device has it.
        log_probs = log_probs.cpu().double()
        log_probs[:, [config.pad_id, config.bos_id]] = -math.inf
        return log_probs

    def _logits(self) -> Tensor:
        """Logits [beam, vocab] of the token after each kept hypothesis, in one call of the model."""
        if self.memory is None:
            self.memory, self.memory_mask = self.model.encode(self.src)
        tgt_in = self.src.new_tensor([(self.model.config.bos_id, *h.ids) for h in self.kept])
        if self.cache:
            # The cache still has the rows of the step before: each hypothesis continues its parent's.
            self.cache.reorder(torch.tensor([h.parent or 0 for h in self.kept], device=self.src.device))
            tgt_in = tgt_in[:, -1:]
        memory = self.memory.expand(len(self.kept), -1, -1)
        decoded = self.model.decode(tgt_in, memory, self.memory_mask, self.cache)
        return self.model.generator(decoded[:, -1:])[:, 0]


def _rank(hypothesis: BeamHypothesis) -> tuple[float, tuple[int, ...]]:
    """Sorts the best first, and equal scores by their ids."""
    return -hypothesis.score, hypothesis.ids


def _places_of_largest(totals: Tensor, count: int) -> list[tuple[int, int]]:
    """Row and column of the `count` largest numbers, and of all that equal the last of them.

    Raises:
        InputError: when there is no number above -inf.
    """
    possible = totals[totals > -math.inf]
    if not len(possible):
        raise InputError("the model gives no token a probability: a weight or an edit of it is not finite")
    least = possible.topk(min(count, len(possible))).values[-1]
    return [(row, column) for row, column in (totals >= least).nonzero().tolist()]
