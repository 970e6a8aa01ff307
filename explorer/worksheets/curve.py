"""A curve over the updates of a training as an SVG picture, with labelled axes; pure, and without Streamlit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from explorer.histories.words import rate
from explorer.look.theme import ROLES, format_count

_ROLE = ROLES["light"]
WIDTH, HEIGHT = 700, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 16, 14, 40
TICKS = 4
"""Marks of an axis besides its first, at most."""


def curve_svg(points: Sequence[tuple[int, float]], name: str, *, share: bool = False) -> str:
    """The picture of a curve that begins at update 0 and whose values are not below 0.

    Args:
        points: Updates, ascending, each with a value; at least two. A value that is not finite is left out.
        name: What the values are.
        share: Whether they are shares: the axis ends at all of it then, and is written in per cent.
    """
    known = [point for point in points if math.isfinite(point[1])]
    last = points[-1][0] or 1
    heights = _heights(1.0 if share else max((value for _, value in known), default=0.0) or 1.0)
    across, down = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(update: float, value: float) -> tuple[float, float]:
        return _LEFT + across * update / last, _TOP + down * (1 - value / heights[-1])

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in known))
    marks = []
    for value in heights:
        y = place(0, value)[1]
        marks.append(f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="{_ROLE["line"]}"/>')
        marks.append(_text(_LEFT - 8, y + 4, f"{value:.0%}" if share else _written(value), "end"))
    # Updates are whole: a mark stands at the update that it names.
    for update in sorted({round(last * tick / TICKS) for tick in range(TICKS + 1)}):
        marks.append(_text(place(update, 0)[0], HEIGHT - 22, format_count(update), "middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(name)}" width="{WIDTH}" '
        f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="inherit" font-size="12">'
        + "".join(marks)
        + f'<polyline points="{line}" fill="none" stroke="{_ROLE["target"]}" stroke-width="1.6"/>'
        + _text(WIDTH / 2, HEIGHT - 4, "update", "middle")
        + "</svg>"
    )


def _heights(most: float) -> list[float]:
    """Round values from 0 to where the axis ends, which is not below the largest one."""
    least = most / TICKS
    unit = 10.0 ** math.floor(math.log10(least))
    step = next((unit * factor for factor in (1, 2, 2.5, 5) if unit * factor >= least), 10 * unit)
    return [step * tick for tick in range(math.ceil(most / step) + 1)]


def _written(value: float) -> str:
    """A value at a mark: no more digits than it has."""
    if value >= 1000:
        return format_count(round(value))
    return f"{value:.6g}" if value >= 1e-4 else rate(value)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_ROLE["mute"]}">{escape(text)}</text>'
    )
