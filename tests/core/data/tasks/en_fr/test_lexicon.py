"""Laws of the word tables."""

from collections import Counter

import pytest

from core.data.tasks.en_fr.lexicon import (
    ADJECTIVES,
    DETERMINERS,
    FINAL_ADVERBS,
    FREQUENCIES,
    NOUNS,
    PREPOSITIONS,
    VERBS,
)

# Written down again, apart from the tables, so that a slip in either shows.
FEMININE = {"femme", "fille", "souris", "abeille", "lettre", "image", "table", "voiture"}
FEMININE |= {"chanson", "pomme", "soupe", "eau", "maison", "école"}


def test_genders_are_those_of_french():
    assert {noun.fr_singular for noun in NOUNS if noun.gender == "f"} == FEMININE


def test_every_english_word_has_one_meaning():
    nouns = [form for noun in NOUNS for form in (noun.singular, noun.plural) if form]
    verbs = [form for verb in VERBS for form in (verb.plural, verb.third_person)]
    others = [word.english for word in (*ADJECTIVES, *DETERMINERS, *FREQUENCIES, *FINAL_ADVERBS)]
    functional = ["an", "is", "are", "do", "does", "not", "never"]
    counts = Counter((*nouns, *verbs, *others, *functional))
    assert [word for word, count in counts.items() if count > 1] == []


def test_english_third_persons_end_in_s():
    assert all(verb.third_person == verb.plural + "s" for verb in VERBS)


def test_french_plurals_follow_the_rules():
    for noun in NOUNS:
        if noun.is_mass:
            assert noun.fr_plural is None
            continue
        singular, plural = noun.fr_singular, noun.fr_plural
        expected = singular + "s"
        if singular.endswith(("eau", "hibou")):
            expected = singular + "x"
        elif singular == "cheval":
            expected = "chevaux"
        elif singular.endswith("s"):
            expected = singular
        elif singular == "hôpital":
            expected = "hôpitaux"
        assert plural == expected


def test_french_adjectives_are_regular_where_they_should_be():
    irregular = {"beau", "bon", "vieux", "nouveau", "heureux", "blanc", "gros", "neuf"}
    for adjective in ADJECTIVES:
        for french in (adjective.french, *(sense.french for sense in adjective.senses)):
            masculine = french.masculine
            if masculine in irregular:
                continue
            feminine = masculine if masculine.endswith("e") else masculine + "e"
            assert french.feminine == feminine
            assert (french.masculine_plural, french.feminine_plural) == (masculine + "s", feminine + "s")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.plural)
def test_french_verbs_end_as_their_person_does(verb):
    assert verb.fr_plural.endswith("ent")
    assert verb.fr_singular.endswith(("e", "t", "d"))


def test_every_tag_that_a_word_asks_for_is_carried_by_a_noun():
    carried = frozenset().union(*(noun.tags for noun in NOUNS))
    asked = [adjective.suits for adjective in ADJECTIVES]
    asked += [preposition.suits for preposition in PREPOSITIONS]
    asked += [verb.subjects for verb in VERBS] + [verb.objects for verb in VERBS if verb.objects]
    assert frozenset().union(*asked) <= carried


def test_every_sense_of_an_adjective_is_that_of_a_noun_which_it_suits():
    for adjective in ADJECTIVES:
        for sense in adjective.senses:
            assert any(sense.tags & noun.tags and adjective.suits & noun.tags for noun in NOUNS)


def test_every_noun_has_fitting_adjectives():
    assert all(any(adjective.suits & noun.tags for adjective in ADJECTIVES) for noun in NOUNS)
