"""Mistakes: every held-out pair of a model, what it wrote for it, and what its mistakes have in common."""

from dataclasses import replace

import streamlit as st

from core.evaluation.held_out import HeldOut
from explorer.models.held_out import evaluation_of
from explorer.models.known import known_runs, loaded_run
from explorer.shell.background import draw_job
from explorer.shell.held_out import split_of
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.mistakes import VIEW
from explorer.views.mistakes.component import mistakes_view
from explorer.views.mistakes.data import mistakes_data
from explorer.visitor.reports import last_report
from explorer.visitor.session import visitor_state

VIEW_KEY, HEIGHT = "mistakes", 640

runs = known_runs()
state = page_head(VIEW, runs, words=False)
run, updates, split = state.run, state.updates, split_of(state)


def show(found: HeldOut) -> None:
    """Draw results, of all pairs or of those that are translated already."""
    data = mistakes_data(loaded_run(run, updates), split, found, visitor_state(runs))
    mistakes_view(replace(data, report=last_report()), key=VIEW_KEY)


with loading(VIEW_KEY, height=HEIGHT), st.container(key="mistakes_place"):
    draw_job(
        lambda: evaluation_of(run, updates, split),
        show,
        lambda done, of_all: (
            f"{done:,} of {of_all:,} held-out pairs translated" if of_all else "Making the pairs"
        ),
        again_label="Evaluate again",
        key=VIEW_KEY,
        height=HEIGHT,
    )
