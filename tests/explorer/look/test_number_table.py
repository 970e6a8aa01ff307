"""The cells of a table: shown as they are, and no formulas when the browser saves them."""

import pytest

from explorer.look.number_table import shown_only
from tests.hostile import TEXTS


@pytest.mark.parametrize("cell", ["", "cat", "−0.5", "-0.5", "+1,234.5", "-", "12", "a=1", "␣", "(=)"])
def test_words_and_numbers_stay_as_they_are(cell):
    assert shown_only(cell) == cell


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1+1", "-1-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "+A1", "-A1", *TEXTS.values()]
)
def test_no_cell_is_a_formula(cell):
    shown = shown_only(cell)
    assert not shown.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert shown in (cell, f"\u200b{cell}")
