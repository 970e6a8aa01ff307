"""Laws of random sentences, checked on the words of many samples."""

import random
import re
from collections import Counter

import pytest

from core.data.tasks import Pair, get_task
from core.data.tasks.en_fr.grammar import Action
from core.data.tasks.en_fr.sampling import sample_sentence
from tests.optional import unwrap

TASK = get_task("en_fr")
TOKENIZER = TASK.tokenizers()[0]
# A silent h elides too, except that of the owls.
VOWEL = r"(?=[aâeéèêiîoôu]|h(?!ibou))"


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    rng = random.Random(11)
    return [TASK.sample(rng) for _ in range(6000)]


def matches(pattern: str, pairs: list[Pair]) -> list[str]:
    return [pair.target for pair in pairs if re.search(pattern, pair.target)]


def test_every_sentence_is_grammatical():
    rng = random.Random(3)
    assert all(sample_sentence(rng).is_grammatical() for _ in range(3000))


@pytest.mark.proof
def test_every_sample_is_what_the_parser_makes_of_its_source(pairs):
    assert all(TASK.reference(pair.source) == pair for pair in pairs)


def test_one_source_has_one_target(pairs):
    assert len({pair.source: pair.target for pair in pairs}) == len({(p.source, p.target) for p in pairs})


def test_no_word_is_left_unelided(pairs):
    assert matches(rf"\b(le|la|ne|de|ma|ta|sa) {VOWEL}", pairs) == []


def test_no_word_is_elided_before_a_consonant(pairs):
    assert matches(rf"\b[ldn]'(?!{VOWEL})", pairs) == []
    assert len(matches(r"\b[ldn]'", pairs)) > 1000


def test_forms_before_a_vowel_stand_before_a_vowel_only(pairs):
    assert matches(rf"\b(cet|bel|vieil|nouvel) (?!{VOWEL})", pairs) == []
    assert matches(r"\b(cet|bel|vieil|nouvel)$", pairs) == []
    assert matches(rf"\bce {VOWEL}", pairs) == []
    assert matches(r"\b(beau|vieux|nouveau) (homme|enfant|oiseau|arbre|hôpital)\b", pairs) == []
    assert len(matches(r"\b(bel|vieil|nouvel) ", pairs)) > 50


def test_ne_and_pas_or_jamais_come_together_with_one_word_between(pairs):
    for pair in pairs:
        negative = bool(re.search(r"\b(not|never)\b", pair.source))
        assert bool(re.search(r"\bn(e |')[^ ]+ (pas|jamais)\b", pair.target)) is negative
        assert len(re.findall(r"\bn(?:e |')", pair.target)) == negative


def test_no_partitive_or_indefinite_article_stays_in_a_negated_object(pairs):
    assert matches(r"\bn(e |').* (pas|jamais) (souvent )?(un|une|des|du)\b", pairs) == []


def test_not_always_leaves_the_article_of_its_object(pairs):
    # "De" is right there as part of a partitive, and in place of "des" in front of a plural adjective.
    assert matches(r"\bpas toujours (d'|de (?!l'|la |[a-zéâ]+[sx] ))", pairs) == []
    assert matches(r"\bpas toujours (un|une|des|du) ", pairs)


def test_no_adjective_changes_its_meaning_before_its_noun(pairs):
    # Ancien would be former, grand great, and cher, pauvre, propre or seul mean something else as well.
    assert matches(r"\b(ancien|cher|pauvre|propre|seul)", pairs) == []
    assert matches(r"\bgrande?s? (homme|femme|roi|enfant)s?\b", pairs) == []


def test_des_never_precedes_a_noun_with_an_adjective_before_it(pairs):
    adjectives = "beaux|belles|bons|bonnes|petits|petites|gros|grosses|vieux|vieilles|jeunes|nou\\w+s"
    assert matches(rf"\bdes ({adjectives})\b", pairs) == []
    # Grand stands before its noun but for those that it would call great.
    assert matches(r"\bdes grand(e?)s\b", pairs) == []
    assert matches(rf"\bde ({adjectives})\b", pairs)


def test_singular_and_plural_subjects_take_their_verbs(pairs):
    first_verb = r"^(?:l'|[^ ]+ )(?:[^ ]+ )*?(?:n'|ne )?"
    plural = r"(les|des|ces|mes|tes|ses|nos|leurs|deux|de (?=[^ ]+s |vieux |beaux |nouveaux ))\b"
    for pair in pairs:
        if re.match(plural, pair.target):
            assert re.search(first_verb + r"(sont|\w+ent)\b", pair.target), pair.target
        else:
            assert not re.search(r"\b(sont|dorment|voient|ont)\b", pair.target), pair.target


def test_english_articles_fit_the_next_word(pairs):
    sources = [pair.source for pair in pairs]
    assert not [source for source in sources if re.search(r"\b(a [aeiou]|an [^aeiou])", source)]


def test_any_stands_in_negated_objects_only(pairs):
    with_any = [pair.source for pair in pairs if " any " in pair.source]
    assert len(with_any) > 50
    assert all(re.search(r"\b(not|never)\b.* any ", source) for source in with_any)


@pytest.mark.proof
def test_every_word_of_the_vocabulary_is_used(pairs):
    rng = random.Random(12)
    used = Counter(
        word
        for pair in [*pairs, *(TASK.sample(rng) for _ in range(6000))]
        for text in (pair.source, pair.target)
        for word in TOKENIZER.tokenize(text)
    )
    assert set(used) == set(TOKENIZER.vocabulary.words)
    assert min(used.values()) >= 5


def test_actions_make_sense():
    rng = random.Random(8)
    for sentence in (sample_sentence(rng) for _ in range(3000)):
        if not isinstance(sentence.predicate, Action):
            continue
        verb, patient = sentence.predicate.verb, sentence.predicate.object
        assert verb.subjects & sentence.subject.noun.tags
        assert patient is None or unwrap(verb.objects) & patient.noun.tags


def test_adjectives_suit_their_nouns():
    rng = random.Random(9)
    phrases = (each for _ in range(3000) for each in sample_sentence(rng).noun_phrases())
    assert all(adjective.suits & phrase.noun.tags for phrase in phrases for adjective in phrase.adjectives)


def test_samples_are_varied(pairs):
    assert len({pair.source for pair in pairs}) > 0.9 * len(pairs)
    negative = sum(" not " in pair.source for pair in pairs) / len(pairs)
    assert 0.25 < negative < 0.45
