"""The controls that a training is chosen with: what is learned, the settings of the model and of the training."""

from __future__ import annotations

import re
from typing import get_args

import streamlit as st

from core.config import ActivationName, NormPosition, Positional, Schedule
from core.data.tasks import TASKS
from core.errors import ConfigError, ExplorerError
from core.run_description import RunDescription
from core.training.own_pairs import PAIRS
from explorer.server.limits import Limits
from explorer.views.training.form import (
    MOST_PAIRS,
    MOST_UPDATES,
    TASK_NAMES,
    base_values,
    first_values,
    title_of,
    values_on,
)
from explorer.views.training.form_words import in_form_words
from explorer.visitor.values import SessionValue

TASK_KEY, NAME_KEY = "train_task", "train_name"
PAIRS_ON_KEY = "train_pairs_on"
OTHER_PAIRS = "Others"
_TRAIN_ON = "on"
"""Stands in the keys of the settings of a run that is trained on, where a task's name stands in others."""
SMALL, BASE = "As the task needs it", "The paper's base model"
ABOUT_BASE = (
    "The base model of 2017: 6 + 6 layers of 8 heads, vectors of 512 numbers, 2,048 hidden units. It is far larger "
    "than these tasks need: what it takes here is shown beside the button. To see the whole of it untrained, on the "
    "map and on every page, start it and stop it at once: its first, random weights are kept."
)
MOST_NAME = 80
"""Most characters of a run's name."""
# Label, least, most, step and what it is.
_NUMBERS: dict[str, tuple[str, float, float, float, str]] = {
    "steps": ("Updates", 1, MOST_UPDATES, 25, "Batches that the weights are moved by."),
    "peak_learning_rate": (
        "Peak learning rate", 1e-5, 1.0, 5e-4,
        "Of Adam, at the end of the warm-up; the paper's schedule has a peak of its own.",
    ),
    "batch_size": ("Batch", 1, 512, 8, "Pairs in one update."),
    "seed": ("Seed", 0, 999_999, 1, "Of the pairs, the first weights, the order and the dropout."),
    "d_model": ("Width, d_model", 2, 512, 8, "Numbers in the vector of a token; a multiple of the heads."),
    "n_heads": ("Heads", 1, 32, 1, "Of every attention block."),
    "n_encoder_layers": ("Encoder layers", 1, 12, 1, "Each has self-attention and a feed-forward network."),
    "n_decoder_layers": ("Decoder layers", 1, 12, 1, "Each has two attentions and a feed-forward network."),
    "d_ff": ("Inner width, d_ff", 1, 2048, 32, "Hidden units of the feed-forward network."),
    "dropout": ("Dropout", 0.0, 0.9, 0.05, "On the outputs of sub-layers and on the sums of embeddings and positions."),
    "warmup_steps": ("Warm-up", 0, MOST_UPDATES, 10, "Updates over which the learning rate rises."),
    "label_smoothing": ("Label smoothing", 0.0, 0.9, 0.05, "Share of each label that is spread over all tokens."),
    "n_train": ("Training pairs", 10, MOST_PAIRS, 1000, "If there are few, the model learns them by heart."),
    "validate_every": ("Validate every", 1, MOST_UPDATES, 25, "Updates between two validations."),
    "patience": (
        "Patience", 0, 1000, 1,
        "Validations in a row without a lower loss or more exact answers that end it; with 0 it makes all its updates.",
    ),
}  # fmt: skip
_CHOICES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "norm_position": ("Norm", get_args(NormPosition), "Layer norm after or before each sub-layer."),
    "positional": ("Positions", get_args(Positional), "How the model is told the order."),
    "activation": ("Activation", get_args(ActivationName), "Of the feed-forward network."),
    "schedule": ("Schedule", get_args(Schedule), "What follows the warm-up of the learning rate."),
}
_TIE = "Tie embeddings"
_DECIMALS = {"peak_learning_rate": "%.4f", "dropout": "%.2f", "label_smoothing": "%.2f"}
FIRST_ROW = ("steps", "warmup_steps", "peak_learning_rate", "batch_size")
MODEL_ROWS: tuple[tuple[str, ...], ...] = (
    ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers"),
    ("d_ff", "dropout", "norm_position", "positional"),
    ("activation", "tie_embeddings"),
)
TRAINING_ROWS: tuple[tuple[str, ...], ...] = (
    ("schedule", "label_smoothing", "validate_every", "patience"),
    ("seed", "n_train"),
)


