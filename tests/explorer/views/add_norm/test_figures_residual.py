"""The lines of the residual stream: what is drawn is what was given, in the colours of the theme, without markup."""

import numpy as np
import pytest

from explorer.look.labels import unread
from explorer.look.theme import ROLES
from explorer.views.add_norm.figure import compared_figure, stream_figure

LABELS = ["embedding", "self-attn 0", "feed-fwd 0"]
SIZES = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 8.0]])
ADDED = np.array([[np.nan, np.nan], [1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_token_has_its_line_and_the_means_are_theirs(theme):
    rows = [unread(row) for row in ("0 the", "1 <a>%{x}&")]
    figure = stream_figure(LABELS, SIZES, ADDED, rows, role="source", theme=theme)
    first, second, _, mean, added = figure.data
    assert list(first.y) == [1, 3, 4]
    assert list(second.y) == [2, 5, 8]
    assert first.line.color == ROLES[theme]["source"]
    assert list(mean.y) == [1.5, 4, 6]
    np.testing.assert_array_equal(added.y, [np.nan, 1.5, 3.5])
    assert set(second.text) == {"1 &#60;a&#62;%{x}&#38;"}
    assert "&#60;" not in second.hovertemplate, "a token is no template"


def test_models_are_told_apart_by_more_than_colour_and_keep_the_order_of_the_points():
    curves = {"post": (LABELS[:2], SIZES[:2, 0]), "pre": (LABELS, SIZES[:, 1])}
    figure = compared_figure(LABELS, curves, theme="light")
    assert [trace.name for trace in figure.data] == ["post", "pre"]
    assert len({trace.line.dash for trace in figure.data}) == 2
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert list(figure.layout.xaxis.categoryarray) == LABELS
    assert list(figure.data[1].y) == [2, 5, 8]
