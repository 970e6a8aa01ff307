"""A training as somebody watches it: how it stands, its buttons, its charts and what it says to fixed sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import ExplorerError
from core.run_description import MODEL_FILE
from explorer.histories.chart import draw_chart
from explorer.histories.figures import (
    Figures,
    group_sentence,
    probe_columns,
    read_figures,
    right_answers,
    update_columns,
    validation_columns,
)
from explorer.histories.norms import BlockLines, norm_columns
from explorer.histories.wishes import BETWEEN_LOOKS, problem_of, say_problem, try_wish
from explorer.histories.words import (
    duration,
    explanation,
    parent_sentence,
    progress_words,
    rate,
    result_sentence,
    state_words,
    turn_sentence,
)
from explorer.look.curves import Curve
from explorer.look.number_table import number_table, shown_only
from explorer.look.theme import format_count, format_share
from explorer.models.known import own_description
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import NOT_YOURS, Visitor
from explorer.trainings.status import GOING_ON, RunStatus
from explorer.view import WAYS_INTO
from explorer.views.training.film_view import draw_film
from explorer.views.training.norms_view import draw_norms
from explorer.visitor.values import SessionValue

_PLACES = {"Go on": "Pause"}
"""Buttons that take another one's place and key: the browser keeps the focus there."""
_TABLE_HEIGHT = 300
"""Pixels; kept free before there is a table, so that nothing moves when it comes."""


PARENT = SessionValue("train_parent", "")
"""The run that the form trains on; empty where it begins with random weights."""


@dataclass(frozen=True)
class Ways:
    """Where one can go from a training; each is called before the page is drawn again.

    Attributes:
        leave: Chooses another training.
        travel: Opens the model with the weights after so many updates, and a source.
        train_on: Opens the form that trains its model on.
    """

    leave: Callable[[], None]
    travel: Callable[[int, str], None]
    train_on: Callable[[], None]


def watch(
    engine: TrainingEngine,
    run_id: str,
    ways: Ways,
    by: Visitor,
) -> None:
    """Draw a training, again each second as long as it goes on.

    Args:
        engine: Of the training.
        run_id: Of the training.
        ways: Where one can go from here.
        by: Who watches.

    Raises:
        RunError: when there is no such run any more.
    """
    is_going_on = engine.status(run_id).state in GOING_ON
    fragment = st.fragment(_live, run_every=BETWEEN_LOOKS if is_going_on else None)
    fragment(engine, run_id, ways, is_going_on, by)


def _live(
    engine: TrainingEngine,
    run_id: str,
    ways: Ways,
    is_going_on: bool,
    by: Visitor,
) -> None:
    try:
        if is_going_on:
            engine.statuses()  # Starts what waits.
        status = engine.status(run_id)
    except ExplorerError as error:
        say_problem(error.sentence)
        return
    if (status.state in GOING_ON) != is_going_on:
        st.rerun()
    try:
        _head(engine, status, ways, by)
        _draw_figures(engine, status, ways.travel)
    except ExplorerError as error:
        # Damaged figures take nobody's buttons away; what the head has said already is not said twice.
        if not status.reason:
            say_problem(error.sentence, key="train_problem_figures")


def _draw_figures(engine: TrainingEngine, status: RunStatus, travel: Callable[[int, str], None]) -> None:
    folder = engine.run_folder(status.run_id)
    figures = read_figures(folder)
    _numbers(status, figures)
    _charts(status, figures)
    _probes(status, figures)
    draw_film(status, has_model=(folder / MODEL_FILE).exists(), travel=travel)
    lines = draw_norms(folder, status)
    _tables(figures, lines)


def _head(engine: TrainingEngine, status: RunStatus, ways: Ways, by: Visitor) -> None:
    wishes = _wishes(engine, status, by)
    may_steer = engine.may_steer(status.run_id, by)
    with st.container(key="train_title"):
        st.text(status.title)
    st.progress(
        status.share,
        f"{state_words(status)}: {progress_words(status)}",
    )
    # A place of its own, so that what stands below keeps its place on the page whatever is said here.
    with st.container(key="train_remarks"):
        if status.reason:
            say_problem(status.reason, key="train_reason")
        described = own_description(status.run_id)
        result = result_sentence(described) if described and status.state == "finished" else ""
        st.markdown(result or explanation(status))
        if described and described.parent:
            # A title is somebody's text: it is drawn as it is, never as markup.
            st.text(parent_sentence(described.parent))
        if status.state == "paused" and (most := engine.limits.paused_seconds):
            st.caption(f"If another training waits, this one is stopped after {duration(most)} of pause.")
        if status.state in GOING_ON and (turn := turn_sentence(engine.limits)):
            st.caption(turn)
        if wishes and not may_steer:
            st.caption(NOT_YOURS)
        # Of this run alone: under another training it would be untrue.
        problem_key = f"train_problem_{status.run_id}"
        if problem := problem_of(problem_key).value:
            say_problem(problem)
    with st.container(horizontal=True, vertical_alignment="center", key="train_buttons"):
        for label, wish, icon in wishes if may_steer else ():
            key = f"train_{_PLACES.get(label, label)}"
            st.button(label, key=key, icon=icon, on_click=try_wish, args=(wish, problem_key))
        if st.button("New training", key="train_new", icon=":material/add:"):
            ways.leave()
            st.rerun()
        if (engine.run_folder(status.run_id) / MODEL_FILE).exists():
            if status.state == "finished" and st.button("Train on", key="train_on", icon=":material/resume:"):
                ways.train_on()
                st.rerun()
            for page, label, icon in WAYS_INTO:
                st.page_link(page, label=label, icon=icon, query_params={"model": status.run_id})


