"""Trainings compared: one curve for each run, over its updates."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from explorer.look.labels import literal
from explorer.look.paper import on_paper, plain_axis
from explorer.look.theme import ROLES, ThemeType

# The dash differs wherever the colour does, so that colour is never alone.
_LOOKS = (
    ("source", "solid"),
    ("target", "dash"),
    ("k", "dot"),
    ("q", "dashdot"),
    ("v", "longdash"),
    ("mute", "longdashdot"),
)
MOST_CURVES = len(_LOOKS)


def run_curves(
    curves: Mapping[str, Sequence[tuple[int, float]]],
    title: str,
    *,
    theme: ThemeType,
    share: bool = False,
    marks: bool = False,
) -> go.Figure:
    """A figure per update for some runs.

    Args:
        curves: Updates and figures, by what the run is called; at most `MOST_CURVES`.
        title: Of the figure.
        theme: Of the page.
        share: Whether it runs from 0 to 1.
        marks: Whether every point has a mark, as few far from each other need.

    Raises:
        ValueError: when there are too many curves.
    """
    if len(curves) > MOST_CURVES:
        raise ValueError(f"at most {MOST_CURVES} curves can be told apart, not {len(curves)}")
    digits = ".4f" if share else ".3f"
    traces = [
        {
            "type": "scatter",
            "x": [updates for updates, _ in points],
            "y": [value for _, value in points],
            # Spaces are no news in a title.
            "name": " ".join(map(literal, name.split(" "))),
            "mode": "lines+markers" if marks else "lines",
            "line": {"color": ROLES[theme][colour], "width": 2, "dash": dash},
            "hovertemplate": f"after %{{x:,}} updates: %{{y:{digits}}}<extra>%{{fullData.name}}</extra>",
        }
        for (colour, dash), (name, points) in zip(_LOOKS, curves.items(), strict=False)
    ]
    y_range = {"range": [-0.03, 1.03]} if share else {"rangemode": "tozero"}
    return on_paper(
        traces,
        theme,
        height=320,
        revision=title,
        xaxis=plain_axis(theme, "updates", zeroline=False, rangemode="tozero"),
        yaxis=plain_axis(theme, title, **y_range),
        showlegend=True,
    )
