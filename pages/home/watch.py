"""Home: the whole network at work on a sentence, step by step, and every other token that could have been."""

from dataclasses import replace

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import under_the_view
from explorer.models.decodings import translation_of
from explorer.models.known import known_runs
from explorer.shell.branches import draw_remarks, usable_state
from explorer.shell.depth import show_depth
from explorer.shell.home import living_map_data
from explorer.shell.loading import loading
from explorer.shell.model_page import picture_head
from explorer.shell.proof import proof_sentence, read_proof
from explorer.views.living_map import VIEW
from explorer.views.living_map.component import living_map
from explorer.visitor.reports import last_report
from explorer.visitor.running import recorded_run, run_of

VIEW_KEY = "living_map"

runs = known_runs()
state = picture_head(runs)
remarks = st.container()
with loading(VIEW_KEY, height=700):
    loaded = run_of(state)
    state, left_out = usable_state(loaded, state, runs)
    data = replace(living_map_data(loaded, state, REGISTRY), report=last_report())
draw_remarks(remarks, left_out, translation_of(loaded, state.sentence, state.decoding.prefix))
living_map(data, key=VIEW_KEY)
with under_the_view():
    show_depth(VIEW, recorded_run(state), state)
with st.container(key="proof"):
    st.caption(proof_sentence(read_proof()))
