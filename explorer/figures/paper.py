"""What all figures share: paper, type, axes and legend in the colours of the page."""

from typing import Any

import plotly.graph_objects as go

from explorer.theme import ROLES, ThemeType


def on_paper(figure: go.Figure, theme: ThemeType, *, height: int, revision: str) -> go.Figure:
    """Lay a figure out for a page.

    Args:
        figure: Changed in place, and returned.
        theme: Of the page.
        height: In pixels.
        revision: What the figure shows; as long as it stays the same, so do zoom and camera.
    """
    roles = ROLES[theme]
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"size": 13, "color": roles["ink2"]},
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"color": roles["ink2"]}},
        hoverlabel={
            "bgcolor": roles["bg"],
            "bordercolor": roles["line2"],
            "font": {"color": roles["ink"], "size": 13},
            "align": "left",
        },
        uirevision=revision,
    )


def plain_axis(theme: ThemeType, title: str, **more: Any) -> dict[str, Any]:
    """An axis with hairlines."""
    roles = ROLES[theme]
    return {
        "title": {"text": title, "font": {"size": 13, "color": roles["mute"]}},
        "tickfont": {"size": 12, "color": roles["mute"]},
        "gridcolor": roles["line"],
        "zerolinecolor": roles["line2"],
        "linecolor": roles["line2"],
        **more,
    }
