"""What a longer text costs: the curves are the counts of the core, and the words are about them."""

from dataclasses import replace

import pytest

from core.analysis.cache_cost import encoder_multiply_adds, even_length, multiply_adds
from explorer.views.cost.data import ATTENTION, CACHED, LINEAR, UNCACHED, cost_words, costs_by_length
from explorer.views.cost.figure import cost_figure
from tests.core.conftest import TINY


def test_every_point_is_what_the_steps_of_that_length_take():
    costs = costs_by_length(TINY)
    for place, length in enumerate(costs.lengths[:6]):
        linear, attention = costs.curves[LINEAR][place], costs.curves[ATTENTION][place]
        assert linear + attention == encoder_multiply_adds(TINY, length)
        for name, use_cache in ((CACHED, True), (UNCACHED, False)):
            steps = (multiply_adds(TINY, length, step, use_cache=use_cache).total for step in range(length))
            assert costs.curves[name][place] == sum(steps)


def test_where_no_cache_is_valid_none_is_drawn_or_spoken_of():
    costs = costs_by_length(replace(TINY, causal=False))
    assert CACHED not in costs.curves
    assert "cache" not in cost_words(costs)
    assert "cache" in cost_words(costs_by_length(TINY))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_figure_has_every_curve_and_marks_the_text_and_where_n_squared_overtakes(theme):
    costs = costs_by_length(TINY)
    figure = cost_figure(costs, 7, theme=theme)
    assert {trace.name: tuple(trace.y) for trace in figure.data} == costs.curves
    assert [(shape.x0, shape.label.text) for shape in figure.layout.shapes] == [
        (7, "here: 7"),
        (even_length(TINY), f"as much: {even_length(TINY)}"),
    ]
