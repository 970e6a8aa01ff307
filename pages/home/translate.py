"""Home: a sentence becomes its translation, token by token, with the cross-attention that did it."""

import streamlit as st

from explorer.depth import show_depth
from explorer.loading import loading, under_the_view
from explorer.map_overview import map_overview
from explorer.model_store.decodings import map_of, recorded_of, translation_of
from explorer.model_store.runs import known_runs, loaded_run
from explorer.proof import proof_sentence, read_proof
from explorer.session import is_new_view_report, store_state, view_report, visitor_state
from explorer.source_picker import pick_source
from explorer.state import choose_branch, explain_cell
from explorer.task_facts import verb_of
from explorer.term_text import term_text

VIEW_KEY = "decode_view"

runs = known_runs()
task = runs[visitor_state(runs).run].task
st.title(f"Watch a Transformer {verb_of(task).lower()}", anchor=False)
term_text(
    "A real model runs here: for each token that it writes, see what it looks at and what else it considered."
)
state = pick_source(runs)

remarks = st.container()
with loading(VIEW_KEY, height=460):
    # Only now, with the controls on their way to the screen: this brings in torch, which takes seconds once.
    loaded = loaded_run(state.run, state.updates)
    from explorer.components.decode_view import Explain, decode_view, reported_action, reported_view
    from explorer.translation import seen_state, view_data

    translation = translation_of(loaded, state.sentence)
    shown = view_data(loaded, translation, state)
    seen, action = reported_view(shown, key=VIEW_KEY), reported_action(shown, key=VIEW_KEY)
    if seen is not None and is_new_view_report(seen.report):
        state = store_state(seen_state(state, seen), runs)
    if isinstance(action, Explain) and is_new_view_report(action.report):
        # This page shows what the model says by itself, so that is what is explained.
        state = store_state(explain_cell(choose_branch(state, ()), action.cell), runs)
    data = view_data(loaded, translation, state, report=view_report())
if not translation.ended:
    remarks.warning(f"Stopped after {len(data.output_tokens)} tokens: the model had not ended its output.")
decode_view(data, key=VIEW_KEY)
with under_the_view():
    show_depth("home", recorded_of(loaded, state.sentence), state)
    map_overview(map_of(loaded, state.sentence, compact=True), state, runs)
with st.container(key="proof"):
    st.caption(proof_sentence(read_proof()))
