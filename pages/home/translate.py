"""Home: a sentence becomes its translation, token by token, with the cross-attention that did it."""

import streamlit as st

from explorer.depth import show_depth
from explorer.loading import loading, under_the_view
from explorer.map_overview import map_overview
from explorer.model_store.decodings import map_of, recorded_of
from explorer.model_store.runs import known_runs, loaded_run
from explorer.proof import proof_sentence, read_proof
from explorer.session import visitor_state
from explorer.source_picker import pick_source
from explorer.task_facts import verb_of
from explorer.term_text import term_text

VIEW_KEY = "decode_view"

runs = known_runs()
task = runs[visitor_state(runs).run].task
st.title(f"Watch a Transformer {verb_of(task).lower()}", anchor=False)
term_text(
    "A real model runs here: at each token see what it looks at and what else it considered, and force that instead."
)
state = pick_source(runs)

remarks = st.container()
with loading(VIEW_KEY, height=460):
    # Only now, with the controls on their way to the screen: this brings in torch, which takes seconds once.
    loaded = loaded_run(state.run, state.updates)
    from explorer.components.decode_view import decode_view
    from explorer.decoding import draw_remarks, followed_decoding

    decoding = followed_decoding(loaded, state, runs, key=VIEW_KEY, first_look=True)
state = decoding.state
draw_remarks(remarks, decoding)
decode_view(decoding.data, key=VIEW_KEY)
with under_the_view():
    show_depth("home", recorded_of(loaded, state.sentence, state.prefix), state)
    map_overview(map_of(loaded, state.sentence, state.prefix, compact=True), state, runs)
with st.container(key="proof"):
    st.caption(proof_sentence(read_proof()))
