"""Experiments: predict what becomes of a model when one part is removed, then train it beside its control."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import ExplorerError
from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm
from core.experiments.experiment import Experiment
from core.experiments.measured import ArmMeasured, read_measured
from explorer.histories.wishes import say_problem
from explorer.look.card import card
from explorer.look.theme import in_both_themes
from explorer.models.known import known_runs, own_description
from explorer.models.loaded import figures_of_arm
from explorer.models.server import training_engine
from explorer.shell.class_mode import visitor
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.trainings.engine import TrainingEngine
from explorer.views.experiments import VIEW
from explorer.views.experiments.arms import begin_arms, seed_of, trials_here
from explorer.views.experiments.component import experiment_view
from explorer.views.experiments.dots import CSS as DOTS_CSS
from explorer.views.experiments.dots import card_dots, dots_html
from explorer.views.experiments.verdict import draw_tables, draw_verdict
from explorer.views.experiments.view import draw_arms, draw_looks, has_ended, look_at
from explorer.views.experiments.watched import before_training
from explorer.views.experiments.words import (
    extent,
    is_predicted,
    predicted_choice,
    seeds_words,
    together,
)
from explorer.visitor.links import query_of
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import JUST_SEE, ExplorerState, choose_experiment
from explorer.visitor.values import SessionValue

PAGE = "pages/training/experiments.py"
PREDICTION_KEY, BEGIN_KEY, VIEW_KEY = "experiment_prediction", "experiment_begin", "experiment_view"
HEIGHT = 540
"""Pixels that are kept free before there is anything to draw."""
FIRST_SEED = 3
"""The measured ones are 0, 1 and 2: a run with another is news."""
SEED, SHOW = SessionValue("experiment_seed", FIRST_SEED), SessionValue("experiment_show", False)
FAILED = SessionValue("experiment_failed", "")
TOLD = SessionValue[frozenset[str]]("experiment_told", frozenset())
"""Experiments whose answer this visitor has been told: the others' cards cover it."""
MOST_SEED = 10**6
_STYLE = f"""
{DOTS_CSS}
.st-key-train_problem_text {{ border-left: 2px solid {in_both_themes("error")}; padding-left: 12px; }}
.st-key-train_problem_text * {{ color: {in_both_themes("error")}; }}
.st-key-experiment_answer {{ border: 2px solid {in_both_themes("ink")}; border-radius: 8px; padding: 3px 12px; }}
/* The title, the question and its answers have 120 pixels, where the picture begins. */
.st-key-page:has(.st-key-experiment_question, .st-key-experiment_guessed) {{ gap: 6px; }}
.st-key-experiment_head {{ flex-wrap: nowrap; min-height: 40px; padding-right: 112px; margin-bottom: -2px; }}
.st-key-experiment_head > :first-child {{ flex: 1 1 0; min-width: 0; }}
.st-key-experiment_start {{ flex-wrap: nowrap; }}
.st-key-experiment_question [data-testid="stMarkdownContainer"] {{ margin: 0 0 2px; }}
.st-key-experiment_question p {{ margin: 0; font-size: 14px; line-height: 18px; }}
.st-key-experiment_question [data-testid="stButtonGroup"] button {{ min-height: 30px; padding: 2px 12px; }}
@media (max-width: 1380px) {{
  .st-key-experiment_question [data-testid="stButtonGroup"] button {{ padding: 2px 8px; }}
  .st-key-experiment_question [data-testid="stButtonGroup"] button * {{ font-size: 13px; }}
}}
@media (max-width: 640px) {{
  .st-key-experiment_head {{ flex-wrap: wrap; padding-right: 0; }}
  .st-key-experiment_head > :first-child {{ flex: 1 1 100%; }}
  .st-key-experiment_start {{ flex-wrap: wrap; }}
  .st-key-experiment_question [data-testid="stButtonGroup"] button {{ min-height: 44px; }}
}}
/* Every answer is seen, on a phone below one another. */
.st-key-experiment_question [role="radiogroup"] {{ flex-wrap: wrap; }}
.st-key-experiment_verdict h3, .st-key-experiment_waiting h3 {{ font-size: 16px; padding: 0; }}
/* A card's title leads to the page that is open already, which Streamlit would mark on each. */
:is([class*="st-key-experiment_card"], .st-key-experiment_back) [data-testid="stPageLink-NavLink"] {{
  background: none; padding: 0;
}}
:is([class*="st-key-experiment_card"], .st-key-experiment_back) [data-testid="stPageLink-NavLink"] * {{
  color: {in_both_themes("link")}; text-decoration: underline; text-underline-offset: 3px;
}}
[class*="st-key-experiment_card"] [data-testid="stPageLink-NavLink"] * {{ font-size: 16px; }}
/* It is fed again each second: what it shows meanwhile is not out of date. */
.st-key-{VIEW_KEY} {{ opacity: 1 !important; transition: none !important; }}
"""

