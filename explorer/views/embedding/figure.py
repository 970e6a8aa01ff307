"""The rows of an embedding table as points along two or three principal axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import plotly.graph_objects as go

from explorer.look.labels import literal
from explorer.look.paper import on_paper, plain_axis
from explorer.look.theme import ROLES, ThemeType

Role = Literal["source", "target", "both", "special", "other"]

# Drawn in this order, so that what the sentence has lies on top.
_ROLES: dict[Role, tuple[str, str, str, int]] = {
    "other": ("other tokens", "mute", "circle", 6),
    "special": ("special", "ink", "diamond", 8),
    "source": ("source", "source", "circle", 10),
    "target": ("output", "target", "square", 9),
    "both": ("both", "ink", "cross", 9),
}
"""Name in the legend, colour, mark and size; the mark differs wherever the colour does."""


_MAP_PIXELS = 420


def embedding_map(
    places: np.ndarray,
    tokens: Sequence[str],
    roles: Sequence[Role],
    shares: Sequence[float],
    *,
    theme: ThemeType,
    revision: str = "",
) -> go.Figure:
    """One point a token; those of the sentence are labelled, the others say their name on hover.

    Args:
        places: [token, axis] with two or three axes.
        tokens: What each is called; shown literally.
        roles: What each is to the sentence.
        shares: Of the variance, for each axis.
        theme: Of the page.
        revision: Names the table, so that zoom and camera stay while it does.

    Raises:
        ValueError: when the sizes do not fit.
    """
    n_tokens, n_axes = places.shape
    if n_axes not in (2, 3) or len(shares) != n_axes or not len(tokens) == len(roles) == n_tokens:
        raise ValueError(
            f"{n_tokens} places along {n_axes} axes need as many tokens, roles and shares, and 2 or 3 axes"
        )
    labels = [literal(token) for token in tokens]
    named = [row for row in range(n_tokens) if roles[row] in ("source", "target", "both")]
    sides = dict(zip(named, _label_positions(places, tokens, named), strict=True))
    traces = []
    for role in _ROLES:
        members = [row for row in range(n_tokens) if roles[row] == role]
        if members:
            trace = _points(places[members], [labels[row] for row in members], role, theme)
            if n_axes == 2 and members[0] in sides:
                trace["textposition"] = [sides[row] for row in members]
            traces.append(trace)
    of_what = " of the variance" if n_axes == 2 else ""
    titles = [f"axis {axis}, {share:.1%}{of_what}" for axis, share in enumerate(shares)]
    layout: dict[str, Any]
    if n_axes == 3:
        # Texts of points in space know no entities; annotations are drawn like all other text.
        scene = {"annotations": [_annotation(places[row], labels[row], theme) for row in named]}
        axes = {f"{name}axis": _scene_axis(theme, title) for name, title in zip("xyz", titles, strict=True)}
        layout = {"scene": {**axes, **scene}}
    else:
        layout = {
            "xaxis": plain_axis(theme, titles[0]),
            "yaxis": plain_axis(theme, titles[1], scaleanchor="x", scaleratio=1),
        }
    return on_paper(traces, theme, height=520, revision=f"{revision}/{n_axes}", **layout)


def _points(places: np.ndarray, labels: list[str], role: Role, theme: ThemeType) -> dict[str, Any]:
    name, colour, symbol, size = _ROLES[role]
    colours = ROLES[theme]
    flat = places.shape[1] == 2
    named = role not in ("other", "special")
    look: dict[str, Any] = {
        "name": name,
        "mode": "markers+text" if named and flat else "markers",
        "text": labels,
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {
            "color": colours[colour],
            "symbol": symbol,
            "size": size if flat else size * 0.45,
            "opacity": 0.45 if role == "other" else 1.0,
            "line": {"width": 1 if named else 0, "color": colours["bg"]},
        },
    }
    if not flat:
        return {"type": "scatter3d", "x": places[:, 0], "y": places[:, 1], "z": places[:, 2], **look}
    font = {"size": 13, "color": colours["ink"]}
    return {
        "type": "scatter",
        "x": places[:, 0],
        "y": places[:, 1],
        "textfont": font,
        "cliponaxis": False,
        **look,
    }


def _label_positions(places: np.ndarray, tokens: Sequence[str], named: Sequence[int]) -> list[str]:
    """Where the label of each named point stands: of four sides that with the least in its way, labels in order.

    Sizes are estimates, in pixels of a map drawn about _MAP_PIXELS wide.
    """
    if not named:
        return []
    flat = np.asarray(places, dtype=float)[:, :2]
    spread = float(np.ptp(flat, axis=0).max()) or 1.0
    points = flat[list(named)] * (_MAP_PIXELS / spread)
    marks = [_Box(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    taken: list[_Box] = []
    chosen = []
    for place, row in enumerate(named):
        x, y = points[place]
        width = 8.0 * max(1, len(tokens[row]))
        boxes = {
            "top center": _Box(x - width / 2, y + 8, x + width / 2, y + 24),
            "bottom center": _Box(x - width / 2, y - 24, x + width / 2, y - 8),
            "middle right": _Box(x + 8, y - 8, x + 8 + width, y + 8),
            "middle left": _Box(x - 8 - width, y - 8, x - 8, y + 8),
        }
        others = [*taken, *marks[:place], *marks[place + 1 :]]
        best = min(boxes, key=lambda side: sum(boxes[side].shared(other) for other in others))
        taken.append(boxes[best])
        chosen.append(best)
    return chosen


class _Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def shared(self, other: _Box) -> float:
        """Area that both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(0.0, across) * max(0.0, down)


def _scene_axis(theme: ThemeType, title: str) -> dict[str, Any]:
    return plain_axis(theme, title, showbackground=False, nticks=5)


def _annotation(place: np.ndarray, label: str, theme: ThemeType) -> dict[str, Any]:
    x, y, z = (float(number) for number in place)
    font = {"size": 13, "color": ROLES[theme]["ink"]}
    return {"x": x, "y": y, "z": z, "text": label, "showarrow": False, "yshift": 14, "font": font}