def choose_task(usual: str) -> str:
    """Draw the choice of what is learned.

    Args:
        usual: The task that is offered before somebody chooses; somebody's own pairs, which nobody else has, never are.
    """
    task = SessionValue(TASK_KEY, usual if usual in TASKS else TASK_NAMES[0])
    task.stored()
    return st.selectbox(
        "What it learns", TASK_NAMES, key=task.key, format_func=title_of, label_visibility="collapsed"
    )


def say_task(task: str) -> None:
    """Say what a task is."""
    st.caption(
        TASKS[task].description
        if task in TASKS
        else "Translate, or otherwise rewrite, one short text into another: one pair a line, a tab between them."
    )


def choose_settings(task: str, limits: Limits) -> dict[str, object]:
    """Draw the settings, those that are changed most in sight; they begin as the task needs them."""
    values = first_values(task, limits)
    _row(FIRST_ROW, task, values)
    with st.expander("Model and training in detail"):
        size = st.segmented_control(
            "Model", (SMALL, BASE), default=SMALL, required=True, key=f"train_{task}_size"
        )
        # The controls of another size are others, which begin as that size has them.
        sized = task if size == SMALL else f"{task}_base"
        if size == BASE:
            st.caption(ABOUT_BASE)
            values |= base_values()
        for names in MODEL_ROWS:
            _row(names, sized, values)
        st.caption("Training")
        for names in TRAINING_ROWS:
            _row(names, task, values)
    return values


def choose_on_settings(parent: RunDescription, limits: Limits) -> dict[str, object]:
    """Draw the settings of a run that is trained on; they begin as somebody's own pairs are trained."""
    values = values_on(parent, limits)
    _row(tuple(name for name in FIRST_ROW if name in values), _TRAIN_ON, values)
    with st.expander("Training in detail"):
        for names in TRAINING_ROWS:
            _row(tuple(name for name in names if name in values), _TRAIN_ON, values)
    return values


def choose_pairs_on(task: str) -> bool:
    """Draw the choice between the pairs that a run has learned and others; whether it is others."""
    same = "Those of the task" if task != PAIRS else "Those that it has learned"
    chosen = st.segmented_control("Pairs", (same, OTHER_PAIRS), key=PAIRS_ON_KEY, default=same, required=True)
    return chosen == OTHER_PAIRS


def form_problem(error: ExplorerError) -> str:
    """Return the sentence of an error, with the labels of fields in place of the settings' names in the code.

    Of names that are words as well, such as steps, only those before a value are replaced.
    """
    if not isinstance(error, ConfigError):
        return error.sentence  # It may quote a file or a text.
    labels = {name: label.partition(",")[0] for name, (label, *_) in _NUMBERS.items()}
    labels |= {name: label for name, (label, *_) in _CHOICES.items()} | {"tie_embeddings": _TIE}
    sentence = re.sub(r"set (\w+)=False", r"switch \1 off", in_form_words(error.sentence))
    return re.sub(
        r"\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?= [-0-9.]+\b| must ))\b",
        lambda found: labels.get(found[0].lower(), found[0]),
        sentence,
        flags=re.IGNORECASE,
    )


def choose_name(usual: str) -> str:
    """Draw the field for the name of the run; the usual one where it stays empty."""
    typed = st.text_input("Name of the run", key=NAME_KEY, max_chars=MOST_NAME, placeholder=usual)
    return typed.strip() or usual


def _row(names: tuple[str, ...], task: str, values: dict[str, object]) -> None:
    """Draw some settings side by side, and put what is chosen into the values."""
    if task == PAIRS:
        names = tuple(name for name in names if name != "n_train")
    if not names:
        return
    for column, name in zip(st.columns(4), names, strict=False):
        with column:
            values[name] = _control(name, f"train_{task}_{name}", values[name])


def _control(name: str, key: str, value: object) -> object:
    if name in _CHOICES:
        label, options, about = _CHOICES[name]
        return st.selectbox(label, options, index=options.index(str(value)), key=key, help=about)
    if name == "tie_embeddings":
        about = "One matrix for source, target and output, which needs one vocabulary."
        return st.checkbox(_TIE, value=bool(value), key=key, help=about)
    label, least, most, step, about = _NUMBERS[name]
    first = float(str(value))
    if name in _DECIMALS:
        form = _DECIMALS[name]
        return st.number_input(label, least, most, first, step, format=form, key=key, help=about)
    return st.number_input(label, int(least), int(most), int(first), int(step), key=key, help=about)
