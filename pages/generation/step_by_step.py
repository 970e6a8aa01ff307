"""Step by step: walk through a decoding, force another token, and compare what follows."""

from dataclasses import replace

import streamlit as st

from explorer.look.card import card, under_the_view
from explorer.look.chart import page_theme, plotly_chart
from explorer.models.decodings import translation_of
from explorer.models.known import known_runs
from explorer.shell.branches import draw_remarks, usable_state
from explorer.shell.depth import show_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.views.cost.data import cost_words, costs_by_length
from explorer.views.cost.figure import cost_figure
from explorer.views.decoding import STEP_BY_STEP
from explorer.views.decoding.component import decode_view
from explorer.views.decoding.followed import decoding_data
from explorer.views.vary.component import vary_view
from explorer.views.vary.followed import varied_data
from explorer.visitor.reports import last_report
from explorer.visitor.running import recorded_run, run_of

VIEW_KEY, VARY_KEY = "step_by_step", "vary_token"

runs = known_runs()
state = page_head(STEP_BY_STEP, runs)

remarks = st.container()
with loading(VIEW_KEY, height=600):
    loaded = run_of(state)
    state, left_out = usable_state(loaded, state, runs)
    data = replace(decoding_data(loaded, state), report=last_report())
draw_remarks(remarks, left_out, translation_of(loaded, state.sentence, state.decoding.prefix))
decode_view(data, key=VIEW_KEY)
with under_the_view():
    show_depth(STEP_BY_STEP, recorded_run(state), state)
with under_the_view():
    vary_view(replace(varied_data(loaded, state), report=last_report()), key=VARY_KEY)
with card("What a longer text costs", key="cost"):
    n_tokens = len(translation_of(loaded, state.sentence, state.decoding.prefix).source_tokens)
    costs = costs_by_length(loaded.config)
    plotly_chart(
        cost_figure(costs, n_tokens, theme=page_theme()),
        key="cost_chart",
        alt=cost_words(costs),
    )
    st.markdown(cost_words(costs))
