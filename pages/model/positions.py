"""Positions: what tells the model where a token stands, as a table, as waves, and as rotations."""

from functools import partial

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import card
from explorer.look.chart import page_theme, plotly_chart
from explorer.models.known import known_runs
from explorer.models.loaded import order_difference_of
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.shell.stops import Stop, prepare_stop
from explorer.views.positions import VIEW
from explorer.views.positions.data import MAX_OFFSET, PositionChoice, positions_view
from explorer.views.positions.facts import kinds_compared, product_curves, wave_pairs
from explorer.views.positions.figure import MAX_CURVES, pairs_to_begin_with, products_by_distance, waves
from explorer.views.positions.rows import longest_table, position_rows, trained_positions
from explorer.visitor.running import recorded_run

runs = known_runs()
state = page_head(VIEW, runs)
picture = st.container()
controls = st.container(horizontal=True, key="position_controls")
with picture, loading(VIEW.parts["view"], height=700):
    recorded = recorded_run(state)
    config, n_tokens = recorded.run.config, len(recorded.source)
    longest = longest_table(config)
    with controls:
        length = st.slider(
            "Positions shown",
            min(n_tokens, longest - 1),
            longest,
            min(n_tokens, longest),
            key=f"length/{recorded.key}",
            help="At first those of the sentence. What lies beyond the longest source of the training is marked.",
        )
        offset = st.slider("Offset k of the rotation", 0, MAX_OFFSET, 1, key="offset")
        pair = st.slider("Pair of dimensions", 0, max(1, config.d_model // 2 - 1), 0, key=f"pair/{state.run}")
    choice = PositionChoice(length, offset, min(pair, config.d_model // 2 - 1))
    shown = Stop(VIEW, "positions", partial(positions_view, choice=choice))
    state, data, draw = prepare_stop(shown, recorded, state, runs, REGISTRY)
with picture:
    draw()
    show_depth(VIEW, recorded, state, data)
theme = page_theme()

if config.positional != "none" or config.d_model % 2 == 0:
    with card("Waves", key="waves"):
        chart = st.container()
        n_pairs = config.d_model // 2
        chosen = st.multiselect(
            "Pairs of dimensions",
            range(n_pairs),
            default=pairs_to_begin_with(n_pairs),
            max_selections=MAX_CURVES,
            key=f"waves/{state.run}",
        )
        st.markdown(
            "Each pair of dimensions is a sine (solid) and a cosine (dotted) of one wavelength. "
            "Fast pairs tell neighbours apart, slow ones the beginning from the end."
            if config.positional != "learned"
            else "The two dimensions of a pair, solid and dotted. A learned table need not have any wavelength."
        )
        rows = position_rows(recorded, longest)
        figure = waves(
            rows,
            wave_pairs(config, sorted(chosen)),
            first_beyond=trained_positions(recorded),
            theme=theme,
        )
        with chart:
            plotly_chart(
                figure,
                key="wave_chart",
                alt=f"Values of {len(chosen)} pairs of dimensions over {len(rows)} positions; the picture has them.",
            )
    with card("Products by distance", key="products"):
        curves, said = product_curves(recorded, longest)
        plotly_chart(products_by_distance(curves, theme=theme), key="distance_chart", alt=said)
        st.markdown(said)

with st.container(key="kinds"):
    for column, kind in zip(st.columns(3), kinds_compared(recorded), strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{kind.title}**" + (", this model's" if kind.own else ""))
            st.markdown(kind.cost)
            st.markdown(kind.beyond)
            moved = order_difference_of(runs[state.run], kind.positional)
            st.markdown(kind.order(moved))
