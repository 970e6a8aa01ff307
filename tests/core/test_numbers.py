"""What counts as a number where nothing is trusted."""

import math

import pytest

from core.numbers import is_number, is_whole


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, [1], math.nan, math.inf])
def test_only_whole_numbers_are_whole(value):
    assert not is_whole(value)


@pytest.mark.parametrize("value", [True, False, "1", None, [1], math.nan, math.inf, -math.inf])
def test_only_finite_numbers_are_numbers(value):
    assert not is_number(value)


def test_bounds_are_included_and_nothing_is_too_large_to_be_compared():
    assert [is_whole(value, 1, 3) for value in range(5)] == [False, True, True, True, False]
    assert [is_number(value, 0.5, 1.5) for value in (0.49, 0.5, 1, 1.5, 1.51)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert is_whole(10**400)
    assert is_number(10**400)
    assert not is_number(10**400, 0, 1e6)
