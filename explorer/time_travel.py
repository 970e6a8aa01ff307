"""The slider through a training: every page shows the model with the weights of the chosen moment."""

import streamlit as st

from explorer.model_store import kept_moments
from explorer.session import store_state, visitor_state
from explorer.state import ExplorerState, Runs, choose_updates
from explorer.theme import format_count

SLIDER_KEY, EARLIER_KEY, LATER_KEY = "moment", "moment_earlier", "moment_later"
BEST = -1
"""Stands behind the moments, for the weights that were best on the validation pairs."""


def at_kept_moment(state: ExplorerState, runs: Runs) -> ExplorerState:
    """The visitor's state; where its moment is not kept (any more), of the best weights, with a sentence."""
    if state.updates is None or state.updates in kept_moments(state.run):
        return state
    gone = f"No weights are kept after {format_count(state.updates)} updates; these are the best ones."
    return store_state(choose_updates(state, None), runs, notices=(gone,))


def draw_time_travel(state: ExplorerState, runs: Runs) -> None:
    """A slider over the moments of the model's training whose weights are kept, and the best; nothing without."""
    moments = kept_moments(state.run)
    if not moments:
        return
    stops = (*moments, BEST)
    place = stops.index(BEST if state.updates is None else state.updates)

    def take(stop: int) -> None:
        store_state(choose_updates(visitor_state(runs), None if stop == BEST else stop), runs)

    def take_slider() -> None:
        take(st.session_state[SLIDER_KEY])

    with st.container(key="time_travel", gap="xsmall"):
        st.session_state[SLIDER_KEY] = stops[place]
        st.select_slider(
            "Weights after so many updates",
            stops,
            key=SLIDER_KEY,
            format_func=lambda stop: "best" if stop == BEST else format_count(stop),
            on_change=take_slider,
        )
        with st.container(horizontal=True, gap="small"):
            for label, icon, key, move in (
                ("Earlier", "arrow_back", EARLIER_KEY, -1),
                ("Later", "arrow_forward", LATER_KEY, 1),
            ):
                there = place + move
                st.button(
                    label,
                    key=key,
                    icon=f":material/{icon}:",
                    disabled=not 0 <= there < len(stops),
                    on_click=take,
                    args=(stops[min(max(there, 0), len(stops) - 1)],),
                    width="stretch",
                )
