"""What somebody chooses on the page that starts a training, made into a run: its settings, pairs, size and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import torch

from core.config import TrainConfig, TransformerConfig
from core.data.dataset import Dataset
from core.data.tasks import TASKS, get_task
from core.device import memory_of
from core.errors import InputError
from core.model.shapes import expected_parameters
from core.presets import NEAREST_TO_OWN_PAIRS, Preset, own_pairs_preset, preset
from core.run import Run
from core.run_description import RunDescription
from core.training import new_run
from core.training.expected_time import PartTimes, n_validations
from core.training.least_time import least_seconds
from core.training.own_pairs import PAIRS
from core.training.plan import describe_on, describe_task
from explorer.histories.words import duration
from explorer.server.limits import OPEN, Limits
from explorer.trainings.expected import typical_lengths

if TYPE_CHECKING:
    from explorer.views.training.own_pairs import OwnPairs

TASK_NAMES = (*TASKS, PAIRS)
"""What can be learned: every task, and somebody's own pairs."""
MOST_UPDATES = 20_000
"""A live view reads them all each second."""
MOST_PAIRS = 50_000
VALIDATIONS = 8
"""Fewest validations of a training from the form, so that there is something to watch; a preset has fewer."""
BETWEEN_VALIDATIONS = 25
"""Updates between validations are a multiple of this where a form begins."""
BYTES_PER_PARAMETER = 16
"""Weight, gradient and Adam's two moments, of four bytes each."""
MODEL_SETTINGS = (
    "d_model",
    "n_heads",
    "n_encoder_layers",
    "n_decoder_layers",
    "d_ff",
    "dropout",
    "norm_position",
    "positional",
    "activation",
    "tie_embeddings",
)
BASE_SETTINGS = ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "d_ff", "dropout")
"""What the paper says of its base model."""
TRAINING_SETTINGS = (
    "steps",
    "batch_size",
    "n_train",
    "schedule",
    "peak_learning_rate",
    "warmup_steps",
    "label_smoothing",
    "validate_every",
    "patience",
    "seed",
)
ON_SETTINGS = tuple(name for name in TRAINING_SETTINGS if name not in ("n_train", "seed"))
"""The settings of a run that is trained on: its model and how its pairs were drawn stay as they are."""
_OF_THE_PAIRS = ("n_train", "n_validation", "n_test", "seed")
"""Settings that somebody's own pairs were dealt out by."""


def title_of(task: str) -> str:
    """What a task is called where one is chosen."""
    return TASKS[task].title if task in TASKS else "Your own pairs"


