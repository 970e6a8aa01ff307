"""Figures of tokens and positions as data, and in a real browser: no text is ever interpreted."""

from pathlib import Path

import numpy as np
import plotly
import pytest

from explorer.look.labels import literal
from explorer.look.theme import ROLES
from explorer.views.embedding.figure import Role, embedding_map
from explorer.views.positions.figure import MAX_CURVES, pairs_to_begin_with, products_by_distance, waves

HOSTILE = (
    "<b>bold</b>",
    "<br>",
    "</s>",
    "<s>",
    "<unk>",
    '<a href="javascript:alert(1)">x</a>',
    "$\\alpha$",
    "&lt;b&gt;",
    "&#60;b>",
    "%{x}",
    "a&b",
)


def test_what_plotly_would_read_is_written_as_entities():
    assert literal("<b>") == "&#60;b&#62;"
    assert literal("$x$ & y") == "&#36;x&#36;␣&#38;␣y"
    assert literal("été") == "été"
    assert literal("\u202e") == "\\u{202e}"


@pytest.mark.browser
def test_plotly_draws_every_text_as_it_is(browser):
    places = np.random.default_rng(0).normal(size=(len(HOSTILE), 2))
    figure = embedding_map(places, HOSTILE, ["source"] * len(HOSTILE), [0.5, 0.25], theme="light")
    page = browser.new_page()
    page.set_content('<div id="figure" style="width:700px"></div>')
    page.add_script_tag(path=str(Path(plotly.__file__).parent / "package_data" / "plotly.min.js"))
    page.evaluate(f"async () => {{ await Plotly.newPlot('figure', {figure.to_json()}); }}")
    drawn = page.locator(".textpoint text")
    assert drawn.all_text_contents() == [token.replace(" ", "␣") for token in HOSTILE]
    assert page.locator(".textpoint tspan, .textpoint a").count() == 0
    page.close()


def test_labels_of_near_neighbours_stand_on_different_sides():
    far = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    near = [[0.5, 0.5], [0.505, 0.505], [0.5, 0.495]]
    tokens = ["one", "two", "three", "four", "five", "six"]
    figure = embedding_map(np.array(far + near), tokens, ["source"] * 6, [0.5, 0.25], theme="light")
    sides = figure.data[0].textposition
    assert sides[:3] == ("top center",) * 3
    assert len(set(sides[3:])) == 3


ROLES_OF: tuple[Role, ...] = ("other", "source", "target", "both", "special", "other")
TOKENS = ("a", "b", "c", "d", "</s>", "f")


@pytest.mark.parametrize("n_axes", [2, 3])
def test_every_token_is_one_point_in_the_colour_of_its_role(n_axes):
    places = np.arange(6 * n_axes, dtype=float).reshape(6, n_axes)
    figure = embedding_map(places, TOKENS, ROLES_OF, [0.3, 0.2, 0.1][:n_axes], theme="dark", revision="run")
    traces = {trace.name: trace for trace in figure.data}
    assert [len(trace.x) for trace in figure.data] == [2, 1, 1, 1, 1]
    assert traces["source"].marker.color == ROLES["dark"]["source"]
    assert traces["output"].marker.color == ROLES["dark"]["target"]
    assert len({trace.marker.symbol for trace in figure.data}) >= 4
    assert [traces["source"].x[0], traces["source"].y[0]] == places[1, :2].tolist()
    assert list(traces["other tokens"].text) == ["a", "f"]
    assert figure.layout.uirevision == f"run/{n_axes}"
    if n_axes == 3:
        assert [each.text for each in figure.layout.scene.annotations] == ["b", "c", "d"]
        assert "30.0%" in figure.layout.scene.xaxis.title.text
    else:
        assert traces["source"].mode == "markers+text"
        assert traces["other tokens"].mode == "markers"
        assert figure.layout.xaxis.title.text == "axis 0, 30.0% of the variance"


@pytest.mark.parametrize(
    ("places", "shares"),
    [(np.zeros((6, 4)), [0.1] * 4), (np.zeros((5, 2)), [0.1, 0.2]), (np.zeros((6, 2)), [0.1])],
)
def test_a_map_whose_sizes_do_not_fit_is_refused(places, shares):
    with pytest.raises(ValueError, match="as many tokens, roles and shares"):
        embedding_map(places, TOKENS, ROLES_OF, shares, theme="light")


def test_waves_are_the_two_dimensions_of_each_pair_with_its_wavelength():
    rows = np.random.default_rng(1).normal(size=(9, 8))
    figure = waves(rows, {0: 6.283, 3: 6283.19}, first_beyond=6, theme="light")
    assert [trace.y.tolist() for trace in figure.data] == [rows[:, d].tolist() for d in (0, 1, 6, 7)]
    assert [trace.name for trace in figure.data[::2]] == [
        "pair 0, wavelength 6.3",
        "pair 3, wavelength 6,283",
    ]
    assert [trace.line.dash for trace in figure.data] == ["solid", "dot"] * 2
    (mark,) = figure.layout.shapes
    assert (mark.x0, mark.x1) == (5.5, 8.5)
    assert not waves(rows, {0: None}, first_beyond=9, theme="light").layout.shapes
    assert waves(rows, {0: None}, first_beyond=9, theme="light").data[0].name == "pair 0"
    assert not waves(rows, {}, first_beyond=9, theme="light").data


@pytest.mark.parametrize("pairs", [{4: 1.0}, {-1: 1.0}, dict.fromkeys(range(MAX_CURVES + 1))])
def test_pairs_that_are_not_there_are_refused(pairs):
    with pytest.raises(ValueError, match="at most"):
        waves(np.zeros((3, 8 if len(pairs) == 1 else 99)), pairs, first_beyond=3, theme="light")


def test_products_are_drawn_with_their_spread():
    means, spreads = np.array([4.0, 2.0]), np.array([0.0, 0.5])
    low, high, line = products_by_distance({"sinusoids": (means, spreads)}, theme="dark").data
    assert low.y.tolist() == [4.0, 1.75]
    assert high.y.tolist() == [4.0, 2.25]
    assert line.y.tolist() == [4.0, 2.0]
    assert line.name == "sinusoids"


@pytest.mark.parametrize(
    ("n_pairs", "expected"), [(1, [0]), (2, [0, 1]), (32, [0, 4, 8, 31]), (256, [0, 32, 64, 255])]
)
def test_some_pairs_to_begin_with(n_pairs, expected):
    assert pairs_to_begin_with(n_pairs) == expected
