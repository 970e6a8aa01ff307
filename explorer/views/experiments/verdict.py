"""What an experiment has shown: the verdict beside the marks of every seed, what else the numbers say, the tables."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.config import TransformerConfig
from core.experiments.experiment import Experiment, figures_of
from core.experiments.measured import ArmMeasured, figures_by_arm
from explorer.look.number_table import number_table
from explorer.views.experiments.dots import dot_figures, dots_html
from explorer.views.experiments.words import (
    answer_words,
    arm_columns,
    claim_sentences,
    measured_with,
    pairs_words,
    reason,
    reply_words,
    result_columns,
    seeds_sentence,
)
from explorer.visitor.values import SessionValue

Here = Mapping[str, Mapping[str, float]]


def draw_verdict(
    experiment: Experiment, predicted: str, measured: Mapping[str, ArmMeasured], here: Here | None = None
) -> None:
    """Draw it, and then the question of what there was to see.

    Args:
        experiment: That was predicted.
        predicted: The answer's place, or `JUST_SEE`.
        measured: What several seeds gave.
        here: What the visitor's run gave; None where only the measured numbers are looked at.
    """
    known, own = figures_by_arm(measured), None if here is None else figures_of(here)
    with st.container(border=True, key="experiment_verdict"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.subheader(answer_words(experiment, predicted, known, own), anchor=False)
            st.markdown(seeds_sentence(experiment, measured, here))
            for sentence in (
                reason(experiment, predicted, known, own),
                *claim_sentences(experiment.claims, known, own),
            ):
                st.markdown(sentence)
        with right:
            st.html(dots_html(dot_figures(experiment, measured, here)))
            seeds = measured_with(experiment, measured)
            st.caption(f"Open marks: {seeds}{'; filled: this run' if here else ''}.")
    if experiment.seen.holds(known) and (own is None or experiment.seen.holds(own)):
        _draw_seen(experiment, known if own is None else own)


def _draw_seen(experiment: Experiment, figures: Mapping[str, tuple[float, ...]]) -> None:
    """What did you see? It is answered by what there was to see, never by a mark."""
    seen = experiment.seen
    answer = SessionValue[int | None](f"experiment_seen_{experiment.key}", None)
    with st.container(border=True, key="experiment_seen"):
        st.markdown(f"**What did you see?** {seen.question}")
        st.pills(
            seen.question,
            range(len(seen.answers)),
            key=answer.key,
            format_func=lambda place: seen.answers[place],
            label_visibility="collapsed",
        )
        if answer.value is not None:
            st.markdown(reply_words(seen, answer.value, figures))


def draw_tables(
    experiment: Experiment,
    measured: Mapping[str, ArmMeasured],
    control: TransformerConfig,
    here: Here | None = None,
) -> None:
    """Draw every figure of every model as a table, and what the models differ in; closed at first."""
    with st.expander("All figures, and what the models differ in"):
        number_table(
            result_columns(experiment, measured, here),
            key="experiment_results",
            alt="Every figure of every model, this run beside the measured seeds",
            texts=("Figure", "Model"),
        )
        st.caption(
            f"Measured with {measured_with(experiment, measured)}, each with pairs of its own and "
            f"{pairs_words(experiment)}; by the weights that did best on the validation pairs, on sources that were "
            "not trained on."
        )
        number_table(
            arm_columns(experiment, measured, control),
            key="experiment_arms",
            alt="The models that are trained, and how each differs from the control",
            texts=("Model", "Differs in"),
        )
