"""Morphemes as tokens: words where they are known, and the known pieces of longer words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from core.data.tokenizers.tokenizer import Tokenizer, TokenizerKind, lower_case
from core.errors import ConfigError
from core.notebook import Brief

GLUE = "·"
"""Begins a piece that is written right after the one before: vier ·und ·zwanzig is vierundzwanzig."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SPACED_HYPHEN = re.compile(r"\s*-\s*")


@dataclass(frozen=True, repr=False)
class MorphemeTokenizer(Brief, Tokenizer):
    """Lower-case words; a word that the vocabulary lacks is cut into pieces, each the longest that fits.

    The first piece of a word stands in the vocabulary as it is, the others with a dot before them. A word
    that cannot be cut is one unknown token. A hyphen is a token of its own, written without spaces.

    Raises:
        ConfigError: a token of the vocabulary is a dot with nothing behind it.
    """

    kind: ClassVar[TokenizerKind] = "morpheme"
    loss: ClassVar[str] = "capital letters"

    def __post_init__(self) -> None:
        super().__post_init__()
        if GLUE in self.vocabulary:
            raise ConfigError(f"write a piece of a word behind every {GLUE} of a morpheme vocabulary")

    def normalize(self, text: str) -> str:
        """Return lower case with single spaces, and none around a hyphen."""
        return _SPACED_HYPHEN.sub("-", " ".join(lower_case(text).split()))

    def tokenize(self, text: str) -> list[str]:
        """Return the words, marks and pieces of words of the normalised text."""
        return [piece for word in _TOKEN.findall(self.normalize(text)) for piece in self._pieces(word)]

    def join(self, tokens: Iterable[str]) -> str:
        """Return the words with spaces between them; glued pieces and hyphens touch what stands beside them."""
        spaced = " ".join(tokens)
        return _SPACED_HYPHEN.sub("-", spaced.replace(f" {GLUE}", "").removeprefix(GLUE))

    def _pieces(self, word: str) -> list[str]:
        """Return the known pieces of a word, or the word itself where it cannot be cut into them."""
        pieces: list[str] = []
        start = 0
        while start < len(word):
            piece = self._longest_piece(word, start)
            if piece is None:
                return [word]
            pieces.append(piece)
            start += len(piece.removeprefix(GLUE))
        return pieces

    def _longest_piece(self, word: str, start: int) -> str | None:
        glue = GLUE if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            if (piece := glue + word[start:end]) in self.vocabulary:
                return piece
        return None

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.vocabulary.words), default=0)
