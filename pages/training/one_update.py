"""One update: a training step taken apart, from a batch to the weights that come out of it."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from explorer.browser.tensor_view import tensor_view
from explorer.browser.tensors import Looked
from explorer.look.card import card
from explorer.look.number_table import number_table
from explorer.models.known import kept_moments, known_runs
from explorer.shell.depth import show_update_depth
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, take_reports
from explorer.tensors import CellPlace, TensorViewData
from explorer.views.update import VIEW
from explorer.views.update import tables as tables
from explorer.views.update.cached import known_batch, update_of
from explorer.views.update.choices import chosen_update
from explorer.views.update.component import EVENTS, story_view
from explorer.views.update.data import looked_at, update_view
from explorer.views.update.panel import choices_of
from explorer.views.update.proof import compared_with_history, reported_step, updates_made
from explorer.views.update.scene import UpdateScene, scene_key
from explorer.views.update.story import story_of
from explorer.visitor.reports import Explain, pending
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, choose_update, explain_cell
from explorer.visitor.values import SessionValue

VIEW_KEY, STORY_KEY = "one_update", "update_story"
UPDATE = SessionValue("one_update_choice", "")

runs = known_runs()
state = page_head(VIEW, runs)


def take_update() -> None:
    """The visitor has chosen another update."""
    store_state(choose_update(visitor_state(runs), UPDATE.value), runs)


def explain(site: str) -> Callable[[], None]:
    """What a press does: this one number of the update is explained."""

    def ask() -> None:
        store_state(explain_cell(visitor_state(runs), CellPlace(site, ())), runs)

    return ask


story, head, picture = st.container(), st.container(), st.container()
with story:
    bar, meanwhile = st.empty(), st.empty()
with story, loading(STORY_KEY, height=300):
    choices = {choice.key: choice for choice in choices_of(state.run)}
    choice = chosen_update(state.update.key, tuple(choices.values()))
    with head:
        UPDATE.set(choice.key)
        st.segmented_control(
            "Update",
            tuple(choices),
            key=UPDATE.key,
            required=True,
            format_func=lambda key: choices[key].title,
            on_change=take_update,
        )
    batch = known_batch(state.run, choice)
    if batch is not None:
        with meanwhile.container():
            st.caption(f"The {len(batch.src)} pairs of this update’s batch. Its gradient is being computed.")
            number_table(
                tables.batch_columns(batch, runs[state.run]),
                texts=("source", "target"),
                key="batch_table",
                alt="The pairs of the batch",
            )
    replayed = update_of(state.run, choice, lambda share, doing: bar.progress(share, doing))
    bar.empty()
    meanwhile.empty()
    scene = UpdateScene(scene_key(state.run, choice), runs[state.run], choice, replayed)
    step = replayed.update.step

    def view_of(state: ExplorerState) -> TensorViewData:
        """What the view is fed for these choices."""
        return update_view(scene, state)

    def look(state: ExplorerState, looked: Looked) -> ExplorerState:
        """What another look at the view makes of the state."""
        return looked_at(scene, state, looked)

    for report in pending(STORY_KEY, story_of(scene, state), EVENTS):
        if isinstance(report, Explain):
            state = store_state(explain_cell(state, report.cell), runs)
        else:
            state = store_state(replace(state, update=replace(state.update, pair=report.pair)), runs)
    state, data = take_reports(state, runs, view_of, look, key=VIEW_KEY)
    proof = tables.proof_sentence(scene, reported_step(state.run, scene), updates_made(state.run))
    moment = step.index + 1
    compared = compared_with_history(state.run, scene) if moment in kept_moments(state.run) else None
with head:
    st.markdown(f"{tables.origin_sentence(scene)} {tables.noise_sentence(scene)}")
    with st.container(horizontal=True, gap="small", key="one_update_numbers"):
        for label, site in tables.whole_numbers(scene):
            st.button(label, key=f"explain_{site}", on_click=explain(site), help="Explain this number")
with story:
    story_view(story_of(scene, state), key=STORY_KEY)
with picture:
    tensor_view(data, key=VIEW_KEY)
    show_update_depth(scene, state)

with card("Is this the training’s own update?", key="one_update_proof"):
    st.markdown(proof)
    for sentence in tables.proof_details(scene, compared):
        st.markdown(sentence)

with card("What the decoder reads, and its labels", key="one_update_pair"):
    st.text(tables.pair_sentence(scene, state))
    number_table(
        tables.pair_columns(scene, state),
        texts=("decoder reads", "label"),
        key="pair_table",
        alt="The chosen pair position by position: what the decoder reads, its label, and the loss of it",
    )

with card("Every parameter", key="one_update_norms"):
    st.markdown(
        "The norm of a parameter, of its gradient before and after clipping, and of its change Δ. Adam makes the "
        "changes far more alike than the gradients are."
    )
    number_table(
        tables.norm_columns(scene),
        texts=("parameter", "shape"),
        key="norm_table",
        alt="Norms of every parameter, its gradient and its change",
    )

with card("The largest changes", key="one_update_largest"):
    number_table(
        tables.largest_columns(scene),
        texts=("parameter", "at"),
        key="largest_table",
        alt="The weights that this update moved the furthest",
    )
