"""Positional encodings as curves: waves along the positions, and products by distance."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.look.paper import Trace, on_paper, plain_axis
from explorer.look.theme import ROLES, ThemeType

_COLOURS = ("source", "target", "k", "q", "v", "ink2")
MAX_CURVES = len(_COLOURS)


def waves(
    rows: np.ndarray,
    pairs: Mapping[int, float | None],
    *,
    first_beyond: int,
    theme: ThemeType,
) -> go.Figure:
    """The numbers of some pairs of dimensions, position by position: the first solid, the second dotted.

    Args:
        rows: [position, d_model].
        pairs: Which pairs, at most `MAX_CURVES`, each with its wavelength in positions; None where it has none.
        first_beyond: The first position that training never saw.
        theme: Of the page.

    Raises:
        ValueError: when there are too many pairs, or the rows have no such pair.
    """
    n_positions, d_model = rows.shape
    if len(pairs) > MAX_CURVES or any(not 0 <= 2 * pair + 1 < d_model for pair in pairs):
        raise ValueError(f"show at most {MAX_CURVES} pairs, each of the {d_model // 2} that there are")
    traces: list[Trace] = []
    positions = np.arange(n_positions)
    for colour, (pair, wavelength) in zip(_COLOURS, pairs.items(), strict=False):
        known = "" if wavelength is None else f", wavelength {_length(wavelength)}"
        for offset, dash, width in ((0, "solid", 2), (1, "dot", 1.2)):
            dimension = 2 * pair + offset
            traces.append(
                {
                    "type": "scatter",
                    "x": positions,
                    "y": rows[:, dimension],
                    "name": f"pair {pair}{known}",
                    "legendgroup": str(pair),
                    "showlegend": offset == 0,
                    "mode": "lines",
                    "line": {"color": ROLES[theme][colour], "width": width, "dash": dash},
                    "hovertemplate": f"position %{{x}}, dimension {dimension}: %{{y:.3f}}<extra></extra>",
                }
            )
    # Room above the curves for the mark's words.
    largest = float(np.abs(rows).max(initial=0.0))
    return on_paper(
        traces,
        theme,
        height=340,
        revision="waves",
        xaxis=plain_axis(theme, "position", zeroline=False),
        yaxis=plain_axis(theme, "value", range=[-1.1 * largest, 1.35 * largest]),
        **_untrained_mark(n_positions, first_beyond, theme),
    )


def products_by_distance(
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]], *, theme: ThemeType
) -> go.Figure:
    """Products of two positions' vectors by how far apart they stand: the mean, and the spread as a band.

    Args:
        curves: By name the means and the spreads [distance].
        theme: Of the page.
    """
    traces: list[Trace] = []
    for colour, (name, (means, spreads)) in zip(_COLOURS, curves.items(), strict=False):
        distances = np.arange(len(means))
        hover = "distance %{x}: %{y:.3f}, spread %{customdata:.2g}<extra></extra>"
        # The band reaches as far as the products do, half to each side.
        for sign, fill in ((-1, None), (1, "tonexty")):
            traces.append(
                {
                    "type": "scatter",
                    "x": distances,
                    "y": means + sign * spreads / 2,
                    "mode": "lines",
                    "line": {"width": 0},
                    "fill": fill,
                    "fillcolor": _transparent(ROLES[theme][colour]),
                    "hoverinfo": "skip",
                    "showlegend": False,
                }
            )
        traces.append(
            {
                "type": "scatter",
                "x": distances,
                "y": means,
                "customdata": spreads,
                "name": name,
                "line": {"color": ROLES[theme][colour], "width": 2},
                "hovertemplate": hover,
            }
        )
    return on_paper(
        traces,
        theme,
        height=280,
        revision="distance",
        xaxis=plain_axis(theme, "positions apart", zeroline=False),
        yaxis=plain_axis(theme, "product"),
    )


def pairs_to_begin_with(n_pairs: int) -> list[int]:
    """Three pairs whose waves are short enough to be seen, and the slowest one."""
    return sorted({0, n_pairs // 8, n_pairs // 4, n_pairs - 1})


def _untrained_mark(n_positions: int, first_beyond: int, theme: ThemeType) -> dict[str, Any]:
    """The parts of a layout that shade the positions that training never saw; none where it saw all."""
    if first_beyond >= n_positions:
        return {}
    colours = ROLES[theme]
    band = {
        "type": "rect",
        "xref": "x",
        "yref": "y domain",
        "x0": first_beyond - 0.5,
        "x1": n_positions - 0.5,
        "y0": 0,
        "y1": 1,
        "fillcolor": colours["well"],
        "line": {"width": 0},
        "layer": "below",
    }
    words = {
        "text": "beyond training",
        "font": {"size": 12, "color": colours["mute"]},
        "xref": "x",
        "yref": "y domain",
        "x": first_beyond - 0.5,
        "y": 1,
        "xanchor": "left",
        "yanchor": "top",
        "showarrow": False,
    }
    return {"shapes": [band], "annotations": [words]}


def _length(wavelength: float) -> str:
    return f"{wavelength:,.1f}" if wavelength < 1000 else f"{wavelength:,.0f}"


def _transparent(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"