def _wishes(
    engine: TrainingEngine, status: RunStatus, by: Visitor
) -> Sequence[tuple[str, Callable[[], None], str]]:
    """The buttons that make sense now: label, what it does, and its icon."""
    run_id = status.run_id
    pause = ("Pause", partial(engine.pause, run_id, by=by), ":material/pause:")
    go_on = ("Go on", partial(engine.go_on, run_id, by=by), ":material/play_arrow:")
    one = ("One update", partial(engine.step, run_id, by=by), ":material/skip_next:")
    stop = ("Stop", partial(engine.stop, run_id, by=by), ":material/stop:")
    resume = ("Resume", partial(engine.resume, run_id, by=by), ":material/play_arrow:")
    leave = ("Leave the queue", partial(engine.stop, run_id, by=by), ":material/close:")
    known = {
        "waiting": [leave],
        "starting": [stop],
        "training": [pause, stop],
        "paused": [go_on, one, stop],
        "silent": [stop],
    }
    return known.get(status.state, [resume] if status.can_resume else [])


def _numbers(status: RunStatus, figures: Figures) -> None:
    latest = figures.validations[-1].figures if figures.validations else None
    last_rate = figures.learning_rate.values[-1:]
    last_norm = figures.gradient_norm.values[-1:]
    shown = {
        "Loss, smoothed": f"{figures.smoothed.values[-1]:.3f}" if len(figures.smoothed) else "–",
        "Token accuracy": format_share(latest.token_accuracy) if latest else "–",
        "Exact match": format_share(latest.exact_match) if latest else "–",
        "Learning rate": rate(last_rate[0]) if last_rate else "–",
        "Gradient norm": f"{last_norm[0]:.2f}" if last_norm else "–",
        "Tokens a second": format_count(round(figures.tokens_per_second))
        if figures.tokens_per_second
        else "–",
        "Time left": _time_left(status),
    }
    with st.container(horizontal=True, key="train_numbers"):
        for label, value in shown.items():
            st.metric(label, value, width=126)


def _time_left(status: RunStatus) -> str:
    if status.seconds_left is None:
        return "–"
    # Where its patience may end it, this is the most.
    return f"{'≤ ' * status.may_end_early}{duration(status.seconds_left)}"


def _charts(status: RunStatus, figures: Figures) -> None:
    loss, rates, norms = figures.loss, figures.learning_rate, figures.gradient_norm
    held_out, exact, right = figures.validation_loss, figures.exact_match, figures.token_accuracy
    top = st.columns(2)
    draw_chart(
        top[0],
        [
            Curve("batch", loss.updates, loss.values, "mute", 1.0),
            Curve("smoothed", figures.smoothed.updates, figures.smoothed.values, "link", 2.5),
            Curve("validation", held_out.updates, held_out.values, "target", 1.5, (2, 3), points=True),
        ],
        of=status.span,
        title="loss, nats a token",
        alt="Loss of the batches, smoothed, and of the validation pairs",
    )
    draw_chart(
        top[1],
        [
            Curve("token accuracy", right.updates, right.values, "k", 2.0, (6, 4), points=True),
            Curve("exact match", exact.updates, exact.values, "target", 2.0, points=True),
        ],
        of=status.span,
        title="share of the validation",
        share=True,
        alt="Token accuracy and exact match of the validation pairs",
    )
    st.caption("The validation loss leaves label smoothing out, which the loss of a batch counts.")
    below = st.columns(2)
    draw_chart(
        below[0],
        [Curve("learning rate", rates.updates, rates.values, "ink2")],
        of=status.span,
        title="learning rate",
        digits=".2e",
        alt="Learning rate of each update",
    )
    draw_chart(
        below[1],
        [Curve("gradient norm", norms.updates, norms.values, "ink2", 1.2)],
        of=status.span,
        title="gradient norm",
        digits=".3f",
        alt="Norm of the whole gradient before it is clipped",
    )


def _probes(status: RunStatus, figures: Figures) -> None:
    st.subheader("What it says while it learns", anchor=False)
    with st.container(height=_TABLE_HEIGHT + 2, border=False, key="train_probes_place"):
        if figures.probes:
            _probe_table(status, figures)
        elif figures.validations:
            st.caption("No fixed sources: each one to validate with has a word that the training pairs lack.")
        else:
            st.caption("Nothing yet: the fixed sources are tried at the first validation.")


def _probe_table(status: RunStatus, figures: Figures) -> None:
    found = probe_columns(figures.probes, right_answers(status.run_id, status.task, figures.probes))
    columns = {shown_only(head): list(map(shown_only, cells)) for head, cells in found.items()}
    st.dataframe(
        columns,
        hide_index=True,
        height=_TABLE_HEIGHT,
        column_config={head: st.column_config.TextColumn(head) for head in columns},
        key="train_probes",
        alt="What the model makes of each fixed source, the newest first",
    )


def _tables(figures: Figures, lines: dict[str, BlockLines]) -> None:
    with st.expander("Tables of these figures"):
        if figures.group > 1:
            st.caption(f"In the second table {group_sentence(figures.group)}")
        number_table(
            validation_columns(figures.validations), key="train_validations", alt="The validations so far"
        )
        number_table(update_columns(figures), key="train_updates", alt="The updates so far")
        if lines:
            number_table(norm_columns(lines), key="train_norms", alt="The norms of the chosen blocks so far")
