"""The same text cut in several ways: by the model's own tokenizer, and by characters, words and byte-pair encoding.

The other tokenizers are learned, within a second, from sources of the model's own task.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.data.tokenizers import (
    WORD_BEGIN,
    BpeTokenizer,
    CasedWordTokenizer,
    CharacterTokenizer,
    MergeStep,
    Tokenizer,
)
from core.data.vocabulary import EOS, SPECIALS, Vocabulary
from core.errors import ConfigError, InputError
from core.run_description import RunDescription
from explorer.models.sources import task_sources

N_SOURCES = 2_000
"""Sources that the other tokenizers are learned from."""
N_MERGED = 150
"""Merges that a byte-pair encoding learns from them, at most."""

TITLES = {
    "character": "Characters",
    "word": "Words",
    "cased_word": "Words",
    "bpe": "Byte-pair encoding",
    "morpheme": "Morphemes",
}


@dataclass(frozen=True)
class LearnedTokenizers:
    """Tokenizers of a task beside the model's own.

    Attributes:
        others: By characters, words and byte pairs, in this order, without what the model's own cuts into.
        n_sources: From how many sources of the task they were learned.
    """

    others: tuple[Tokenizer, ...]
    n_sources: int


@dataclass(frozen=True)
class Cut:
    """One text as the tokens of one tokenizer, with EOS.

    Attributes:
        kind: Of the tokenizer.
        own: Whether this is what the model reads.
        tokens: The pieces of the text.
        ids: What each becomes; the id of ``<unk>`` where the vocabulary lacks it.
        vocabulary_size: Special tokens included.
    """

    kind: str
    own: bool
    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    vocabulary_size: int

    @property
    def n_unknown(self) -> int:
        """How many of the tokens the vocabulary lacks."""
        return self.ids.count(Vocabulary.unk_id)


@dataclass(frozen=True)
class Merging:
    """How a text's characters become the tokens of a byte-pair encoding.

    Attributes:
        start: The single characters.
        steps: The merges in the order in which they are made, without that start.
        n_merges: How many the tokenizer has learned.
        own: Whether it is the model's own tokenizer.
    """

    start: tuple[str, ...]
    steps: tuple[MergeStep, ...]
    n_merges: int
    own: bool


def learn_tokenizers(run: RunDescription) -> LearnedTokenizers:
    """Learn the tokenizers that the model does not have from sources of its task, the same ones each time."""
    sources = _sources(run)
    characters = _characters(sources)
    learned: list[Tokenizer] = [CharacterTokenizer(characters), CasedWordTokenizer(_words(sources))]
    letters = {character for character in characters.words if not character.isspace()}
    # A corpus in which nothing occurs twice has nothing to merge.
    with suppress(ConfigError):
        learned.append(BpeTokenizer.train(sources, len(SPECIALS) + len(letters | {WORD_BEGIN}) + N_MERGED))
    own = "cased_word" if run.src_tokenizer.kind == "word" else run.src_tokenizer.kind
    return LearnedTokenizers(tuple(tokenizer for tokenizer in learned if tokenizer.kind != own), len(sources))


def cuts(run: RunDescription, learned: LearnedTokenizers, text: str) -> tuple[Cut, ...]:
    """The text as each tokenizer cuts it, the model's own first."""
    tokenizers = (run.src_tokenizer, *learned.others)
    return tuple(_cut(tokenizer, text, own=tokenizer is run.src_tokenizer) for tokenizer in tokenizers)


def merging(run: RunDescription, learned: LearnedTokenizers, text: str) -> Merging | None:
    """The text's merges, or None without a byte-pair encoding or for a text too long to be watched."""
    for tokenizer in (run.src_tokenizer, *learned.others):
        if isinstance(tokenizer, BpeTokenizer):
            try:
                start, *steps = tokenizer.merge_steps(text)
            except InputError:
                return None
            own = tokenizer is run.src_tokenizer
            return Merging(start.tokens, tuple(steps), len(tokenizer.merges), own)
    return None


def _cut(tokenizer: Tokenizer, text: str, *, own: bool) -> Cut:
    vocabulary = tokenizer.vocabulary
    tokens, ids = (*tokenizer.tokenize(text), EOS), (*tokenizer.encode(text), vocabulary.eos_id)
    return Cut(tokenizer.kind, own, tokens, ids, len(vocabulary))


def _sources(run: RunDescription) -> Sequence[str]:
    """Sources of the task; of a task that this program does not know, what the model itself knows of it."""
    return task_sources(run, N_SOURCES) or (*run.probes, *run.src_tokenizer.vocabulary.words)


def _characters(texts: Iterable[str]) -> Vocabulary:
    found = {letter for text in texts for letter in unicodedata.normalize("NFC", " ".join(text.split()))}
    return Vocabulary.build(sorted(found))


def _words(texts: Iterable[str]) -> Vocabulary:
    cutter = CasedWordTokenizer(Vocabulary.build(()))
    return Vocabulary.build(sorted({word for text in texts for word in cutter.tokenize(text)}))
