"""Laws of the English side."""

import random

import pytest

from core.data.tasks.en_fr import EnglishToFrench
from core.data.tasks.en_fr.english import write_english
from core.data.tasks.en_fr.sampling import sample_sentence
from tests.optional import unwrap

TASK = EnglishToFrench()


def test_every_english_word_has_a_role_of_its_own():
    rng = random.Random(2)
    for _ in range(2000):
        words = write_english(sample_sentence(rng))
        assert all(len(word.roles) == 1 for word in words)
        assert len({word.roles for word in words}) == len(words)


@pytest.mark.parametrize(
    "source",
    [
        "an old man sees a beautiful old apple",
        "a small owl does not see an owl",
        "the men see two women",
        "the mice run behind the children",
        "the boy is not often in the car",
        "the children do not always drink any milk",
        "this horse never waits for these horses today",
    ],
)
def test_english_is_written_as_a_speaker_would(source):
    assert unwrap(TASK.reference(source)).source == source
