"""The map: the figure of the paper with this model's shapes, parameters and values; every block opens its page."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.models.decodings import recorded_of
from explorer.models.known import known_runs, loaded_run
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.map import VIEW
from explorer.views.map.cached import map_of
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import store_state

VIEW_KEY = "map_view"

runs = known_runs()
state = page_head(
    VIEW,
    "The paper’s network with this model’s numbers in it; choose a block to see what is recorded there.",
    runs,
)

to_open = None
with loading(VIEW_KEY, height=1000):
    # Only now, with the controls on their way to the screen: this brings in torch, which takes seconds once.
    loaded = loaded_run(state.run, state.updates)
    from explorer.shell.depth import show_depth
    from explorer.views.map.component import EVENTS, OpenPage, map_view
    from explorer.views.map.map_choices import looked_at, opened_state, page_of, seen_state, with_pages

    figure = with_pages(map_of(loaded, state.sentence, state.decoding.prefix), REGISTRY)
    for report in pending(VIEW_KEY, figure, EVENTS):
        state = store_state(seen_state(state, figure, report), runs)
        to_open = report if isinstance(report, OpenPage) else None
    data = looked_at(figure, state, last_report())
    recorded = recorded_of(loaded, state.sentence, state.decoding.prefix)
if to_open is not None:
    asked = opened_state(state, figure, to_open)
    st.switch_page(page_of(figure, to_open, REGISTRY), query_params=query_of(asked, runs))
map_view(data, key=VIEW_KEY)
show_depth(VIEW, recorded, state)
