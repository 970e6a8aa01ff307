"""Positions: what tells the model where a token stands, as a table, as waves, and as rotations."""

from dataclasses import replace

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import card
from explorer.look.chart import page_theme, plotly_chart
from explorer.models.known import known_runs
from explorer.models.loaded import order_difference_of
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.views.positions import VIEW
from explorer.views.positions.data import PositionChoice
from explorer.views.positions.facts import kinds_compared, product_curves, wave_pairs
from explorer.views.positions.figure import MAX_CURVES, pairs_to_begin_with, products_by_distance, waves
from explorer.views.positions.rows import longest_table, position_rows, trained_positions
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import MAX_OFFSET
from explorer.visitor.values import SessionValue

LENGTH, OFFSET, PAIR = (SessionValue[int](f"positions_{name}", 0) for name in ("length", "offset", "pair"))

runs = known_runs()


def take_choice() -> None:
    """Take what the sliders say into the visitor's state."""
    held = visitor_state(runs)
    chosen = replace(held.positions, length=LENGTH.value, offset=OFFSET.value, pair=PAIR.value)
    store_state(replace(held, positions=chosen), runs)


state = page_head(VIEW, runs)
recorded, state = draw_stop(VIEW, state, runs, REGISTRY)
config, n_tokens, choice = recorded.run.config, len(recorded.source), PositionChoice.of(recorded, state)
longest = longest_table(config)
LENGTH.set(choice.length)
OFFSET.set(choice.offset)
PAIR.set(choice.pair)
with st.container(horizontal=True, key="position_controls"):
    st.slider(
        "Positions shown",
        min(n_tokens, longest - 1),
        longest,
        key=LENGTH.key,
        on_change=take_choice,
        help="At first those of the sentence. What lies beyond the longest source of the training is marked.",
    )
    st.slider("Offset k of the rotation", 0, MAX_OFFSET, key=OFFSET.key, on_change=take_choice)
    st.slider("Pair of dimensions", 0, max(1, config.d_model // 2 - 1), key=PAIR.key, on_change=take_choice)
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
