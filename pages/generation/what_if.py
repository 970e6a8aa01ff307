"""What if: change one thing inside the running model, and see what it writes then."""

from dataclasses import replace

import streamlit as st

from explorer.look.card import under_the_view
from explorer.models.known import known_runs
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.what_if import VIEW
from explorer.views.what_if.component import what_if_view
from explorer.views.what_if.data import scenery
from explorer.views.what_if.followed import Sweep, changing_data, sweep_of
from explorer.visitor.reports import last_report
from explorer.visitor.running import run_of
from explorer.visitor.values import SessionValue

VIEW_KEY = "what_if"
WANTED = SessionValue[object]("what_if_wanted", None)
"""Name of the large sweep that the visitor has asked for."""

runs = known_runs()


def ask(sweep: Sweep) -> None:
    """Offer to compute a sweep, or compute it if that was asked for; any other action stops it."""
    if sweep.key != WANTED.value:
        st.button(
            f"Compute it: {sweep.passes:,} passes of this model",
            key="compute_sweep",
            on_click=WANTED.set,
            args=(sweep.key,),
        )
        return
    bar = st.progress(0.0, "Computing")
    st.button("Stop", key="stop_sweep", on_click=WANTED.set, args=(None,))
    # Where the visitor has done something else, this call of the bar ends the run.
    sweep.compute(lambda done, of: bar.progress(done / of, f"Computing: {done:,} of {of:,}"))


state = page_head(VIEW, runs, words_in_menu=True)
large = st.container(key="what_if_large", gap="small")
with loading(VIEW_KEY, height=720):
    seen = scenery(run_of(state), state)
    sweep = sweep_of(seen, state)
    if sweep is not None and not sweep.is_there:
        with large:
            ask(sweep)
    data = changing_data(seen, state)
what_if_view(replace(data, report=last_report()), key=VIEW_KEY)
with under_the_view():
    show_depth(VIEW, seen.changed, state)
