"""Home: the whole network at work on a sentence, step by step, and every other token that could have been."""

from dataclasses import replace

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import under_the_view
from explorer.models.decodings import translation_of
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import picture_head
from explorer.shell.proof import proof_sentence, read_proof
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.running import recorded_run, run_of
from explorer.visitor.session import store_state

VIEW_KEY = "living_map"

runs = known_runs()
state = picture_head(runs)
remarks = st.container()
opened = None
with loading(VIEW_KEY, height=700):
    # Only now, with the sentence on its way to the screen: this brings in torch, which takes seconds once.
    loaded = run_of(state)
    from explorer.shell.branches import draw_remarks, usable_state
    from explorer.shell.depth import show_depth
    from explorer.shell.stops import block_page, inspector_page
    from explorer.views.living_map import VIEW
    from explorer.views.living_map.cached import living_map_of
    from explorer.views.living_map.choices import done_state, looked_at, with_pages
    from explorer.views.living_map.component import EVENTS, Inspected, Opened, living_map

    state, left_out = usable_state(loaded, state, runs)
    figure = with_pages(living_map_of(loaded, state), REGISTRY)
    for report in pending(VIEW_KEY, figure, EVENTS):
        state = store_state(done_state(loaded, state, report), runs)
        opened = report if isinstance(report, Opened | Inspected) else None
        figure = with_pages(living_map_of(loaded, state), REGISTRY)
    written = translation_of(loaded, state.sentence, state.decoding.prefix)
    data = replace(looked_at(figure, written, state), report=last_report())
if opened is not None:
    view, there = (
        inspector_page(opened.name, state, REGISTRY)
        if isinstance(opened, Inspected)
        else block_page(opened.block, state, REGISTRY)
    )
    st.switch_page(view.page, query_params=query_of(there, runs))
draw_remarks(remarks, left_out, written)
living_map(data, key=VIEW_KEY)
with under_the_view():
    show_depth(VIEW, recorded_run(state), state)
with st.container(key="proof"):
    st.caption(proof_sentence(read_proof()))
