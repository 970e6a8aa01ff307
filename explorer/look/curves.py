"""A training as charts over its updates, as Vega-Lite: of a Plotly chart Streamlit builds a new one for new data."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.look.theme import ROLES, ThemeType

HEIGHT = 240
_FONT = "Source Sans, sans-serif"
_SOLID = (1, 0)
_IN_A_ROW, _IN_SEVERAL_ROWS = 3, 2
"""Names in a row of the legend: of few curves, and of more, which have longer names."""
_LEGEND_ROW = 18
"""Height of one row of a legend, in pixels."""


@dataclass(frozen=True)
class Curve:
    """A line of a chart.

    Attributes:
        name: In the legend.
        updates: Where its points are, ascending.
        values: Their heights, as many.
        role: Of the colour.
        width: Of the line, in pixels.
        dash: Of the line: pixels drawn and left out.
    """

    name: str
    updates: Sequence[int]
    values: Sequence[float]
    role: str
    width: float = 2.0
    dash: tuple[int, ...] = _SOLID


def chart_rows(curves: Sequence[Curve]) -> dict[str, list[Any]]:
    """The points of all curves as columns, those of later updates later.

    A later look at the same training begins with the same rows, so that the browser only adds the new ones. It
    tells that by the last column, which is why the updates are there.
    """
    rows = [
        (update, curve.name, value)
        for curve in curves
        for update, value in zip(curve.updates, curve.values, strict=True)
    ]
    rows.sort(key=lambda row: row[0])
    return {
        "curve": [name for _, name, _ in rows],
        "value": [value for _, _, value in rows],
        "update": [update for update, _, _ in rows],
    }


def chart_spec(
    curves: Sequence[Curve],
    *,
    title: str,
    of: int,
    theme: ThemeType,
    powers: bool = False,
    digits: str = ".4f",
) -> dict[str, Any]:
    """How the points are drawn: the same for as long as a training goes on, so that nothing flickers.

    The axis has all updates that are planned, so that nothing moves sideways either.

    Args:
        curves: Their looks; not their points.
        title: Of the upright axis.
        of: Updates that are planned.
        theme: Of the page.
        powers: Whether the upright axis goes in powers of ten; what is not above zero is left out then.
        digits: Form of the values where one is pointed at.
    """
    upright: dict[str, Any] = {"zero": True, "nice": True}
    axis: dict[str, Any] = {}
    if powers:
        upright, axis = {"type": "log", "nice": True}, {"format": ".0e"}
    # In rows short enough that no name is cut off.
    columns = _IN_A_ROW if len(curves) <= _IN_A_ROW else _IN_SEVERAL_ROWS
    legend = {"title": None, "columns": columns} if len(curves) > 1 else None
    encoding = {
        "x": {
            "field": "update",
            "type": "quantitative",
            "title": "update",
            "scale": {"domain": [0, max(1, of)], "nice": False},
            "axis": {"grid": False, "format": ",d", "tickMinStep": 1},
        },
        "y": {"field": "value", "type": "quantitative", "title": title, "scale": upright, "axis": axis},
        "color": _by_curve(curves, [ROLES[theme][curve.role] for curve in curves], legend),
    }
    return {
        "height": HEIGHT + _LEGEND_ROW * ((len(curves) - 1) // columns),
        **({"transform": [{"filter": "datum.value > 0"}]} if powers else {}),
        "encoding": encoding,
        "layer": [_line_layer(curves, legend), _point_layer(digits)],
        "config": _config(theme),
        "autosize": {"type": "fit", "contains": "padding"},
    }


def _line_layer(curves: Sequence[Curve], legend: dict[str, Any] | None) -> dict[str, Any]:
    """A line through the points of each curve, as wide and as dashed as its look says."""
    return {
        "mark": {"type": "line", "interpolate": "linear"},
        "encoding": {
            "strokeWidth": {
                "condition": [{"test": _is_of(curve.name), "value": curve.width} for curve in curves]
            },
            # Its legend is that of the colours: the browser draws one for both.
            "strokeDash": _by_curve(curves, [list(curve.dash) for curve in curves], legend),
        },
    }


def _point_layer(digits: str) -> dict[str, Any]:
    """A mark at each point, unseen: a line tells nothing of the point under the pointer, a mark does."""
    return {
        "mark": {"type": "point", "filled": True, "size": 45},
        "encoding": {
            "opacity": {"value": 0},
            "tooltip": [
                {"field": "curve", "type": "nominal", "title": "line"},
                {"field": "update", "type": "quantitative", "format": ","},
                {"field": "value", "type": "quantitative", "format": digits},
            ],
        },
    }


def _by_curve(
    curves: Sequence[Curve], values: Sequence[Any], legend: dict[str, Any] | None
) -> dict[str, Any]:
    """A channel of the drawing that has a value of its own for each curve."""
    return {
        "field": "curve",
        "type": "nominal",
        "scale": {"type": "ordinal", "domain": [curve.name for curve in curves], "range": list(values)},
        "legend": legend,
    }


def _is_of(name: str) -> str:
    # Some names are those of an uploaded run's blocks; in an expression each may only be a text.
    return f"datum.curve === {json.dumps(name)}"


def _config(theme: ThemeType) -> dict[str, Any]:
    """What every chart of lines and marks has in common."""
    roles = ROLES[theme]
    return {
        "background": "transparent",
        "font": _FONT,
        "view": {"stroke": None},
        "axis": {
            "labelColor": roles["mute"],
            "titleColor": roles["mute"],
            "gridColor": roles["line"],
            "domainColor": roles["line2"],
            "tickColor": roles["line2"],
            "labelFontSize": 12,
            "titleFontSize": 13,
            "titleFontWeight": 400,
            "titlePadding": 8,
            "tickCount": 5,
        },
        "legend": {
            "orient": "top",
            "labelColor": roles["ink2"],
            "labelFontSize": 13,
            "symbolType": "stroke",
            "symbolOpacity": 1,
            "symbolStrokeWidth": 3,
        },
    }
