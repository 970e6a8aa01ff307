"""Byte-pair encoding: parts of words as tokens, learned by merging neighbours (Sennrich et al., 2016)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from core.data.tokenizers.tokenizer import Tokenizer, TokenizerKind
from core.data.vocabulary import SPECIALS, UNK, Vocabulary
from core.errors import ConfigError, InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer as LibraryTokenizer

Merge = tuple[str, str]

WORD_BEGIN = "▁"
"""Begins every word, as in SentencePiece: ▁the ▁cat s . is "the cats."."""
MIN_FREQUENCY = 2
LONGEST_LEARNED_TOKEN = 32
MAX_REPLAYED_CHARACTERS = 1_000

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class MergeStep:
    """One moment of the merging of a text.

    Attributes:
        tokens: The whole text so far.
        merge: The two neighbours that this step joined; None in the first step, which has single characters.
        rank: Place of the merge in the list of merges: the lowest rank that fits goes first.
        positions: Where in `tokens` the joined ones stand.
    """

    tokens: tuple[str, ...]
    merge: Merge | None = None
    rank: int | None = None
    positions: tuple[int, ...] = ()


@dataclass(frozen=True)
class BpeTokenizer(Tokenizer):
    """Parts of words; `merges` are the pairs of tokens that are joined, in the order of their learning.

    The mark stands at the beginning of a word, not at its end, because punctuation is then glued to a word
    by having none: "cats" and "cats." share their tokens, and joining all tokens gives the text exactly.
    Punctuation marks and symbols are never merged with letters or with each other. Case is kept.

    Raises:
        ConfigError: the vocabulary lacks the mark, or a token of a merge; or a merge is given twice.
    """

    merges: tuple[Merge, ...]
    kind: ClassVar[TokenizerKind] = "bpe"

    def __post_init__(self) -> None:
        if WORD_BEGIN not in self.vocabulary:
            raise ConfigError(f"give a byte-pair vocabulary the token {WORD_BEGIN}, which begins every word")
        if _SURROGATE.search("".join(self.vocabulary.tokens)):
            raise ConfigError(
                "make the tokens of a byte-pair vocabulary of whole characters, without surrogates"
            )
        for rank, (left, right) in enumerate(self.merges):
            if not all(token in self.vocabulary for token in (left, right, left + right)):
                raise ConfigError(
                    f"merge {rank} has a token that the vocabulary lacks; learn the merges again"
                )
        if len(self._ranks) != len(self.merges):
            raise ConfigError("give every merge of a byte-pair tokenizer once")

    @classmethod
    def train(cls, texts: Iterable[str], vocab_size: int) -> BpeTokenizer:
        """Learn a vocabulary of at most `vocab_size` tokens: specials, the texts' characters, merged tokens.

        The same texts give the same tokenizer. Pairs seen once are not merged, so few texts give fewer
        tokens than asked for.

        Raises:
            ConfigError: `vocab_size` leaves no room for a merge, or the texts have nothing to merge.
        """
        words = [_words(_normalized(text)) for text in texts]
        alphabet = sorted({character for pieces in words for piece in pieces for character in piece})
        _check_alphabet(alphabet, vocab_size)
        merges = _learned_merges(words, alphabet, vocab_size - len(SPECIALS))
        if not merges:
            raise ConfigError(
                "give more texts: no two characters are neighbours twice, so none can be merged"
            )
        return cls(Vocabulary.build((*alphabet, *(left + right for left, right in merges))), merges)

    def normalize(self, text: str) -> str:
        """Return the composed characters with single spaces; a typed mark of a word's begin is a space too."""
        return _normalized(text)

    def tokenize(self, text: str) -> list[str]:
        """Return the parts of the words of the normalised text; an unknown character is a part of its own."""
        words = _words(_normalized(text))
        encoding = self._library.encode(words, is_pretokenized=True, add_special_tokens=False)
        # Cut out of the text, because the library's own tokens no longer tell unknown characters apart.
        return [
            words[word][start:end]
            for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True)
            if word is not None
        ]

    def join(self, tokens: Iterable[str]) -> str:
        """Return the text of the tokens; without unknown ones it is the normalised text that was cut."""
        return " ".join("".join(tokens).replace(WORD_BEGIN, " ").split())

    def to_dict(self) -> dict[str, object]:
        """Return the kind, the tokens and the merges as plain JSON values."""
        return {**super().to_dict(), "merges": [list(merge) for merge in self.merges]}

    def merge_steps(self, text: str) -> tuple[MergeStep, ...]:
        """Return how the characters of a text become its tokens, one merge after the other.

        The last step has the tokens that `tokenize` returns. Equal pairs that are merged in a row are one
        step.

        Raises:
            InputError: the text is too long to be looked at step by step.
        """
        words = _words(_normalized(text))
        tokens = [character for word in words for character in word]
        if len(tokens) > MAX_REPLAYED_CHARACTERS:
            raise InputError(f"give at most {MAX_REPLAYED_CHARACTERS:,} characters to watch their merges")
        # Whether each token may be joined to the next one: never over the end of a word.
        joinable = [place < len(word) for word in words for place in range(1, len(word) + 1)]
        steps = [MergeStep(tuple(tokens))]
        while (rank := min(self._fitting(tokens, joinable), default=None)) is not None:
            positions = self._merge_in_a_row(rank, tokens, joinable)
            steps.append(MergeStep(tuple(tokens), self.merges[rank], rank, positions))
        return tuple(steps)

    def _fitting(self, tokens: Sequence[str], joinable: Sequence[bool]) -> list[int]:
        """Return the ranks of the merges that can be made now."""
        ranks = (self._ranks.get(pair) for pair, may in zip(pairwise(tokens), joinable, strict=False) if may)
        return [rank for rank in ranks if rank is not None]

    def _merge_in_a_row(self, rank: int, tokens: list[str], joinable: list[bool]) -> tuple[int, ...]:
        """Merge the leftmost pair of that rank, and again until another pair is due; return the places."""
        left, right = self.merges[rank]
        positions: list[int] = []
        while min(self._fitting(tokens, joinable), default=None) == rank:
            place = next(
                place
                for place, pair in enumerate(pairwise(tokens))
                if joinable[place] and pair == (left, right)
            )
            tokens[place : place + 2] = [left + right]
            del joinable[place]
            positions.append(place)
        return tuple(positions)

    @cached_property
    def _ranks(self) -> dict[Merge, int]:
        return {merge: rank for rank, merge in enumerate(self.merges)}

    @cached_property
    def _library(self) -> LibraryTokenizer:
        """The fast tokenizer, built from nothing but our tokens and merges."""
        from tokenizers import Tokenizer as LibraryTokenizer
        from tokenizers.models import BPE

        ids = {token: id for id, token in enumerate(self.vocabulary.tokens)}
        return LibraryTokenizer(BPE(vocab=ids, merges=list(self.merges), unk_token=UNK, fuse_unk=False))


