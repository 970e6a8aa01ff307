"""What parts are worth: every head, and every neuron of a layer, switched off over all held-out pairs."""

from dataclasses import replace

import streamlit as st

from explorer.models.known import known_runs, loaded_run
from explorer.shell.background import draw_job
from explorer.shell.held_out import plan_at
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.worth import VIEW
from explorer.views.worth.cached import begin, choices, measured
from explorer.views.worth.component import worth_view
from explorer.views.worth.data import worth_data
from explorer.views.worth.measured import Measured
from explorer.visitor.reports import last_report
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import choose_parts
from explorer.visitor.values import SessionValue

VIEW_KEY, HEIGHT = "worth", 560
PARTS = SessionValue("worth_parts", "")

runs = known_runs()
state = page_head(VIEW, runs, words=False)
offered = choices(runs[state.run])
plan = plan_at(state)


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
    """Draw figures, over all pairs or over those that are done already."""
    data = worth_data(loaded_run(plan.run, plan.updates), plan, found, visitor_state(runs))
    worth_view(replace(data, report=last_report()), key=VIEW_KEY)


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
