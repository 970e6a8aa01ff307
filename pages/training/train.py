"""Train: a model learns before one's eyes; where none does, the training of one that has learned plays."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from explorer.histories.wishes import BETWEEN_LOOKS, say_problem
from explorer.histories.words import progress_words, state_words, turn_sentence
from explorer.look.theme import in_both_themes
from explorer.models.known import kept_moments, known_runs
from explorer.models.server import training_engine
from explorer.shell.class_mode import expiry_sentence, visitor
from explorer.shell.model_page import page_head
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.status import GOING_ON, RunStatus
from explorer.view import HOME_PAGE
from explorer.views.training import VIEW
from explorer.views.training import choosing as choosing
from explorer.views.training.choosing import Chosen
from explorer.views.training.subject import Subject, subject_of
from explorer.views.training.view import ASKED, PARENT, VIEW_KEY, Ways, lead_of, watch
from explorer.visitor.links import query_of
from explorer.visitor.session import NOTICES, store_state, visitor_state
from explorer.visitor.state import choose_run, choose_sentence, look_anew
from explorer.visitor.values import SessionValue, is_drawn

BEGUN_KEY = "train_begun"
HEIGHT = 560
"""Pixels of the theatre's skeleton."""
BETWEEN_GLANCES = 5.0
"""Seconds between two looks whether somebody else has begun something."""
CROSS_ATTENTION = "pages/model/cross_attention.py"
_MUTE, _INK2, _ERROR = (in_both_themes(role) for role in ("mute", "ink2", "error"))
_STYLE = f"""
.st-key-page:has(.st-key-train_form) {{ gap: 6px; }}
.st-key-train_form {{ gap: 0; }}
.st-key-train_start_line {{ flex-wrap: nowrap; min-height: 40px; gap: 12px; align-items: center; }}
.st-key-train_first {{ width: 210px; flex: none; }}
.st-key-train_start_line > * {{ flex: none; }}
.st-key-train_start_line > :last-child {{ flex: 1 1 0; min-width: 340px; }}
/* As wide as any of its sentences, so that what stands behind it keeps its place. */
.st-key-train_start_line > :has(.st-key-train_size) {{ flex: 0 1 370px; min-width: 0; }}
.st-key-train_size [data-testid="stText"] * {{
  color: {_INK2}; font-size: 14px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}}
.st-key-train_start_place {{ width: auto; }}
/* Where the title has no room beside the state, it wraps to a line above, which is cut off. */
.st-key-train_state {{
  flex-wrap: wrap; align-content: flex-end; justify-content: flex-end; gap: 8px; max-height: 24px; overflow: hidden;
}}
/* It is fed again and again: what it shows meanwhile is not out of date. */
.st-key-{VIEW_KEY} {{ opacity: 1 !important; transition: none !important; }}
.st-key-train_state > * {{ flex: none; width: auto; }}
.st-key-train_state > :has(.st-key-train_title) {{ max-width: 100%; overflow: hidden; }}
.st-key-train_state [data-testid="stText"] *, .train-stands {{
  margin: 0; font-size: 14px; line-height: 24px; color: {_INK2};
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}}
.st-key-train_title [data-testid="stText"] * {{ font-weight: 600; }}
.train-stands > i {{
  display: inline-block; width: 9px; height: 9px; margin-right: 8px; border-radius: 50%; background: {_MUTE};
}}
.train-stands.run > i {{ background: {in_both_themes("primary")}; }}
.train-stands.bad {{ border-left: 2px solid {_ERROR}; padding-left: 10px; color: {_ERROR}; }}
.train-stands.bad > i {{ display: none; }}
.st-key-train_why:has([data-testid="stText"]) {{ border-left: 2px solid {_ERROR}; padding-left: 12px; }}
.st-key-train_why [data-testid="stText"] * {{
  margin: 0; font-size: 14px; line-height: 20px; color: {_ERROR}; white-space: normal;
}}
.st-key-train_details_folded, .st-key-train_own_folded {{ display: none; }}
.st-key-train_details_open {{ margin-top: 4px; }}
.st-key-train_remarks {{ min-height: 34px; }}
.st-key-train_problem_text, .st-key-train_problem_theatre {{ border-left: 2px solid {_ERROR}; padding-left: 12px; }}
.st-key-train_problem_text *, .st-key-train_problem_theatre * {{ color: {_ERROR}; }}
@media (max-width: 1380px) {{
  .st-key-train_first {{ width: 180px; }}
  .st-key-train_start_line > :last-child {{ min-width: 340px; }}
  .st-key-train_size [data-testid="stText"] *, .st-key-train_state [data-testid="stText"] *, .train-stands {{
    font-size: 13px;
  }}
}}
@media (min-width: 640px) and (max-width: 1100px) {{
  .st-key-train_start_line {{ flex-wrap: wrap; row-gap: 0; }}
  .st-key-train_start_line > :has(.st-key-train_size) {{ order: 1; flex: 1 0 100%; }}
  .st-key-train_start_line > :last-child {{ min-width: 300px; }}
}}
@media (max-width: 640px) {{
  .st-key-page:has(.st-key-train_form):has(.train-stands.run) [class*="st-key-page_head"] p,
  .st-key-train_start_line > :has(.st-key-train_size) {{
    display: none;
  }}
  .st-key-page:has(.st-key-train_form) [class*="st-key-page_head"] {{ flex-wrap: wrap; height: auto; }}
  .st-key-page:has(.st-key-train_form) [class*="st-key-page_head"] p {{ white-space: normal; overflow: visible; }}
  .st-key-train_start_line {{ flex-wrap: wrap; gap: 6px 8px; }}
  .st-key-train_start_line > :has(.st-key-train_first) {{ flex: 1 1 0; min-width: 0; }}
  .st-key-train_first {{ width: auto; }}
  .st-key-train_start_line > :last-child {{ flex: 1 0 100%; min-width: 0; }}
  .st-key-train_state {{ justify-content: flex-start; max-height: none; }}
}}
"""

