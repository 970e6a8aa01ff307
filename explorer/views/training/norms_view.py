"""Norms block by block on the page of a training: the choice of the blocks, and a chart of each norm."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from explorer.histories.chart import draw_chart
from explorer.histories.norms import BlockLines, groups_of, lines_of, read_blocks, read_norms
from explorer.trainings.status import RunStatus


def draw_norms(folder: Path, status: RunStatus) -> dict[str, BlockLines]:
    """Draw how large the weights and gradients of some blocks are; return what was drawn, for its table.

    Raises:
        RunError: when the training's figures are damaged.
    """
    groups = groups_of(read_blocks(folder))
    st.subheader("Weights and gradients, block by block", anchor=False)
    if not groups:
        st.caption("Nothing yet: the first norms come with the first, random weights.")
        return {}
    default = [title for title in groups if title.startswith("Decoder, layer")]
    first = list(groups).index(default[-1]) if default else 0
    group = st.selectbox("Blocks", tuple(groups), index=first, key=f"train_blocks_{status.run_id}", width=360)
    lines = lines_of(read_norms(folder, groups[group]), groups[group])
    left, right = st.columns(2)
    of_weights = [each.weights for each in lines.values()]
    of_gradients = [each.gradients for each in lines.values()]
    alt = "Norm of the {} of each block: " + group
    draw_chart(
        left, of_weights, of=status.span, title="norm of the weights", digits=".3f", alt=alt.format("weights")
    )
    draw_chart(
        right,
        of_gradients,
        of=status.span,
        title="norm of the gradient",
        powers=True,
        digits=".2e",
        alt=alt.format("gradient"),
    )
    st.caption(
        "Of all weights of a block together, and of their gradient in the update just made, before clipping."
    )
    return lines