runs = known_runs()


def with_arms(state: ExplorerState, arms: tuple[str, ...]) -> ExplorerState:
    """Watch these runs as the experiment's arms; none to begin others."""
    return replace(state, experiment=replace(state.experiment, arms=arms))


def draw_list(measured: Mapping[str, Mapping[str, ArmMeasured]]) -> None:
    """A card for each experiment, with what was measured of its control, and of all once the visitor was told."""
    keys, told = list(EXPERIMENTS), TOLD.value
    for start in range(0, len(keys), 3):
        for place, key in zip(st.columns(3), keys[start : start + 3], strict=False):
            experiment = EXPERIMENTS[key]
            with place, st.container(border=True, height="stretch", key=f"experiment_card_{key}"):
                there = choose_experiment(visitor_state(runs), key)
                st.page_link(PAGE, label=f"**{experiment.title}**", query_params=query_of(there, runs))
                st.markdown(experiment.summary)
                st.html(dots_html([card_dots(experiment, measured[key], told=key in told)]))
                st.caption(extent(experiment, measured[key]))


def draw_experiment(
    experiment: Experiment, measured: Mapping[str, ArmMeasured], start: DeltaGenerator
) -> None:
    """One experiment: the guess, the arms on one time, the verdict, and what there was to see.

    Args:
        experiment: That is open.
        measured: Of its arms.
        start: The place of what begins it, at the end of the title's line.
    """
    control = describe_arm(experiment, experiment.control, FIRST_SEED)
    engine, arms = training_engine(), visitor_state(runs).experiment.arms
    problem, seed = "", None
    if arms:
        try:
            seed = seed_of(experiment, arms, own_description)
        except ExplorerError as error:
            problem = error.sentence
    predicted = visitor_state(runs).experiment.predicted
    ready = is_predicted(experiment, predicted)
    if problem:
        say_problem(problem)
    if seed is None:
        draw_guess(engine, experiment, measured, start)
        with loading(VIEW_KEY, height=HEIGHT):
            data = before_training(experiment, control)
        experiment_view(data, key=VIEW_KEY)
        engine.warm(control, together=len(experiment.arms))
        if not (SHOW.value and ready):
            draw_waiting("Choose an answer above; it cannot be changed once the training has begun.")
            return
        here = None
    else:
        draw_guessed(experiment, measured, seed)
        with loading(VIEW_KEY, height=HEIGHT):
            first = look_at(engine, experiment, arms, key=VIEW_KEY)
        finished = draw_arms(engine, experiment, first, by, key=VIEW_KEY)
        if not finished or not (has_ended(arms) or SHOW.value):
            if finished:
                st.button("Show the verdict", key="experiment_verdict_now", on_click=SHOW.set, args=(True,))
            draw_waiting(f"It comes once {together(experiment)} are done and the last moment is shown.")
            return
        with st.spinner("Measuring"):
            here = {
                arm.key: figures_of_arm(run_id, tuple(experiment.figures))
                for arm, run_id in zip(experiment.arms, arms, strict=True)
            }
    TOLD.set(TOLD.value | {experiment.key})
    draw_verdict(experiment, predicted, measured, here)
    draw_tables(experiment, measured, control.config, here)
    if seed is not None:
        draw_looks(experiment, arms)


def draw_waiting(sentence: str) -> None:
    """What stands in the verdict's place before it is told."""
    with card("The verdict comes when all are done", key="experiment_waiting"):
        st.markdown(sentence)


