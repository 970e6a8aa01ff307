"""Masks: what padding and the causal mask hide in a batch, and what a model does without one of them."""

from dataclasses import replace

import streamlit as st

from explorer.app import REGISTRY
from explorer.browser.tensors import LOOK
from explorer.models.decodings import recorded_beside
from explorer.models.known import known_runs
from explorer.models.padded_batch import MAX_OTHERS, OWN, default_titles, masked_batch, other_examples
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.shell.stops import draw_stop, show_below
from explorer.tensors import TensorViewData
from explorer.views.masks import VIEW
from explorer.views.masks.data import masks_view
from explorer.views.masks.findings import findings
from explorer.visitor.reports import latest
from explorer.visitor.running import run_of
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, MaskOff
from explorer.visitor.values import SessionValue

BATCH_KEY = "masked_batch"
SWITCH = SessionValue[MaskOff]("masks_switch", "")
SWITCHES: dict[MaskOff, str] = {
    "": "All masks on",
    "padding": "Padding mask off",
    "causal": "Causal mask off",
}

runs = known_runs()


def take_switch() -> None:
    """The model runs without the chosen mask."""
    held = visitor_state(runs)
    look = replace(held.look, mask_off=SWITCH.value)
    store_state(replace(held, look=look), runs)


state = page_head(VIEW, runs)
recorded, state = draw_stop(VIEW, state, runs, REGISTRY)

run = runs[state.run]
with st.container(border=True):
    switches = [off for off in SWITCHES if run.config.causal or off != "causal"]
    off = state.look.mask_off if state.look.mask_off in switches else ""
    SWITCH.set(off)
    with st.container(key="masks_head", horizontal=True, vertical_alignment="center"):
        st.subheader("A padded batch", anchor=False, width="content")
        st.segmented_control(
            "The model runs with",
            switches,
            format_func=SWITCHES.__getitem__,
            required=True,
            key=SWITCH.key,
            on_change=take_switch,
            label_visibility="collapsed",
        )
    picture = st.container()
    examples = other_examples(run, state.sentence)
    titles = st.multiselect(
        "Other sentences in the batch",
        list(examples),
        default=default_titles(run, state.sentence),
        max_selections=MAX_OTHERS,
        key=f"masks_batch_{state.run}_{len(examples)}_{'-'.join(examples)}",
    )
    found = st.container(key="masks_findings", gap="xsmall")

with picture, loading(BATCH_KEY, height=620):
    loaded = run_of(state)
    others = recorded_beside(loaded, examples, titles)
    masked = masked_batch(loaded, [(OWN, recorded), *others], off or None)
    # Which sentence of the batch is looked at is no choice of other pages, so that the picture alone remembers it.
    looked = latest(BATCH_KEY, masks_view(masked, state), LOOK)
    sentence = looked.choices["sentence"] if looked else 0

    def batch_of(state: ExplorerState) -> TensorViewData:
        """What the second picture is fed for these choices."""
        return masks_view(masked, state, sentence)

    row = masked.rows[min(sentence, len(masked.rows) - 1)]
    state, batch, draw = show_below(
        state, runs, batch_of, picture="masks", reads=row.inputs, writes=row.outputs, key=BATCH_KEY
    )
    places = {chooser.axis: chooser.value for chooser in batch.choosers}
    said = findings(masked, sentence, places["layer"], places["head"])
with picture:
    draw()
with found:
    # Plain text: what somebody has typed is in it.
    for each in said:
        st.text(each)