runs = known_runs()
by = visitor()
# Changed in place: a run that ends here must not lose what it has begun.
begun = SessionValue[list[str]](BEGUN_KEY, []).stored()


def watch_run(run_id: str, *notices: str) -> None:
    """Show a training; none with an empty id."""
    store_state(replace(visitor_state(runs), training=run_id), runs, notices=notices)


def show_begun() -> None:
    """Show the training that has just begun, in a new run of the page."""
    PARENT.set("")
    choosing.PAIRS_OPEN.set(False)
    watch_run(begun.pop())
    st.rerun()


def travel(run_id: str, updates: int, source: str, walks: bool) -> None:
    """Open the app with the weights of a moment: at the cross-attention, or in the living map."""
    known = known_runs()
    if run_id not in known:
        say_problem("This model cannot be looked into yet; try again.")
        return
    run = known[run_id]
    there = choose_run(visitor_state(known), run_id, known)
    is_best = updates == run.best_after and updates not in kept_moments(run_id)
    there = replace(choose_sentence(there, source, typed=False), updates=None if is_best else updates)
    if not walks:
        there = look_anew(there, stage="softmax", layer=run.config.n_decoder_layers - 1)
    store_state(there, known)
    st.switch_page(HOME_PAGE if walks else CROSS_ATTENTION, query_params=query_of(there, known))


def begin(engine: TrainingEngine, watched: Subject, form: DeltaGenerator) -> Chosen:
    """Draw the line that starts a training, and begin it when that is asked for."""
    task, is_busy = watched.run.task if watched.run else "", watched.state in GOING_ON
    with form:
        chosen = (
            choosing.choose_on(engine, PARENT)
            if PARENT.value
            else choosing.choose_new(engine, task, is_busy=is_busy)
        )
    if chosen.asked and chosen.new:
        try:
            with st.spinner("Starting"):
                begun.extend(engine.begin_all([chosen.new], by=by))
        except ExplorerError as error:
            say_problem(error.sentence)
        else:
            show_begun()
    engine.warm(chosen.new.description if chosen.new and not chosen.new.parent else None)
    return chosen


def going_on(engine: TrainingEngine, shown: str) -> None:
    """Draw what else trains or waits, again and again; a training may begin in a terminal as well."""
    some = bool(_others(engine, shown))
    st.fragment(_list, run_every=BETWEEN_LOOKS if some else BETWEEN_GLANCES)(engine, shown, some)


def _others(engine: TrainingEngine, shown: str) -> list[RunStatus]:
    return [each for each in engine.statuses() if each.state in GOING_ON and each.run_id != shown]


def _list(engine: TrainingEngine, shown: str, some: bool) -> None:
    found = _others(engine, shown)
    if bool(found) != some:
        st.rerun()
    if not found:
        return
    with st.container(border=True, key="train_going_on"):
        st.caption("In training now" if not shown else "Also in training now")
        for status in found:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{status.title}: {state_words(status)}, {progress_words(status)}")
                if st.button("Watch", key=f"train_watch_{status.run_id}"):
                    watch_run(status.run_id)
                    st.rerun()


def shown_run(engine: TrainingEngine, chosen: str) -> Subject:
    """The run of the theatre; where the chosen one is gone, that is said, and another one is shown."""
    try:
        return subject_of(engine, chosen, by)
    except ExplorerError as error:
        watch_run("", *NOTICES.value, error.sentence)
        return subject_of(engine, "", by)


st.html(f"<style>{_STYLE}</style>")
try:
    found = training_engine()
    # A second click while a training begins ends this page's run: what the first one began is still told here.
    if begun:
        ASKED.take()
        show_begun()
    subject = shown_run(found, visitor_state(runs).training)
    page_head(VIEW, runs, lead=lead_of(subject), words=False)
    form, waiting = st.container(key="train_form"), st.empty()
    if not is_drawn(VIEW_KEY):
        waiting.skeleton(height=HEIGHT)
    chosen = begin(found, subject, form)
    watch(found, subject, chosen.places, Ways(travel, PARENT.set), by)
    waiting.empty()
    chosen.say_size()
    for sentence in filter(None, (turn_sentence(found.limits), expiry_sentence(found.limits))):
        st.caption(sentence)
    going_on(found, subject.name)
except ExplorerError as error:
    say_problem(error.sentence)
