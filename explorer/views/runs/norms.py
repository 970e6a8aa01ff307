"""Runs compared by the norm of one block's weights: as a chart, and its ends as a table."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import streamlit as st

from core.activations.location import locate
from core.errors import ExplorerError
from explorer.histories.norms import full_name, read_blocks, read_norms
from explorer.look.chart import plotly_chart
from explorer.look.number_table import number_table
from explorer.look.theme import ThemeType
from explorer.views.runs.figure import run_curves

BLOCK_KEY = "run_norm_block"
Points = list[tuple[int, float]]


def draw_run_norms(folders: Mapping[str, Path], theme: ThemeType) -> None:
    """Draw how the weights of a block have grown in some runs; nothing where none of them has kept that.

    Args:
        folders: Of the runs, by what each is called.
        theme: Of the page.
    """
    blocks: dict[str, None] = {}
    for folder in folders.values():
        with suppress(ExplorerError):  # What is damaged is told beside the losses.
            blocks |= dict.fromkeys(read_blocks(folder))
    if not blocks:
        return
    st.subheader("Norm of the weights", anchor=False)
    # The one that a training is most often watched by.
    crossing = [place for place, block in enumerate(blocks) if locate(block).crosses]
    block = st.selectbox(
        "Block", tuple(blocks), index=(crossing or [0])[-1], key=BLOCK_KEY, format_func=full_name, width=360
    )
    known = {name: points for name, folder in folders.items() if (points := _points(folder, block))}
    alt = f"Norm of the weights over the updates of {len(known)} runs, {full_name(block)}; the numbers stand below."
    figure = run_curves(known, "norm of the weights", theme=theme)
    plotly_chart(figure, key="run_norms", alt=alt)
    number_table(
        {
            "Run": list(known),
            "First norm": [f"{points[0][1]:.3f}" for points in known.values()],
            "Last norm": [f"{points[-1][1]:.3f}" for points in known.values()],
        },
        key="run_norms_table",
        alt=f"First and last norm of the weights of each run, {full_name(block)}.",
        texts=("Run",),
    )


def _points(folder: Path, block: str) -> Points:
    try:
        return (
            [(norm.updates, norm.weight) for norm in read_norms(folder, (block,))]
            if read_blocks(folder)
            else []
        )
    except ExplorerError:
        return []
