"""A run before its training: what cannot be trained is refused, then its folder is made."""

from __future__ import annotations

from pathlib import Path

import torch

from core.config import TransformerConfig
from core.data.dataset import Dataset
from core.device import memory_of
from core.errors import ConfigError, RunError
from core.evaluation.store import HELD_OUT_FILE
from core.files import prepare_folder, write_whole
from core.model.shapes import expected_parameters
from core.run import load_run, model_file
from core.run_description import MODEL_FILE, RUN_FILE, RunDescription
from core.training.beginning import INITIAL_FILE
from core.training.checkpoint_files import checkpoints
from core.training.control import CONTROL_FILES
from core.training.history import discard_history_after, history_files
from core.training.lock import training_lock
from core.training.own_pairs import PAIRS, PAIRS_FILE
from core.training.plan import serialize_splits
from core.training.run_store import STORE_FILE


def check_possible(description: RunDescription, dataset: Dataset, device: torch.device) -> None:
    """Refuse what cannot be trained, before anything of it is made or anything else is overwritten.

    Raises:
        ConfigError: when weights, gradients and two moments, of four bytes each, are more than the device's
            memory; or when learned positions are fewer than the longest sequence needs.
    """
    config = description.config
    require_memory(config, device)
    if config.positional == "learned":
        splits = dataset.splits
        pairs = dataset.encode([*splits.train, *splits.validation, *splits.test, *splits.unseen])
        longest = 1 + max(map(len, (*pairs.sources, *pairs.targets)))
        if longest > config.max_len:
            raise ConfigError(
                f"max_len {config.max_len} is too short: the longest sequence needs {longest} learned positions"
            )


def require_memory(config: TransformerConfig, device: torch.device) -> None:
    """Refuse a model whose training does not fit into the device.

    Raises:
        ConfigError: when weights, gradients and two moments, of four bytes each, are more than its memory.
    """
    needed, memory = 16 * expected_parameters(config), memory_of(device)
    if memory is not None and needed > memory:
        raise ConfigError(
            f"training {expected_parameters(config):,} parameters takes {needed / 2**30:,.0f} GiB at least, but "
            f"{device} has {memory / 2**30:,.0f}; make the model smaller"
        )


def begin_run(
    folder: Path,
    description: RunDescription,
    dataset: Dataset | None,
    *,
    overwrite: bool = False,
    parent: Path | None = None,
) -> None:
    """Write the description of a run that is about to be trained, and its own pairs if it has any.

    Args:
        folder: Made where it does not exist.
        description: What will be trained, and how.
        dataset: Its pairs, of which a run of somebody's own keeps a copy; a task's need not be made yet.
        overwrite: Replace a run that is there already.
        parent: Folder of the run that it goes on from, where it has one.

    Raises:
        ConfigError: when there is a run already and it may not be replaced, or its own pairs are not given.
        RunError: when the folder cannot be written, a run in it is being trained, or the parent cannot be read.
    """
    if description.task == PAIRS and dataset is None:
        raise ConfigError("a run of somebody's own pairs needs them")
    initial = _initial_weights(description, parent)
    prepare_folder(folder)
    with training_lock(folder):
        if not overwrite:
            _require_free(folder)
        _remove_run(folder)
        if description.task == PAIRS and dataset:
            write_whole(folder / PAIRS_FILE, serialize_splits(dataset))
        if initial:
            write_whole(folder / INITIAL_FILE, initial)
        write_whole(folder / RUN_FILE, description.to_json())


def _initial_weights(description: RunDescription, parent: Path | None) -> bytes:
    """The bytes of a model file with the parent's weights; none where there is no parent.

    Raises:
        RunError: when the parent cannot be read, or is no longer what it was when the run was planned.
    """
    if description.parent is None:
        return b""
    if parent is None:
        raise ConfigError("a run that goes on from another one needs its folder")
    run = load_run(parent)
    if run.fingerprint != description.parent.fingerprint:
        raise RunError(f"the run {parent.name} has changed meanwhile; try again")
    return model_file(run.model)


def _files_of(folder: Path) -> list[Path]:
    """What a run in this folder consists of, and nothing else that lies in it."""
    stores = (STORE_FILE, f"{STORE_FILE}-wal", f"{STORE_FILE}-shm", *CONTROL_FILES)
    known = (RUN_FILE, MODEL_FILE, PAIRS_FILE, INITIAL_FILE, HELD_OUT_FILE, *stores)
    single = (folder / name for name in known)
    return [path for path in (*single, *checkpoints(folder), *history_files(folder)) if path.exists()]


def _require_free(folder: Path) -> None:
    found = _files_of(folder)
    if folder / RUN_FILE in found:
        raise ConfigError(
            f"{folder} holds a run already; choose another folder, add --overwrite, or go on with --resume"
        )
    if found:
        raise ConfigError(
            f"{folder} has a file {found[0].name}, which a run would replace; choose another folder"
        )


def _remove_run(folder: Path) -> None:
    try:
        for path in _files_of(folder):
            path.unlink(missing_ok=True)
        discard_history_after(folder, -1)
    except OSError as error:
        raise RunError(f"the run {folder.name} cannot be overwritten: {error.strerror}") from error
