"""What else a training has told, under its theatre: rates and norms as charts, its settings, and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.run_description import RunDescription
from explorer.histories.chart import draw_chart
from explorer.histories.figures import (
    Figures,
    group_sentence,
    probe_columns,
    right_answers,
    update_columns,
    validation_columns,
)
from explorer.histories.norms import BlockLines, groups_of, lines_of, norm_columns, read_blocks, read_norms
from explorer.histories.runs_table import settings_of
from explorer.look.curves import Curve
from explorer.look.number_table import number_table, shown_only
from explorer.look.theme import format_count
from explorer.views.training.subject import Subject

MORE_KEY = "train_more"
_TABLE_HEIGHT = 300


def draw_more(subject: Subject, figures: Figures) -> None:
    """Draw the fold with everything that the theatre leaves out; nothing of it is computed before it is opened.

    Raises:
        RunError: when the training's figures are damaged.
    """
    fold = st.expander(
        "More: learning rate, gradient norm, norms by block, tables, settings",
        key=MORE_KEY,
        on_change="rerun",
    )
    if not fold.open:
        return
    with fold:
        _rates(subject, figures)
        lines = _norms(subject.folder, subject.span, subject.name)
        _outputs(subject, figures)
        _tables(figures, lines)
        if subject.run:
            _settings(subject.run)


def _rates(subject: Subject, figures: Figures) -> None:
    rates, norms = figures.learning_rate, figures.gradient_norm
    left, right = st.columns(2)
    draw_chart(
        left,
        [Curve("learning rate", rates.updates, rates.values, "ink2")],
        of=subject.span,
        title="learning rate",
        digits=".2e",
        alt="Learning rate of each update",
    )
    draw_chart(
        right,
        [Curve("gradient norm", norms.updates, norms.values, "ink2", 1.2)],
        of=subject.span,
        title="gradient norm",
        digits=".3f",
        alt="Norm of the whole gradient before it is clipped",
    )
    speed = figures.tokens_per_second
    if speed:
        st.caption(f"{format_count(round(speed))} tokens per second, the mean of the last updates.")


def _norms(folder: Path, span: int, name: str) -> dict[str, BlockLines]:
    """How large the weights and gradients of some blocks are; what was drawn, for its table."""
    groups = groups_of(read_blocks(folder))
    if not groups:
        return {}
    st.subheader("Weights and gradients, block by block", anchor=False)
    default = [title for title in groups if title.startswith("Decoder, layer")]
    first = list(groups).index(default[-1]) if default else 0
    group = st.selectbox("Blocks", tuple(groups), index=first, key=f"train_blocks_{name}", width=360)
    lines = lines_of(read_norms(folder, groups[group]), groups[group])
    left, right = st.columns(2)
    _norm_chart(left, [each.weights for each in lines.values()], group, span, "weights")
    _norm_chart(right, [each.gradients for each in lines.values()], group, span, "gradient")
    st.caption(
        "Of all weights of a block together, and of their gradient in the update just made, before clipping."
    )
    return lines


def _norm_chart(place: DeltaGenerator, curves: Sequence[Curve], group: str, span: int, of: str) -> None:
    powers = {"powers": True, "digits": ".2e"} if of == "gradient" else {"digits": ".3f"}
    draw_chart(
        place,
        curves,
        of=span,
        title=f"norm of the {of}",
        alt=f"Norm of the {of} of each block: {group}",
        **powers,
    )


def _outputs(subject: Subject, figures: Figures) -> None:
    if not figures.probes:
        return
    st.subheader("What it said at each validation", anchor=False)
    task = subject.run.task if subject.run else ""
    found = probe_columns(figures.probes, right_answers(subject.name, task, figures.probes))
    columns = {shown_only(head): list(map(shown_only, cells)) for head, cells in found.items()}
    st.dataframe(
        columns,
        hide_index=True,
        height=_TABLE_HEIGHT,
        column_config={head: st.column_config.TextColumn(head) for head in columns},
        key="train_probes",
        alt="What the model makes of each fixed source, the newest first",
    )


def _tables(figures: Figures, lines: dict[str, BlockLines]) -> None:
    st.subheader("Tables of these figures", anchor=False)
    if figures.group > 1:
        st.caption(f"In the second table {group_sentence(figures.group)}")
    number_table(
        validation_columns(figures.validations), key="train_validations", alt="The validations so far"
    )
    number_table(update_columns(figures), key="train_updates", alt="The updates so far")
    if lines:
        number_table(norm_columns(lines), key="train_norms", alt="The norms of the chosen blocks so far")


def _settings(run: RunDescription) -> None:
    found = settings_of([run])
    st.subheader("Its settings", anchor=False)
    number_table(
        {"setting": [each.name for each in found], "value": [each.values[0] for each in found]},
        texts=("setting", "value"),
        key="train_settings",
        alt="The settings of this run",
    )