def _normalized(text: str) -> str:
    text = _SURROGATE.sub("\ufffd", text).replace(WORD_BEGIN, " ")
    return " ".join(unicodedata.normalize("NFC", text).split())


def _words(text: str) -> list[str]:
    """Return the words of a normalised text with their marks; punctuation marks and symbols stand alone.

    Merges never cross from one of them to the next.
    """
    return [piece for word in text.split() for piece in _cut_at_marks(word)]


def _cut_at_marks(word: str) -> list[str]:
    if word.isalnum():
        return [WORD_BEGIN + word]
    # Categories, not a regular expression: \w would tear the vowel signs of Hindi off their letters.
    alone = [unicodedata.category(character)[0] in "PS" for character in word]
    cuts = [place for place in range(1, len(word)) if alone[place - 1] or alone[place]]
    first, *others = (word[start:end] for start, end in pairwise([0, *cuts, len(word)]))
    return [WORD_BEGIN + first, *others]


def _check_alphabet(alphabet: Sequence[str], vocab_size: int) -> None:
    if not alphabet:
        raise ConfigError("give at least one text with a visible character to learn merges from")
    smallest = len(SPECIALS) + len(alphabet) + 1
    if vocab_size < smallest:
        raise ConfigError(
            f"ask for a vocabulary of at least {smallest:,} tokens, not {vocab_size:,}: "
            f"the texts have {len(alphabet):,} different characters"
        )


def _learned_merges(words: Iterable[Sequence[str]], alphabet: list[str], n_tokens: int) -> tuple[Merge, ...]:
    """Return the merges in the order of their learning, until there are so many tokens with the alphabet."""
    from tokenizers import Tokenizer as LibraryTokenizer
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.trainers import BpeTrainer

    learner = LibraryTokenizer(BPE())
    learner.pre_tokenizer = WhitespaceSplit()
    trainer = BpeTrainer(
        vocab_size=n_tokens,
        min_frequency=MIN_FREQUENCY,
        initial_alphabet=alphabet,
        max_token_length=LONGEST_LEARNED_TOKEN,
        show_progress=False,
    )
    learner.train_from_iterator((" ".join(pieces) for pieces in words), trainer)
    return tuple((left, right) for left, right in json.loads(learner.to_str())["model"]["merges"])
