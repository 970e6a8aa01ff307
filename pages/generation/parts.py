"""What parts are worth: every head, and every neuron of a layer, switched off over all held-out pairs."""

from dataclasses import replace

import streamlit as st

from core.errors import ExplorerError
from explorer.app import REGISTRY
from explorer.look.markdown_text import plain
from explorer.models.known import known_runs, loaded_run
from explorer.shell.background import draw_job
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.view import WHAT_IF
from explorer.views.worth import VIEW
from explorer.views.worth.cached import begin, choices, measured, plan_of
from explorer.views.worth.component import EVENTS, Opened, worth_view
from explorer.views.worth.data import UNDONE, opened_part, opened_without, worth_data
from explorer.views.worth.measured import Measured
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import choose_parts
from explorer.visitor.values import SessionValue

VIEW_KEY, HEIGHT = "worth", 560
PARTS = SessionValue("worth_parts", "")

runs = known_runs()
state = page_head(VIEW, runs, words=False)
offered = choices(runs[state.run])
plan = plan_of(state.run, state.updates, runs[state.run], state.worth.parts)


def take_parts() -> None:
    """The visitor has chosen other parts."""
    store_state(choose_parts(visitor_state(runs), PARTS.value), runs)


PARTS.set(plan.parts)
st.selectbox(
    "Parts", offered, key=PARTS.key, format_func=offered.__getitem__, on_change=take_parts,
    label_visibility="collapsed", width=320,
)  # fmt: skip


def measure() -> None:
    """Measure what the visitor has asked for, however long it takes."""
    begin(plan)


def show(found: Measured) -> None:
    """Draw figures, over all pairs or over those that are done already, and act on what the view reports."""
    state, run = visitor_state(runs), loaded_run(plan.run, plan.updates)
    data = worth_data(run, found, state, last_report())
    reports = pending(VIEW_KEY, data, EVENTS)
    for report in reports:
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
    worth_view(worth_data(run, found, state, last_report()) if reports else data, key=VIEW_KEY)


with loading(VIEW_KEY, height=HEIGHT), st.container(key="worth_place"):
    if measured(plan) is None:
        st.button(
            f"Measure {offered[plan.parts]} over {plan.n_pairs:,} held-out pairs",
            key="worth_begin",
            on_click=measure,
        )
        st.caption("This model is large: it takes minutes, once for all visitors, and can be stopped.")
    else:
        draw_job(
            lambda: begin(plan),
            show,
            lambda done, of_all: (
                f"{done // plan.n_parts:,} of {plan.n_pairs:,} held-out pairs measured"
                if of_all
                else "Making the pairs"
            ),
            again_label="Measure again",
            key=VIEW_KEY,
            height=HEIGHT,
        )
