"""The file in which a replayed update travels from one process to another: safetensors, and JSON in its header."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.errors import RunError
from core.training.captured import CapturedUpdate
from core.training.records import TrainStep
from core.training.replayed import Replayed
from core.training.watch import Use

_UPDATE, _BATCH, _FIRST = "update/", "batch/", "first/"


def write_replayed(replayed: Replayed, path: Path) -> None:
    """Write an update, its batches and what is otherwise on this machine.

    Raises:
        RunError: when it cannot be written.
    """
    update = replayed.update
    tensors = {f"{_UPDATE}{name}": tensor for name, tensor in update.tensors.items()}
    tensors |= _batch_tensors(_BATCH, update.batch)
    for number, batch in enumerate(replayed.first_batches):
        tensors |= _batch_tensors(f"{_FIRST}{number}/", batch)
    facts = {
        "config": asdict(update.config),
        "training": asdict(update.training),
        "step": asdict(update.step),
        "uses": [asdict(use) for use in update.uses],
        "order": list(update.tensors),
        "n_tokens": update.batch.n_tokens,
        "first_n_tokens": [batch.n_tokens for batch in replayed.first_batches],
        "changes": replayed.changes,
    }
    _save(tensors, path, facts)


def read_replayed(path: Path) -> Replayed:
    """Read what `write_replayed` has written.

    Raises:
        RunError: when the file is no such.
    """
    facts, tensors = _load(path)
    update = CapturedUpdate(
        config=TransformerConfig.from_dict(facts["config"]),
        training=TrainConfig.from_dict(facts["training"]),
        step=TrainStep(**facts["step"]),
        batch=_batch(tensors, _BATCH, facts["n_tokens"]),
        uses=tuple(Use(**use) for use in facts["uses"]),
        tensors={name: tensors[f"{_UPDATE}{name}"] for name in facts["order"]},
    )
    return Replayed(update, _first(facts, tensors), tuple(facts["changes"]))


def write_batches(batches: Sequence[Batch], path: Path) -> None:
    """Write the batches of the first updates alone.

    Raises:
        RunError: when they cannot be written.
    """
    tensors: dict[str, Tensor] = {}
    for number, batch in enumerate(batches):
        tensors |= _batch_tensors(f"{_FIRST}{number}/", batch)
    _save(tensors, path, {"first_n_tokens": [batch.n_tokens for batch in batches]})


def read_batches(path: Path) -> tuple[Batch, ...]:
    """Read what `write_batches` has written.

    Raises:
        RunError: when the file is no such.
    """
    return _first(*_load(path))


def _batch_tensors(prefix: str, batch: Batch) -> dict[str, Tensor]:
    return {f"{prefix}{name}": getattr(batch, name) for name in ("src", "tgt_in", "tgt_out")}


def _batch(tensors: Mapping[str, Tensor], prefix: str, n_tokens: int) -> Batch:
    src, tgt_in, tgt_out = (tensors[f"{prefix}{name}"] for name in ("src", "tgt_in", "tgt_out"))
    return Batch(src, tgt_in, tgt_out, n_tokens)


def _first(facts: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> tuple[Batch, ...]:
    return tuple(
        _batch(tensors, f"{_FIRST}{number}/", count) for number, count in enumerate(facts["first_n_tokens"])
    )


def _save(tensors: Mapping[str, Tensor], path: Path, facts: Mapping[str, Any]) -> None:
    try:
        whole = {name: tensor.contiguous().clone() for name, tensor in tensors.items()}
        save_file(whole, path, {"facts": json.dumps(facts)})
    except (SafetensorError, OSError) as error:
        raise RunError(f"The update cannot be written to a file: {error}") from error


def _load(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    try:
        with safe_open(path, framework="pt") as stored:
            facts = json.loads((stored.metadata() or {})["facts"])
            return facts, {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise RunError(f"The update cannot be read from its file: {error}") from error
