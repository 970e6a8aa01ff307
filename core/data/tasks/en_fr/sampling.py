"""Random sentences of the grammar that make tolerable sense."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations

from core.data.tasks.en_fr.grammar import Action, NounPhrase, Place, Polarity, Sentence, State
from core.data.tasks.en_fr.lexicon import (
    ADJECTIVES,
    DETERMINERS,
    FINAL_ADVERBS,
    FREQUENCIES,
    NOUNS,
    PREPOSITIONS,
    QUALITY,
    VERBS,
    Adjective,
    Adverb,
    Determiner,
    Noun,
    Verb,
    in_english_order,
    in_french_together,
)

STATE_SHARE = 0.25
TOLD_PLACE_SHARE = 0.35
PLURAL_SHARE = 0.4
FREQUENCY_SHARE = 0.15
SETTING_SHARE = 0.4
SELDOM_SHARE = 0.1
_POLARITY_WEIGHTS: dict[Polarity, float] = {"affirmative": 0.55, "not": 0.35, "never": 0.1}
_ADJECTIVE_COUNT_WEIGHTS = (0.5, 0.37, 0.13)
# "the" leads, as in English; the indefinite ones follow, because most of the French rules are about them.
_DETERMINER_WEIGHTS = {"the": 8.0, "a": 6.0, "some": 4.0, "any": 12.0, "this": 3.0, "these": 3.0}
# "A house is old" and "in front of a house" are said, but of a known house more often.
_KNOWN_WEIGHTS = _DETERMINER_WEIGHTS | {"a": 1.5, "some": 1.5}

_AFFIRMATIVE = tuple(each for each in DETERMINERS if each.english != "any")
_NEGATED_OBJECT = tuple(each for each in DETERMINERS if each.english != "some")
_DEFINITE = tuple(each for each in DETERMINERS if not each.is_indefinite)
_SITUATED = frozenset({"person", "animal", "thing", "food"})


def sample_sentence(rng: random.Random) -> Sentence:
    """Return a random sentence, always grammatical and mostly sensible."""
    polarity = rng.choices(list(_POLARITY_WEIGHTS), list(_POLARITY_WEIGHTS.values()))[0]
    if rng.random() >= STATE_SHARE:
        sentence = _action_sentence(rng, polarity)
    elif rng.random() < TOLD_PLACE_SHARE:
        sentence = _whereabouts(rng, polarity)
    else:
        sentence = _state_sentence(rng, polarity)
    return _as_seldom_told(rng, sentence) if rng.random() < SELDOM_SHARE else sentence


def _as_seldom_told(rng: random.Random, sentence: Sentence) -> Sentence:
    """Return it with any polarity, frequency and setting that the grammar has, whatever a speaker prefers.

    "The house is never old here" may be typed, and what is typed should have been learned.
    """
    while True:
        setting = rng.choice((None, _place(rng, sentence.subject.noun), rng.choice(FINAL_ADVERBS)))
        polarity, frequency = rng.choice(list(_POLARITY_WEIGHTS)), rng.choice((None, *FREQUENCIES))
        told = replace(sentence, polarity=polarity, frequency=frequency, setting=setting)
        if told.is_grammatical():
            return told


def _action_sentence(rng: random.Random, polarity: Polarity) -> Sentence:
    verb = rng.choice(VERBS)
    subject = _noun_phrase(rng, _nouns(verb.subjects), _AFFIRMATIVE)
    patient = None
    if verb.objects is not None:
        determiners = _AFFIRMATIVE if polarity == "affirmative" else _NEGATED_OBJECT
        patient = _noun_phrase(rng, _nouns(verb.objects), _DEFINITE if verb.is_fond else determiners)
    setting = _setting(rng, verb, subject.noun, polarity)
    frequency = None if verb.is_fond else _frequency(rng, polarity, setting)
    return Sentence(subject, Action(verb, patient), polarity, frequency, setting)


def _state_sentence(rng: random.Random, polarity: Polarity) -> Sentence:
    """Return a sentence such as "the house is old"; only what can pass is told of now, often or never."""
    subject = _noun_phrase(rng, NOUNS, _AFFIRMATIVE, _KNOWN_WEIGHTS)
    adjective = rng.choice(_suitable(subject.noun))
    subject = replace(subject, adjectives=_besides(adjective, subject))
    if adjective.rank != QUALITY:
        return Sentence(subject, State(adjective), "affirmative" if polarity == "affirmative" else "not")
    times = [adverb for adverb in FINAL_ADVERBS if not adverb.is_place]
    setting = rng.choice(times) if polarity != "never" and rng.random() < SETTING_SHARE else None
    return Sentence(subject, State(adjective), polarity, _frequency(rng, polarity, setting), setting)


def _besides(told: Adjective, subject: NounPhrase) -> tuple[Adjective, ...]:
    """Return the subject's adjectives of other sorts: "the old house is young" would be nonsense."""
    return tuple(adjective for adjective in subject.adjectives if adjective.rank != told.rank)


