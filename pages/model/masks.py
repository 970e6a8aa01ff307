"""Masks: what padding and the causal mask hide in a batch, and what a model does without one of them."""

from dataclasses import replace

import streamlit as st

from explorer.models.decodings import recorded_of
from explorer.models.known import known_runs, loaded_run
from explorer.models.padded_batch import MAX_OTHERS, OWN, default_titles, masked_batch, other_examples
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, recorded_run, take_reports
from explorer.views.masks import VIEW
from explorer.visitor.reports import latest
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import MaskOff
from explorer.visitor.values import SessionValue

VIEW_KEY = "masks"
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


state = page_head(
    VIEW,
    "Nobody may look at padding, and the decoder hides what comes later; switch either mask off to see why.",
    runs,
)
run = runs[state.run]
picture = st.container()
examples = other_examples(run, state.sentence)
with st.container(key="masks_controls", horizontal=True, vertical_alignment="top"):
    switches = [off for off in SWITCHES if run.config.causal or off != "causal"]
    off = state.look.mask_off if state.look.mask_off in switches else ""
    SWITCH.set(off)
    st.segmented_control(
        "The model runs with",
        switches,
        format_func=SWITCHES.__getitem__,
        required=True,
        key=SWITCH.key,
        on_change=take_switch,
    )
    titles = st.multiselect(
        "Other sentences in the batch",
        list(examples),
        default=default_titles(run, state.sentence),
        max_selections=MAX_OTHERS,
        key=f"masks_batch_{state.run}_{len(examples)}_{'-'.join(examples)}",
    )
found = st.container(key="masks_findings", gap="xsmall")

with picture, loading(VIEW_KEY, height=620):
    recorded, loaded = recorded_run(state), loaded_run(state.run, state.updates)
    from explorer.browser.tensor_view import LOOK, tensor_view
    from explorer.shell.depth import show_depth
    from explorer.tensors import TensorViewData
    from explorer.views.masks.data import masks_view
    from explorer.views.masks.findings import findings
    from explorer.visitor.state import ExplorerState

    others = [(title, recorded_of(loaded, examples[title])) for title in titles]
    masked = masked_batch(loaded, [(OWN, recorded), *others], off or None)
    # Which sentence of the batch is looked at is no choice of other pages, so that the view alone remembers it.
    looked = latest(VIEW_KEY, masks_view(masked, state), LOOK)
    sentence = looked.choices["sentence"] if looked else 0

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        return masks_view(masked, state, sentence)

    state, data = take_reports(state, runs, view_of, key=VIEW_KEY)
    places = {chooser.axis: chooser.value for chooser in data.choosers}
    said = findings(masked, sentence, places["layer"], places["head"])
with found:
    # Plain text: what somebody has typed is in it.
    for each in said:
        st.text(each)
# Its numbers are those of a batch, while the explained one is of the sentence by itself.
with picture:
    tensor_view(replace(data, cell=None), key=VIEW_KEY)
    show_depth(VIEW, recorded, state)
