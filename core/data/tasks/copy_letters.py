"""The copy task: say the letters again in the same order."""

from __future__ import annotations

import random
import string
from functools import cache
from typing import ClassVar

from core.data.tasks.task import Example, Pair
from core.data.tokenizers import CharacterTokenizer, Tokenizer
from core.data.vocabulary import Vocabulary

MIN_LETTERS, MAX_LETTERS = 3, 10


class CopyLetters:
    """Random words of 3 to 10 letters from a to z; the target is the source."""

    name: ClassVar[str] = "copy"
    title: ClassVar[str] = "Copy letters"
    description: ClassVar[str] = "Repeat a word of 3 to 10 letters, letter by letter."
    verb: ClassVar[str] = "Copy"
    source_name: ClassVar[str] = "Letters"
    target_name: ClassVar[str] = "Copy"
    max_source_tokens: ClassVar[int] = 12
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "A short word", "cat", "Three letters: the attention is a diagonal, one source letter a step."
        ),
        Example(
            "The same letter",
            "aaaaa",
            "Only the positions differ, so only they can tell where the word ends.",
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

    def sample(self, rng: random.Random) -> Pair:
        """Return a random word and its copy."""
        return _pair("".join(rng.choices(string.ascii_lowercase, k=rng.randint(MIN_LETTERS, MAX_LETTERS))))

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Return one character tokenizer, for both sides."""
        return _tokenizer(), _tokenizer()

    def source_words(self) -> tuple[str, ...]:
        """Return the letters from a to z."""
        return tuple(string.ascii_lowercase)

    def reference(self, source_text: str) -> Pair | None:
        """Return the copy of a word of any length, or None when it has anything but letters from a to z."""
        letters = _tokenizer().normalize(source_text)
        return _pair(letters) if letters and set(letters) <= set(string.ascii_lowercase) else None


@cache
def _tokenizer() -> CharacterTokenizer:
    return CharacterTokenizer(Vocabulary.build(string.ascii_lowercase))


def _pair(letters: str) -> Pair:
    return Pair(letters, letters, tuple((position,) for position in range(len(letters))))
