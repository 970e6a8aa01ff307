"""Sampling a token: temperature, top-k, top-p, and the number that draws it, each a value that can be shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from core.config import DecodeConfig
from core.decoding.exact import exact
from core.errors import ConfigError
from core.notebook import Brief


@dataclass(frozen=True, repr=False)
class SamplingPipeline(Brief):
    """From logits to drawn tokens: columns of equal shape [batch, vocab], a row for each token in order of id.

    Attributes:
        logits: The model's.
        scaled: logits / temperature.
        allowed: False for tokens that are never produced (padding and bos).
        kept_by_top_k: True for the top_k most probable of the allowed tokens; of equal ones the smaller ids.
        kept_by_top_p: True for the most probable of these, one after the other, until their probability
            (among these) reaches top_p; the most probable one always.
        probs: Softmax of the scaled logits over what both kept; 0 elsewhere.
        cumulative: Running sum of probs, which ends with 1.
        uniform: The numbers drawn evenly from [0, 1), one for each source [batch].
        token_ids: The tokens drawn [batch]: the first whose cumulative exceeds the number.
    """

    logits: Tensor
    scaled: Tensor
    allowed: Tensor
    kept_by_top_k: Tensor
    kept_by_top_p: Tensor
    probs: Tensor
    cumulative: Tensor
    uniform: Tensor
    token_ids: Tensor

    def row(self, index: int) -> SamplingPipeline:
        """One source's columns [vocab]."""
        return SamplingPipeline(*(getattr(self, field.name)[index] for field in fields(self)))


def sampling_pipeline(
    logits: Tensor, config: DecodeConfig, uniform: Tensor, *, never: Collection[int] = ()
) -> SamplingPipeline:
    """Draw a token for each row of logits, and keep every column on the way.

    A token takes up as much of [0, 1) as it is probable, in order of ids; the number says whose part it hits.

    Args:
        logits: [batch, vocab].
        config: Temperature, top_k and top_p.
        uniform: Numbers of [0, 1) [batch].
        never: Ids that are never produced.

    Raises:
        ConfigError: when the temperature is 0, where nothing is drawn.
    """
    if config.temperature == 0:
        raise ConfigError("temperature 0 takes the most probable token and draws none; give one from 0.01")
    logits = exact(logits)
    scaled = logits / config.temperature
    allowed = torch.ones_like(logits, dtype=torch.bool)
    allowed[:, list(never)] = False
    kept_by_top_k = allowed if config.top_k is None else _top_k(scaled, allowed, config.top_k)
    kept_by_top_p = kept_by_top_k if config.top_p == 1 else _top_p(scaled, kept_by_top_k, config.top_p)
    probs = _softmax(scaled, kept_by_top_p)
    running = probs.cumsum(dim=-1)
    # Divided by its last, so that the last token kept ends at 1 exactly and no number falls behind it.
    cumulative = running / running[:, -1:]
    uniform = uniform.to(cumulative)
    token_ids = torch.searchsorted(cumulative, uniform[:, None], right=True)[:, 0]
    return SamplingPipeline(
        logits=logits,
        scaled=scaled,
        allowed=allowed,
        kept_by_top_k=kept_by_top_k,
        kept_by_top_p=kept_by_top_p,
        probs=probs,
        cumulative=cumulative,
        uniform=uniform,
        token_ids=token_ids,
    )


PLACES_OF_A_SEED = 1024
"""Places whose numbers one generator draws, so that a text far down a long file costs no more than the first."""


class UniformDraws:
    """Numbers drawn evenly from [0, 1): one for each place in each step, the same on every device.

    The seed draws a seed for each step, and this one the step's numbers in order of the places. So the number of a
    place depends neither on the other places nor on how many there are, and a forced step uses up its numbers as
    well: forcing what would have been drawn changes nothing.
    """

    def __init__(self, seed: int, places: Sequence[int]) -> None:
        """Begin before the first step.

        Args:
            seed: Seed of all numbers.
            places: Place of each row among the texts that are sampled; equal places get equal numbers.
        """
        self._seeds = torch.Generator().manual_seed(seed)
        self._numbers = torch.Generator()
        self._places = torch.tensor(places, dtype=torch.int64)
        self._blocks = self._places // PLACES_OF_A_SEED

    def next(self) -> Tensor:
        """The next step's numbers, float64 [row]."""
        seed = int(torch.randint(2**63 - 1, (), generator=self._seeds))
        drawn = torch.empty(len(self._places), dtype=torch.float64)
        for block in self._blocks.unique().tolist():
            self._numbers.manual_seed((seed + block) % (2**63 - 1))
            numbers = torch.rand(PLACES_OF_A_SEED, dtype=torch.float64, generator=self._numbers)
            rows = self._blocks == block
            drawn[rows] = numbers[self._places[rows] % PLACES_OF_A_SEED]
        return drawn


def _softmax(scaled: Tensor, kept: Tensor) -> Tensor:
    """Probabilities among the kept tokens, 0 elsewhere."""
    return scaled.masked_fill(~kept, -torch.inf).softmax(dim=-1)


def _top_k(scaled: Tensor, allowed: Tensor, k: int) -> Tensor:
    """True at the k largest of the allowed tokens, of equal ones at the smaller ids."""
    order = _most_probable_first(scaled, allowed)[:, :k]
    return torch.zeros_like(allowed).scatter(1, order, True) & allowed


def _top_p(scaled: Tensor, kept: Tensor, p: float) -> Tensor:
    """True at the fewest most probable of the kept tokens that together have probability p or more."""
    order = _most_probable_first(scaled, kept)
    probs = _softmax(scaled, kept).gather(1, order)
    before = probs.cumsum(dim=-1) - probs
    # What comes before the first is 0, but for rounding.
    before[:, 0] = 0
    return torch.zeros_like(kept).scatter(1, order, before < p) & kept


def _most_probable_first(scaled: Tensor, kept: Tensor) -> Tensor:
    """Ids [batch, vocab] by falling logit, equal ones by rising id; those that are not kept come last."""
    return scaled.masked_fill(~kept, -torch.inf).argsort(dim=-1, descending=True, stable=True)