def draw_guess(
    engine: TrainingEngine,
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    start: DeltaGenerator,
) -> None:
    """The possible answers, of which one must be chosen before anything is begun, and what begins it at its place."""
    state = visitor_state(runs)
    ready = is_predicted(experiment, state.experiment.predicted)
    places = [*map(str, range(len(experiment.choices))), JUST_SEE]
    names = {str(place): choice.text for place, choice in enumerate(experiment.choices)}
    guess = SessionValue[str | None](f"{PREDICTION_KEY}_{experiment.key}", None)
    guess.set(state.experiment.predicted if ready else None)

    def take_guess() -> None:
        held = visitor_state(runs)
        store_state(replace(held, experiment=replace(held.experiment, predicted=guess.value or "")), runs)

    with start:
        draw_start(engine, experiment, measured, ready=ready)
    with st.container(key="experiment_question", gap=None):
        st.markdown(f"**First, your guess.** {experiment.question}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.pills(
                "What do you predict?",
                places,
                key=guess.key,
                format_func=lambda place: names.get(place, "I'd rather just see"),
                on_change=take_guess,
                label_visibility="collapsed",
            )
    if FAILED.value:
        say_problem(FAILED.value)


def draw_start(
    engine: TrainingEngine, experiment: Experiment, measured: Mapping[str, ArmMeasured], *, ready: bool
) -> None:
    """What begins the run, and behind a button its seed, the runs that are here, and what is known without one."""
    drawn = visitor_state(runs)

    def begin() -> None:
        FAILED.set("")
        SHOW.set(False)
        now = visitor_state(runs)
        # A second click of the same moment finds the first one's runs.
        if now.experiment.arms != drawn.experiment.arms:
            return
        try:
            begun = begin_arms(engine, experiment, int(SEED.value), by)
        except ExplorerError as error:
            FAILED.set(error.sentence)
        else:
            store_state(with_arms(now, begun), runs)

    with st.popover("Other ways", key="experiment_ways", width="content"):
        st.number_input("Seed", 0, MOST_SEED, FIRST_SEED, key=SEED.key)
        seeds = measured[experiment.control.key].seeds
        st.toggle(f"Show what seeds {seeds_words(seeds)} gave", key=SHOW.key, disabled=not ready)
        st.caption("Every seed gives other pairs and other first weights.")
        if ready:
            draw_trials(engine, experiment)
    st.button(
        f"Train {together(experiment)}",
        key=BEGIN_KEY,
        type="primary",
        disabled=not ready,
        help=extent(experiment, measured) if ready else "Choose an answer first",
        on_click=begin,
        width="content",
    )


def draw_way_back() -> None:
    """The way to the other experiments."""
    left = choose_experiment(visitor_state(runs), "")
    with st.container(key="experiment_back", width="content"):
        st.page_link(PAGE, label="All experiments", query_params=query_of(left, runs))


def draw_guessed(experiment: Experiment, measured: Mapping[str, ArmMeasured], seed: int) -> None:
    """The guess that was made, which stays, and the way to another run."""
    chosen = predicted_choice(experiment, visitor_state(runs).experiment.predicted)

    def leave() -> None:
        SHOW.set(False)
        store_state(with_arms(visitor_state(runs), ()), runs)

    with st.container(horizontal=True, vertical_alignment="center", key="experiment_guessed"):
        st.markdown("**You said**" if chosen else "**You would rather just see**", width="content")
        if chosen:
            with st.container(key="experiment_answer", width="content"):
                st.markdown(f"**{chosen.text}**")
        st.caption(f"seed {seed}; {extent(experiment, measured)}")
        st.button("Another run", key="experiment_again", icon=":material/add:", on_click=leave)


def draw_trials(engine: TrainingEngine, experiment: Experiment) -> None:
    """Runs of this experiment that are here already."""
    found = trials_here(experiment, engine.statuses(), own_description)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="experiment_trials"):
        st.caption("Trained here before:")
        for trial in found:
            there = with_arms(visitor_state(runs), trial.arms)
            st.page_link(PAGE, label=f"seed {trial.seed}", query_params=query_of(there, runs))


st.html(f"<style>{_STYLE}</style>")
chosen = EXPERIMENTS.get(visitor_state(runs).experiment.key)
if chosen:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="experiment_head"):
        # While somebody guesses the question stands below, in place of what the experiment is.
        lead = chosen.summary if visitor_state(runs).experiment.arms else ""
        page_head(VIEW, runs, title=chosen.title, lead=lead, words=False)
        start = st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="content", key="experiment_start"
        )
        with start:
            draw_way_back()
else:
    page_head(VIEW, runs, words=False)
by = visitor()
try:
    found = read_measured()
    if chosen:
        draw_experiment(chosen, found[chosen.key], start)
    else:
        if visitor_state(runs).experiment.key:
            say_problem("The link names an experiment that is not here; these are.")
        draw_list(found)
except ExplorerError as error:
    say_problem(error.sentence)
