"""What the grammar knows is sampled: every way to build a sentence or a noun phrase, however seldom it is used."""

import random
from collections.abc import Iterator
from itertools import permutations, product

import pytest

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
    Adverb,
)
from core.data.tasks.en_fr.sampling import sample_sentence
from tests.optional import unwrap

CAT, WATER = (noun for noun in NOUNS if noun.singular in ("cat", "water"))
THE, TWO = (determiner for determiner in DETERMINERS if determiner.english in ("the", "two"))
THE_CAT = NounPhrase(THE, (), CAT, is_plural=False)
POLARITIES: tuple[Polarity, ...] = ("affirmative", "not", "never")


def sentence_construct(sentence: Sentence) -> tuple[str, ...]:
    """What kind of predicate, polarity, adverb and setting a sentence has."""
    match sentence.predicate:
        case Action(verb, patient):
            predicate = "fond" if verb.is_fond else "transitive" if patient else "intransitive"
        case State(None):
            predicate = "whereabouts"
        case State(adjective):
            predicate = "passing state" if unwrap(adjective).rank == QUALITY else "lasting state"
    setting = "none"
    if isinstance(sentence.setting, Place):
        setting = "place"
    elif isinstance(sentence.setting, Adverb):
        setting = "where" if sentence.setting.is_place else "when"
    return (predicate, sentence.polarity, "often" if sentence.frequency else "once", setting)


def phrase_constructs(sentence: Sentence) -> Iterator[tuple[object, ...]]:
    """Of each noun phrase role, negation and number: with its determiner, and with the places of its adjectives."""
    place = sentence.setting.noun_phrase if isinstance(sentence.setting, Place) else None
    for role, phrase in (("subject", sentence.subject), ("object", sentence.object), ("place", place)):
        if phrase:
            negated = role == "object" and sentence.polarity != "affirmative"
            places = tuple(each.french_of(phrase.noun).before_noun for each in phrase.adjectives)
            yield (role, negated, phrase.number, phrase.determiner.english)
            yield (role, negated, phrase.number, phrase.determiner.is_indefinite, places)


def sentences_of_the_grammar() -> Iterator[Sentence]:
    """A sentence for every way to build one."""
    sleep, see, love = (verb for verb in VERBS if verb.plural in ("sleep", "see", "love"))
    states = (State(None), *(State(adjective) for adjective in ADJECTIVES))
    actions = (Action(sleep, None), Action(see, THE_CAT), Action(love, THE_CAT))
    settings: tuple[Place | Adverb | None, ...] = (None, Place(PREPOSITIONS[0], THE_CAT), *FINAL_ADVERBS)
    predicates: tuple[Action | State, ...] = (*states, *actions)
    built = product(predicates, POLARITIES, (None, *FREQUENCIES), settings)
    sentences = (
        Sentence(THE_CAT, predicate, polarity, frequency, setting)
        for predicate, polarity, frequency, setting in built
    )
    return (sentence for sentence in sentences if sentence.is_grammatical())


def sentences_with_each_noun_phrase() -> Iterator[Sentence]:
    """A sentence for every determiner, number and places of adjectives, in each role that it can have."""
    see = next(verb for verb in VERBS if verb.plural == "see")
    adjectives = ((), *((each,) for each in ADJECTIVES), *permutations(ADJECTIVES, 2))
    for chosen, determiner, (noun, plural) in product(
        adjectives, DETERMINERS, ((CAT, False), (CAT, True), (WATER, False))
    ):
        if not all(each.suits & noun.tags for each in chosen):
            continue
        phrase = NounPhrase(determiner, chosen, noun, plural)
        for polarity in POLARITIES[:2]:
            yield Sentence(THE_CAT, Action(see, phrase), polarity)
            yield Sentence(phrase, Action(see, THE_CAT), polarity)
            yield Sentence(THE_CAT, Action(see, THE_CAT), polarity, None, Place(PREPOSITIONS[0], phrase))


@pytest.fixture(scope="module")
def samples() -> list[Sentence]:
    rng = random.Random(4)
    return [sample_sentence(rng) for _ in range(60_000)]


@pytest.mark.proof
def test_every_way_to_build_a_sentence_is_sampled(samples):
    known = {sentence_construct(sentence) for sentence in sentences_of_the_grammar()}
    assert len(known) > 100
    assert known - set(map(sentence_construct, samples)) == set()


@pytest.mark.proof
def test_every_noun_phrase_is_sampled_in_every_role(samples):
    known = {
        construct
        for sentence in sentences_with_each_noun_phrase()
        if sentence.is_grammatical()
        for construct in phrase_constructs(sentence)
    }
    assert len(known) > 150
    assert known - {construct for sentence in samples for construct in phrase_constructs(sentence)} == set()


@pytest.mark.proof
def test_some_of_a_stuff_is_sampled_as_the_subject_of_both_kinds_of_predicate(samples):
    some = [each for each in samples if each.subject.noun.is_mass and each.subject.determiner.is_indefinite]
    assert {type(sentence.predicate) for sentence in some} == {Action, State}
