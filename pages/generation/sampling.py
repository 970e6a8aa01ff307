"""Sampling lab: from logits to the drawn token, column by column, and what 200 draws of whole outputs give."""

from dataclasses import replace

import streamlit as st

from explorer.look.card import under_the_view
from explorer.models.known import known_runs
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.sampling import VIEW
from explorer.views.sampling.cached import sampled_data, samples_of
from explorer.views.sampling.component import samples_view, sampling_view
from explorer.views.sampling.data import N_SAMPLES, samples_data, sampling_config, sampling_key
from explorer.visitor.reports import last_report
from explorer.visitor.running import recorded_run, run_of
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import choose_branch
from explorer.visitor.values import SessionValue

VIEW_KEY, SAMPLES_KEY = "sampling_view", "samples_view"
DRAWN = SessionValue[object]("sampling_drawn", None)

runs = known_runs()
state = page_head(VIEW, runs)


def leave_branch() -> None:
    """Back to an output that begins as the model likes."""
    store_state(choose_branch(visitor_state(runs), ()), runs)


def draw() -> None:
    """Remember for which settings outputs were asked; others have to be asked for again."""
    DRAWN.set((key, config))


remarks = st.container()
with loading(VIEW_KEY, height=720):
    loaded = run_of(state)
    key, config = sampling_key(loaded, state.sentence, state.decoding.prefix), sampling_config(loaded, state)
    data = replace(sampled_data(loaded, state), report=last_report())
if state.decoding.prefix:
    with remarks:
        st.info("A branch is open: every output begins with its forced tokens.", icon=":material/call_split:")
        st.button("Without forced tokens", key="leave_branch", on_click=leave_branch)
sampling_view(data, key=VIEW_KEY)
with under_the_view():
    show_depth(VIEW, recorded_run(state), state)

st.subheader("Whole outputs", anchor=False)
st.markdown(
    f"Each of {N_SAMPLES} outputs is drawn token by token with these settings. Its exact probability, "
    "the product of the probabilities of its tokens, is shown beside how often it came up."
)
greedily = config.temperature == 0
st.button(f"Draw {N_SAMPLES} samples", key="draw_samples", type="primary", on_click=draw, disabled=greedily)
if greedily:
    st.caption("Temperature 0 always gives the same output; raise it to draw.")
elif DRAWN.value == (key, config):
    bar = st.empty()
    samples = samples_of(
        loaded, state.sentence, config, state.decoding.prefix, lambda share: bar.progress(share, "Drawing")
    )
    bar.empty()
    samples_view(samples_data(samples), key=SAMPLES_KEY)
else:
    st.caption("Nothing drawn with these settings yet.")
