"""Laws of the splits."""

import random
from collections import Counter

import pytest

from core.data.splits import Splits, split_pairs
from core.data.tasks import TASKS, Pair, get_task
from core.data.tasks.en_fr.task import EnglishToFrench
from core.data.tasks.letters import CopyLetters
from core.errors import ConfigError


class FourWords(CopyLetters):
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


def test_more_pairs_than_memory_can_hold_are_refused_before_any_is_drawn():
    with pytest.raises(ConfigError, match=r"at most 500,000 distinct pairs .* not 500,001"):
        split_pairs(get_task("copy"), 0, 499_000, 1000, 1)


def test_negative_counts_are_refused():
    with pytest.raises(ConfigError):
        split_pairs(FourWords(), 0, 3, -1, 1)


@pytest.fixture(scope="module")
def kept_out() -> Splits:
    return split_pairs(get_task("en_fr"), 3, 3000, 100, 200, unseen_pairs=True)


def test_without_unseen_pairs_nothing_is_kept_out():
    splits = split_pairs(get_task("en_fr"), 3, 3000, 100, 200)
    assert splits.unseen == ()
    assert any(EnglishToFrench().is_unseen(pair) for pair in splits.train)


def test_unseen_pairs_occur_in_every_unseen_source_and_nowhere_else(kept_out):
    task = EnglishToFrench()
    assert [len(kept_out.train), len(kept_out.validation), len(kept_out.test)] == [3000, 100, 200]
    assert len({pair.source for pair in kept_out.unseen}) == len(kept_out.unseen) == 200
    assert all(task.is_unseen(pair) for pair in kept_out.unseen)
    assert not any(task.is_unseen(pair) for pair in (*kept_out.train, *kept_out.validation, *kept_out.test))


def test_every_word_of_the_unseen_sources_occurs_in_training(kept_out):
    trained = {word for pair in kept_out.train for word in (*pair.source.split(), *pair.target.split())}
    for pair in kept_out.unseen:
        assert {*pair.source.split(), *pair.target.split()} <= trained


@pytest.mark.proof
def test_the_seed_decides_about_unseen_pairs_too(kept_out):
    assert split_pairs(get_task("en_fr"), 3, 3000, 100, 200, unseen_pairs=True) == kept_out


def test_a_task_without_combinations_is_refused():
    with pytest.raises(ConfigError, match="leave unseen_pairs off"):
        split_pairs(get_task("copy"), 0, 3, 1, 1, unseen_pairs=True)


class RareAreUnseen(FourWords):
    """Of the four sources, the rare one is a combination to be kept out."""

    unseen_description = "The fourth letter."

    def is_unseen(self, pair: Pair) -> bool:
        return pair.source == "d"


def test_too_few_unseen_pairs_are_refused_with_both_numbers():
    splits = split_pairs(RareAreUnseen(), 0, 1, 1, 1, unseen_pairs=True)
    assert [pair.source for pair in splits.unseen] == ["d"]
    with pytest.raises(ConfigError, match=r"at most 3 distinct pairs, not 4"):
        split_pairs(RareAreUnseen(), 0, 2, 1, 1, unseen_pairs=True)
    with pytest.raises(ConfigError, match=r"at most 1 unseen pairs, not 2"):
        split_pairs(RareAreUnseen(), 0, 0, 0, 2, unseen_pairs=True)
