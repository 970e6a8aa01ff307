"""Sentences that differ from one in a single thing: number, gender, negation, or where French puts an adjective."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.data.tasks.en_fr.grammar import Action, NounPhrase, Sentence
from core.data.tasks.en_fr.lexicon import (
    ADJECTIVES,
    DETERMINERS,
    FREQUENCIES,
    NOUNS,
    Adjective,
    Determiner,
    Noun,
)


def contrasts(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    """What differs, with a sentence that does, the nearest first; only grammatical ones."""
    for kind, other in (*_number(sentence), *_gender(sentence), *_negation(sentence), *_word_order(sentence)):
        if other.is_grammatical():
            yield kind, other


def _number(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    subject = sentence.subject
    if subject.noun.is_mass:
        return
    flipped = replace(subject, is_plural=not subject.is_plural)
    for determiner in _determiners_like(subject.determiner, flipped):
        yield "number", replace(sentence, subject=replace(flipped, determiner=determiner))
        return


def _determiners_like(own: Determiner, phrase: NounPhrase) -> Iterator[Determiner]:
    """Determiners that a phrase can have in place of its own, which comes first where it can stay."""
    alike = [each for each in DETERMINERS if each.is_indefinite == own.is_indefinite]
    alike = [
        each for each in alike if each.is_possessive == own.is_possessive and phrase.number in each.numbers
    ]
    yield from sorted(alike, key=lambda each: each is not own)


def _gender(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    subject = sentence.subject
    others = [each for each in NOUNS if each.gender != subject.noun.gender]
    others = [each for each in others if each.is_mass == subject.noun.is_mass and _can_act(each, sentence)]
    # As alike as can be: another animal for an animal.
    for noun in sorted(others, key=lambda each: -len(each.tags & subject.noun.tags))[:1]:
        yield "gender", replace(sentence, subject=replace(subject, noun=noun))


def _can_act(noun: Noun, sentence: Sentence) -> bool:
    action = sentence.predicate
    return not isinstance(action, Action) or bool(noun.tags & action.verb.subjects)


def _negation(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    """The other polarity, such as “never sleeps” for “often sleeps” and “is often happy” for “is not happy”."""
    often = sentence.frequency or FREQUENCIES[0]
    if sentence.polarity == "affirmative":
        yield "negation", replace(sentence, polarity="never", frequency=None)
        yield "negation", replace(sentence, polarity="not")
    else:
        yield "negation", replace(sentence, polarity="affirmative", frequency=often)


def _word_order(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    subject = sentence.subject
    for place, adjective in enumerate(subject.adjectives):
        before = _stands_before(adjective, subject.noun)
        others = [each for each in ADJECTIVES if _stands_before(each, subject.noun) != before]
        others = [each for each in others if each.suits & subject.noun.tags]
        for other in others:
            moved = (*subject.adjectives[:place], other, *subject.adjectives[place + 1 :])
            yield "word order", replace(sentence, subject=replace(subject, adjectives=moved))


def _stands_before(adjective: Adjective, noun: Noun) -> bool:
    return adjective.french_of(noun).before_noun
