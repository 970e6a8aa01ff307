"""The length of the residual stream as lines: after every sub-layer, and of models that differ in one thing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.look.paper import Trace, on_paper, plain_axis
from explorer.look.theme import ROLES, ThemeType

HEIGHT = 320


def stream_figure(
    labels: Sequence[str],
    sizes: np.ndarray,
    added: np.ndarray,
    rows: Sequence[str],
    *,
    role: str,
    theme: ThemeType,
) -> go.Figure:
    """‖x‖ of every token after each part of a stack, its mean, and the mean of what each sub-layer added.

    P points, T tokens.

    Args:
        labels: Of the points [P], each another one.
        sizes: ‖x‖ [P, T].
        added: ‖sublayer(x)‖ [P, T]; NaN where nothing is added.
        rows: What each token's row is called, as the chart may show it [T].
        role: Colour of the tokens' lines: ``source`` or ``target``.
        theme: Of the page.
    """
    roles = ROLES[theme]
    thin = {"type": "scatter", "mode": "lines", "line": {"color": roles[role], "width": 1}}
    traces: list[Trace] = [
        {
            **thin,
            "x": list(labels),
            "y": sizes[:, column],
            "opacity": 0.6,
            "name": row,
            "legendgroup": "tokens",
            "showlegend": False,
            "text": [row] * len(labels),
            "hovertemplate": "%{text}<br>%{x}: %{y:.3f}<extra></extra>",
        }
        for column, row in enumerate(rows)
    ]
    # A line of the legend for all of them, which has no points itself; a click on it hides and shows them.
    traces.append({**thin, "x": [None], "y": [None], "name": "each token", "legendgroup": "tokens"})
    curves: tuple[tuple[str, np.ndarray, dict[str, object], str], ...] = (
        ("mean ‖x‖", sizes.mean(axis=1), {"color": roles["ink"], "width": 3}, "circle"),
        (
            "mean ‖sub-layer(x)‖",
            added.mean(axis=1),
            {"color": roles["mute"], "width": 2, "dash": "dot"},
            "diamond",
        ),
    )
    traces += [_marked(name, labels, values, line, symbol) for name, values, line, symbol in curves]
    return _over_the_parts(traces, theme)


def compared_figure(
    labels: Sequence[str], curves: Mapping[str, tuple[Sequence[str], np.ndarray]], *, theme: ThemeType
) -> go.Figure:
    """One line for each model, over the points that it has.

    Args:
        labels: All points, in order.
        curves: By name: the points of a model, and its values [point].
        theme: Of the page.
    """
    roles = ROLES[theme]
    looks = (("ink", "solid", "circle"), ("k", "dash", "square"), ("q", "dot", "diamond"))
    traces = [
        _marked(name, points, values, {"color": roles[role], "width": 2.5, "dash": dash}, symbol)
        for (name, (points, values)), (role, dash, symbol) in zip(curves.items(), looks, strict=False)
    ]
    return _over_the_parts(traces, theme, categoryorder="array", categoryarray=list(labels))


def _marked(
    name: str, labels: Sequence[str], values: np.ndarray, line: Mapping[str, object], symbol: str
) -> Trace:
    return {
        "type": "scatter",
        "x": list(labels),
        "y": values,
        "mode": "lines+markers",
        "line": dict(line),
        "marker": {"symbol": symbol, "size": 7},
        "name": name,
        # Lines without a group would stand one below the other, as one.
        "legendgroup": name,
        "hovertemplate": f"{name}<br>%{{x}}: %{{y:.3f}}<extra></extra>",
    }


def _over_the_parts(traces: Sequence[Trace], theme: ThemeType, **order: Any) -> go.Figure:
    shared: dict[str, Any] = {"fixedrange": True, "automargin": True}
    return on_paper(
        traces,
        theme,
        height=HEIGHT,
        revision="keep",
        xaxis=plain_axis(theme, type="category", showgrid=False, **shared, **order),
        yaxis=plain_axis(theme, "length ‖x‖", rangemode="tozero", **shared),
        hovermode="closest",
    )
