"""Mistakes: every held-out pair of a model, what it wrote for it, and what its mistakes have in common."""

from dataclasses import replace

import streamlit as st

from core.errors import ExplorerError
from core.evaluation.held_out import HeldOut
from explorer.look.markdown_text import plain
from explorer.models.held_out import evaluation_of, splits_of, usual_split
from explorer.models.known import known_runs, loaded_run
from explorer.shell.background import draw_job
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.decoding import STEP_BY_STEP
from explorer.views.mistakes import VIEW
from explorer.views.mistakes.component import EVENTS, Opened, mistakes_view
from explorer.views.mistakes.data import listed_pairs, mistakes_data, opened_pair, told_of
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import at_page, store_state, visitor_state

VIEW_KEY, HEIGHT = "mistakes", 640

runs = known_runs()


state = page_head(VIEW, runs, words=False)
run, updates, splits = state.run, state.updates, splits_of(runs[state.run])
split = state.mistakes.split if state.mistakes.split in dict(splits) else usual_split(runs[state.run])


def show(found: HeldOut) -> None:
    """Draw results, of all pairs or of those that are translated already, and act on what the view reports."""
    state, loaded = visitor_state(runs), loaded_run(run, updates)
    data = mistakes_data(loaded, found, state, splits, last_report())
    reports = pending(VIEW_KEY, data, EVENTS)
    for report in reports:
        if not isinstance(report, Opened):
            state = store_state(replace(state, mistakes=report.applied_to(state.mistakes)), runs)
            if state.mistakes.split != split:
                st.rerun()
            continue
        pair = listed_pairs(found)[report.pair]
        try:
            opened = opened_pair(loaded, at_page(state, STEP_BY_STEP.address), pair)
        except ExplorerError as error:
            st.error(plain(error.sentence))
            continue
        state = store_state(opened, runs, notices=told_of(pair, opened))
        st.switch_page(STEP_BY_STEP.page, query_params=query_of(state, runs))
    mistakes_view(
        mistakes_data(loaded, found, state, splits, last_report()) if reports else data, key=VIEW_KEY
    )


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
