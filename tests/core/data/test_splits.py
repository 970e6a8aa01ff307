"""Laws of the splits."""

import random
from collections import Counter

import pytest

from core.data.splits import split_pairs
from core.data.tasks import TASKS, Pair, get_task
from core.errors import ConfigError


class FourWords:
    """A task with just four sources, one of them rare."""

    name = "four"

    def sample(self, rng: random.Random) -> Pair:
        word = rng.choices("abcd", (10, 10, 10, 1))[0]
        return Pair(word, word, ((0,),))


@pytest.mark.parametrize("name", TASKS)
def test_no_source_occurs_twice_in_or_between_splits(name):
    splits = split_pairs(get_task(name), 5, 400, 30, 70)
    assert [len(splits.train), len(splits.validation), len(splits.test)] == [400, 30, 70]
    sources = [pair.source for pair in (*splits.train, *splits.validation, *splits.test)]
    assert Counter(sources).most_common(1)[0][1] == 1


def test_the_seed_decides():
    task = get_task("copy")
    assert split_pairs(task, 1, 50, 5, 5) == split_pairs(task, 1, 50, 5, 5)
    assert split_pairs(task, 1, 50, 5, 5) != split_pairs(task, 2, 50, 5, 5)


def test_a_task_can_be_drawn_to_its_last_source():
    splits = split_pairs(FourWords(), 0, 2, 1, 1)
    assert {pair.source for pair in (*splits.train, *splits.validation, *splits.test)} == set("abcd")


def test_rare_sources_reach_every_split():
    in_train = sum(
        "d" in {pair.source for pair in split_pairs(FourWords(), seed, 2, 1, 1).train} for seed in range(60)
    )
    assert 15 < in_train < 45


def test_a_task_too_small_is_refused_with_both_numbers():
    with pytest.raises(ConfigError, match=r"at most 4 distinct pairs, not 5"):
        split_pairs(FourWords(), 0, 3, 1, 1)


def test_negative_counts_are_refused():
    with pytest.raises(ConfigError):
        split_pairs(FourWords(), 0, 3, -1, 1)
