"""Tokenizers: from a typed text to ids and back, by words or by single characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from core.data.vocabulary import Vocabulary
from core.errors import ConfigError

MAX_TOKENS = 100_000
MAX_TOKEN_LENGTH = 100

# French words that lose their vowel before another one (l', n', qu', jusqu') are tokens of their own.
# Any other inner apostrophe belongs to its word, as in aujourd'hui.
_WORD_TOKEN = re.compile(r"(?:[cdjlmnst]|\w*qu)'(?=\w)|\w+(?:'\w+)*|[^\w\s]")
_SENTENCE_END = " .!?…"
_NEGATED = ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "should", "would")
CONTRACTIONS = {f"{verb}n't": f"{verb} not" for verb in _NEGATED}
"""Short forms that are read as their long ones; can't and won't are irregular and stay as they are."""
_CONTRACTION = re.compile(rf"\b(?:{'|'.join(CONTRACTIONS)})(?!\w)")


class Tokenizer(Protocol):
    """What a model needs of a tokenizer; the ids are without specials and unknown tokens become `unk_id`."""

    kind: ClassVar[Literal["word", "character"]]

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens and their ids."""

    def normalize(self, text: str) -> str:
        """Return the text in the one spelling that is tokenized."""

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of the normalized text."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of the tokens."""

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids, without padding, begin and end."""

    def unknown(self, text: str) -> list[str]:
        """Return the tokens that the vocabulary lacks, each once, in the order of the text."""

    def to_dict(self) -> dict[str, object]:
        """Return plain JSON values from which `tokenizer_from_dict` builds the tokenizer again."""


class _VocabularyTokenizer:
    """What word and character tokenizers do alike, given `tokenize`."""

    kind: ClassVar[Literal["word", "character"]]
    vocabulary: Vocabulary

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of the normalized text."""
        raise NotImplementedError

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

    def _visible_tokens(self, ids: Iterable[int]) -> list[str]:
        hidden = {self.vocabulary.pad_id, self.vocabulary.bos_id, self.vocabulary.eos_id}
        return [self.vocabulary.token(id) for id in ids if id not in hidden]


@dataclass(frozen=True)
class WordTokenizer(_VocabularyTokenizer):
    """Lower-case words; punctuation marks and elided French words (l', n') are tokens of their own."""

    vocabulary: Vocabulary
    kind: ClassVar[Literal["word", "character"]] = "word"

    def normalize(self, text: str) -> str:
        """Return lower case with straight apostrophes, "not" for n't and no full stop at the end."""
        # Folding the decomposed form and composing last makes a second normalization change nothing.
        folded = unicodedata.normalize("NFD", text.replace("’", "'")).casefold()
        composed = unicodedata.normalize("NFC", folded)
        collapsed = " ".join(composed.split()).rstrip(_SENTENCE_END)
        return _CONTRACTION.sub(lambda match: CONTRACTIONS[match.group()], collapsed)

    def tokenize(self, text: str) -> list[str]:
        """Return the words, marks and elided words of the normalized text."""
        return _WORD_TOKEN.findall(self.normalize(text))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the words of the ids with spaces between them, but none after an elision.

        Raises:
            InputError: an id is not in the vocabulary.
        """
        return join_words(self._visible_tokens(ids))


@dataclass(frozen=True)
class CharacterTokenizer(_VocabularyTokenizer):
    """Single characters as they are typed; white space is left out.

    Raises:
        ConfigError: a word of the vocabulary is longer than one character.
    """

    vocabulary: Vocabulary
    kind: ClassVar[Literal["word", "character"]] = "character"

    def __post_init__(self) -> None:
        long = next((word for word in self.vocabulary.words if len(word) != 1), None)
        if long is not None:
            raise ConfigError(f"use single characters in a character vocabulary, not {long!r}")

    def normalize(self, text: str) -> str:
        """Return the composed characters without white space."""
        return "".join(unicodedata.normalize("NFC", text).split())

    def tokenize(self, text: str) -> list[str]:
        """Return the characters of the normalized text."""
        return list(self.normalize(text))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the characters of the ids, one after the other.

        Raises:
            InputError: an id is not in the vocabulary.
        """
        return "".join(self._visible_tokens(ids))


def join_words(words: Iterable[str]) -> str:
    """Return one text; a word that ends in an apostrophe (l') is joined to the next one."""
    spaced = (word if len(word) > 1 and word.endswith("'") else word + " " for word in words)
    return "".join(spaced).rstrip()


def tokenizer_from_dict(data: object) -> Tokenizer:
    """Return the tokenizer that `to_dict` described; nothing in the data is trusted.

    Raises:
        ConfigError: the kind is unknown, or the tokens are not a list that makes a vocabulary.
    """
    if not isinstance(data, Mapping):
        raise ConfigError("describe a tokenizer by a JSON object with the keys kind and tokens")
    kind = data.get("kind")
    if kind not in ("word", "character"):
        raise ConfigError("set the tokenizer's kind to word or character")
    vocabulary = Vocabulary(_checked_tokens(data.get("tokens")))
    return WordTokenizer(vocabulary) if kind == "word" else CharacterTokenizer(vocabulary)


def _checked_tokens(tokens: object) -> tuple[str, ...]:
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise ConfigError("give the tokenizer's tokens as a list of texts")
    if len(tokens) > MAX_TOKENS:
        raise ConfigError(f"give a tokenizer at most {MAX_TOKENS} tokens, not {len(tokens)}")
    if any(len(token) > MAX_TOKEN_LENGTH for token in tokens):
        raise ConfigError(f"keep every token of a tokenizer within {MAX_TOKEN_LENGTH} characters")
    return tuple(tokens)
