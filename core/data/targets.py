"""The targets of pairs as they are written, beside the ids that are learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from core.data.tasks.task import Pair
from core.data.tokenizers import Tokenizer


@dataclass(frozen=True)
class TargetTexts:
    """The accepted targets of some pairs as texts, and the tokenizer that writes outputs.

    Attributes:
        tokenizer: Tokenizer of the targets.
        accepted: The right targets of each pair as its file has them, the one that is learned first.
        is_text: Whether chrF and BLEU of the targets mean something.
    """

    tokenizer: Tokenizer
    accepted: tuple[tuple[str, ...], ...]
    is_text: bool

    @classmethod
    def of(cls, pairs: Sequence[Pair], tokenizer: Tokenizer, *, is_text: bool) -> Self:
        """Collect the targets of some pairs."""
        return cls(tokenizer, tuple(pair.accepted for pair in pairs), is_text)
