"""Outputs beside one another, token by token: as trained, changed, and of the second sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from core.activations.trace import trace
from core.run import Run
from explorer.models.recorded import Recorded
from explorer.models.translation import Translation

MOVED = 0.05
"""A probability that differs by more is pointed out."""
MOST_CANDIDATES = 6


@dataclass(frozen=True)
class Token:
    """One token of an output: how probable it was, and how it compares with the model as it was trained.

    Attributes:
        text: The token.
        prob: Its probability.
        differs: Whether another one stands there as trained.
        moved: Whether it is the same there, and another probability by more than `MOVED`.
    """

    text: str
    prob: float
    differs: bool = False
    moved: bool = False


@dataclass(frozen=True)
class Candidate:
    """A next token: its probability as trained and with the changes."""

    text: str
    before: float
    after: float


def tokens_of(shown: Translation, trained: Translation | None = None) -> tuple[Token, ...]:
    """An output's tokens.

    Args:
        shown: The output.
        trained: What it is compared with; None for nothing.
    """
    probs = np.exp(shown.log_probs).tolist()
    if trained is None:
        return tuple(map(Token, shown.output_tokens, probs))
    before = dict(enumerate(zip(trained.output_tokens, np.exp(trained.log_probs).tolist(), strict=True)))
    found = []
    for place, (text, prob) in enumerate(zip(shown.output_tokens, probs, strict=True)):
        own, own_prob = before.get(place, ("", 0.0))
        found.append(Token(text, prob, text != own, text == own and abs(prob - own_prob) > MOVED))
    return tuple(found)


def led_probabilities(run: Run, trained: Recorded) -> torch.Tensor:
    """P of every token at each step of the trained model's output [step, vocab], the decoder reading that output.

    Raises:
        CaptureError: when the changes do not fit the sentence.
    """
    src, written = trained.trace.src, trained.trace.tgt_out
    device = next(run.model.parameters()).device
    with run.changing(len(src)):
        seen = trace(run.model, src.to(device), written.to(device), "generator.logits")
    return seen.logits.double().softmax(dim=-1)


def candidates(
    run: Run, before: torch.Tensor, after: torch.Tensor, first: Sequence[int]
) -> tuple[Candidate, ...]:
    """The most probable next tokens of one step, before and after a change.

    Args:
        run: Whose tokens they are.
        before: Probabilities as trained [vocab].
        after: The same with the changes.
        first: Ids of tokens that come first.
    """
    best = after.topk(min(MOST_CANDIDATES, len(after))).indices.tolist()
    ids = tuple(dict.fromkeys((*first, *best)))[: max(MOST_CANDIDATES, len(first))]
    token = run.tgt_tokenizer.vocabulary.token
    return tuple(Candidate(token(each), float(before[each]), float(after[each])) for each in ids)
