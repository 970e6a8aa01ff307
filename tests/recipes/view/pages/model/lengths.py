"""Vector lengths: how long each source token's vector is when it leaves the encoder."""

import streamlit as st
from explorer.views.lengths import VIEW

from explorer.look.number_table import number_table
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.visitor.running import recorded_run

state = page_head(VIEW, known_runs())
with loading("lengths", height=300):
    from explorer.views.lengths.data import columns

    found = columns(recorded_run(state))
with st.container(key="lengths"):
    number_table(found, texts=("token",), key="lengths_table", alt="How long each token's vector is")