def usual_settings(task: str) -> Preset:
    """The settings that a form begins with: the task's preset, validated often enough to watch it.

    Raises:
        ConfigError: when there is no such task.
    """
    if task == PAIRS:
        known = own_pairs_preset()
        training = replace(known.training, n_train=MOST_PAIRS)
    else:
        known = preset(task)
        training = known.training
    often = BETWEEN_VALIDATIONS * max(1, training.steps // VALIDATIONS // BETWEEN_VALIDATIONS)
    return Preset(known.model, replace(training, validate_every=min(training.validate_every, often)))


def first_values(task: str, limits: Limits = OPEN) -> dict[str, object]:
    """Every setting of a form as it stands before anything is chosen, within the limits of the server.

    Raises:
        ConfigError: when there is no such task.
    """
    usual = usual_settings(task)
    example = describe_task(
        get_task(NEAREST_TO_OWN_PAIRS if task == PAIRS else task), usual.training, usual.model
    )
    values = asdict(example.config) | asdict(usual.training)
    values["steps"] = min(usual.training.steps, limits.most_updates or usual.training.steps)
    return {name: values[name] for name in (*MODEL_SETTINGS, *TRAINING_SETTINGS)}


def base_values() -> dict[str, object]:
    """The settings of the model in which the paper's base model differs from a small one; the rest stays the task's."""
    config = TransformerConfig.base(src_vocab_size=4, tgt_vocab_size=4)
    return {name: getattr(config, name) for name in BASE_SETTINGS}


def values_on(parent: RunDescription, limits: Limits = OPEN) -> dict[str, object]:
    """Every setting of the form of a run that is trained on, as it stands before anything is chosen."""
    usual = own_pairs_preset().training
    steps = min(usual.steps, limits.most_updates or usual.steps)
    values = asdict(replace(usual, steps=steps, batch_size=parent.train_config.batch_size))
    return {name: values[name] for name in ON_SETTINGS}


def describe_train_on(parent: Run, values: Mapping[str, object], own: OwnPairs | None) -> RunDescription:
    """The run that goes on from another one, as it is chosen.

    Args:
        parent: Whose weights it begins with.
        values: The settings of the form.
        own: Other pairs; None for those that the parent has learned.

    Raises:
        ConfigError: when a setting is impossible.
    """
    training = _training(own_pairs_preset().training, {name: values[name] for name in ON_SETTINGS})
    if own is None:
        return describe_on(parent, training, name=parent.name)
    dealt = {name: getattr(own.description.train_config, name) for name in _OF_THE_PAIRS}
    return replace(own.description, train_config=replace(training, **dealt))


def describe(task: str, values: Mapping[str, object], own: OwnPairs | None = None) -> RunDescription:
    """The run that is chosen.

    Args:
        task: One of `TASK_NAMES`.
        values: The settings of a form, by their names in the configurations.
        own: The pairs of a run that learns somebody's own.

    Raises:
        ConfigError: when a setting is impossible, or does not go with another one.
        InputError: when it should learn somebody's own pairs, but there are none.
    """
    usual = usual_settings(task)
    model = {name: value for name, value in values.items() if name in MODEL_SETTINGS}
    chosen = {name: value for name, value in values.items() if name in TRAINING_SETTINGS}
    if task != PAIRS:
        training = _training(usual.training, chosen)
        return describe_task(get_task(task), training, {**usual.model, **model})
    if own is None:
        raise InputError("Bring pairs of your own, or choose a task.")
    known = own.description
    if known.src_tokenizer is not known.tgt_tokenizer:
        model["tie_embeddings"] = False
    dealt = {name: getattr(known.train_config, name) for name in _OF_THE_PAIRS}
    return replace(
        known,
        config=TransformerConfig.from_dict(asdict(known.config) | model),
        train_config=_training(usual.training, chosen | dealt),
    )


def size_sentence(description: RunDescription) -> str:
    """How large a model will be, and what its training keeps in memory at least."""
    count, memory = expected_parameters(description.config), memory_of(torch.device("cpu"))
    here = f", of the {memory / 2**20:,.0f} MiB that this machine has" if memory else ""
    return (
        f"{count:,} parameters. Weights, gradients and Adam's two moments take "
        f"{_mebibytes(BYTES_PER_PARAMETER * count)} of memory{here}; a batch comes on top."
    )


def require_memory(description: RunDescription) -> None:
    """Refuse a model that this machine cannot train, before anybody begins it.

    Raises:
        ConfigError: with both numbers.
    """
    new_run.require_memory(description.config, torch.device("cpu"))


def least_of(description: RunDescription, dataset: Dataset | None) -> float:
    """Seconds of one core that a training takes at least, computed: it may be too large to be tried."""
    training, (source, target) = description.train_config, typical_lengths(description, dataset)
    return least_seconds(
        description.config,
        steps=training.steps,
        batch_size=training.batch_size,
        source_tokens=source,
        target_tokens=target,
    )


def least_sentence(least: float, training: TrainConfig) -> str:
    """What the least time of a training stands for."""
    return (
        "A model of this size is not tried beforehand. On a free core of this machine the matrix products alone of its "
        f"{training.steps:,} updates take {duration(least)}; the whole training takes longer."
    )


def known_sentence(
    description: RunDescription, times: PartTimes | None, *, is_known: bool, least: float | None = None
) -> str:
    """How large a model is and how long its training takes here, in few words.

    Args:
        description: Of the run.
        times: Of its parts, as they were measured on this machine; None where nobody has measured them.
        is_known: Whether these very settings have learned the task.
        least: Seconds that it takes at least, where nobody has measured it.
    """
    count = f"{expected_parameters(description.config):,} weights"
    known = ", known to learn it" if is_known else ""
    if times is None:
        return f"{count}{known}" if least is None else f"{count}, more than {duration(least)} on one core"
    most = "at most " if description.train_config.patience else ""
    return f"{count}{known} in {most}{duration(times.of(description.train_config))} on one core"


def time_sentence(times: PartTimes | None, training: TrainConfig) -> str:
    """How long a training will take; empty where nobody has measured its parts."""
    if times is None:
        return ""
    looks = n_validations(training)
    validations = "one validation" if looks == 1 else f"{looks:,} validations"
    most = "at most " if training.patience else ""
    early = (
        f" It ends earlier where {training.patience:,} validations in a row bring neither a lower loss nor more "
        "exact answers."
        if training.patience
        else ""
    )
    return (
        f"On a free core of this machine this takes {most}about {duration(times.of(training))}: "
        f"{duration(times.of_updates(training))} for the updates, {duration(times.of_validations(training))} for "
        f"{validations} and the test.{early}"
    )


def is_usual(task: str, values: Mapping[str, object]) -> bool:
    """Whether nothing but the seed was changed."""
    first = first_values(task)
    return all(values[name] == first[name] for name in values if name != "seed")


def _training(usual: TrainConfig, chosen: Mapping[str, object]) -> TrainConfig:
    return TrainConfig.from_dict({**asdict(usual), **chosen})


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"
