"""The task itself: pairs from random sentences, answers by the parser, one vocabulary for both languages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from core.data.tasks.alignment import align
from core.data.tasks.en_fr.contrasts import contrasts
from core.data.tasks.en_fr.english import write_english
from core.data.tasks.en_fr.french import write_french
from core.data.tasks.en_fr.grammar import Sentence
from core.data.tasks.en_fr.lexicon import (
    ADJECTIVES,
    DETERMINERS,
    FINAL_ADVERBS,
    FREQUENCIES,
    NOUNS,
    PREPOSITIONS,
    VERBS,
)
from core.data.tasks.en_fr.parser import parse_english
from core.data.tasks.en_fr.sampling import sample_sentence
from core.data.tasks.en_fr.unseen import has_unseen_pair
from core.data.tasks.task import Example, Pair
from core.data.tokenizers import Tokenizer, WordTokenizer
from core.data.vocabulary import Vocabulary


class EnglishToFrench:
    """Short English sentences about people, animals and things, and their French translation."""

    name: ClassVar[str] = "en_fr"
    title: ClassVar[str] = "English to French"
    description: ClassVar[str] = (
        "Translate short sentences with gender, agreement, elision, negation and adjective order."
    )
    source_name: ClassVar[str] = "English"
    target_name: ClassVar[str] = "French"
    max_source_tokens: ClassVar[int] = 24
    is_text: ClassVar[bool] = True
    unseen_description: ClassVar[str] = (
        "25 pairs of an adjective and a noun, such as old man: each word is known, the two together are new."
    )
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "Negation",
            "the small cat does not sleep",
            'One word, "not", becomes two, "ne" and "pas", on either side of the verb.',
        ),
        Example(
            "Agreement",
            "the small white mice are happy",
            "Souris looks the same for one mouse and for many: les, sont and three feminine plural adjectives say it.",
        ),
        Example(
            "Elision",
            "the man loves the small bird",
            'The first "the" becomes l\' before the mute h of homme; the second stays le.',
        ),
        Example(
            "Adjective order",
            "the old black car is in front of the house",
            '"Old" stays before its noun, "black" moves after it.',
        ),
        Example(
            "A noun's gender",
            "the man eats a cake in his new car",
            '"His" becomes sa, not son: it takes the gender of voiture, not that of the man.',
        ),
        Example(
            "Partitive under negation",
            "the child does not drink any water",
            '"Any" becomes a bare d\': after a negation French leaves the article out.',
        ),
    )

    def sample(self, rng: random.Random) -> Pair:
        """Return a random sentence and its translation."""
        return _pair(sample_sentence(rng))

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Return one word tokenizer with the words of both languages, for both sides."""
        return _tokenizer(), _tokenizer()

    def source_words(self) -> tuple[str, ...]:
        """Return the English words."""
        return tuple(sorted(set(_english_words())))

    def reference(self, source_text: str) -> Pair | None:
        """Return the translation of a typed sentence, or None when the grammar does not have it.

        The grammar decides, not sense: the table may eat the king.
        """
        sentence = parse_english(_tokenizer().tokenize(source_text))
        return _pair(sentence) if sentence else None

    def contrasts(self, source_text: str) -> tuple[tuple[str, str], ...]:
        """Return for number, gender, negation and word order a sentence of as many words that differs in it."""
        words = _tokenizer().tokenize(source_text)
        sentence = parse_english(words)
        found: dict[str, str] = {}
        for kind, other in contrasts(sentence) if sentence else ():
            english = [word.text for word in write_english(other)]
            if len(english) == len(words):
                found.setdefault(kind, _tokenizer().join(english))
        return tuple(found.items())

    def is_unseen(self, pair: Pair) -> bool:
        """Whether one of the adjective–noun pairs that can be kept out of training is in the source."""
        sentence = parse_english(_tokenizer().tokenize(pair.source))
        return sentence is not None and has_unseen_pair(sentence)


def _pair(sentence: Sentence) -> Pair:
    english, french = write_english(sentence), write_french(sentence)
    source, target = (_tokenizer().join(word.text for word in words) for words in (english, french))
    return Pair(source, target, align(english, french))


@cache
def _tokenizer() -> WordTokenizer:
    return WordTokenizer(Vocabulary.build([*sorted(set(_english_words())), *sorted(set(_french_words()))]))


def _english_words() -> Iterator[str]:
    yield from ("an", "is", "are", "do", "does", "not", "never")
    yield from (each.english for each in (*DETERMINERS, *ADJECTIVES, *FREQUENCIES, *FINAL_ADVERBS))
    yield from (word for preposition in PREPOSITIONS for word in preposition.english)
    yield from (form for noun in NOUNS for form in (noun.singular, noun.plural) if form)
    yield from (form for verb in VERBS for form in (verb.plural, verb.third_person, verb.particle) if form)


def _french_words() -> Iterator[str]:
    yield from ("est", "sont", "ne", "n'", "pas", "jamais", "de", "d'", "du")
    yield from (each.french for each in (*PREPOSITIONS, *FREQUENCIES, *FINAL_ADVERBS))
    yield from (form for noun in NOUNS for form in (noun.fr_singular, noun.fr_plural) if form)
    yield from (form for verb in VERBS for form in (verb.fr_singular, verb.fr_plural))
    yield from (form for adjective in ADJECTIVES for form in adjective.french_forms())
    yield from (form for determiner in DETERMINERS for form in determiner.french_forms())
