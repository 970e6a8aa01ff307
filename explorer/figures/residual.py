"""The length of the residual stream as lines: after every sub-layer, and of models that differ in one thing."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from explorer.theme import ROLES, ThemeType

HEIGHT = 320
_FONT = "Source Sans, sans-serif"


def stream_figure(
    labels: Sequence[str],
    sizes: np.ndarray,
    added: np.ndarray,
    tokens: Sequence[str],
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
        tokens: As the chart may show them [T].
        role: Colour of the tokens' lines: ``source`` or ``target``.
        theme: Of the page.
    """
    roles = ROLES[theme]
    figure = _empty(theme)
    for column, token in enumerate(tokens):
        figure.add_scatter(
            x=list(labels),
            y=sizes[:, column],
            mode="lines",
            line={"color": roles[role], "width": 1},
            opacity=0.6,
            name=f"{column} {token}",
            legendgroup="tokens",
            showlegend=False,
            text=[f"{column} {token}"] * len(labels),
            hovertemplate="%{text}<br>%{x}: %{y:.3f}<extra></extra>",
        )
    # A line of the legend for all of them, which has no points itself.
    figure.add_scatter(
        x=[None], y=[None], mode="lines", line={"color": roles[role], "width": 1}, name="each token"
    )
    curves: tuple[tuple[str, np.ndarray, dict[str, object], str], ...] = (
        ("mean ‖x‖", sizes.mean(axis=1), {"color": roles["ink"], "width": 3}, "circle"),
        (
            "mean ‖sub-layer(x)‖",
            added.mean(axis=1),
            {"color": roles["mute"], "width": 2, "dash": "dot"},
            "diamond",
        ),
    )
    for name, values, line, symbol in curves:
        figure.add_scatter(
            x=list(labels),
            y=values,
            mode="lines+markers",
            line=line,
            marker={"symbol": symbol, "size": 7},
            name=name,
            hovertemplate=f"{name}<br>%{{x}}: %{{y:.3f}}<extra></extra>",
        )
    return figure


def compared_figure(
    labels: Sequence[str], curves: Mapping[str, tuple[Sequence[str], np.ndarray]], *, theme: ThemeType
) -> go.Figure:
    """One line for each model, over the points that it has.

    Args:
        labels: All points, in order.
        curves: By name: the points of a model, and its value at each.
        theme: Of the page.
    """
    roles = ROLES[theme]
    looks = (("ink", "solid", "circle"), ("k", "dash", "square"), ("q", "dot", "diamond"))
    figure = _empty(theme)
    for (name, (points, values)), (role, dash, symbol) in zip(curves.items(), looks, strict=False):
        figure.add_scatter(
            x=list(points),
            y=values,
            mode="lines+markers",
            line={"color": roles[role], "width": 2.5, "dash": dash},
            marker={"symbol": symbol, "size": 7},
            name=name,
            hovertemplate=f"{name}<br>%{{x}}: %{{y:.3f}}<extra></extra>",
        )
    figure.update_xaxes(categoryorder="array", categoryarray=list(labels))
    return figure


def _empty(theme: ThemeType) -> go.Figure:
    roles = ROLES[theme]
    axis = {
        "linecolor": roles["line2"],
        "gridcolor": roles["line"],
        "zerolinecolor": roles["line2"],
        "tickfont": {"size": 12, "color": roles["mute"]},
        "fixedrange": True,
    }
    return go.Figure(
        layout={
            "height": HEIGHT,
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": _FONT, "size": 13, "color": roles["ink2"]},
            "xaxis": {**axis, "type": "category", "showgrid": False, "automargin": True},
            "yaxis": {**axis, "rangemode": "tozero", "title": {"text": "length ‖x‖"}, "automargin": True},
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
            "hoverlabel": {
                "bgcolor": roles["bg"],
                "bordercolor": roles["line2"],
                "font": {"color": roles["ink"]},
            },
            "hovermode": "closest",
            "uirevision": "keep",
        }
    )
