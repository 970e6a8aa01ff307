"""What a model needs of a tokenizer: how a text becomes the ids of its tokens, and these a text again."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from core.data.vocabulary import Vocabulary

TokenizerKind = Literal["word", "character", "morpheme", "bpe"]


@dataclass(frozen=True)
class Tokenizer(ABC):
    """A fixed list of tokens, how a text is cut into them, and how they are joined again.

    The ids are without specials and unknown tokens become `unk_id`.

    Attributes:
        vocabulary: The tokens and their ids.
        exact_spaces: Whether every space of a text is kept, as code needs it, instead of single ones between words.
        kind: Its name in files and options.
    """

    vocabulary: Vocabulary
    exact_spaces: bool = field(default=False, kw_only=True)
    kind: ClassVar[TokenizerKind]

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
        return {"kind": self.kind, "tokens": list(self.vocabulary.tokens)}


def lower_case(text: str) -> str:
    """Return composed characters in lower case, which change no more when they are lowered again."""
    # Lowered while decomposed, composed last; folding would also write ss for ß, and German does not.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).lower())
