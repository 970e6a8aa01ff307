"""Tokenizers for a user's own pairs, and the pairs that they leave fit to be learned."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from core.data.pairs.report import Drop, DropCounter, DropReason
from core.data.tasks.task import Pair
from core.data.tokenizers import (
    WORD_BEGIN,
    BpeTokenizer,
    CasedWordTokenizer,
    CharacterTokenizer,
    Tokenizer,
    WordTokenizer,
)
from core.data.tokenizers.files import MAX_TOKEN_LENGTH, MAX_TOKENS
from core.data.vocabulary import SPECIALS, Vocabulary
from core.errors import ConfigError, excerpt

TOKENIZER_CHOICES = ("auto", "word", "lowercase-word", "character", "bpe")
MAX_WORD_TYPES = 2_000
"""Most different words that "auto" gives a token of their own; with more, words are cut into parts."""
BPE_SIZE = 2_000
MAX_TOKENS_PER_SIDE = 40
MAX_UNKNOWN_SHARE = 0.1
"""Largest share of held-out texts with an unknown token; above, "auto" takes smaller pieces."""
PIECE_NAMES = {
    "word": "lower-case words",
    "cased_word": "words",
    "bpe": "byte pairs, which are parts of words",
    "character": "characters",
    "morpheme": "morphemes",
}
"""Names of the pieces that each kind of tokenizer cuts a text into."""
_NONE = Vocabulary.build(())


@dataclass(frozen=True)
class Cutting:
    """Settings that decide how a user's pairs are cut into tokens.

    Attributes:
        tokenizer: One of `TOKENIZER_CHOICES`, for both sides. "auto" looks at each side by itself. It takes characters
            if hardly any text has a space (letters to reverse, single words), whole words if there are few of them,
            and byte pairs otherwise; and smaller pieces if more than a tenth of the held-out texts would have an
            unknown token, unless these are too many for `max_tokens`. It never takes a lossy kind.
        max_words: Different words up to which "auto" gives each a token of its own.
        bpe_size: Tokens of a byte-pair vocabulary.
        separate: Whether sources and targets have a vocabulary each even if they are cut alike.
        max_tokens: Maximum tokens of either side; a pair with more is left out.
        source_tokenizer: Choice for the sources, if it differs from `tokenizer`.
        target_tokenizer: Choice for the targets, if it differs from `tokenizer`.
        keep_spaces: Whether every space of the texts is kept, as code needs it.
    """

    tokenizer: str = "auto"
    max_words: int = MAX_WORD_TYPES
    bpe_size: int = BPE_SIZE
    separate: bool = False
    max_tokens: int = MAX_TOKENS_PER_SIDE
    source_tokenizer: str | None = None
    target_tokenizer: str | None = None
    keep_spaces: bool = False

    @property
    def choices(self) -> tuple[str, str]:
        """Choices for the sources and for the targets."""
        return self.source_tokenizer or self.tokenizer, self.target_tokenizer or self.tokenizer


AUTOMATIC_CUTTING = Cutting()
"""Settings of a user who leaves the choice to the program."""


@dataclass(frozen=True)
class SideFacts:
    """Measurements of one side's tokenizer.

    Attributes:
        side: What the texts are: sources or targets.
        tokenizer: The tokenizer of the side.
        n_held_out: Number of held-out texts.
        n_unknown: Number of held-out texts with a token that the vocabulary lacks.
        unknown: One of these tokens; empty for none.
        n_texts: Number of all texts of the side.
        n_changed: Number of texts that their tokens do not join to.
        changed: The first of these texts, and what its tokens join to; empty for none.
        refused: Why larger pieces were not taken, as a sentence; empty where they were.
    """

    side: str
    tokenizer: Tokenizer
    n_held_out: int
    n_unknown: int
    unknown: str
    n_texts: int
    n_changed: int
    changed: tuple[str, ...]
    refused: str

    def sentences(self) -> tuple[str, ...]:
        """Return what a user must know before the training: lost text, unknown tokens, and smaller pieces."""
        found = [self.refused] if self.refused else []
        if self.n_unknown:
            found.append(
                f"A token that was never seen, such as {_named(self.unknown)}, stands in {self.n_unknown:,} of "
                f"{self.n_held_out:,} held-out {self.side}."
            )
        if self.n_changed:
            loss = f" ({self.tokenizer.loss})" if self.tokenizer.loss else ""
            before, after = map(excerpt, self.changed)
            found.append(
                f"{self.n_changed:,} of {self.n_texts:,} {self.side} do not survive this tokenizer{loss}: "
                f"“{before}” becomes “{after}”."
            )
        return tuple(found)


@dataclass(frozen=True)
class ChosenTokenizers:
    """Tokenizers of a user's pairs, and what was measured of them.

    Attributes:
        source: Tokenizer of the sources.
        target: Tokenizer of the targets; the same object if both sides share a vocabulary.
        facts: Measurements of the sources and of the targets.
    """

    source: Tokenizer
    target: Tokenizer
    facts: tuple[SideFacts, SideFacts]

    def sentences(self) -> tuple[str, ...]:
        """Return what a user must know before the training."""
        source, target = self.source.kind, self.target.kind
        differ = f"Sources are cut into {PIECE_NAMES[source]}, targets into {PIECE_NAMES[target]}."
        return (
            *([differ] if source != target else []),
            *(sentence for side in self.facts for sentence in side.sentences()),
        )


def choose_tokenizer(
    pairs: Sequence[Pair], cutting: Cutting = AUTOMATIC_CUTTING, held_out: Sequence[Pair] = ()
) -> ChosenTokenizers:
    """Choose the tokenizers of sources and targets, and measure what they do not know and what they lose.

    Both sides share one tokenizer if they are cut alike and are not to be separate. The vocabularies are those of the
    training pairs.

    Args:
        pairs: The training pairs.
        cutting: How they are to be cut.
        held_out: Pairs to measure unknown tokens on; a tenth of the training pairs is set aside where there are none.

    Raises:
        ConfigError: A choice is unknown, or the pairs do not have two different tokens or too many.
    """
    for choice in cutting.choices:
        if choice not in TOKENIZER_CHOICES:
            raise ConfigError(f"choose one of the tokenizers {', '.join(TOKENIZER_CHOICES)}, not {choice!r}")
        if choice == "lowercase-word" and cutting.keep_spaces:
            raise ConfigError(
                "lower-case words cannot keep every space; choose words (--tokenizer word), or let spaces be single"
            )
    known, measured = (pairs, held_out) if held_out else _set_aside(pairs)
    sides = [
        _Side(name, choice, cutting, tuple(map(_text_of(name), known)), tuple(map(_text_of(name), measured)))
        for name, choice in zip(("sources", "targets"), cutting.choices, strict=True)
    ]
    kinds = [side.choose_kind() for side in sides]
    texts = [list(map(_text_of(side.name), pairs)) for side in sides]
    # Ties in how often words occur are broken by the order of the texts.
    joint = [text for both in zip(*texts, strict=True) for text in both]
    is_auto = cutting.choices == ("auto", "auto")
    is_joint = kinds[0] == kinds[1] and not cutting.separate
    if is_joint and is_auto and kinds[0] == "word" and len(_find_words(joint, cutting)) > cutting.max_words:
        kinds = [side.choose_kind(smaller=True) for side in sides]
        is_joint = kinds[0] == kinds[1]
    if is_joint and is_auto and kinds[0] == "bpe" and not _fits(joint, cutting):
        is_joint = False
    if is_joint:
        tokenizers = [_build_tokenizer(joint, kinds[0], cutting, or_smaller=is_auto)] * 2
    else:
        tokenizers = [
            _build_tokenizer(side_texts, kind, cutting, or_smaller=choice == "auto")
            for side_texts, kind, choice in zip(texts, kinds, cutting.choices, strict=True)
        ]
    source, target = (
        # A source with several targets is one text.
        measure_side(
            side.name,
            tokenizer,
            side_texts,
            [*dict.fromkeys(map(_text_of(side.name), held_out))],
            side.refused,
        )
        for side, tokenizer, side_texts in zip(sides, tokenizers, texts, strict=True)
    )
    return ChosenTokenizers(tokenizers[0], tokenizers[1], (source, target))


@dataclass
class _Side:
    """One side of the pairs while its kind of tokenizer is chosen.

    Attributes:
        name: What the texts are: sources or targets.
        choice: One of `TOKENIZER_CHOICES`.
        cutting: Settings of both sides.
        known: Training texts.
        measured: Held-out texts, on which unknown tokens are counted.
        refused: Why larger pieces were not taken, as a sentence.
    """

    name: str
    choice: str
    cutting: Cutting
    known: Sequence[str]
    measured: Sequence[str]
    refused: str = ""

    def choose_kind(self, *, smaller: bool = False) -> str:
        """Return the kind of the tokenizer; with `smaller`, "auto" takes smaller pieces than words."""
        if self.choice != "auto":
            return self.choice
        if sum(len(text.split()) > 1 for text in self.known) * 10 < len(self.known):
            return "character"
        words = _find_words(self.known, self.cutting)
        if smaller or len(words) > self.cutting.max_words:
            return self._smaller_kind()
        exact = self.cutting.keep_spaces
        n_unknown = self._count_unknown(CasedWordTokenizer(Vocabulary.build(words), exact_spaces=exact))
        if n_unknown <= MAX_UNKNOWN_SHARE * len(self.measured):
            return "word"
        unknown = (
            f"{n_unknown:,} of {len(self.measured):,} held-out {self.name} would have one that was never seen"
        )
        kind = self._smaller_kind()
        if self._is_too_long(kind):
            self.refused = (
                f"The {self.name} are cut into words although {unknown}, because smaller pieces would be more than "
                f"{self.cutting.max_tokens:,} tokens (--max-tokens)."
            )
            return "word"
        self.refused = f"The {self.name} are not cut into words, because {unknown}."
        return kind

    def _smaller_kind(self) -> str:
        """Return byte pairs, or characters if byte pairs have no room for them or know too few of them."""
        if not _fits(self.known, self.cutting):
            return "character"
        cutter = _build_character_tokenizer(self.known, self.cutting)
        return "bpe" if self._count_unknown(cutter) <= MAX_UNKNOWN_SHARE * len(self.measured) else "character"

    def _is_too_long(self, kind: str) -> bool:
        """Return True if more than a tenth of the texts would be left out for their number of tokens."""
        tokenizer = _build_tokenizer(self.known, kind, self.cutting, or_smaller=True)
        return any(
            sum(len(tokenizer.tokenize(text)) > self.cutting.max_tokens for text in texts)
            > MAX_UNKNOWN_SHARE * len(texts)
            for texts in (self.known, self.measured)
        )

    def _count_unknown(self, tokenizer: Tokenizer) -> int:
        return sum(bool(tokenizer.unknown(text)) for text in self.measured)


def _text_of(side: str) -> Callable[[Pair], str]:
    return attrgetter("source" if side == "sources" else "target")


def _set_aside(pairs: Sequence[Pair]) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """Return nine tenths of the pairs and the tenth that is set aside."""
    return [pair for index, pair in enumerate(pairs) if index % 10 != 9], pairs[9::10]


def _fits(texts: Sequence[str], cutting: Cutting) -> bool:
    """Return True if a byte-pair vocabulary has room for all characters and at least one merge."""
    # Beside the characters it has the mark of a word's begin, which a text with that mark would lose.
    alphabet = {character for text in texts for character in text if not character.isspace()}
    if WORD_BEGIN in alphabet and not cutting.keep_spaces:
        return False
    return len(SPECIALS) + len(alphabet) + 2 <= cutting.bpe_size


def measure_side(
    side: str, tokenizer: Tokenizer, texts: Sequence[str], held_out: Sequence[str] = (), refused: str = ""
) -> SideFacts:
    """Measure what a tokenizer loses of all texts of a side, and what it does not know of the held-out ones.

    Args:
        side: What the texts are: sources or targets. A source is only read, so its loss is not counted.
        tokenizer: The tokenizer of the side.
        texts: The training texts.
        held_out: The held-out texts.
        refused: Why larger pieces were not taken, as a sentence.
    """
    unknown = [found[0] for text in held_out if (found := tokenizer.unknown(text))]
    all_texts = [*texts, *held_out] if side == "targets" else []
    changed = [text for text in all_texts if not tokenizer.round_trips(text)]
    return SideFacts(
        side=side,
        tokenizer=tokenizer,
        n_held_out=len(held_out),
        n_unknown=len(unknown),
        unknown=unknown[0] if unknown else "",
        n_texts=len(all_texts),
        n_changed=len(changed),
        changed=(changed[0], tokenizer.join(tokenizer.tokenize(changed[0]))) if changed else (),
        refused=refused,
    )


def _build_tokenizer(texts: Sequence[str], kind: str, cutting: Cutting, *, or_smaller: bool) -> Tokenizer:
    """Build the tokenizer of a kind; with `or_smaller` by characters if the texts have nothing to merge."""
    if kind == "bpe":
        try:
            return BpeTokenizer.train(texts, cutting.bpe_size, exact_spaces=cutting.keep_spaces)
        except ConfigError:
            if not or_smaller:
                raise
    if kind == "word":
        vocabulary = _build_vocabulary(_find_words(texts, cutting), "word")
        return CasedWordTokenizer(vocabulary, exact_spaces=cutting.keep_spaces)
    if kind == "lowercase-word":
        return WordTokenizer(_build_vocabulary(_sort_by_frequency(WordTokenizer(_NONE), texts), "word"))
    return _build_character_tokenizer(texts, cutting)


def _build_character_tokenizer(texts: Sequence[str], cutting: Cutting) -> CharacterTokenizer:
    vocabulary = _build_vocabulary(_find_characters(texts, cutting), "character")
    return CharacterTokenizer(vocabulary, exact_spaces=cutting.keep_spaces)


def learnable_pairs(
    pairs: Sequence[Pair],
    source: Tokenizer,
    target: Tokenizer,
    max_tokens: int = MAX_TOKENS_PER_SIDE,
    *,
    known_only: bool = False,
) -> tuple[tuple[Pair, ...], tuple[Drop, ...]]:
    """Return the pairs of which both sides have some tokens but not too many, and what was dropped.

    Of different sources with the same tokens, such as "Stop!" and "stop" by lower-case words, the first is kept: else
    the answer to a test pair could stand in the training pairs. One source may have several targets. With `known_only`
    every token must be in the vocabularies.
    """
    kept: list[Pair] = []
    source_texts: dict[tuple[str, ...], str] = {}
    dropped = DropCounter()
    for pair in pairs:
        source_tokens, target_tokens = tuple(source.tokenize(pair.source)), target.tokenize(pair.target)
        if not source_tokens or not target_tokens:
            dropped.add(DropReason.NO_TOKENS)
        elif max(len(source_tokens), len(target_tokens)) > max_tokens:
            dropped.add(DropReason.TOO_LONG)
        elif known_only and (source.unknown(pair.source) or target.unknown(pair.target)):
            dropped.add(DropReason.UNKNOWN)
        elif source_texts.setdefault(source_tokens, pair.source) != pair.source:
            dropped.add(DropReason.SAME_TOKENS)
        else:
            kept.append(pair)
    return tuple(kept), dropped.drops()


def _find_words(texts: Sequence[str], cutting: Cutting) -> list[str]:
    """Return the different words, the most frequent ones first."""
    return _sort_by_frequency(CasedWordTokenizer(_NONE, exact_spaces=cutting.keep_spaces), texts)


def _find_characters(texts: Sequence[str], cutting: Cutting) -> list[str]:
    """Return the different characters in their order; a space is one of them where a text has one."""
    with_spaces = CharacterTokenizer(Vocabulary.build(" "), exact_spaces=cutting.keep_spaces)
    return sorted({character for text in texts for character in with_spaces.normalize(text)})


def _sort_by_frequency(tokenizer: Tokenizer, texts: Sequence[str]) -> list[str]:
    counts = Counter(token for text in texts for token in tokenizer.tokenize(text))
    return sorted(counts, key=lambda token: (-counts[token], token))


def _named(token: str) -> str:
    """Return a token in quotes, or the numbers of its characters where quotes would not show it."""
    if all(unicodedata.category(character)[0] in "CMZ" or character in "“”" for character in token):
        return " ".join(f"U+{ord(character):04X}" for character in token)
    return f"“{excerpt(token)}”"


def _build_vocabulary(tokens: Sequence[str], name: str) -> Vocabulary:
    # A word too long to be read again from a file stays unknown.
    tokens = [token for token in tokens if len(token) <= MAX_TOKEN_LENGTH]
    if len(tokens) < 2:
        raise ConfigError(
            f"bring pairs with at least two different {name}s: with {len(tokens)} there is nothing to learn"
        )
    if len(tokens) > MAX_TOKENS - len(SPECIALS):
        raise ConfigError(
            f"choose bpe: the pairs have {len(tokens):,} different {name}s, too many to learn "
            "(--tokenizer bpe, in the app Byte pairs)"
        )
    return Vocabulary.build(tokens)
