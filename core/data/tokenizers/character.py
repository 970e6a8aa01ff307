"""Single characters as tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from core.data.tokenizers.tokenizer import Tokenizer, TokenizerKind
from core.errors import ConfigError
from core.notebook import Brief


@dataclass(frozen=True, repr=False)
class CharacterTokenizer(Brief, Tokenizer):
    """Single characters as they are typed, in the case in which they are typed.

    Where the vocabulary has a space, a space between words is a token like any other; otherwise white
    space is left out. With `exact_spaces` every blank is a token like any other.

    Raises:
        ConfigError: a word of the vocabulary is longer than one character.
    """

    kind: ClassVar[TokenizerKind] = "character"
    keeps_exact_spaces: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        long = next((word for word in self.vocabulary.words if len(word) != 1), None)
        if long is not None:
            raise ConfigError(f"use single characters in a character vocabulary, not {long!r}")

    @property
    def keeps_spaces(self) -> bool:
        """True if a space is a token: the vocabulary has one, or every blank is kept."""
        return self.exact_spaces or " " in self.vocabulary

    def normalize(self, text: str) -> str:
        """Return the composed characters with single inner spaces, or without any where none is a token.

        With `exact_spaces` all blanks stay as they are.
        """
        if self.exact_spaces:
            return unicodedata.normalize("NFC", text)
        separator = " " if self.keeps_spaces else ""
        # Composed last: a character may only meet its accent once the space between them is gone.
        return unicodedata.normalize("NFC", separator.join(text.split()))

    def tokenize(self, text: str) -> list[str]:
        """Return the characters of the normalised text."""
        return list(self.normalize(text))

    def join(self, tokens: Iterable[str]) -> str:
        """Return the characters, one after the other."""
        return "".join(tokens)
