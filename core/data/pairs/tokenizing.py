"""Tokenizers for a user's own pairs, and the pairs that they leave fit to be learned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.data.pairs.report import Drop, DropCounter, DropReason
from core.data.tasks.task import Pair
from core.data.tokenizers import BpeTokenizer, CharacterTokenizer, Tokenizer, WordTokenizer
from core.data.tokenizers.files import MAX_TOKEN_LENGTH, MAX_TOKENS
from core.data.vocabulary import SPECIALS, Vocabulary
from core.errors import ConfigError

TOKENIZER_CHOICES = ("auto", "word", "character", "bpe")
MAX_WORD_TYPES = 2_000
"""Up to so many different words each is a token of its own; above, words are cut into parts."""
BPE_SIZE = 2_000
MAX_TOKENS_PER_SIDE = 40


@dataclass(frozen=True)
class Cutting:
    """How somebody's pairs are cut into tokens.

    Attributes:
        tokenizer: One of `TOKENIZER_CHOICES`. Left to choose, it takes characters where hardly any text has a space
            (letters to reverse, single words), whole words where there are few of them, and byte pairs otherwise.
        max_words: Different words up to which "auto" gives each a token of its own.
        bpe_size: Tokens of a byte-pair vocabulary.
        separate: Whether sources and targets have a vocabulary each.
        max_tokens: Of either side; a pair with more is left out.
    """

    tokenizer: str = "auto"
    max_words: int = MAX_WORD_TYPES
    bpe_size: int = BPE_SIZE
    separate: bool = False
    max_tokens: int = MAX_TOKENS_PER_SIDE


AS_SUITS = Cutting()
"""How pairs are cut where nobody says otherwise."""


def choose_tokenizer(pairs: Sequence[Pair], cutting: Cutting = AS_SUITS) -> tuple[Tokenizer, Tokenizer]:
    """Return the tokenizers of sources and targets, the same one twice unless they are to be separate.

    Their vocabularies are what these training pairs have.

    Raises:
        ConfigError: the kind is unknown, or the pairs do not have two different tokens or too many.
    """
    if cutting.tokenizer not in TOKENIZER_CHOICES:
        known = ", ".join(TOKENIZER_CHOICES)
        raise ConfigError(f"choose one of the tokenizers {known}, not {cutting.tokenizer!r}")
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    if cutting.separate:
        return _tokenizer_of(sources, cutting), _tokenizer_of(targets, cutting)
    # Ties in how often words occur are broken by the order of the texts.
    tokenizer = _tokenizer_of([text for both in zip(sources, targets, strict=True) for text in both], cutting)
    return tokenizer, tokenizer


def _tokenizer_of(texts: Sequence[str], cutting: Cutting) -> Tokenizer:
    words, kind = _words(texts), cutting.tokenizer
    if kind == "auto":
        kind = _suited(texts, words, cutting.max_words)
    if kind == "bpe":
        return BpeTokenizer.train(texts, cutting.bpe_size)
    if kind == "word":
        return WordTokenizer(_checked_vocabulary(words, "word"))
    return CharacterTokenizer(_checked_vocabulary(_characters(texts), "character"))


def learnable_pairs(
    pairs: Sequence[Pair],
    source: Tokenizer,
    target: Tokenizer,
    max_tokens: int = MAX_TOKENS_PER_SIDE,
    *,
    known_only: bool = False,
) -> tuple[tuple[Pair, ...], tuple[Drop, ...]]:
    """Return the pairs of which both sides have some tokens but not too many, and what was dropped.

    Of sources with the same tokens, such as "Stop!" and "stop" by lower-case words, the first is kept with all its
    targets: else the answer to a test pair could stand in the training pairs. With `known_only` every token must be
    in the vocabularies.
    """
    kept: list[Pair] = []
    sources: dict[tuple[str, ...], str] = {}
    dropped = DropCounter()
    for pair in pairs:
        source_tokens, target_tokens = tuple(source.tokenize(pair.source)), target.tokenize(pair.target)
        if not source_tokens or not target_tokens:
            dropped.add(DropReason.NO_TOKENS)
        elif max(len(source_tokens), len(target_tokens)) > max_tokens:
            dropped.add(DropReason.TOO_LONG)
        elif known_only and (source.unknown(pair.source) or target.unknown(pair.target)):
            dropped.add(DropReason.UNKNOWN)
        elif sources.setdefault(source_tokens, pair.source) != pair.source:
            dropped.add(DropReason.SAME_TOKENS)
        else:
            kept.append(pair)
    return tuple(kept), dropped.drops()


def _suited(texts: Sequence[str], words: Sequence[str], max_words: int) -> str:
    if sum(len(text.split()) > 1 for text in texts) * 10 < len(texts):
        return "character"
    return "word" if len(words) <= max_words else "bpe"


def _words(texts: Sequence[str]) -> list[str]:
    """Return the different words, the most frequent ones first."""
    tokenizer = WordTokenizer(Vocabulary.build(()))
    return _by_frequency(Counter(word for text in texts for word in tokenizer.tokenize(text)))


def _characters(texts: Sequence[str]) -> list[str]:
    """Return the different characters in their order; a space is one of them where a text has one."""
    with_spaces = CharacterTokenizer(Vocabulary.build(" "))
    return sorted({character for text in texts for character in with_spaces.normalize(text)})


def _by_frequency(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda token: (-counts[token], token))


def _checked_vocabulary(tokens: Sequence[str], name: str) -> Vocabulary:
    # A word too long to be read again from a file stays unknown.
    tokens = [token for token in tokens if len(token) <= MAX_TOKEN_LENGTH]
    if len(tokens) < 2:
        raise ConfigError(
            f"bring pairs with at least two different {name}s: with {len(tokens)} there is nothing to learn"
        )
    if len(tokens) > MAX_TOKENS - len(SPECIALS):
        raise ConfigError(f"choose bpe: the pairs have {len(tokens):,} different {name}s, too many to learn")
    return Vocabulary.build(tokens)