def _whereabouts(rng: random.Random, polarity: Polarity) -> Sentence:
    """Return a sentence such as "the cat is under the table"."""
    subject = _noun_phrase(rng, _nouns(_SITUATED), _AFFIRMATIVE, _KNOWN_WEIGHTS)
    here = [adverb for adverb in FINAL_ADVERBS if adverb.is_place]
    setting = rng.choice(here) if rng.random() < SETTING_SHARE else _place(rng, subject.noun)
    return Sentence(subject, State(None), polarity, _frequency(rng, polarity, setting), setting)


def _setting(rng: random.Random, verb: Verb, subject: Noun, polarity: Polarity) -> Place | Adverb | None:
    if verb.is_fond or rng.random() >= SETTING_SHARE:
        return None
    if verb.has_settings and rng.random() < 0.5:
        return _place(rng, subject)
    return rng.choice([adverb for adverb in FINAL_ADVERBS if adverb.is_place or polarity != "never"])


def _place(rng: random.Random, subject: Noun) -> Place:
    """Return a place for the subject; only what is little goes on or under a table."""
    unfit = {subject} if "little" in subject.tags else {subject, *_nouns(frozenset({"furniture"}))}
    places = [
        (preposition, noun)
        for preposition in PREPOSITIONS
        for noun in _nouns(preposition.suits)
        if noun not in unfit
    ]
    preposition, noun = rng.choice(places)
    return Place(preposition, _noun_phrase(rng, (noun,), _AFFIRMATIVE, _KNOWN_WEIGHTS))


def _frequency(rng: random.Random, polarity: Polarity, setting: Place | Adverb | None) -> Adverb | None:
    tells_time = isinstance(setting, Adverb) and not setting.is_place
    if polarity == "never" or tells_time or rng.random() >= FREQUENCY_SHARE:
        return None
    return rng.choice(FREQUENCIES)


def _noun_phrase(
    rng: random.Random,
    nouns: Sequence[Noun],
    determiners: Sequence[Determiner],
    determiner_weights: Mapping[str, float] = _DETERMINER_WEIGHTS,
) -> NounPhrase:
    noun = rng.choice(nouns)
    is_plural = not noun.is_mass and rng.random() < PLURAL_SHARE
    number = NounPhrase(determiners[0], (), noun, is_plural).number
    fitting = [
        determiner
        for determiner in determiners
        if number in determiner.numbers and ("owned" in noun.tags or not determiner.is_possessive)
    ]
    weights = [determiner_weights.get(determiner.english, 1.0) for determiner in fitting]
    return NounPhrase(rng.choices(fitting, weights)[0], _adjectives(rng, noun), noun, is_plural)


def _adjectives(rng: random.Random, noun: Noun) -> tuple[Adjective, ...]:
    """Return up to two adjectives that suit the noun, in an English order, and French side by side."""
    count = rng.choices((0, 1, 2), _ADJECTIVE_COUNT_WEIGHTS)[0]
    if count == 0:
        return ()
    pairs = _suitable_pairs(noun)
    return rng.choice(pairs) if count == 2 and pairs else (rng.choice(_suitable(noun)),)


@cache
def _suitable_pairs(noun: Noun) -> tuple[tuple[Adjective, Adjective], ...]:
    return tuple(
        (first, second)
        for first, second in permutations(_suitable(noun), 2)
        if in_english_order(first, second) and in_french_together(first, second, noun)
    )


@cache
def _nouns(tags: frozenset[str]) -> tuple[Noun, ...]:
    return tuple(noun for noun in NOUNS if noun.tags & tags)


@cache
def _suitable(noun: Noun) -> tuple[Adjective, ...]:
    return tuple(adjective for adjective in ADJECTIVES if adjective.suits & noun.tags)
