"""Laws of the presets."""

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from core.data.tasks import TASKS, get_task
from core.errors import ConfigError
from core.model.parameters import count_parameters
from core.model.transformer import Transformer
from core.presets import PRESETS, preset
from core.training.plan import model_config
from tests.another_python import said_by

ROOT = Path(__file__).parent.parent.parent
EVERY_PRESET = pytest.mark.parametrize("name", PRESETS)


def test_every_task_has_a_preset():
    assert set(PRESETS) == set(TASKS)


@EVERY_PRESET
def test_a_preset_makes_a_small_model_that_holds_the_longest_source(name):
    task = get_task(name)
    settings: dict[str, Any] = dict(preset(name).model)
    config = model_config(*task.tokenizers(), **settings)
    assert count_parameters(Transformer(config)) < 300_000
    assert config.max_len > task.max_source_tokens


@EVERY_PRESET
def test_the_rate_warms_up_in_a_fraction_of_the_planned_updates(name):
    training = preset(name).training
    assert 0 < training.warmup_steps <= training.steps / 3


@EVERY_PRESET
def test_without_dropout_no_pair_is_seen_more_than_twice(name):
    found = preset(name)
    assert found.model["dropout"] == 0.0
    assert found.training.steps * found.training.batch_size <= 2 * found.training.n_train


@EVERY_PRESET
def test_a_preset_keeps_the_papers_model(name):
    settings: dict[str, Any] = dict(preset(name).model)
    config = model_config(*get_task(name).tokenizers(), **settings)
    assert (config.norm_position, config.positional, config.activation) == ("post", "sinusoidal", "relu")
    assert config.tie_embeddings
    assert config.causal
    assert config.scale_scores


@EVERY_PRESET
def test_a_preset_is_plain_data_that_nobody_can_change(name):
    found = preset(name)
    assert json.loads(json.dumps(dict(found.model))) == dict(found.model)
    with pytest.raises(TypeError):
        found.model["dropout"] = 0.5  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        found.training = found.training  # type: ignore[misc]
    with pytest.raises(TypeError):
        PRESETS[name] = found  # type: ignore[index]


def test_a_task_without_preset_is_refused_with_the_names():
    with pytest.raises(ConfigError, match=r"copy.*en_fr.*'guess'"):
        preset("guess")


def test_choosing_a_preset_needs_no_torch():
    program = "import sys, core.presets; print('torch' in sys.modules)"
    assert said_by(program) == "False\n"
