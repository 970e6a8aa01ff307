"""How a training begins and goes on: first weights, order of the batches, random generators.

Whoever trains and whoever makes an update again to look at it begin with these, and so make the same bits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor

from core.config import TrainConfig
from core.data.batching import Batch, EncodedPairs, batches
from core.data.dataset import digest_of
from core.errors import RunError
from core.model.transformer import Transformer
from core.run import load_run
from core.run_description import RunDescription
from core.training.checkpoint import Origin
from core.training.processes import ALONE, Processes
from core.training.trainer import Trainer

INITIAL_FILE = "initial.safetensors"
"""The first weights of a run that has a parent: the parent's, kept beside it, since the parent may go or change."""


def first_trainer(
    folder: Path, description: RunDescription, device: torch.device, processes: Processes = ALONE
) -> Trainer:
    """The model with its first weights, before any update; it sets torch's generators by the run's seed.

    Raises:
        RunError: when the weights of a run's parent are not in its folder, or are damaged.
    """
    config = description.train_config
    torch.manual_seed(config.seed)
    # Drawn on the CPU, so that a seed gives the same first weights on every device.
    model = Transformer(description.config).to(device)
    if description.parent:
        parent = load_run(folder, str(device), weights_file=INITIAL_FILE)
        model.load_state_dict(parent.model.state_dict())
    trainer = Trainer(model, config, processes)
    if processes.rank:
        # The weights are the same everywhere; what is dropped out need not be.
        torch.manual_seed((config.seed + processes.rank * 0x9E3779B97F4A7C15) % 2**63)
    return trainer


def training_batches(pairs: EncodedPairs, config: TrainConfig, start: int = 0) -> Iterator[Batch]:
    """The batches of a training without end, from that of the update `start` on."""
    return batches(
        pairs, config.batch_size, seed=config.seed, start=start, bucket_batches=config.bucket_batches
    )


def origin_of(description: RunDescription, pairs: EncodedPairs) -> Origin:
    """What a checkpoint of this run must have come from."""
    settings = [description.config.to_dict(), description.train_config.to_dict()]
    if description.parent:
        settings.append(asdict(description.parent))
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]
    return Origin(digest, digest_of(pairs))


def generator_states(device: torch.device) -> dict[str, Tensor]:
    """The states of the random generators that training draws from."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    if device.type == "mps":
        states["mps"] = torch.mps.get_rng_state()
    return states


def set_generators(states: dict[str, Tensor], device: torch.device) -> None:
    """Let the random generators go on from these states.

    Raises:
        RunError: when they are none of this device's.
    """
    try:
        torch.set_rng_state(states["cpu"])
        if device.type == "cuda" and "cuda" in states:
            torch.cuda.set_rng_state(states["cuda"], device)
        if device.type == "mps" and "mps" in states:
            torch.mps.set_rng_state(states["mps"])
    except (KeyError, RuntimeError, TypeError) as error:
        raise RunError("the checkpoint's random generators cannot be set; start a new run") from error
