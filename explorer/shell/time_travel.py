"""The slider through a training, and what plays it: every page shows the model with a moment's weights."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.browser.moment_player import asked_moment, moment_player
from explorer.look.theme import format_count
from explorer.models.known import kept_moments
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, Runs
from explorer.visitor.values import SessionValue

EARLIER_KEY, LATER_KEY = "moment_earlier", "moment_later"
PLAYER_KEY = "moment_player"
_STYLE = ".st-key-moment_player_place { min-height: 40px; }"
BEST = -1
"""Stands behind the moments, for the weights that were best on the validation pairs."""
SLIDER = SessionValue("moment", BEST)


def at_kept_moment(state: ExplorerState, runs: Runs) -> ExplorerState:
    """The visitor's state; where its moment is not kept (any more), of the best weights, with a sentence."""
    if state.updates is None or state.updates in kept_moments(state.run):
        return state
    gone = f"No weights are kept after {format_count(state.updates)} updates; these are the best ones."
    return store_state(replace(state, updates=None), runs, notices=(gone,))


def draw_time_travel(state: ExplorerState, runs: Runs) -> DeltaGenerator | None:
    """A slider over the moments of the model's training whose weights are kept, and the best.

    Returns:
        The place of the player, for `draw_player`; None where no moment is kept and nothing is drawn.
    """
    stops = _stops(state)
    if not stops:
        return None
    place = stops.index(_stop(state))

    def take(stop: int) -> None:
        _take(stop, runs)

    def take_slider() -> None:
        take(SLIDER.value)

    with st.container(key="time_travel", gap="xsmall"):
        SLIDER.set(stops[place])
        st.select_slider(
            "Weights after so many updates",
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
        st.html(f"<style>{_STYLE}</style>")
        return st.container(key="moment_player_place")


def draw_player(place: DeltaGenerator | None, state: ExplorerState, runs: Runs) -> None:
    """Draw what plays the training, once everything else of the page is drawn.

    While it plays the address stays, so that the browser's history has its end alone.
    """
    stops = _stops(state)
    if not place or not stops:
        return

    def take_asked() -> None:
        held = visitor_state(runs)
        asked = asked_moment(_stops(held), key=PLAYER_KEY)
        if asked:
            _take(asked.stop, runs, in_address=not asked.goes_on)

    with place:
        moment_player(stops, _stop(state), key=PLAYER_KEY, on_ask=take_asked)


def _stops(state: ExplorerState) -> tuple[int, ...]:
    """The kept moments and the best; none where nothing is kept."""
    moments = kept_moments(state.run)
    return (*moments, BEST) if moments else ()


def _stop(state: ExplorerState) -> int:
    return BEST if state.updates is None else state.updates


def _take(stop: int, runs: Runs, *, in_address: bool = True) -> None:
    moved = replace(visitor_state(runs), updates=None if stop == BEST else stop)
    store_state(moved, runs, in_address=in_address)
