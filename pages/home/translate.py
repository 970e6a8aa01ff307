"""Home: a sentence becomes its translation, token by token, with the cross-attention that did it."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.models.decodings import recorded_of
from explorer.models.known import known_runs, loaded_run
from explorer.models.task_facts import verb_of
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading, under_the_view
from explorer.shell.model_page import page_head
from explorer.shell.proof import proof_sentence, read_proof
from explorer.views.decoding import FIRST
from explorer.views.map.cached import map_of
from explorer.views.map.overview import map_overview
from explorer.visitor.session import visitor_state

VIEW_KEY = "decode_view"

runs = known_runs()
task = runs[visitor_state(runs).run].task
state = page_head(
    FIRST,
    "See what a real model looks at and what else it considers at each token, and force that instead.",
    runs,
    title=f"Watch a Transformer {verb_of(task).lower()}",
    words_in_menu=True,
)

remarks = st.container()
with loading(VIEW_KEY, height=460):
    # Only now, with the controls on their way to the screen: this brings in torch, which takes seconds once.
    loaded = loaded_run(state.run, state.updates)
    from explorer.views.decoding.component import decode_view
    from explorer.views.decoding.followed import draw_remarks, followed_decoding

    decoding = followed_decoding(loaded, state, runs, key=VIEW_KEY, first_look=True)
state = decoding.state
draw_remarks(remarks, decoding)
decode_view(decoding.data, key=VIEW_KEY)
with under_the_view():
    show_depth(FIRST, recorded_of(loaded, state.sentence, state.decoding.prefix), state)
    map_overview(map_of(loaded, state.sentence, state.decoding.prefix, compact=True), state, runs, REGISTRY)
with st.container(key="proof"):
    st.caption(proof_sentence(read_proof()))
