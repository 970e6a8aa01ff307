"""What a model needs of a tokenizer, and what tokenizers with a fixed list of tokens do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Literal, Protocol

from core.data.vocabulary import Vocabulary

TokenizerKind = Literal["word", "character", "morpheme", "bpe"]


class Tokenizer(Protocol):
    """What a model needs of a tokenizer; the ids are without specials and unknown tokens become `unk_id`."""

    kind: ClassVar[TokenizerKind]

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens and their ids."""

    def normalize(self, text: str) -> str:
        """Return the text in the one spelling that is tokenized."""

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of the normalised text."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of the tokens."""

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids, without padding, begin and end."""

    def unknown(self, text: str) -> list[str]:
        """Return the tokens that the vocabulary lacks, each once, in the order of the text."""

    def to_dict(self) -> dict[str, object]:
        """Return plain JSON values from which `tokenizer_from_dict` builds the tokenizer again."""


class VocabularyTokenizer(ABC):
    """What tokenizers with a fixed list of tokens do alike, given `tokenize`."""

    kind: ClassVar[TokenizerKind]
    vocabulary: Vocabulary

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of the normalised text."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of the tokens; unknown ones become `unk_id`, typed specials never their own id."""
        known = self.vocabulary
        return [known.id(token) if token in known else known.unk_id for token in self.tokenize(text)]

    def unknown(self, text: str) -> list[str]:
        """Return the tokens that the vocabulary lacks, each once, in the order of the text."""
        return [token for token in dict.fromkeys(self.tokenize(text)) if token not in self.vocabulary]

    def to_dict(self) -> dict[str, object]:
        """Return the kind and the tokens as plain JSON values."""
        return {"kind": self.kind, "tokens": list(self.vocabulary.tokens)}

    def visible_tokens(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of the ids, without padding, begin and end.

        Raises:
            InputError: an id is not in the vocabulary.
        """
        hidden = {self.vocabulary.pad_id, self.vocabulary.bos_id, self.vocabulary.eos_id}
        return [self.vocabulary.token(id) for id in ids if id not in hidden]
