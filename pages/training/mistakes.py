"""Mistakes: every held-out pair of a model, what it wrote for it, and what its mistakes have in common."""

from dataclasses import replace

import streamlit as st

from core.errors import ExplorerError
from explorer.look.markdown_text import plain
from explorer.models.background import Job
from explorer.models.held_out import evaluation_of, splits_of, usual_split
from explorer.models.known import known_runs, loaded_run
from explorer.shell.background import draw_job
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.decoding import STEP_BY_STEP
from explorer.views.mistakes import VIEW
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import at_page, store_state

VIEW_KEY = "mistakes"

runs = known_runs()


state = page_head(
    VIEW,
    "Every held-out pair: what it should be, what the model wrote, and where they part; a click opens it there.",
    runs,
    words=False,
)
splits = splits_of(runs[state.run])
split = state.mistakes.split if state.mistakes.split in dict(splits) else usual_split(runs[state.run])
with loading(VIEW_KEY, height=640):
    found = evaluation_of(state.run, state.updates, split)
    from explorer.views.mistakes.component import EVENTS, Opened, mistakes_view
    from explorer.views.mistakes.data import listed_pairs, mistakes_data, opened_pair, told_of

place = st.container(key="mistakes_place")
if isinstance(found, Job):
    with place:
        draw_job(
            found,
            lambda: evaluation_of(state.run, state.updates, split),
            lambda done, of_all: (
                f"{done:,} of {of_all:,} held-out pairs translated" if of_all else "Making the pairs"
            ),
            again_label="Evaluate again",
            key=VIEW_KEY,
        )
else:
    loaded = loaded_run(state.run, state.updates)
    data = mistakes_data(loaded, found, state, splits, last_report())
    for report in pending(VIEW_KEY, data, EVENTS):
        if not isinstance(report, Opened):
            state = store_state(replace(state, mistakes=report), runs)
            if report.split != split:
                st.rerun()
            continue
        pair = listed_pairs(found)[report.pair]
        try:
            opened = opened_pair(loaded, at_page(state, STEP_BY_STEP.address), pair)
        except ExplorerError as error:
            st.error(plain(error.sentence))
            continue
        state = store_state(opened, runs, notices=told_of(pair))
        st.switch_page(STEP_BY_STEP.page, query_params=query_of(state, runs))
    with place:
        mistakes_view(mistakes_data(loaded, found, state, splits, last_report()), key=VIEW_KEY)
