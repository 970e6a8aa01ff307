"""Add & norm: a sub-layer's output is added to its input, and each token's vector is normalised."""

from functools import partial

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import card
from explorer.look.chart import page_theme, plotly_chart
from explorer.look.number_table import number_table
from explorer.models.known import known_runs
from explorer.models.loaded import untrained_pair
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.shell.term_text import term_text
from explorer.views.add_norm import VIEW
from explorer.visitor.sublayers import SIDES, chosen_stack, point_label

SEED = 0

runs = known_runs()
state = page_head(VIEW, runs)
recorded, state = draw_stop(VIEW, state, runs, REGISTRY)
stack, config = chosen_stack(state), recorded.run.config
rows = recorded.rows(SIDES[stack])
theme = page_theme()

from explorer.look.labels import unread
from explorer.look.rows import row_brief
from explorer.views.add_norm import data as add_norm
from explorer.views.add_norm import tables as add_norm_tables
from explorer.views.add_norm.figure import compared_figure, stream_figure

with card("Mean and variance of every token", key="norm_statistics"):
    statistics = add_norm.statistics(recorded, state)
    term_text(add_norm_tables.statistics_sentence(statistics))
    number_table(
        add_norm_tables.statistics_columns(statistics),
        texts=("row",),
        key="statistics_table",
        alt="Mean and variance of every token's vector before the norm, normalised, and after γ and β",
    )

with card("The residual stream by layer", key="norm_stream"):
    stream = add_norm.stream_table(recorded, stack)
    term_text(add_norm_tables.stream_sentence(stream, config, stack))
    plotly_chart(
        stream_figure(
            [point_label(part) for part in stream.parts],
            stream.sizes,
            stream.added,
            [unread(row_brief(rows, at)) for at in range(rows.size)],
            role="source" if stack == "encoder" else "target",
            theme=theme,
        ),
        theme=None,
        key="stream_figure",
        alt="Length of every token's vector after each sub-layer; the same numbers are in the table below",
    )
    with st.expander("Table of these lengths"):
        number_table(
            add_norm_tables.stream_columns(stream, rows),
            texts=("after",),
            key="stream_table",
            alt="Length of every token's vector after each sub-layer",
        )

with card("The norm after the sum, or before the sub-layer", key="norm_untrained"):
    untrained = add_norm.untrained_tables(recorded, stack, partial(untrained_pair, seed=SEED))
    if untrained is None:
        st.markdown("This model is too large to be made twice more on the spot.")
    else:
        term_text(add_norm_tables.untrained_sentence(untrained, config, SEED))
        parts = add_norm_tables.all_parts(untrained)
        plotly_chart(
            compared_figure(
                [point_label(part) for part in parts],
                {
                    f"{add_norm_tables.TITLES[position]}, untrained": (
                        [point_label(part) for part in table.parts],
                        table.sizes.mean(axis=1),
                    )
                    for position, table in untrained.items()
                },
                theme=theme,
            ),
            theme=None,
            key="untrained_figure",
            alt="Mean length of the vectors of two untrained models, post-norm and pre-norm, after each sub-layer; "
            "the same numbers are in the table below",
        )
        with st.expander("Table of these means"):
            number_table(
                add_norm_tables.untrained_columns(untrained),
                texts=("after",),
                key="untrained_table",
                alt="Mean length of the vectors of two untrained models, and of what each sub-layer adds",
            )
