"""Known-good settings for each task: small models that learn it within a minute or two on one processor core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from core.config import TrainConfig
from core.errors import ConfigError


@dataclass(frozen=True)
class Preset:
    """How a task is learned: the model's settings that differ from the small default model, and the training."""

    model: Mapping[str, object]
    training: TrainConfig


def preset(task_name: str) -> Preset:
    """Return the preset of a task.

    Raises:
        ConfigError: there is none for a task of that name.
    """
    if task_name not in PRESETS:
        raise ConfigError(f"choose a task with a preset ({', '.join(PRESETS)}), not {task_name!r}")
    return PRESETS[task_name]


SMALL_MODEL: Mapping[str, object] = MappingProxyType(
    {"d_model": 64, "n_heads": 4, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 256}
)
"""The shape of a model where nothing else is said."""
NEAREST_TO_OWN_PAIRS = "en_fr"
"""The task whose settings are taken for somebody's own pairs: short sentences as well."""
OWN_TRAINING: Mapping[str, Any] = MappingProxyType(
    {
        "steps": 10_000,
        "patience": 10,
        "perfect_validations": 2,
        "validate_every": 200,
        "schedule": "inverse_sqrt",
        "peak_learning_rate": 1e-3,
        "warmup_steps": 300,
        # Their lengths differ more than a task's.
        "bucket_batches": 16,
        # A moment takes half as much as the weights; forty of them would be most of what a run takes.
        "history": 10,
    }
)
"""How somebody's own pairs are trained, other than the task's: nobody knows how long they take, so it goes on for as
long as the validations get better, with a rate that need not know when that ends. Three-digit addition needs some
5,000 updates and stands still for hundreds on the way, hence the long patience."""


OWN_DROPOUT = 0.1
"""With 2,400 pairs of three-digit addition 298 of 300 sums come out right, without any dropout 5."""


def own_pairs_preset(steps: int | None = None) -> Preset:
    """Return the preset of somebody's own pairs; how many there are it does not know.

    Args:
        steps: Updates that were asked for; of few, the warm-up is a part.
    """
    known = preset(NEAREST_TO_OWN_PAIRS)
    training = replace(known.training, **OWN_TRAINING)
    if steps is not None and steps > 1:
        training = replace(training, warmup_steps=max(1, min(training.warmup_steps, steps // 4)))
    # They are seen many times, and are learned by heart without.
    return Preset(MappingProxyType({**known.model, "dropout": OWN_DROPOUT}), training)


# These trainings see no pair more than twice, so dropout has little to prevent.
_NO_DROPOUT = {"dropout": 0.0}
_ONE_LAYER = {"n_encoder_layers": 1, "n_decoder_layers": 1}


def _preset(
    model: Mapping[str, object], steps: int, warmup_steps: int, peak_learning_rate: float, n_train: int
) -> Preset:
    training = TrainConfig(
        steps=steps, warmup_steps=warmup_steps, peak_learning_rate=peak_learning_rate, n_train=n_train
    )
    return Preset(MappingProxyType({**_NO_DROPOUT, **model}), training)


# Measured by benchmarks/learning.py. A long warm-up lets the peak be high without losing a seed, and the
# decay ends where the goal is met: a longer plan would only meet it later.
PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "copy": _preset(_ONE_LAYER, 225, 70, 6e-3, n_train=50_000),
        "reverse": _preset(_ONE_LAYER, 325, 100, 6e-3, n_train=50_000),
        "sort": _preset(_ONE_LAYER, 575, 175, 6e-3, n_train=50_000),
        "en_de_numbers": _preset({}, 300, 60, 3e-3, n_train=30_000),
        "dates": _preset({}, 500, 100, 3e-3, n_train=32_000),
        "en_fr": _preset({}, 900, 150, 3e-3, n_train=30_000),
    }
)
