"""What a model needs of a tokenizer: how a text becomes the ids of its tokens, and these a text again."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from core.data.vocabulary import Vocabulary
from core.errors import ConfigError

TokenizerKind = Literal["word", "cased_word", "character", "morpheme", "bpe"]


@dataclass(frozen=True)
class Tokenizer(ABC):
    """A fixed list of tokens, how a text is cut into them, and how they are joined again.

    The ids are without specials and unknown tokens become `unk_id`.

    Attributes:
        vocabulary: The tokens and their ids.
        exact_spaces: Whether every space of a text is kept, as code needs it, instead of single ones between words.
        kind: Its name in files and options.
        loss: What its tokens lose of every text, in words, such as case; empty for nothing.
        keeps_exact_spaces: Whether `exact_spaces` is possible.

    Raises:
        ConfigError: `exact_spaces` is not possible.
    """

    vocabulary: Vocabulary
    exact_spaces: bool = field(default=False, kw_only=True)
    kind: ClassVar[TokenizerKind]
    loss: ClassVar[str] = ""
    keeps_exact_spaces: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.exact_spaces and not self.keeps_exact_spaces:
            raise ConfigError(f"a tokenizer of the kind {self.kind} cannot keep every space; choose another")

    def round_trips(self, text: str) -> bool:
        """Return True if the tokens of this text join to exactly this text."""
        return self.join(self.tokenize(text)) == text

    @abstractmethod
    def normalize(self, text: str) -> str:
        """Return the text in the one spelling that is tokenized."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of the normalised text."""

    @abstractmethod
    def join(self, tokens: Iterable[str]) -> str:
        """Return the one text that tokens are written as."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of the tokens; unknown ones become `unk_id`, typed specials never their own id."""
        known = self.vocabulary
        return [known.id(token) if token in known else known.unk_id for token in self.tokenize(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids, without padding, begin and end.

        Raises:
            InputError: an id is not in the vocabulary.
        """
        hidden = {self.vocabulary.pad_id, self.vocabulary.bos_id, self.vocabulary.eos_id}
        return self.join(self.vocabulary.token(id) for id in ids if id not in hidden)

    def unknown(self, text: str) -> list[str]:
        """Return the tokens that the vocabulary lacks, each once, in the order of the text."""
        return [token for token in dict.fromkeys(self.tokenize(text)) if token not in self.vocabulary]

    def to_dict(self) -> dict[str, object]:
        """Return plain JSON values from which `tokenizer_from_dict` builds the tokenizer again."""
        spaces = {"exact_spaces": True} if self.exact_spaces else {}
        return {"kind": self.kind, "tokens": list(self.vocabulary.tokens), **spaces}


def lower_case(text: str) -> str:
    """Return composed characters in lower case, which change no more when they are lowered again."""
    # Lowered while decomposed, composed last; folding would also write ss for ß, and German does not.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).lower())
