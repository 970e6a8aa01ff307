"""Laws of the adjective–noun pairs that can be kept out of training."""

import random

import pytest

from core.data.tasks import Compositional, get_task
from core.data.tasks.en_fr.lexicon import ADJECTIVES, NOUNS
from core.data.tasks.en_fr.task import EnglishToFrench
from core.data.tasks.en_fr.unseen import UNSEEN_PAIRS

TASK = EnglishToFrench()


def is_unseen(text: str) -> bool:
    pair = TASK.reference(text)
    assert pair is not None, text
    return TASK.is_unseen(pair)


def test_there_are_25_pairs_with_every_adjective_and_no_noun_twice():
    assert len(UNSEEN_PAIRS) == 25
    assert {adjective for adjective, _ in UNSEEN_PAIRS} == {each.english for each in ADJECTIVES}
    nouns = [noun for _, noun in UNSEEN_PAIRS]
    assert len(set(nouns)) == 25
    assert set(nouns) <= {each.singular for each in NOUNS}


@pytest.mark.parametrize(("adjective", "noun"), sorted(UNSEEN_PAIRS))
def test_every_pair_occurs_among_samples(adjective, noun):
    known = (
        {each.english: each for each in ADJECTIVES}[adjective],
        {each.singular: each for each in NOUNS}[noun],
    )
    assert known[0].suits & known[1].tags


@pytest.mark.parametrize(
    "text",
    [
        "the old man sleeps",
        "the old men sleep",
        "the man is old",
        "the men are never old",
        "the old clever man sleeps",
        "a cat sees the black cat",
        "the cat is in the white house",
        "the tired young woman does not eat the soup",
    ],
)
def test_a_pair_is_found_beside_its_noun_and_after_to_be(text):
    assert is_unseen(text)


@pytest.mark.parametrize(
    "text",
    [
        "the man sleeps",
        "the old woman sleeps",
        "the young man sees the old woman",
        "the man is in the old house",
        "the old owl sees the man",
        "the man is here",
    ],
)
def test_its_words_apart_are_no_pair(text):
    assert not is_unseen(text)


def test_the_examples_need_no_unseen_pair():
    assert not any(is_unseen(example.source) for example in TASK.examples)


def test_a_tenth_of_the_samples_has_one():
    rng = random.Random(0)
    share = sum(TASK.is_unseen(TASK.sample(rng)) for _ in range(2000)) / 2000
    assert 0.05 < share < 0.2


def test_only_this_task_is_compositional():
    assert isinstance(TASK, Compositional)
    assert not isinstance(get_task("copy"), Compositional)
    assert 20 < len(TASK.unseen_description) <= 140
