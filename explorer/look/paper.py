"""What all figures share: paper, type, axes and legend in the colours of the page."""

from collections.abc import Iterable, Mapping
from typing import Any

import plotly.graph_objects as go

from explorer.look.theme import ROLES, ThemeType

Trace = Mapping[str, Any]
"""One trace of a figure as Plotly's schema has it, with its ``type``."""


def on_paper(
    traces: Iterable[Trace], theme: ThemeType, *, height: int, revision: str, **layout: Any
) -> go.Figure:
    """A figure for a page, made in one go: Plotly takes ten times as long to change one that is there.

    Args:
        traces: In the order in which they are drawn.
        theme: Of the page.
        height: In pixels.
        revision: What the figure shows; as long as it stays the same, so do zoom and camera.
        layout: Its axes, and whatever else it has of its own.
    """
    roles = ROLES[theme]
    paper = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "Source Sans, sans-serif", "size": 13, "color": roles["ink2"]},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.0,
            "yanchor": "bottom",
            "font": {"color": roles["ink2"]},
        },
        "hoverlabel": {
            "bgcolor": roles["bg"],
            "bordercolor": roles["line2"],
            "font": {"color": roles["ink"], "size": 13},
            "align": "left",
        },
        "uirevision": revision,
    }
    return go.Figure(data=[dict(trace) for trace in traces], layout={**paper, **layout})


def plain_axis(theme: ThemeType, title: str = "", **more: Any) -> dict[str, Any]:
    """An axis with hairlines; it may go without a title."""
    roles = ROLES[theme]
    return {
        "title": {"text": title, "font": {"size": 13, "color": roles["mute"]}},
        "tickfont": {"size": 12, "color": roles["mute"]},
        "gridcolor": roles["line"],
        "zerolinecolor": roles["line2"],
        "linecolor": roles["line2"],
        **more,
    }
