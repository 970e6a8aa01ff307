"""A curve over the updates of a training as an SVG picture, with labelled axes; pure, and without Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from explorer.theme import ROLES, format_count

_ROLE = ROLES["light"]
WIDTH, HEIGHT = 700, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 14, 40
TICKS = 4
"""Marks of an axis besides its first."""


def curve_svg(
    points: Sequence[tuple[int, float]],
    name: str,
    write: Callable[[float], str] = "{:.2f}".format,
    most: float = 0.0,
) -> str:
    """The picture of a curve that begins at update 0 and whose values are not below 0.

    Args:
        points: Updates, ascending, each with a value; at least two.
        name: What the values are.
        write: How a value is written on the axis.
        most: Where the axis ends at least.
    """
    last, most = points[-1][0] or 1, max(most, *(value for _, value in points)) or 1.0
    across, down = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(update: float, value: float) -> tuple[float, float]:
        return _LEFT + across * update / last, _TOP + down * (1 - value / most)

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    marks = []
    for part in (tick / TICKS for tick in range(TICKS + 1)):
        x, y = place(part * last, part * most)
        marks.append(f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="{_ROLE["line"]}"/>')
        marks.append(_text(_LEFT - 8, y + 4, write(part * most) if part else "0", "end"))
        marks.append(_text(x, HEIGHT - 22, format_count(round(part * last)), "middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(name)}" width="{WIDTH}" '
        f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="inherit" font-size="12">'
        + "".join(marks)
        + f'<polyline points="{line}" fill="none" stroke="{_ROLE["target"]}" stroke-width="1.6"/>'
        + _text(WIDTH / 2, HEIGHT - 4, "update", "middle")
        + "</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_ROLE["mute"]}">{escape(text)}</text>'
    )
