"""Three tasks on random words of 3 to 10 letters from a to z: copy, reverse and sort."""

from __future__ import annotations

import random
import string
from abc import ABC, abstractmethod
from functools import cache
from typing import ClassVar

from core.data.tasks.task import Example, Pair
from core.data.tokenizers import CharacterTokenizer, Tokenizer
from core.data.vocabulary import Vocabulary

MIN_LETTERS, MAX_LETTERS = 3, 10


class LetterTask(ABC):
    """Random words of 3 to 10 letters from a to z, and what is made of each word."""

    source_name: ClassVar[str] = "Letters"
    max_source_tokens: ClassVar[int] = 12
    is_text: ClassVar[bool] = False

    @abstractmethod
    def pair(self, letters: str) -> Pair:
        """Return the right answer to a word of the letters a to z."""

    def sample(self, rng: random.Random) -> Pair:
        """Return a random word and the right answer."""
        length = rng.randint(MIN_LETTERS, MAX_LETTERS)
        return self.pair("".join(rng.choices(string.ascii_lowercase, k=length)))

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Return one character tokenizer, for both sides."""
        return _tokenizer(), _tokenizer()

    def source_words(self) -> tuple[str, ...]:
        """Return the letters from a to z."""
        return tuple(string.ascii_lowercase)

    def reference(self, source_text: str) -> Pair | None:
        """Return the answer to a word of any length, or None when it has anything but letters from a to z."""
        letters = _tokenizer().normalize(source_text)
        return self.pair(letters) if letters and set(letters) <= set(string.ascii_lowercase) else None


class CopyLetters(LetterTask):
    """The target is the source."""

    name: ClassVar[str] = "copy"
    title: ClassVar[str] = "Copy letters"
    description: ClassVar[str] = "Repeat a word of 3 to 10 letters, letter by letter."
    target_name: ClassVar[str] = "Copy"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "A short word", "cat", "Three letters: the attention is a diagonal, one source letter per step."
        ),
        Example(
            "The same letter",
            "aaaaa",
            "Every letter is the same, so only their number tells where the word ends.",
        ),
        Example("A letter twice", "banana", "Each a and each n must look at its own place, not at its twin."),
        Example("Mirror", "level", "The word reads the same backwards, but the copy must not run backwards."),
        Example(
            "The longest word", "transforms", "Ten letters are the longest words that training has shown."
        ),
        Example(
            "One letter too many",
            "explanation",
            "Eleven letters, more than in training: look how sure it is.",
        ),
    )

    def pair(self, letters: str) -> Pair:
        """Return the same letters; each stands for itself."""
        return Pair(letters, letters, tuple((position,) for position in range(len(letters))))


class ReverseLetters(LetterTask):
    """The target is the source read backwards."""

    name: ClassVar[str] = "reverse"
    title: ClassVar[str] = "Reverse letters"
    description: ClassVar[str] = (
        "Write a word of 3 to 10 letters backwards, from its last letter to its first."
    )
    target_name: ClassVar[str] = "Reversed"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "A short word",
            "tap",
            "The attention runs from the last source letter to the first: the other diagonal.",
        ),
        Example(
            "Mirror",
            "level",
            "The answer equals the source, so only the attention shows that it was read backwards.",
        ),
        Example(
            "The same letter",
            "aaaaa",
            "The letters say nothing here: only their number tells when the word is over.",
        ),
        Example("A letter twice", "banana", "Three times a: each must be read from its own mirrored place."),
        Example(
            "The longest word",
            "transforms",
            "Ten letters: the first step must find the last letter, wherever the word ends.",
        ),
        Example(
            "One letter too many",
            "explanation",
            "Eleven letters, more than in training: see where the attention starts to slip.",
        ),
    )

    def pair(self, letters: str) -> Pair:
        """Return the letters from last to first; each stands for the one at the mirrored position."""
        return Pair(letters, letters[::-1], tuple((position,) for position in reversed(range(len(letters)))))


class SortLetters(LetterTask):
    """The target is the letters of the source in alphabetical order."""

    name: ClassVar[str] = "sort"
    title: ClassVar[str] = "Sort letters"
    description: ClassVar[str] = "Put the letters of a word of 3 to 10 letters in alphabetical order."
    target_name: ClassVar[str] = "Sorted"
    examples: ClassVar[tuple[Example, ...]] = (
        Example("A short word", "cat", "Each step must find the next letter of the alphabet that is there."),
        Example(
            "Sorted already",
            "almost",
            "These letters are in order from the start, so for once the right answer is a copy.",
        ),
        Example(
            "Backwards",
            "spoke",
            "These letters run down the alphabet, so sorting them turns the whole word around.",
        ),
        Example(
            "A letter twice",
            "banana",
            "Which of the three a's is read does not matter, but all three must be counted.",
        ),
        Example(
            "The longest word",
            "transforms",
            "Two r's and two s's among ten letters: the decoder must know how many it has written.",
        ),
        Example(
            "One letter too many",
            "explanation",
            "Eleven letters, more than in training: compare how sure it is from step to step.",
        ),
    )

    def pair(self, letters: str) -> Pair:
        """Return the sorted letters; each stands for every equal letter of the source."""
        positions = {
            letter: tuple(position for position, other in enumerate(letters) if other == letter)
            for letter in set(letters)
        }
        target = "".join(sorted(letters))
        return Pair(letters, target, tuple(positions[letter] for letter in target))


@cache
def _tokenizer() -> CharacterTokenizer:
    return CharacterTokenizer(Vocabulary.build(string.ascii_lowercase))
