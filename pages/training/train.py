"""Train: choose a task or bring pairs, start a training, and watch the model learn."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import ExplorerError
from explorer.histories.wishes import BETWEEN_LOOKS, say_problem
from explorer.histories.words import progress_words, state_words, turn_sentence
from explorer.look.theme import in_both_themes
from explorer.models.known import known_runs
from explorer.models.server import training_engine
from explorer.shell.class_mode import expiry_sentence, visitor
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.status import GOING_ON
from explorer.views.training import VIEW
from explorer.views.training.view import PARENT, Ways, watch
from explorer.visitor.links import query_of
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import Look, choose_run, choose_sentence
from explorer.visitor.values import SessionValue

BEGUN_KEY = "train_begun"
START_KEY = "train_start"
BETWEEN_GLANCES = 5.0
"""Seconds between two looks whether somebody else has begun something."""
CROSS_ATTENTION = "pages/model/cross_attention.py"
_STYLE = f"""
.st-key-train_title [data-testid="stText"] {{ font-size: 20px; font-weight: 650; }}
.st-key-train_film_words [data-testid="stText"] * {{
  color: {in_both_themes("mute")}; font-size: 14px; white-space: pre-wrap;
}}
.st-key-train_numbers [data-testid="stMetricValue"] {{ font-size: 20px; font-weight: 650; }}
.st-key-train_problem_text, .st-key-train_problem_figures, .st-key-train_reason {{
  border-left: 2px solid {in_both_themes("error")}; padding-left: 12px;
}}
.st-key-train_problem_text *, .st-key-train_problem_figures *, .st-key-train_reason * {{
  color: {in_both_themes("error")};
}}
"""

runs = known_runs()
st.html(f"<style>{_STYLE}</style>")
state = page_head(
    VIEW,
    ""
    if visitor_state(runs).training or PARENT.value
    else "Choose what a model is to learn, and watch it begin with random weights.",
    runs,
    words=False,
)
by = visitor()
# Changed in place: a run that ends here must not lose what it has begun.
begun = SessionValue[list[str]](BEGUN_KEY, []).stored()


def train_on(run_id: str) -> None:
    """Leave a finished training for the form that trains it on."""
    PARENT.set(run_id)
    watch_run("")


def watch_run(run_id: str) -> None:
    """Show a training; none with an empty id."""
    store_state(replace(visitor_state(runs), training=run_id), runs)


def travel(run_id: str, updates: int, source: str) -> None:
    """Open the cross-attention of a training's model, with the weights of a moment."""
    known = known_runs()
    if run_id not in known:
        say_problem("This model cannot be looked into yet; try again.")
        return
    there = choose_run(visitor_state(known), run_id, known)
    there = replace(choose_sentence(there, source, typed=False), updates=updates)
    last = known[run_id].config.n_decoder_layers - 1
    there = replace(there, look=Look(stage="softmax", layer=last))
    store_state(there, known)
    st.switch_page(CROSS_ATTENTION, query_params=query_of(there, known))


def begin(engine: TrainingEngine) -> None:
    """Draw the choice of a training, and begin it when that is asked for."""
    with loading(START_KEY, height=420):
        # This brings in torch, which takes seconds once.
        from explorer.views.training import choosing as choosing
    for sentence in filter(None, (turn_sentence(engine.limits), expiry_sentence(engine.limits))):
        st.caption(sentence)
    _going_on(engine)
    with st.container(border=True, key="train_form"):
        chosen = choosing.choose_on(engine, PARENT) if PARENT.value else choosing.choose_new(engine)
        asked = st.button("Start training", key=START_KEY, type="primary", disabled=chosen.new is None)
    if asked and chosen.new:
        try:
            with st.spinner("Starting"):
                begun.extend(engine.begin_all([chosen.new], by=by))
        except ExplorerError as error:
            say_problem(error.sentence)
        else:
            PARENT.set("")
            watch_run(begun.pop())
            st.rerun()
    engine.warm(chosen.new.description if chosen.new and not chosen.new.parent else None)


def _going_on(engine: TrainingEngine) -> None:
    """Draw what trains or waits already, again each second; a training may begin in a terminal as well."""
    some = any(status.state in GOING_ON for status in engine.statuses())
    st.fragment(_list, run_every=BETWEEN_LOOKS if some else BETWEEN_GLANCES)(engine, some)


def _list(engine: TrainingEngine, some: bool) -> None:
    going_on = [status for status in engine.statuses() if status.state in GOING_ON]
    if bool(going_on) != some:
        st.rerun()
    if not going_on:
        return
    with st.container(border=True, key="train_going_on"):
        st.caption("In training now")
        for status in going_on:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{status.title}: {state_words(status)}, {progress_words(status)}")
                if st.button("Watch", key=f"train_watch_{status.run_id}"):
                    watch_run(status.run_id)
                    st.rerun()


try:
    found = training_engine()
    # A second click while a training begins ends this page's run: what the first one began is still told here.
    if begun:
        watch_run(begun.pop())
        st.rerun()
    if state.training:
        found.warm()
        watch(
            found,
            state.training,
            Ways(lambda: watch_run(""), partial(travel, state.training), partial(train_on, state.training)),
            by,
        )
    else:
        begin(found)
except ExplorerError as error:
    say_problem(error.sentence)
    if state.training:
        st.button("New training", icon=":material/add:", on_click=watch_run, args=("",))
