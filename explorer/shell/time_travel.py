"""The slider through a training: every page shows the model with the weights of a moment."""

from dataclasses import replace

import streamlit as st

from explorer.look.theme import format_count
from explorer.models.known import kept_moments
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState
from explorer.visitor.values import SessionValue

EARLIER_KEY, LATER_KEY = "moment_earlier", "moment_later"
BEST = -1
"""Stands behind the moments, for the weights that were best on the validation pairs."""
SLIDER = SessionValue("moment", BEST)


def at_kept_moment(state: ExplorerState, runs: Runs) -> ExplorerState:
    """The visitor's state; where its moment is not kept (any more), of the best weights, with a sentence."""
    if state.updates is None or state.updates in kept_moments(state.run):
        return state
    gone = f"No weights are kept after {format_count(state.updates)} updates; these are the best ones."
    return store_state(replace(state, updates=None), runs, notices=(gone,))


def draw_time_travel(state: ExplorerState, runs: Runs) -> None:
    """A slider over the moments of the model's training whose weights are kept, and the best; nothing where none is."""
    stops = _stops(state)
    if not stops:
        return
    place = stops.index(_stop(state))

    def take(stop: int) -> None:
        _take(stop, runs)

    def take_slider() -> None:
        take(SLIDER.value)

    with st.container(key="time_travel", gap="xsmall"):
        SLIDER.set(stops[place])
        st.select_slider(
            "Weights after this many updates",
            stops,
            key=SLIDER.key,
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


def _stops(state: ExplorerState) -> tuple[int, ...]:
    """The kept moments and the best; none where nothing is kept."""
    moments = kept_moments(state.run)
    return (*moments, BEST) if moments else ()


def _stop(state: ExplorerState) -> int:
    return BEST if state.updates is None else state.updates


def _take(stop: int, runs: Runs) -> None:
    store_state(replace(visitor_state(runs), updates=None if stop == BEST else stop), runs)
