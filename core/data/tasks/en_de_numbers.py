"""The number task: English number words to German ones, which say the units before the tens."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import ClassVar

from core.data.tasks.alignment import Word, align
from core.data.tasks.task import Example, Pair
from core.data.tokenizers import MorphemeTokenizer, Tokenizer
from core.data.vocabulary import Vocabulary

MAX_NUMBER = 999_999
_MAX_DIGITS = len(str(MAX_NUMBER))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ENGLISH_BELOW_TWENTY = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ENGLISH_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_GERMAN_BELOW_TWENTY = _words(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn"
)
_GERMAN_TENS = _words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_VALUES = {word: value for value, word in enumerate(_ENGLISH_BELOW_TWENTY)} | {
    word: 10 * tens for tens, word in enumerate(_ENGLISH_TENS, 2)
}


@dataclass(frozen=True)
class Spelling:
    """How English is written: one hundred (and) five, twenty-one or twenty one."""

    has_and: bool
    has_hyphen: bool


SPELLINGS = tuple(Spelling(*flags) for flags in product((True, False), repeat=2))
_SPELLING_WEIGHTS = (4, 1, 2, 1)


class EnglishToGermanNumbers:
    """English number words from zero to 999,999 and their German translation.

    English is written with or without "and" and hyphens, the same way throughout a number, and without commas.
    """

    name: ClassVar[str] = "en_de_numbers"
    title: ClassVar[str] = "English to German numbers"
    description: ClassVar[str] = (
        "Translate number words up to 999,999; German says the units before the tens, in one long word."
    )
    source_name: ClassVar[str] = "English"
    target_name: ClassVar[str] = "German"
    max_source_tokens: ClassVar[int] = 16
    is_text: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "The swap",
            "twenty-one",
            "German says one and twenty: the attention jumps to the end, then comes back to the tens.",
        ),
        Example(
            "Two swaps",
            "forty-two thousand three hundred and sixty-seven",
            "The tens and units change places twice, but the thousands stay before the hundreds.",
        ),
        Example(
            "And is not und",
            "one hundred and five",
            'The "and" after a hundred has no German counterpart: fünf follows hundert directly.',
        ),
        Example(
            "Ein or eins",
            "one thousand and one",
            '"One" is ein before tausend, but eins at the very end of the word.',
        ),
        Example(
            "Shortened words",
            "seventeen thousand and sixteen",
            "Siebzehn and sechzehn lack some letters of sieben and sechs, so each is a piece of its own.",
        ),
        Example(
            "One digit six times",
            "seven hundred and seventy-seven thousand seven hundred and seventy-seven",
            "Nothing but the order of the words tells which seven is meant at each step.",
        ),
    )

    def sample(self, rng: random.Random) -> Pair:
        """Return a random number of one to six digits; every count of digits is equally likely.

        A number has one spelling in all samples, so that none is known from another spelling of it.
        """
        digits = rng.randint(1, _MAX_DIGITS)
        number = rng.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits)
        return number_pair(number, random.Random(number).choices(SPELLINGS, _SPELLING_WEIGHTS)[0])

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Return one morpheme tokenizer with the words of both languages, for both sides."""
        return _tokenizer(), _tokenizer()

    def source_words(self) -> tuple[str, ...]:
        """Return the English words and the hyphen."""
        return tuple(sorted(_english_words()))

    def reference(self, source_text: str) -> Pair | None:
        """Return the translation of English number words in any spelling, or None for anything else."""
        words = _tokenizer().tokenize(source_text)
        number = parse_english(words) if len(words) <= self.max_source_tokens else None
        if number is None:
            return None
        # Writing the number again finds what is no number word (hundred one), without a rule for each here.
        return next(
            (
                number_pair(number, spelling)
                for spelling in SPELLINGS
                if [word.text for word in write_english(number, spelling)] == words
            ),
            None,
        )


def number_pair(number: int, spelling: Spelling) -> Pair:
    """Return a number from 0 to 999,999 in both languages."""
    english, german = write_english(number, spelling), write_german(number)
    source, target = (_tokenizer().join(word.text for word in words) for words in (english, german))
    return Pair(source, target, align(english, german))


def parse_english(words: Sequence[str]) -> int | None:
    """Return the number that English words add up to, in whatever order, or None when one is no such word."""
    thousands = rest = 0
    for word in words:
        if word == "hundred":
            rest *= 100
        elif word == "thousand":
            thousands, rest = 1000 * rest, 0
        elif word in _VALUES:
            rest += _VALUES[word]
        elif word not in ("and", "-"):
            return None
    number = thousands + rest
    return number if words and number <= MAX_NUMBER else None


