"""Feed-forward: two matrices with a non-linearity between, the same at every position."""

import streamlit as st

from explorer.look.number_table import number_table
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run, take_reports
from explorer.shell.stack_picker import pick_row, pick_stack
from explorer.shell.term_text import term_text
from explorer.views.feed_forward import VIEW
from explorer.visitor.sublayers import SIDES, chosen_stack

VIEW_KEY = "feed_forward"

runs = known_runs()
state = page_head(
    VIEW,
    "Each position by itself goes through the same small network: wider, a non-linearity, and back.",
    runs,
)
picture = st.container()
controls = st.container(horizontal=True, gap="medium", key="network_choice")
with controls:
    pick_stack(state, runs)
with picture, loading(VIEW_KEY, height=700):
    recorded = recorded_run(state)
    from explorer.browser.tensor_view import tensor_view
    from explorer.explaining.scene import Scene
    from explorer.shell.depth import show_depth
    from explorer.tensors import TensorViewData
    from explorer.views.feed_forward import data as feed_forward
    from explorer.views.feed_forward import tables as feed_forward_tables
    from explorer.visitor.state import ExplorerState

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        return feed_forward.feed_forward_view(recorded, state)

    state, data = take_reports(state, runs, view_of, key=VIEW_KEY)
    stack, config = chosen_stack(state), recorded.run.config
    counted = feed_forward.zeros(recorded, state)
    by_token = feed_forward.units_by_token(recorded, state)
    neurons = feed_forward.neurons(recorded, state)
    between = feed_forward.between(recorded, state)
with controls:
    pick_row(recorded.rows(SIDES[stack]), Scene(recorded, state).place(stack), stack, runs, label="Row")
with picture:
    tensor_view(data, key=VIEW_KEY)
    show_depth(VIEW, recorded, state, data)

with st.container(border=True, key="strongest"):
    st.subheader("The strongest units of the chosen token", anchor=False)
    term_text(feed_forward_tables.neuron_sentence(stack, between))
    number_table(
        feed_forward_tables.neuron_columns(recorded, neurons, stack),
        texts=("raises", "lowers"),
        key="neuron_table",
        alt="The strongest hidden units of the chosen token, and what each of them writes",
    )

with st.container(border=True, key="silent"):
    st.subheader("Silent units", anchor=False)
    # Its values are numbers of hidden units, not those of attention.
    term_text(feed_forward_tables.zeros_sentence(counted, config.activation), but=("value",))
    number_table(
        feed_forward_tables.token_columns(by_token, config.d_ff),
        texts=("row", "strongest units"),
        key="token_table",
        alt="How many hidden units of every token are exactly 0, and which are the strongest",
    )
