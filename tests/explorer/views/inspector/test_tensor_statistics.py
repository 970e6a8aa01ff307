"""Figures of a tensor: against NumPy and by hand, with masks and with what is no number."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.look.theme import RAMPS
from explorer.views.inspector.figure import bins, histogram_figure
from explorer.views.inspector.statistics import statistics, statistics_columns

FLOATS = st.floats(-1e6, 1e6, width=32)
ODD = st.one_of(FLOATS, st.just(math.nan), st.just(math.inf), st.just(-math.inf), st.just(0.0))


@given(arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(1, 7)), elements=FLOATS))
def test_the_figures_are_those_of_numpy_in_float64(values):
    wide, found = values.astype(np.float64), statistics(values)
    assert (found.minimum, found.maximum) == (wide.min(), wide.max())
    assert found.mean == pytest.approx(wide.mean(), rel=1e-12, abs=1e-9)
    assert found.std == pytest.approx(wide.std(), rel=1e-9, abs=1e-9)
    assert found.l1 == pytest.approx(np.abs(wide).sum(), rel=1e-12)
    assert found.l2 == pytest.approx(np.linalg.norm(wide), rel=1e-12)
    assert found.zeros == np.count_nonzero(values == 0)


@pytest.mark.proof
@given(arrays(np.float32, 12, elements=ODD), arrays(np.bool_, 12))
def test_every_number_is_counted_once(values, hidden):
    found = statistics(values, hidden)
    odd = found.masked + found.nan + found.positive_infinity + found.negative_infinity
    assert found.count == 12
    assert found.finite == 12 - odd == np.count_nonzero(np.isfinite(values) & ~hidden)
    assert math.isnan(found.mean) == (found.finite == 0)


def test_masked_numbers_are_in_none_of_the_figures():
    values = np.array([[3, -4], [-np.inf, 99]], np.float32)
    found = statistics(values, np.array([[False, False], [True, True]]))
    assert (found.masked, found.negative_infinity, found.l1, found.l2) == (2, 0, 7, 5)
    assert (found.mean, found.std, found.shape) == (-0.5, 3.5, (2, 2))
    with pytest.raises(ValueError, match="the mask has the shape"):
        statistics(values, np.zeros(4, bool))


def test_many_numbers_are_summed_without_losing_small_ones():
    # In float32 the sum of so many tenths is off in the third digit.
    assert statistics(np.full(3_000_000, 0.1, np.float32)).mean == pytest.approx(0.1, abs=2e-9)


def test_the_table_has_a_figure_in_every_row_and_fits_the_page():
    nothing = statistics(np.array([np.nan], np.float32))
    table = statistics_columns(
        {"a": (statistics(np.zeros((2, 3), np.float32)), "bfloat16"), "b": (nothing, "x")}
    )
    assert {len(column) for column in table.values()} == {14}
    of_a = dict(zip(table["figure"], table["a"], strict=True))
    assert (of_a["shape"], of_a["dtype"], of_a["exact zeros"]) == ("2×3", "bfloat16", "6 (share 1.000)")
    of_b = dict(zip(table["figure"], table["b"], strict=True))
    assert (of_b["not a number"], of_b["mean"], of_b["L2 norm"]) == ("1", "–", "0.000")


@given(arrays(np.float32, st.integers(0, 50), elements=ODD))
def test_the_histogram_counts_every_finite_number_and_never_mixes_signs(values):
    counts, edges = bins(values)
    finite = values[np.isfinite(values)]
    assert counts.sum() == finite.size
    assert len(edges) == (len(counts) + 1 if finite.size else 0)
    assert (np.diff(edges) > 0).all()
    if finite.size and finite.min() < 0 < finite.max():
        assert 0 in edges


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_bars_have_the_colours_of_their_signs(theme):
    counts, edges = bins(np.array([-2, -1, 3], np.float32))
    (bar,) = histogram_figure(counts, edges, theme=theme, revision="x").data
    colours = dict(zip(np.sign(bar.x), bar.marker.color, strict=True))
    assert colours == {-1: RAMPS[theme]["minus"][3], 1: RAMPS[theme]["plus"][3]}
    assert sum(bar.y) == 3
