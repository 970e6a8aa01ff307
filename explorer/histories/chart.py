"""A chart over the updates of trainings, as the pages that watch them draw them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow
from streamlit.delta_generator import DeltaGenerator

from explorer.look.chart import page_theme
from explorer.look.curves import Curve, chart_rows, chart_spec


def draw_chart(
    place: DeltaGenerator,
    curves: Sequence[Curve],
    *,
    of: int,
    title: str,
    alt: str,
    **look: Any,
) -> None:
    """Draw curves over all updates that are planned.

    Args:
        place: Where.
        curves: Their points and looks.
        of: Updates that are planned.
        title: Of the upright axis.
        alt: What it shows.
        look: As for `explorer.look.curves.chart_spec`.
    """
    kinds = (("curve", pyarrow.string()), ("value", pyarrow.float64()), ("update", pyarrow.int64()))
    place.vega_lite_chart(
        pyarrow.table(chart_rows(curves), schema=pyarrow.schema(kinds)),
        chart_spec(curves, title=title, of=of, theme=page_theme(), **look),
        theme=None,
        alt=f"{alt}; the same numbers are in the tables below",
    )
