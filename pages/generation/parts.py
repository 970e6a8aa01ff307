"""What parts are worth: every head, and every neuron of a layer, switched off over all held-out pairs."""

from dataclasses import replace

import streamlit as st

from core.errors import ExplorerError
from explorer.app import REGISTRY
from explorer.look.markdown_text import plain
from explorer.models.background import Job
from explorer.models.known import known_runs, loaded_run
from explorer.shell.background import draw_job
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.view import WHAT_IF
from explorer.views.worth import VIEW
from explorer.views.worth.cached import begin, choices, measured, plan_of
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import WorthLook
from explorer.visitor.values import SessionValue

VIEW_KEY = "worth"
PARTS = SessionValue("worth_parts", "")

runs = known_runs()
state = page_head(
    VIEW,
    "Each part switched off by itself, over the held-out pairs: what the answers lose, and where its heads look.",
    runs,
    words=False,
)
offered = choices(runs[state.run])
plan = plan_of(state.run, state.updates, runs[state.run], state.worth.parts)


def take_parts() -> None:
    """The visitor has chosen other parts."""
    store_state(replace(visitor_state(runs), worth=WorthLook(parts=PARTS.value)), runs)


PARTS.set(plan.parts)
st.selectbox(
    "Parts", offered, key=PARTS.key, format_func=offered.__getitem__, on_change=take_parts,
    label_visibility="collapsed", width=320,
)  # fmt: skip
with loading(VIEW_KEY, height=560):
    found = measured(plan)
    from explorer.views.worth.component import EVENTS, Opened, worth_view
    from explorer.views.worth.data import UNDONE, opened_part, opened_without, worth_data

place = st.container(key="worth_place")
if found is None:
    with place:
        st.button(
            f"Measure {offered[plan.parts]} over {plan.n_pairs:,} held-out pairs",
            key="worth_begin",
            on_click=begin,
            args=(plan,),
        )
        st.caption("This model is large: it takes minutes, once for all visitors, and can be stopped.")
elif isinstance(found, Job):
    with place:
        draw_job(
            found,
            lambda: measured(plan),
            lambda done, of_all: (
                f"{done // plan.n_pairs:,} of {plan.n_parts:,} parts measured over {plan.n_pairs:,} held-out pairs"
                if of_all
                else "Making the pairs"
            ),
            again_label="Measure again",
            key=VIEW_KEY,
        )
else:
    run = loaded_run(state.run, state.updates)
    data = worth_data(run, found, state, last_report())
    for report in pending(VIEW_KEY, data, EVENTS):
        if not isinstance(report, Opened):
            worth = replace(state.worth, order=report.order, chosen=report.chosen)
            state = store_state(replace(state, worth=worth), runs)
            continue
        asked = (report.part, report.pair)
        try:
            if report.without:
                view = REGISTRY[WHAT_IF]
                opened = opened_without(run, found, state, view, *asked)
            else:
                view, opened = opened_part(run, found, state, REGISTRY, *asked)
        except ExplorerError as error:
            st.error(plain(error.sentence))
            continue
        undone = not report.without and state.changes
        state = store_state(opened, runs, notices=(UNDONE,) if undone else ())
        st.switch_page(view.page, query_params=query_of(state, runs))
    with place:
        worth_view(worth_data(run, found, state, last_report()), key=VIEW_KEY)
