"""Laws of the three letter tasks."""

import random
from collections import Counter

import pytest

from core.data.tasks import Pair, get_task

COPY, REVERSE, SORT = (get_task(name) for name in ("copy", "reverse", "sort"))
ALL = pytest.mark.parametrize("task", [COPY, REVERSE, SORT], ids=["copy", "reverse", "sort"])


def pairs_of(task) -> list[Pair]:
    rng = random.Random(0)
    return [task.sample(rng) for _ in range(2000)]


@ALL
def test_words_have_three_to_ten_letters_from_a_to_z(task):
    pairs = pairs_of(task)
    assert {len(pair.source) for pair in pairs} == set(range(3, 11))
    assert set("".join(pair.source for pair in pairs)) == set("abcdefghijklmnopqrstuvwxyz")


def test_the_same_stream_of_words_goes_through_all_three():
    streams = [[pair.source for pair in pairs_of(task)] for task in (COPY, REVERSE, SORT)]
    assert streams[0] == streams[1] == streams[2]


def test_targets_are_the_copy_the_reverse_and_the_sorted_word():
    assert all(pair.target == pair.source for pair in pairs_of(COPY))
    assert all(pair.target == "".join(reversed(pair.source)) for pair in pairs_of(REVERSE))
    for pair in pairs_of(SORT):
        assert list(pair.target) == sorted(pair.target)
        assert Counter(pair.target) == Counter(pair.source)


@ALL
def test_every_letter_is_aligned_with_equal_letters_only(task):
    for pair in pairs_of(task):
        for letter, positions in zip(pair.target, pair.alignment, strict=True):
            assert {pair.source[position] for position in positions} == {letter}


def test_alignments_of_a_letter_that_comes_twice():
    assert COPY.reference(" aba\n") == Pair("aba", "aba", ((0,), (1,), (2,)))
    assert REVERSE.reference("abac") == Pair("abac", "caba", ((3,), (2,), (1,), (0,)))
    assert SORT.reference("baca") == Pair("baca", "aabc", ((1, 3), (1, 3), (0,), (2,)))


@ALL
@pytest.mark.parametrize("text", ["", "  ", "Ab", "a1", "é", "a-b", "<s>"])
def test_anything_but_letters_is_outside_of_the_task(task, text):
    assert task.reference(text) is None