def write_english(number: int, spelling: Spelling) -> list[Word]:
    """Return the English tokens of a number from 0 to 999,999, such as twenty - one thousand and five."""
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _english_hundreds(rest, spelling, "rest")
    words = [*_english_hundreds(thousands, spelling, "thousands"), Word("thousand", ("thousand",))]
    if not rest:
        return words
    link = [Word("and", ())] if spelling.has_and and rest < 100 else []
    return [*words, *link, *_english_hundreds(rest, spelling, "rest")]


def _english_hundreds(number: int, spelling: Spelling, role: str) -> list[Word]:
    """Return a number below 1000; `role` names the group of three digits that it is."""
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _english_tens(rest, spelling, role)
    digit = Word(_ENGLISH_BELOW_TWENTY[hundreds], (f"{role}.hundreds",))
    words = [digit, Word("hundred", (f"{role}.hundred",))]
    if not rest:
        return words
    link = [Word("and", ())] if spelling.has_and else []
    return [*words, *link, *_english_tens(rest, spelling, role)]


def _english_tens(number: int, spelling: Spelling, role: str) -> list[Word]:
    """Return a number below 100; the hyphen, or else tens and units together, have the role of "und"."""
    if number < 20:
        return [Word(_ENGLISH_BELOW_TWENTY[number], (f"{role}.units",))]
    tens, units = divmod(number, 10)
    tens_word, units_word = _ENGLISH_TENS[tens - 2], _ENGLISH_BELOW_TWENTY[units]
    if not units:
        return [Word(tens_word, (f"{role}.tens",))]
    if spelling.has_hyphen:
        hyphen = Word("-", (f"{role}.und",))
        return [Word(tens_word, (f"{role}.tens",)), hyphen, Word(units_word, (f"{role}.units",))]
    und = f"{role}.und"
    return [Word(tens_word, (f"{role}.tens", und)), Word(units_word, (f"{role}.units", und))]


def write_german(number: int) -> list[Word]:
    """Return the pieces of the German word for a number from 0 to 999,999; all but the first are glued."""
    thousands, rest = divmod(number, 1000)
    words = []
    if thousands:
        words = [*_german_hundreds(thousands, "thousands", "ein"), Word("tausend", ("thousand",))]
    if rest or not thousands:
        words += _german_hundreds(rest, "rest", "eins")
    return [words[0], *(Word(f"·{word.text}", word.roles) for word in words[1:])]


def _german_hundreds(number: int, role: str, last_one: str) -> list[Word]:
    """Return a number below 1000; `last_one` is the form of a one at its end: ein before tausend."""
    hundreds, rest = divmod(number, 100)
    words = []
    if hundreds:
        digit = Word(_german_unit(hundreds, "ein"), (f"{role}.hundreds",))
        words = [digit, Word("hundert", (f"{role}.hundred",))]
    return [*words, *_german_tens(rest, role, last_one)] if rest or not hundreds else words


def _german_tens(number: int, role: str, last_one: str) -> list[Word]:
    if number < 20:
        return [Word(_german_unit(number, last_one), (f"{role}.units",))]
    tens, units = divmod(number, 10)
    tens_word = Word(_GERMAN_TENS[tens - 2], (f"{role}.tens",))
    if not units:
        return [tens_word]
    return [Word(_german_unit(units, "ein"), (f"{role}.units",)), Word("und", (f"{role}.und",)), tens_word]


def _german_unit(number: int, one: str) -> str:
    return one if number == 1 else _GERMAN_BELOW_TWENTY[number]


@cache
def _tokenizer() -> MorphemeTokenizer:
    return MorphemeTokenizer(Vocabulary.build([*sorted(_english_words()), *sorted(set(_german_pieces()))]))


def _english_words() -> list[str]:
    return [*_ENGLISH_BELOW_TWENTY, *_ENGLISH_TENS, "hundred", "thousand", "and", "-"]


def _german_pieces() -> Iterator[str]:
    """Yield the first pieces as they are and the later ones with their dot; null is a whole word."""
    yield "null"
    for piece in ("ein", *_GERMAN_BELOW_TWENTY[1:], *_GERMAN_TENS):
        yield from (piece, f"·{piece}")
    yield from ("·und", "·hundert", "·tausend")
