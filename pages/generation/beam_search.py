"""Beam search: several hypotheses side by side, as the tree of everything that was kept, pruned and finished."""

from dataclasses import replace

import streamlit as st

from explorer.look.card import under_the_view
from explorer.models.beam_trees import EXAMPLE_PENALTY, EXAMPLE_WIDTH, verdict
from explorer.models.decodings import beam_of, recorded_of, winning_example
from explorer.models.known import known_runs
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.beam_search import VIEW
from explorer.views.beam_search.component import beam_view
from explorer.visitor.running import run_of
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import MAX_BEAM_WIDTH, Beam, ExplorerState, choose_sentence
from explorer.visitor.values import SessionValue

VIEW_KEY = "beam_view"
WIDTH, PENALTY = (
    SessionValue("beam_width", Beam().width),
    SessionValue("length_penalty", Beam().length_penalty),
)

runs = known_runs()


def take_settings() -> None:
    """What the two controls say becomes the search's settings."""
    held = visitor_state(runs)
    beam = replace(held.beam, width=WIDTH.value, length_penalty=round(PENALTY.value, 2))
    store_state(replace(held, beam=beam), runs)


def show_settings(state: ExplorerState) -> None:
    """Draw the two controls with what the state says."""
    WIDTH.set(state.beam.width)
    PENALTY.set(state.beam.length_penalty)
    with st.container(key="beam_settings", horizontal=True, gap="medium"):
        st.slider(
            "Beam width",
            min_value=1,
            max_value=MAX_BEAM_WIDTH,
            key=WIDTH.key,
            on_change=take_settings,
        )
        st.slider(
            "Length penalty α",
            min_value=0.0,
            max_value=2.0,
            step=0.1,
            format="%g",
            key=PENALTY.key,
            on_change=take_settings,
        )


def take_example(source: str) -> None:
    """A source for which beam search wins becomes the sentence, with the settings that it was found with."""
    state = choose_sentence(visitor_state(runs), source, typed=False)
    beam = replace(state.beam, width=EXAMPLE_WIDTH, length_penalty=EXAMPLE_PENALTY)
    store_state(replace(state, beam=beam), runs)


state = page_head(VIEW, runs)
picture = st.container()
show_settings(state)

with picture, loading(VIEW_KEY, height=520):
    loaded = run_of(state)
    tree = beam_of(loaded, state.sentence, state.beam.width, state.beam.length_penalty)
with st.container(horizontal=True, vertical_alignment="center", key="beam_verdict"):
    st.markdown(f"**{verdict(tree)}**")
    example = winning_example(loaded)
    if not tree.beats_greedy and example is not None:
        st.button(
            "Show one where it does",
            key="beam_example",
            on_click=take_example,
            args=(example.source,),
            width="content",
        )
    elif example is not None and state.sentence == example.source:
        st.caption(example.why)
with picture:
    beam_view(tree, key=VIEW_KEY)
with picture, under_the_view():
    show_depth(VIEW, recorded_of(loaded, state.sentence), state)
