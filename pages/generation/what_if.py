"""What if: change one thing inside the running model, and see what it writes then."""

from dataclasses import replace

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import under_the_view
from explorer.models.known import known_runs
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.what_if import VIEW
from explorer.views.what_if.component import what_if_view
from explorer.views.what_if.followed import fed, followed
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report
from explorer.visitor.session import at_page

VIEW_KEY = "what_if"

runs = known_runs()
state = page_head(VIEW, runs, words_in_menu=True)
large = st.container(key="what_if_large", gap="small")
with loading(VIEW_KEY, height=720):
    state, gone = followed(state, runs, key=VIEW_KEY)
    if gone:
        view = REGISTRY[gone]
        st.switch_page(view.page, query_params=query_of(at_page(state, view.address), runs))
    seen, data = fed(state, large)
what_if_view(replace(data, report=last_report()), key=VIEW_KEY)
with under_the_view():
    show_depth(VIEW, seen.changed, state)
