"""Experiments: predict what becomes of a model when one part is removed, then train it beside its control."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.errors import ExplorerError
from core.experiments import EXPERIMENTS
from core.experiments.experiment import Experiment, figures_of
from core.experiments.measured import ArmMeasured, figures_by_arm, read_measured
from explorer.look.number_table import number_table
from explorer.look.theme import ThemeType, in_both_themes
from explorer.models.known import known_runs, own_description
from explorer.models.loaded import figures_of_arm
from explorer.models.server import training_engine
from explorer.shell.class_mode import visitor
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head
from explorer.trainings.engine import TrainingEngine
from explorer.views.experiments import VIEW
from explorer.views.experiments.figure import seed_rows, seed_spec
from explorer.views.experiments.words import (
    arm_columns,
    claim_sentences,
    extent,
    is_predicted,
    is_share,
    pairs_words,
    result_columns,
    seeds_words,
    verdict,
)
from explorer.visitor.links import query_of
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import JUST_SEE, ExplorerState, choose_experiment
from explorer.visitor.values import SessionValue

PAGE = "pages/training/experiments.py"
ARMS_KEY, PREDICTION_KEY, BEGIN_KEY = "experiment_arms", "experiment_prediction", "experiment_begin"
FIRST_SEED = 3
"""The measured ones are 0, 1 and 2: a run with another is news."""
SEED, SHOW = SessionValue("experiment_seed", FIRST_SEED), SessionValue("experiment_show", False)
FAILED = SessionValue("experiment_failed", "")
MOST_SEED = 10**6
_STYLE = f"""
[class*="st-key-experiment_reason"], .st-key-train_problem_text {{
  border-left: 2px solid {in_both_themes("error")}; padding-left: 12px;
}}
[class*="st-key-experiment_reason"] *, .st-key-train_problem_text * {{
  color: {in_both_themes("error")};
}}
/* A card's title leads to the page that is open already, which Streamlit would mark on each. */
[class*="st-key-experiment_card"] [data-testid="stPageLink-NavLink"] {{ background: none; padding: 0; }}
[class*="st-key-experiment_card"] [data-testid="stPageLink-NavLink"] * {{
  font-size: 16px; color: {in_both_themes("link")}; text-decoration: underline; text-underline-offset: 3px;
}}
"""

runs = known_runs()


def with_arms(state: ExplorerState, arms: tuple[str, ...]) -> ExplorerState:
    """Watch these runs as the experiment's arms; none to begin others."""
    return replace(state, experiment=replace(state.experiment, arms=arms))


def draw_list(measured: Mapping[str, Mapping[str, ArmMeasured]]) -> None:
    """A card for each experiment."""
    keys = list(EXPERIMENTS)
    for start in range(0, len(keys), 2):
        for place, key in zip(st.columns(2), keys[start : start + 2], strict=False):
            experiment = EXPERIMENTS[key]
            with place, st.container(border=True, height="stretch", key=f"experiment_card_{key}"):
                there = choose_experiment(visitor_state(runs), key)
                st.page_link(PAGE, label=f"**{experiment.title}**", query_params=query_of(there, runs))
                st.markdown(experiment.summary)
                st.caption(extent(experiment, measured[key]))


def draw_experiment(experiment: Experiment, measured: Mapping[str, ArmMeasured]) -> None:
    """One experiment: its question, the prediction, its run and what is known of it."""
    with loading(ARMS_KEY, height=420):
        # This brings in torch, which takes seconds once.
        from core.experiments.arms import describe_arm
        from explorer.views.experiments.arms import seed_of

        control = describe_arm(experiment, experiment.control, FIRST_SEED)
    left = choose_experiment(visitor_state(runs), "")
    st.page_link(
        PAGE, label="All experiments", icon=":material/arrow_back:", query_params=query_of(left, runs)
    )
    st.header(experiment.title, anchor=False)
    st.markdown(f"{experiment.summary} {experiment.question}")
    number_table(
        arm_columns(experiment, measured, control.config),
        key=ARMS_KEY,
        alt="The models that are trained, and what each has otherwise than the control",
        texts=("Model", "Differs in"),
    )
    state = visitor_state(runs)
    engine = training_engine()
    problem, seed = "", None
    if state.experiment.arms:
        try:
            seed = seed_of(experiment, state.experiment.arms, own_description)
        except ExplorerError as error:
            problem = error.sentence
    draw_prediction(engine, experiment, measured, begun=seed is not None)
    if problem:
        say(problem)
    if seed is None:
        engine.warm(control)
        if SHOW.value and is_predicted(experiment, state.experiment.predicted):
            draw_measured(experiment, measured)
    else:
        draw_run(engine, experiment, measured, seed)


def draw_prediction(
    engine: TrainingEngine, experiment: Experiment, measured: Mapping[str, ArmMeasured], *, begun: bool
) -> None:
    """The possible answers; one must be chosen before anything is shown or begun."""
    state = visitor_state(runs)
    places = [*map(str, range(len(experiment.choices))), JUST_SEE]
    names = {str(place): choice.text for place, choice in enumerate(experiment.choices)}
    prediction = SessionValue(f"{PREDICTION_KEY}_{experiment.key}", "")
    if is_predicted(experiment, state.experiment.predicted):
        prediction.set(state.experiment.predicted)

    def take_prediction() -> None:
        held = visitor_state(runs)
        predicted = replace(held.experiment, predicted=prediction.value)
        store_state(replace(held, experiment=predicted), runs)

    with st.container(border=True, key="experiment_question"):
        if begun or (state.experiment.predicted and SHOW.value):
            st.markdown(
                f"Your prediction: **{names.get(state.experiment.predicted, 'none, rather just see')}**"
            )
        else:
            st.radio(
                "What do you predict?",
                places,
                index=None,
                key=prediction.key,
                format_func=lambda place: names.get(place, "I'd rather just see"),
                on_change=take_prediction,
            )
        if not begun:
            draw_start(engine, experiment, measured)


