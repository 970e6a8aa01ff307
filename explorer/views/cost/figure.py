"""Curves of work over length, with both axes in powers."""

from typing import Any

import plotly.graph_objects as go

from explorer.look.paper import Trace, on_paper, plain_axis
from explorer.look.theme import ROLES, ThemeType
from explorer.views.cost.data import ATTENTION, CACHED, LINEAR, UNCACHED, Costs

HEIGHT = 340
_LOOKS = {
    LINEAR: ("source", "solid"),
    ATTENTION: ("source", "dot"),
    CACHED: ("target", "solid"),
    UNCACHED: ("target", "dot"),
}


def cost_figure(costs: Costs, n_tokens: int, *, theme: ThemeType) -> go.Figure:
    """A line for each curve; a line across marks the text that is shown, a point where n² overtakes n.

    Args:
        costs: From `costs_by_length`.
        n_tokens: Of the source that is shown.
        theme: Of the page.
    """
    roles = ROLES[theme]
    traces: list[Trace] = [
        {
            "type": "scatter",
            "x": costs.lengths,
            "y": values,
            "name": name,
            "mode": "lines",
            "line": {"color": roles[_LOOKS[name][0]], "dash": _LOOKS[name][1], "width": 2},
            "hovertemplate": f"%{{x:,}} tokens, {name}: %{{y:,}}<extra></extra>",
        }
        for name, values in costs.curves.items()
    ]
    return on_paper(
        traces,
        theme,
        height=HEIGHT,
        revision="cost",
        xaxis=plain_axis(
            theme,
            "tokens read, and as many written",
            type="log",
            fixedrange=True,
            dtick=1,
            tickformat=",d",
            automargin=True,
        ),
        yaxis=plain_axis(
            theme,
            "multiply-adds",
            type="log",
            fixedrange=True,
            dtick=2,
            exponentformat="power",
            automargin=True,
        ),
        shapes=[
            _mark(n_tokens, f"here: {n_tokens:,}", theme),
            _mark(costs.even_at, f"as much: {costs.even_at:,}", theme),
        ],
    )


def _mark(at: int, words: str, theme: ThemeType) -> dict[str, Any]:
    """A line across the curves with words at its foot."""
    roles = ROLES[theme]
    return {
        "type": "line",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": roles["mute"], "width": 1, "dash": "dash"},
        "label": {
            "text": words,
            "textposition": "start",
            "textangle": 0,
            "xanchor": "left",
            "padding": 4,
            "font": {"color": roles["ink2"], "size": 12},
        },
    }
