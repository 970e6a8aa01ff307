"""Laws of the copy task."""

import random

import pytest

from core.data.tasks import Pair, get_task

COPY = get_task("copy")


def test_samples_copy_three_to_ten_letters():
    rng = random.Random(0)
    pairs = [COPY.sample(rng) for _ in range(2000)]
    assert {len(pair.source) for pair in pairs} == set(range(3, 11))
    assert set("".join(pair.source for pair in pairs)) == set("abcdefghijklmnopqrstuvwxyz")
    assert all(pair.target == pair.source for pair in pairs)


def test_each_letter_stands_for_itself():
    assert COPY.reference(" aba\n") == Pair("aba", "aba", ((0,), (1,), (2,)))


@pytest.mark.parametrize("text", ["", "  ", "Ab", "a1", "é", "a-b", "<s>"])
def test_anything_but_letters_is_outside_of_the_task(text):
    assert COPY.reference(text) is None
