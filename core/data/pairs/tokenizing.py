"""Tokenizers for a user's own pairs, and the pairs that they leave fit to be learned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

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


def choose_tokenizer(
    pairs: Sequence[Pair], kind: str = "auto", bpe_size: int = BPE_SIZE
) -> tuple[Tokenizer, Tokenizer]:
    """Return one tokenizer for both sides, twice; its vocabulary is what these training pairs have.

    Left to choose, it takes characters where hardly any text has a space (letters to reverse, single words),
    whole words where there are few of them, and byte-pair encoding otherwise.

    Raises:
        ConfigError: the kind is unknown, or the pairs do not have two different tokens or too many.
    """
    if kind not in TOKENIZER_CHOICES:
        raise ConfigError(f"choose one of the tokenizers {', '.join(TOKENIZER_CHOICES)}, not {kind!r}")
    texts = [text for pair in pairs for text in (pair.source, pair.target)]
    words = _words(texts)
    if kind == "auto":
        kind = _suited(texts, words)
    tokenizer: Tokenizer
    if kind == "bpe":
        tokenizer = BpeTokenizer.train(texts, bpe_size)
    elif kind == "word":
        tokenizer = WordTokenizer(_checked_vocabulary(words, "word"))
    else:
        tokenizer = CharacterTokenizer(_checked_vocabulary(_characters(texts), "character"))
    return tokenizer, tokenizer


def learnable_pairs(
    pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer, max_tokens: int = MAX_TOKENS_PER_SIDE
) -> tuple[tuple[Pair, ...], tuple[Drop, ...]]:
    """Return the pairs of which both sides have some tokens but not too many, and what was dropped.

    Of sources with the same tokens, such as "Stop!" and "stop" by words, the first is kept: else the answer
    to a test pair could stand in the training pairs.
    """
    kept: dict[tuple[str, ...], Pair] = {}
    dropped = DropCounter()
    for pair in pairs:
        source_tokens, target_tokens = tuple(source.tokenize(pair.source)), target.tokenize(pair.target)
        if not source_tokens or not target_tokens:
            dropped.add(DropReason.NO_TOKENS)
        elif max(len(source_tokens), len(target_tokens)) > max_tokens:
            dropped.add(DropReason.TOO_LONG)
        elif source_tokens in kept:
            dropped.add(DropReason.SAME_TOKENS)
        else:
            kept[source_tokens] = pair
    return tuple(kept.values()), dropped.drops()


def _suited(texts: Sequence[str], words: Sequence[str]) -> str:
    if sum(len(text.split()) > 1 for text in texts) * 10 < len(texts):
        return "character"
    return "word" if len(words) <= MAX_WORD_TYPES else "bpe"


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
