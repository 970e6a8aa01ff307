"""Shares that several seeds gave, a mark for each seed, with this run's among them, as Vega-Lite."""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.look.curves import vega_config, vega_legend
from explorer.look.theme import ROLES, ThemeType

MARKS = (("source", "circle"), ("target", "square"), ("k", "triangle-up"), ("q", "diamond"))
"""Colour and shape of each model; both differ, so that colour is never alone."""
_ROW = 24
"""Pixels between two models' marks."""
_AROUND = 60
"""Pixels for the legend above and the scale below."""
SEED, OWN = "measured seed", "this run"


def seed_rows(
    figures: Mapping[str, Mapping[str, Sequence[float]]], own: Mapping[str, Mapping[str, float]]
) -> dict[str, list[Any]]:
    """The marks as columns.

    Args:
        figures: What the seeds gave, by what the figure and the model are called.
        own: What this run gave; empty where there is none.
    """
    rows = [
        (figure, model, SEED, value)
        for figure, models in figures.items()
        for model, values in models.items()
        for value in values
    ]
    rows += [(figure, model, OWN, value) for figure, models in own.items() for model, value in models.items()]
    names = ("figure", "model", "what", "value")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def seed_spec(figures: Sequence[str], models: Sequence[str], theme: ThemeType) -> dict[str, Any]:
    """How the marks are drawn: a band for each figure, in it a line for each model.

    Args:
        figures: What they are called, in their order; what follows a comma stands on a line of its own.
        models: In their order; at most as many as there are `MARKS`.
        theme: Of the page.

    Raises:
        ValueError: when there are too many models.
    """
    if len(models) > len(MARKS):
        raise ValueError(f"at most {len(MARKS)} models can be told apart, not {len(models)}")
    known, config = MARKS[: len(models)], vega_config(theme)
    look = {
        "color": _by_model(models, [ROLES[theme][role] for role, _ in known]),
        "shape": _by_model(models, [shape for _, shape in known]),
    }
    config["legend"] = {name: config["legend"][name] for name in ("orient", "labelColor", "labelFontSize")}
    return {
        "height": _AROUND + _ROW * (len(models) + 1) * len(figures),
        "encoding": {
            "x": {"field": "value", "type": "quantitative", "title": None, "scale": {"domain": [0, 1]}},
            "y": {
                "field": "figure",
                "type": "nominal",
                "title": None,
                "sort": list(figures),
                "axis": {
                    "labelExpr": "split(datum.label, ', ')",
                    "labelLimit": 150,
                    "ticks": False,
                    "labelPadding": 10,
                },
            },
            "yOffset": {"field": "model", "type": "nominal", "sort": list(models)},
            "tooltip": [
                {"field": "figure", "type": "nominal"},
                {"field": "model", "type": "nominal"},
                {"field": "what", "type": "nominal"},
                {"field": "value", "type": "quantitative", "format": ".4f"},
            ],
        },
        "layer": [
            _layer(SEED, {"filled": False, "size": 60, "strokeWidth": 1.5}, look),
            _layer(OWN, {"filled": True, "size": 130, "opacity": 1}, look),
        ],
        "config": config,
        "autosize": {"type": "fit", "contains": "padding"},
    }


def _layer(what: str, mark: dict[str, Any], look: dict[str, Any]) -> dict[str, Any]:
    return {
        "transform": [{"filter": f"datum.what === '{what}'"}],
        "mark": {"type": "point", **mark},
        "encoding": look,
    }


def _by_model(models: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
    return {
        "field": "model",
        "type": "nominal",
        "scale": {"domain": list(models), "range": list(values)},
        "legend": vega_legend(len(models)),
    }
