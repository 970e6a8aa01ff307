"""Where one hidden unit fires most, as bars beside what the network has read there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.look.labels import literal
from explorer.look.paper import on_paper, plain_axis
from explorer.look.theme import ROLES, ThemeType, format_signed
from explorer.tensors import Side

_BAR = 34
CONTEXT = 3
"""Tokens before and after the one that the row reads."""


def firing_bars(
    places: Sequence[tuple[Sequence[str], int, float]], side: Side, *, theme: ThemeType, revision: str
) -> go.Figure:
    """One bar for each place, the strongest at the top.

    Args:
        places: The tokens that the rows read, which of them it is, and the unit's value there.
        side: Whose tokens they are.
        theme: Of the page.
        revision: Names unit and network.
    """
    roles = ROLES[theme]
    values, names = [value for _, _, value in places], [context(tokens, at) for tokens, at, _ in places]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": values,
        # Two places may read alike: each has a line of its own.
        "y": list(range(len(places))),
        "text": [f"{format_signed(value)}  {name}" for value, name in zip(values, names, strict=True)],
        "textposition": "none",
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": roles["positive"]},
        "width": 0.34,
        "offset": 0.0,
    }
    written = [
        {
            "x": 0,
            "y": line,
            "text": f"{name}   {format_signed(value)}",
            "xanchor": "left",
            "yanchor": "bottom",
            "yshift": 0,
            "showarrow": False,
            "font": {"size": 13, "color": roles[side or "ink"]},
        }
        for line, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    hidden: dict[str, Any] = {"visible": False, "fixedrange": True}
    axes = {
        "xaxis": plain_axis(theme, range=[0, max(values, default=1) * 1.02], **hidden),
        "yaxis": plain_axis(theme, range=[len(places) - 0.5, -0.75], **hidden),
    }
    height = _BAR * len(places) + 24
    return on_paper([bars], theme, height=height, revision=revision, annotations=written, **axes)


def context(tokens: Sequence[str], at: int) -> str:
    """A token in bold among those around it."""
    first, last = max(0, at - CONTEXT), min(len(tokens), at + CONTEXT + 1)
    words = [f"<b>{literal(tokens[i])}</b>" if i == at else literal(tokens[i]) for i in range(first, last)]
    return " ".join(("…" if first else "", *words, "…" if last < len(tokens) else "")).strip()
