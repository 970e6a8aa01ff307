"""Step by step: walk through a decoding, force another token, and compare what follows."""

import streamlit as st

from explorer.depth import show_depth
from explorer.loading import loading, under_the_view
from explorer.locator import map_link
from explorer.markdown_text import plain
from explorer.model_store.decodings import internals_of, recorded_of, translation_of
from explorer.model_store.runs import known_runs, loaded_run
from explorer.session import is_new_view_report, store_state, view_report
from explorer.source_picker import pick_source
from explorer.term_text import term_text

VIEW_KEY = "step_by_step"

runs = known_runs()
st.title("Step by step", anchor=False)
term_text(
    "The decoder writes one token at a time, and at each step you see what it reads and what else it considers. "
    "Force another token and it goes on from there, in a branch that you can compare with its own choice."
)
state = pick_source(runs)

remarks = st.container()
with loading(VIEW_KEY, height=900):
    # Only now, with the controls on their way to the screen: this brings in torch, which takes seconds once.
    loaded = loaded_run(state.run, state.updates)
    from explorer.branches import reported_state, usable_branches, what_if
    from explorer.components.decode_view import decode_view, reported_action, reported_view
    from explorer.translation import Translation, view_data

    def decoded(prefix: tuple[int, ...]) -> Translation:
        """The translation of the sentence after a forced prefix."""
        return translation_of(loaded, state.sentence, prefix)

    usable, problems = usable_branches(state, decoded)
    if usable != state:
        state = store_state(usable, runs)
    shown = view_data(loaded, decoded(state.prefix), state, what_if=what_if(loaded, state, decoded))
    seen, action = reported_view(shown, key=VIEW_KEY), reported_action(shown, key=VIEW_KEY)
    for report in sorted(filter(None, (seen, action)), key=lambda each: each.report):
        if is_new_view_report(report.report):
            state = store_state(reported_state(state, report, decoded), runs)
    translation = decoded(state.prefix)
    data = view_data(
        loaded,
        translation,
        state,
        view_report(),
        what_if=what_if(loaded, state, decoded),
        internals=internals_of(loaded, state.sentence, state.prefix),
    )
with remarks:
    for problem in problems:
        st.info(plain(problem), icon=":material/link_off:")
    if not translation.ended:
        st.warning(f"Stopped after {len(data.output_tokens)} tokens: the model had not ended its output.")
decode_view(data, key=VIEW_KEY)
with under_the_view():
    show_depth("step-by-step", recorded_of(loaded, state.sentence, state.prefix), state)
map_link(state, runs)
