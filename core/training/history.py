"""Weights that are kept along the way, so that one can go back to any of these moments of a training.

They are model files of half precision (core/run.py) in a run's folder `history/`, dense at first, when a model changes
fast, and sparser later. What is imported needs no torch; loading does.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import TrainConfig, TransformerConfig
from core.errors import RunError
from core.files import prepare_part, write_whole

if TYPE_CHECKING:
    from core.model.transformer import Transformer
    from core.run import Run

HISTORY_FOLDER = "history"
MOST_BYTES = 64 * 2**20
"""Most bytes of all moments of one run together."""
FIRST_GAP = 5
"""Updates between the first moments."""

_DENSITIES = (16, 12, 10, 8, 6, 5, 4, 3, 2, 1, 0.5, 0.25)
"""A gap is at most this part of the updates so far; the densest that is not too much is taken."""


def kept_updates(steps: int, most: int = TrainConfig.history) -> tuple[int, ...]:
    """After how many updates the weights are kept: always at the beginning and at the end, round numbers between.

    Args:
        steps: Updates in all.
        most: Moments that may be kept; with a single one it is the end.
    """
    if most < 2 or steps < 1:
        return (steps,)[: max(0, most)]
    for density in _DENSITIES:
        kept = _with_gaps(steps, density)
        if len(kept) <= most:
            return kept
    # Too few for any of the rhythms: as evenly spread over them as can be.
    return tuple(kept[index * (len(kept) - 1) // (most - 1)] for index in range(most))


def moments_of(config: TransformerConfig, training: TrainConfig) -> tuple[int, ...]:
    """After how many updates a training keeps the weights of such a model."""
    return kept_updates(training.steps, min(training.history, _most_kept(config)))


def _most_kept(config: TransformerConfig) -> int:
    """How many moments of a model the room allows."""
    from core.model.shapes import expected_parameters
    from core.safetensors_file import MAX_HEADER_BYTES

    weights = 2 * expected_parameters(config)
    # A header has a line of two hundred characters at most for each matrix and each vector.
    header = min(MAX_HEADER_BYTES, 200 * (8 + 20 * (config.n_encoder_layers + config.n_decoder_layers)))
    return MOST_BYTES // (weights + header)


def history_path(folder: Path, updates: int) -> Path:
    """Where the weights after so many updates lie."""
    return folder / HISTORY_FOLDER / f"{updates:09d}.safetensors"


def history(folder: Path) -> list[int]:
    """After how many updates a run's weights are kept, the first moment first; it grows while it trains."""
    return sorted(int(path.stem) for path in history_files(folder))


def history_files(folder: Path) -> list[Path]:
    """The files of all moments, in no order."""
    return list((folder / HISTORY_FOLDER).glob(f"{'[0-9]' * 9}.safetensors"))


def load_run_at(folder: Path | str, updates: int, device: str = "cpu") -> Run:
    """A run with its weights as they were after so many updates; nothing in the files is trusted.

    Its figures are left out: they were measured with other weights.

    Raises:
        RunError: when these weights are not kept, or a file is damaged or does not fit.
        ConfigError: when this machine has no such device.
    """
    from core.run import load_run

    folder = Path(folder)
    known = history(folder)
    if updates not in known:
        kept = ", ".join(map(str, known)) or "none"
        raise RunError(f"the run {folder.name} keeps no weights after {updates} updates; it keeps: {kept}")
    weights_file = str(history_path(folder, updates).relative_to(folder))
    run = load_run(folder, device, weights_file=weights_file)
    return replace(run, best_after=updates, evaluation={})


def keep_moment(folder: Path, updates: int, model: Transformer) -> bool:
    """Write the weights as they are now, whole or not at all; it draws no random number and changes no weight.

    Returns:
        False when a weight is too large for half precision; nothing is written then.

    Raises:
        RunError: when they cannot be written.
    """
    import torch

    from core.run import model_file

    path = history_path(folder, updates)
    try:
        stored = model_file(model, torch.float16)
    except RunError:
        return False
    prepare_part(path.parent)
    write_whole(path, stored)
    return True


def discard_history_after(folder: Path, updates: int) -> None:
    """Remove the moments after so many updates: a resumed training makes them again.

    Raises:
        RunError: when they cannot be removed.
    """
    try:
        for path in history_files(folder):
            if int(path.stem) > updates:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise RunError(f"{folder.name}/{HISTORY_FOLDER} cannot be written: {error.strerror}") from error
    with suppress(OSError):
        (folder / HISTORY_FOLDER).rmdir()  # Succeeds where nothing is left in it.


def _with_gaps(steps: int, density: float) -> tuple[int, ...]:
    """Moments whose gaps are 5, 10, 20, 50, 100 … and grow with the updates so far."""
    kept = [0]
    while kept[-1] < steps:
        gap = _round_gap(kept[-1] / density)
        # The next multiple of the gap, so that the numbers stay round when it grows.
        kept.append(min(steps, (kept[-1] // gap + 1) * gap))
    return tuple(kept)


def _round_gap(least: float) -> int:
    for power in count():
        for digit in (1, 2, 4):
            gap: int = FIRST_GAP * digit * 10**power
            if gap >= least:
                return gap
    raise AssertionError  # Never: the powers have no end.
