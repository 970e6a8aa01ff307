"""How many held-out sources are one token away from training, compared with the edit distance itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.nearness import count_near


def distance(one, other):
    """Levenshtein's, by its definition."""
    if not one or not other:
        return len(one) + len(other)
    return min(
        distance(one[1:], other) + 1,
        distance(one, other[1:]) + 1,
        distance(one[1:], other[1:]) + (one[0] != other[0]),
    )


def test_another_token_one_more_and_one_less_are_near_and_two_are_not():
    training = [["the", "black", "cat", "sleeps"], ["a", "dog", "sings"]]
    held_out = [
        ["the", "black", "dog", "sleeps"],
        ["the", "cat", "sleeps"],
        ["a", "big", "dog", "sings"],
        ["the", "dog", "sleeps"],
        ["dog", "a", "sings"],
    ]
    assert count_near(held_out, training) == 3


texts = st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=5, unique=True)


@pytest.mark.proof
@given(texts, texts)
def test_it_is_what_the_edit_distance_says(held_out, training):
    training = [source for source in training if source not in held_out]
    near = sum(any(distance(one, other) == 1 for other in training) for one in held_out)
    assert count_near(held_out, training) == near
