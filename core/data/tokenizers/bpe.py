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
from core.notebook import Brief

if TYPE_CHECKING:
    from tokenizers import Tokenizer as LibraryTokenizer

Merge = tuple[str, str]

WORD_BEGIN = "▁"
"""Begins every word, as in SentencePiece: ▁the ▁cat s . is "the cats."."""
MIN_FREQUENCY = 2
LONGEST_LEARNED_TOKEN = 32
MAX_REPLAYED_CHARACTERS = 1_000

_SURROGATE = re.compile("[\ud800-\udfff]")
_EXCHANGED = str.maketrans({" ": WORD_BEGIN, WORD_BEGIN: " "})
# Marks in a row but for the last one, a word with its mark, or another blank.
_EXACT_PART = re.compile(rf"{WORD_BEGIN}+(?={WORD_BEGIN})|{WORD_BEGIN}?[^{WORD_BEGIN}\s]+|{WORD_BEGIN}|\s")


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


@dataclass(frozen=True, repr=False)
class BpeTokenizer(Brief, Tokenizer):
    """Parts of words; `merges` are the pairs of tokens that are joined, in the order of their learning.

    The mark stands at the beginning of a word, not at its end, because punctuation is then glued to a word
    by having none: "cats" and "cats." share their tokens, and joining all tokens gives the text exactly.
    Punctuation marks and symbols are never merged with letters or with each other. Case is kept.

    With `exact_spaces` the mark stands for every space of the text, so a first word has none and two spaces are two
    marks; a mark that the text itself has is a space in the tokens.

    Raises:
        ConfigError: the vocabulary lacks the mark, or a token of a merge; or a merge is given twice.
    """

    merges: tuple[Merge, ...]
    kind: ClassVar[TokenizerKind] = "bpe"
    keeps_exact_spaces: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
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
    def train(cls, texts: Iterable[str], vocab_size: int, *, exact_spaces: bool = False) -> BpeTokenizer:
        """Learn a vocabulary of at most `vocab_size` tokens: specials, the texts' characters, merged tokens.

        The same texts give the same tokenizer. Pairs seen once are not merged, so few texts give fewer
        tokens than asked for.

        Raises:
            ConfigError: `vocab_size` leaves no room for a merge, or the texts have nothing to merge.
        """
        words = [_words(_normalized(text, exact_spaces), exact_spaces) for text in texts]
        characters = {character for pieces in words for piece in pieces for character in piece}
        alphabet = sorted(characters | ({WORD_BEGIN} if characters else set()))
        _check_alphabet(alphabet, vocab_size)
        merges = _learned_merges(words, alphabet, vocab_size - len(SPECIALS))
        if not merges:
            raise ConfigError(
                "give more texts, or choose --tokenizer character: no two characters are neighbours "
                "twice, so none can be merged"
            )
        vocabulary = Vocabulary.build((*alphabet, *(left + right for left, right in merges)))
        return cls(vocabulary, merges, exact_spaces=exact_spaces)

    def normalize(self, text: str) -> str:
        """Return the composed characters with single spaces; a typed mark of a word's begin is a space too.

        With `exact_spaces` all blanks and such a mark stay as they are.
        """
        return _normalized(text, self.exact_spaces)

    def tokenize(self, text: str) -> list[str]:
        """Return the parts of the words of the normalised text; an unknown character is a part of its own."""
        words = self._words_of(text)
        encoding = self._library.encode(words, is_pretokenized=True, add_special_tokens=False)
        # Cut out of the text, because the library's own tokens no longer tell unknown characters apart.
        return [
            words[word][start:end]
            for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True)
            if word is not None
        ]

    def join(self, tokens: Iterable[str]) -> str:
        """Return the text of the tokens; without unknown ones it is the normalised text that was cut."""
        joined = "".join(tokens)
        if self.exact_spaces:
            return joined.translate(_EXCHANGED)
        return " ".join(joined.replace(WORD_BEGIN, " ").split())

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
        words = self._words_of(text)
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

    def _words_of(self, text: str) -> list[str]:
        return _words(_normalized(text, self.exact_spaces), self.exact_spaces)

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


def _normalized(text: str, exact_spaces: bool) -> str:
    text = _SURROGATE.sub("\ufffd", text)
    if exact_spaces:
        return unicodedata.normalize("NFC", text)
    return " ".join(unicodedata.normalize("NFC", text.replace(WORD_BEGIN, " ")).split())


def _words(text: str, exact_spaces: bool) -> list[str]:
    """Return the words of a normalised text with their marks; punctuation marks and symbols stand alone.

    Merges never cross from one of them to the next.
    """
    if exact_spaces:
        parts = _EXACT_PART.findall(text.translate(_EXCHANGED))
        return [piece for part in parts for piece in _cut_at_marks(part)]
    return [piece for word in text.split() for piece in _cut_at_marks(WORD_BEGIN + word)]


def _cut_at_marks(word: str) -> list[str]:
    n_begins = len(word) - len(word.lstrip(WORD_BEGIN))
    if word[n_begins:].isalnum():
        return [word]
    # Categories, not a regular expression: \w would tear the vowel signs of Hindi off their letters.
    alone = [unicodedata.category(character)[0] in "PS" for character in word]
    # The marks of a word's begin are joined to what follows them.
    first = max(1, n_begins + 1)
    cuts = [place for place in range(first, len(word)) if alone[place - 1] or alone[place]]
    return [word[start:end] for start, end in pairwise([0, *cuts, len(word)])]


def _check_alphabet(alphabet: Sequence[str], vocab_size: int) -> None:
    if not alphabet:
        raise ConfigError("give at least one text with a visible character to learn merges from")
    smallest = len(SPECIALS) + len(alphabet) + 1
    if vocab_size < smallest:
        raise ConfigError(
            f"ask for a vocabulary of at least {smallest:,} tokens, not {vocab_size:,}: the texts have "
            f"{len(alphabet):,} different characters; choose --bpe-size {smallest}, or --tokenizer character"
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
