"""A recording: what the weights of many moments made of the fixed sources, kept without the weights themselves.

The weights of a moment are a hundred times as large as what the theatre draws of them. The training that is shipped
for Train to play brings this file for all of its moments, and the weights of a few.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import RunError
from core.files import read_bounded, write_whole
from explorer.histories.moments import ProbeOutput, TrainingMoment, TrainingProbe

RECORDING_FILE = "recording.npz"
MOST_BYTES = 4 * 2**20


@dataclass(frozen=True, eq=False)
class Recording:
    """Some moments of a training.

    Attributes:
        sources: The probes by their texts.
        outputs: Of each moment, by its updates: what is written for each probe.
        probabilities: P of each right token of all probes: float32 [moment, row].
        weights: Cross-attention of all probes: uint16 [moment, layer, head, cell].
    """

    sources: tuple[str, ...]
    outputs: dict[int, tuple[ProbeOutput, ...]]
    probabilities: np.ndarray
    weights: np.ndarray

    def moments(self, probes: Sequence[TrainingProbe]) -> dict[int, TrainingMoment]:
        """The moments by their updates; none where the probes are others than those that were recorded."""
        shapes = [(len(probe.right), len(probe.source)) for probe in probes]
        rows, cells = [down for down, _ in shapes], [down * across for down, across in shapes]
        has_all = self.probabilities.shape[1] == sum(rows) and self.weights.shape[3] == sum(cells)
        if self.sources != tuple(probe.text for probe in probes) or not has_all:
            return {}
        return {
            updates: TrainingMoment(
                updates,
                outputs,
                tuple(np.split(probabilities, np.cumsum(rows)[:-1])),
                tuple(_grids(layer, shapes, cells) for layer in weights),
            )
            for (updates, outputs), probabilities, weights in zip(
                self.outputs.items(), self.probabilities, self.weights, strict=True
            )
        }


def write_recording(folder: Path, probes: Sequence[TrainingProbe], moments: Sequence[TrainingMoment]) -> None:
    """Keep what the weights of some moments have made of the probes.

    Raises:
        RunError: when it cannot be written.
    """
    told = {
        "sources": [probe.text for probe in probes],
        "updates": [each.updates for each in moments],
        "outputs": [
            [{"tokens": output.tokens, "stopped": output.stopped} for output in each.outputs]
            for each in moments
        ],
    }
    held = io.BytesIO()
    np.savez_compressed(
        held,
        told=np.frombuffer(json.dumps(told, ensure_ascii=False).encode(), np.uint8),
        probabilities=np.stack([np.concatenate(each.probabilities) for each in moments]),
        weights=np.stack([_flat(each) for each in moments]),
    )
    write_whole(folder / RECORDING_FILE, held.getvalue())


def read_recording(folder: Path) -> Recording:
    """The recording of a run.

    Raises:
        RunError: when there is none, or it is damaged.
    """
    data = read_bounded(folder / RECORDING_FILE, MOST_BYTES)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            told = json.loads(found["told"].tobytes())
            probabilities, weights = found["probabilities"], found["weights"]
        outputs = {
            int(updates): tuple(
                ProbeOutput(tuple(map(str, each["tokens"])), bool(each["stopped"])) for each in wrote
            )
            for updates, wrote in zip(told["updates"], told["outputs"], strict=True)
        }
        kinds = probabilities.ndim, weights.ndim, probabilities.dtype, weights.dtype
        if kinds != (2, 4, np.float32, np.uint16) or not len(outputs) == len(probabilities) == len(weights):
            raise ValueError("these are not the numbers of a recording")
        return Recording(tuple(map(str, told["sources"])), outputs, probabilities, weights)
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise RunError(f"{folder.name}/{RECORDING_FILE} is damaged: {error}") from error


def _flat(moment: TrainingMoment) -> np.ndarray:
    """Weights [layer, head, cell] of all probes, one after the other."""
    layers = [[grid.reshape(len(grid), -1) for grid in layer] for layer in moment.weights]
    return np.stack([np.concatenate(grids, axis=1) for grids in layers])


def _grids(
    weights: np.ndarray, shapes: Sequence[tuple[int, int]], cells: Sequence[int]
) -> tuple[np.ndarray, ...]:
    """The weights [head, row, column] of each probe."""
    parts = np.split(weights, np.cumsum(cells)[:-1], axis=1)
    return tuple(part.reshape(len(part), *shape) for part, shape in zip(parts, shapes, strict=True))