def draw_start(engine: TrainingEngine, experiment: Experiment, measured: Mapping[str, ArmMeasured]) -> None:
    """What begins the run, or shows what is known without it."""
    drawn = visitor_state(runs)
    ready = is_predicted(experiment, drawn.experiment.predicted)
    seeds = measured[experiment.control.key].seeds

    def begin() -> None:
        from explorer.views.experiments.arms import begin_arms

        FAILED.set("")
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

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Run it", key=BEGIN_KEY, type="primary", disabled=not ready, on_click=begin)
        st.number_input("Seed", 0, MOST_SEED, FIRST_SEED, key=SEED.key, width=140)
        st.toggle(f"Show what seeds {seeds_words(seeds)} gave", key=SHOW.key, disabled=not ready)
    st.caption(
        f"{extent(experiment, measured).capitalize()}; {experiment.training.batch_size} pairs in an update. "
        + (
            "Every seed gives other pairs and other first weights."
            if ready
            else "Predict first, then run it."
        )
    )
    if FAILED.value:
        say(FAILED.value)
    if ready:
        draw_trials(engine, experiment)


def draw_trials(engine: TrainingEngine, experiment: Experiment) -> None:
    """Runs of this experiment that are here already."""
    from explorer.views.experiments.arms import trials_here

    found = trials_here(experiment, engine.statuses(), own_description)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="experiment_trials"):
        st.caption("Run here before:")
        for trial in found:
            there = with_arms(visitor_state(runs), trial.arms)
            st.page_link(PAGE, label=f"seed {trial.seed}", query_params=query_of(there, runs))


def draw_run(
    engine: TrainingEngine, experiment: Experiment, measured: Mapping[str, ArmMeasured], seed: int
) -> None:
    """The arms while they train, and in the end what came of them."""
    from explorer.views.experiments.view import watch_arms

    state = visitor_state(runs)

    def leave() -> None:
        store_state(with_arms(visitor_state(runs), ()), runs)

    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(f"The run with seed {seed}", anchor=False)
        st.button("Another run", key="experiment_again", icon=":material/add:", on_click=leave)
    if watch_arms(engine, experiment, state.experiment.arms, by):
        with st.spinner("Measuring"):
            here = {
                arm.key: figures_of_arm(run_id, tuple(experiment.figures))
                for arm, run_id in zip(experiment.arms, state.experiment.arms, strict=True)
            }
        draw_measured(experiment, measured, here)


def draw_measured(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    here: Mapping[str, Mapping[str, float]] | None = None,
) -> None:
    """The verdict on the prediction, what else the numbers say, and the numbers."""
    known = figures_by_arm(measured)
    own = None if here is None else figures_of(here)
    with st.container(border=True, key="experiment_verdict"):
        st.subheader("What it showed", anchor=False)
        st.markdown(verdict(experiment, visitor_state(runs).experiment.predicted, known, own))
        for sentence in claim_sentences(experiment.claims, known, own):
            st.markdown(sentence)
        draw_marks(experiment, measured, here or {})
        number_table(
            result_columns(experiment, measured, here),
            key="experiment_results",
            alt="Every figure of every model, this run beside the measured seeds",
            texts=("Figure", "Model"),
        )
        control = measured[experiment.control.key]
        filled = "; the filled marks are this run" if here else ""
        st.caption(
            f"Measured with seeds {seeds_words(control.seeds)}, each with pairs of its own and "
            f"{pairs_words(experiment)}; by the weights that did best on the validation pairs, "
            f"on sources that were not trained on{filled}."
        )


def draw_marks(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    here: Mapping[str, Mapping[str, float]],
) -> None:
    """What is a share, of every model and seed, as marks on one scale."""
    theme: ThemeType = "dark" if st.context.theme.type == "dark" else "light"
    shares = {name: label for name, label in experiment.figures.items() if is_share(name)}
    names = {arm.key: arm.label for arm in experiment.arms}
    seeds = {
        label: {names[key]: arm.figures[name] for key, arm in measured.items()}
        for name, label in shares.items()
    }
    own = {
        label: {names[key]: values[name] for key, values in here.items()} for name, label in shares.items()
    }
    st.vega_lite_chart(
        seed_rows(seeds, own),
        seed_spec(list(shares.values()), list(names.values()), theme),
        theme=None,
        alt="The shares of the table below as marks, one for each model and seed",
    )


def say(sentence: str) -> None:
    """Draw a sentence about what cannot be; it may quote a title, so it is no markdown."""
    with st.container(key="train_problem_text"):
        st.text(sentence)


st.html(f"<style>{_STYLE}</style>")
page_head(
    VIEW,
    "Each takes one part away and trains the rest beside a control that keeps it; predict what happens first.",
    runs,
    words=False,
)
by = visitor()
try:
    found = read_measured()
    chosen = visitor_state(runs).experiment.key
    if chosen in EXPERIMENTS:
        draw_experiment(EXPERIMENTS[chosen], found[chosen])
    else:
        if chosen:
            say("The link names an experiment that is not here; these are.")
        draw_list(found)
except ExplorerError as error:
    say(error.sentence)
