"""The vocabulary: a fixed list of tokens, each known to the model by its position in the list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from core.errors import ConfigError, InputError
from core.notebook import Brief

PAD, BOS, EOS, UNK = "<pad>", "<s>", "</s>", "<unk>"
SPECIALS = (PAD, BOS, EOS, UNK)


@dataclass(frozen=True, repr=False)
class Vocabulary(Brief):
    """Tokens in the order of their ids; the four special tokens come first.

    `token in vocabulary` asks for a word: a special token that somebody typed is not one.

    Raises:
        ConfigError: the specials are not first, or a token is empty, no text or given twice.
    """

    tokens: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    pad_id: ClassVar[int] = 0
    bos_id: ClassVar[int] = 1
    eos_id: ClassVar[int] = 2
    unk_id: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if self.tokens[: len(SPECIALS)] != SPECIALS:
            raise ConfigError(f"begin the vocabulary with the special tokens {', '.join(SPECIALS)}")
        if not all(isinstance(token, str) and token for token in self.tokens):
            raise ConfigError("make every token of the vocabulary a text of at least one character")
        ids = {token: index for index, token in enumerate(self.tokens)}
        if len(ids) != len(self.tokens):
            twice = next(token for index, token in enumerate(self.tokens) if ids[token] != index)
            raise ConfigError(f"give every token once: the vocabulary repeats {twice!r}")
        object.__setattr__(self, "_ids", ids)

    @classmethod
    def build(cls, words: Iterable[str]) -> Vocabulary:
        """Return the specials followed by the words in the given order, each kept at its first place."""
        return cls(tuple(dict.fromkeys((*SPECIALS, *words))))

    def id(self, token: str) -> int:
        """Return the id of a token, or `unk_id` when it is not in the vocabulary."""
        return self._ids.get(token, self.unk_id)

    def token(self, id: int) -> str:
        """Return the token of an id.

        Raises:
            InputError: the id is negative or beyond the last token.
        """
        if not 0 <= id < len(self.tokens):
            raise InputError(f"use an id from 0 to {len(self.tokens) - 1}, not {id}")
        return self.tokens[id]

    def tokens_of(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Return the tokens of some ids.

        Raises:
            InputError: as `token`.
        """
        return tuple(map(self.token, ids))

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens without the specials."""
        return self.tokens[len(SPECIALS) :]

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and self._ids.get(token, 0) >= len(SPECIALS)

    def __len__(self) -> int:
        return len(self.tokens)
