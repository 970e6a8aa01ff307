"""How the numbers of a tensor are spread: a histogram whose bars say on which side of zero they are."""

import math

import numpy as np
import plotly.graph_objects as go

from explorer.look.paper import on_paper, plain_axis
from explorer.look.theme import RAMPS, RampName, ThemeType

HEIGHT = 260
BARS = 40
"""Rather more than less, so that zero can lie between two of them."""


def bins(values: np.ndarray, n: int = BARS) -> tuple[np.ndarray, np.ndarray]:
    """Counts [n] of the finite values and the edges [n + 1] between them; 0 is an edge where it is in between.

    Args:
        values: Any shape; what is not finite is left out.
        n: About how many bins.
    """
    finite = np.asarray(values, dtype=np.float64).ravel()
    finite = finite[np.isfinite(finite)]
    if not finite.size:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        # One value has one bar, wide enough to be seen.
        half = abs(low) / 2 or 0.5
        return np.array([finite.size]), np.array([low - half, high + half])
    if low < 0 < high:
        width = (high - low) / n
        below, above = math.ceil(-low / width), math.ceil(high / width)
        edges = width * np.arange(-below, above + 1)
    else:
        edges = np.linspace(low, high, n + 1)
    # The ends are rounded like everything else; no value may fall out of them.
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    counts, _ = np.histogram(finite, edges)
    return counts, edges


def histogram_figure(counts: np.ndarray, edges: np.ndarray, *, theme: ThemeType, revision: str) -> go.Figure:
    """A bar for each bin.

    Args:
        counts: From `bins` [bin].
        edges: From `bins` [bin + 1].
        theme: Of the page.
        revision: What is shown; as long as it stays the same, so does a zoom.
    """
    middles = (edges[:-1] + edges[1:]) / 2
    ramps: list[RampName] = ["minus" if middle < 0 else "plus" for middle in middles]
    bars = {
        "type": "bar",
        "x": middles,
        "y": counts,
        "width": np.diff(edges),
        "marker": {"color": [RAMPS[theme][ramp][3] for ramp in ramps], "line": {"width": 0}},
        "customdata": np.stack((edges[:-1], edges[1:]), axis=-1),
        "hovertemplate": "%{customdata[0]:.4g} to %{customdata[1]:.4g}: %{y:,}<extra></extra>",
    }
    return on_paper(
        [bars],
        theme,
        height=HEIGHT,
        revision=revision,
        xaxis=plain_axis(theme, "value", showgrid=False, automargin=True, zeroline=True, fixedrange=True),
        yaxis=plain_axis(theme, "numbers", automargin=True, fixedrange=True, rangemode="tozero"),
        bargap=0.06,
        showlegend=False,
    )
