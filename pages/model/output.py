"""Output: logits and probabilities of the next token, and the loss that training makes of them."""

import streamlit as st

from explorer.app import REGISTRY
from explorer.look.card import card
from explorer.look.number_table import number_table
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop
from explorer.shell.term_text import term_text
from explorer.tensors import CellPlace
from explorer.views.output import VIEW
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import explain_cell

ALPHA_KEY = "smoothing"
MAX_ALPHA = 0.3

runs = known_runs()


def explain_loss() -> None:
    """The loss of the whole output becomes the number that is explained."""
    store_state(explain_cell(visitor_state(runs), CellPlace("hypothesis.loss", ())), runs)


state = page_head(VIEW, runs)
recorded, state = draw_stop(VIEW, state, runs, REGISTRY, height=620)

from explorer.explaining.scene import Scene
from explorer.views.output import data as output
from explorer.views.output import tables as output_tables

run, step = recorded.run, Scene(recorded, state).step
trained_with = run.train_config.label_smoothing

with card("Only the last row is read", key="last_row"):
    steps = output.steps(recorded)
    term_text(output_tables.step_sentence(step, causal=run.config.causal))
    number_table(
        output_tables.step_columns(steps, step),
        texts=("row", "reads", "writes", "most probable"),
        key="step_table",
        alt="What every row of the finished output says, and which one is read at the chosen step",
    )

with card("Teacher forcing and the loss", key="loss"):
    target = output.target_of(recorded)
    term_text(
        "In training the decoder reads the right tokens, whatever it would have said itself: shifted by one, so that "
        "every position has the next token as its label. When it writes by itself it reads its own, mistakes included: "
        f"exposure bias. {output_tables.target_sentence(target)}"
    )
    # The table comes first, and what changes it after.
    shifted = st.container()
    alpha = st.slider(
        "Label smoothing ε_ls",
        min_value=0.0,
        max_value=max(MAX_ALPHA, trained_with),
        value=trained_with,
        step=0.01,
        key=ALPHA_KEY,
    )
    loss = output.loss_of(recorded, target, alpha)
    with shifted:
        number_table(
            output_tables.aligned_columns(run, loss),
            texts=("position",),
            key="aligned_table",
            alt="What the decoder reads and its label at every position, with the loss of each label",
        )
    term_text(output_tables.loss_sentence(loss))
    longer = output.longer_pair(run, target)
    if longer is not None:
        padded = output.loss_of(recorded, target, alpha, beside=longer)
        st.markdown(output_tables.padding_sentence(loss, padded))
        with st.expander("Table of the padded row"):
            number_table(
                output_tables.aligned_columns(run, padded),
                texts=("position",),
                key="padded_table",
                alt="The same pair in a batch with a longer one: padding has no loss",
            )
    if target.same and alpha == trained_with:
        st.button("Explain this loss", key="explain_loss", on_click=explain_loss, width="content")

with card("Label smoothing", key="smoothed_target"):
    position = min(step, loss.n_tokens - 1)
    term_text(output_tables.smoothing_sentence(loss, position, trained_with))
    number_table(
        output_tables.smoothing_columns(output.smoothed_rows(recorded, loss, position)),
        texts=("token",),
        key="smoothing_table",
        alt="The target distribution of the chosen position before and after smoothing",
    )
