"""Sentences that differ from another in a single thing."""

import random

import pytest

from core.data.tasks import TASKS, Contrasting
from tests.optional import unwrap

TASK = TASKS["en_fr"]


def kinds_of(sentence):
    assert isinstance(TASK, Contrasting)
    return dict(TASK.contrasts(sentence))


def test_the_grammar_knows_number_gender_negation_and_word_order():
    assert kinds_of("the small cat does not sleep")["number"] == "the small cats do not sleep"
    assert kinds_of("the cat often sleeps")["negation"] == "the cat never sleeps"
    gender = kinds_of("the small cat does not sleep")["gender"]
    assert unwrap(TASK.reference(gender)).target.startswith("la ")
    order = kinds_of("the old black car is in front of the house")["word order"]
    assert unwrap(TASK.reference(order)).target.split()[:2] != ["la", "vieille"]


def test_every_contrast_is_another_sentence_of_the_language_in_as_many_words():
    rng = random.Random(3)
    for _ in range(300):
        source = TASK.sample(rng).source
        for other in kinds_of(source).values():
            assert other != source
            assert len(other.split()) == len(source.split())
            assert TASK.reference(other) is not None


@pytest.mark.parametrize("text", ["", "sleep the cat", "hello", "the cat sleep"])
def test_what_the_language_lacks_has_no_contrast(text):
    assert kinds_of(text) == {}
