"""Which updates are offered: the first ones, those that can be compared, and those that follow a checkpoint."""

import pytest

from explorer.views.update.choices import UpdateChoice, chosen_update, update_choices


def offered(*arguments) -> list[str]:
    return [choice.key for choice in update_choices(*arguments)]


def test_a_shipped_run_offers_its_first_updates_and_those_whose_figures_it_keeps():
    assert offered(1250, (), (), (0, 20, 40, 60)) == [f"seed-{n}" for n in (0, 1, 5, 10, 20, 25)]


def test_the_updates_before_kept_weights_and_after_checkpoints_are_offered_too():
    assert offered(100, (40, 20), (0, 5, 10, 50)) == [
        *(f"seed-{n}" for n in (0, 1, 4, 5, 9, 10)), "checkpoint-20", "seed-25", "checkpoint-40",
    ]  # fmt: skip


def test_no_update_follows_the_end_and_none_comes_before_the_beginning():
    assert offered(6, (0, 3, 6), (0, 6)) == ["seed-0", "seed-1", "checkpoint-3", "seed-5"]


def test_the_same_update_comes_from_the_seed_first():
    assert offered(8, (1, 5), ()) == ["seed-0", "seed-1", "checkpoint-1", "seed-5", "checkpoint-5"]


@pytest.mark.parametrize("told", [(-1,), (-1, -1, -1, 3), (-5, 26, 10**14, 10**14, 3)])
def test_an_impossible_update_of_a_description_made_by_hand_is_not_offered(told):
    keys = offered(1250, (), (), told)
    assert keys[0] == "seed-0"
    assert set(keys) - {f"seed-{n}" for n in (0, 1, 5, 10, 25)} <= {"seed-3"}
    assert ("seed-3" in keys) == (3 in told)


@pytest.mark.parametrize(("key", "found"), [("seed-5", "seed-5"), ("seed-3", "seed-0"), ("", "seed-0")])
def test_an_unknown_key_gives_the_first(key, found):
    assert chosen_update(key, update_choices(20, (), ())).key == found


def test_a_choice_tells_where_it_begins():
    assert UpdateChoice(5).title == "5"
    assert UpdateChoice(1250, 1250).title == "1,250, after a checkpoint"
