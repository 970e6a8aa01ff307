"""Tokenizers from plain JSON values, none of which is trusted."""

from __future__ import annotations

from collections.abc import Mapping

from core.data.tokenizers.bpe import BpeTokenizer, Merge
from core.data.tokenizers.cased_word import CasedWordTokenizer
from core.data.tokenizers.character import CharacterTokenizer
from core.data.tokenizers.morpheme import MorphemeTokenizer
from core.data.tokenizers.tokenizer import Tokenizer
from core.data.tokenizers.word import WordTokenizer
from core.data.vocabulary import Vocabulary
from core.errors import ConfigError

_BY_TOKENS: Mapping[str, type[Tokenizer]] = {
    tokenizer.kind: tokenizer
    for tokenizer in (WordTokenizer, CasedWordTokenizer, CharacterTokenizer, MorphemeTokenizer)
}
KINDS = (*_BY_TOKENS, BpeTokenizer.kind)
MAX_TOKENS = 100_000
MAX_TOKEN_LENGTH = 100


def tokenizer_from_dict(data: object) -> Tokenizer:
    """Return the tokenizer that `to_dict` described; nothing in the data is trusted.

    Raises:
        ConfigError: the kind is unknown, the tokens are not a list that makes a vocabulary, the merges of a
            byte-pair tokenizer are not pairs of its tokens, or the kind cannot keep every space as asked.
    """
    if not isinstance(data, Mapping):
        raise ConfigError("describe a tokenizer by a JSON object with the keys kind and tokens")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ConfigError(f"set the tokenizer's kind to one of {', '.join(KINDS)}")
    vocabulary = Vocabulary(_checked_tokens(data.get("tokens")))
    exact_spaces = data.get("exact_spaces", False)
    if not isinstance(exact_spaces, bool):
        raise ConfigError("set the tokenizer's exact_spaces to true or false")
    if kind == BpeTokenizer.kind:
        return BpeTokenizer(vocabulary, _checked_merges(data.get("merges")), exact_spaces=exact_spaces)
    return _BY_TOKENS[kind](vocabulary, exact_spaces=exact_spaces)


def _checked_tokens(tokens: object) -> tuple[str, ...]:
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise ConfigError("give the tokenizer's tokens as a list of texts")
    if len(tokens) > MAX_TOKENS:
        raise ConfigError(f"give a tokenizer at most {MAX_TOKENS} tokens, not {len(tokens)}")
    if any(len(token) > MAX_TOKEN_LENGTH for token in tokens):
        raise ConfigError(f"keep every token of a tokenizer within {MAX_TOKEN_LENGTH} characters")
    return tuple(tokens)


def _checked_merges(merges: object) -> tuple[Merge, ...]:
    if not isinstance(merges, list) or not all(_is_pair_of_texts(merge) for merge in merges):
        raise ConfigError("give the merges of a byte-pair tokenizer as a list of pairs of texts")
    if len(merges) > MAX_TOKENS:
        raise ConfigError(f"give a tokenizer at most {MAX_TOKENS} merges, not {len(merges)}")
    return tuple((left, right) for left, right in merges)


def _is_pair_of_texts(merge: object) -> bool:
    return isinstance(merge, list) and len(merge) == 2 and all(isinstance(part, str) for part in merge)
