"""Any tensor of a model at the kept moments of its training: a value recorded for a fixed source, or a parameter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from core.activations.sites import sites
from core.activations.trace import trace
from core.errors import InputError
from core.model.parameters import find_parameter, unpacked
from core.model.shapes import parameter_shapes
from core.run import Run
from core.run_description import RunDescription
from explorer.histories.moments import TrainingProbe

MOST_SIDE = 64
"""Rows and columns that are shown of a larger tensor: the first."""
MOST_PLANES = 8
"""Heads that are shown: the first."""
STEPS = 65_535
"""Numbers are sent as whole numbers of two bytes, from the lowest of the tensor to its highest."""


@dataclass(frozen=True)
class Pickable:
    """What can be picked of a model: names of recorded values, and of parameters."""

    values: tuple[str, ...]
    parameters: tuple[str, ...]

    def __contains__(self, name: object) -> bool:
        return name in self.values or name in self.parameters


@dataclass(frozen=True, eq=False)
class PickedTensor:
    """A tensor at one moment.

    Attributes:
        updates: After how many.
        numbers: uint16 [plane, row, column], 0 for the lowest number and `STEPS` for the highest.
        lowest: Of what is shown.
        highest: Likewise.
        shape: Of the whole tensor, without the batch.
    """

    updates: int
    numbers: np.ndarray
    lowest: float
    highest: float
    shape: tuple[int, ...]

    @property
    def n_bytes(self) -> int:
        """Bytes held."""
        return self.numbers.nbytes + 200


def pickable(run: RunDescription) -> Pickable:
    """What can be picked of a run's model, in the order of the computation."""
    shapes = parameter_shapes(run.config)
    parameters = [
        part for name, shape in shapes.items() for part in unpacked(name, torch.empty(shape, device="meta"))
    ]
    return Pickable(tuple(site.name for site in sites(run.config)), tuple(parameters))


def pick_tensor(run: Run, updates: int, name: str, probe: TrainingProbe) -> PickedTensor:
    """A tensor of a run with the weights of a moment; a value is that of a pass led by the probe's right answer.

    Raises:
        InputError: when the model has no such value or parameter.
    """
    found = find_parameter(run.model, name)
    if found is None:
        if name not in pickable(run).values:
            raise InputError(f"the model has no {name}; choose one of its values or parameters")
        recorded = trace(run.model, run.encode_source(probe.text), torch.tensor(probe.answer), name)
        found = recorded.activations[name][0]
    whole = found.detach().float().numpy()
    return _coded(updates, whole)


def _coded(updates: int, whole: np.ndarray) -> PickedTensor:
    shown = np.atleast_2d(whole)
    shown = shown.reshape(-1, *shown.shape[-2:])[:MOST_PLANES, :MOST_SIDE, :MOST_SIDE]
    # What a mask forbids is minus infinity before the softmax: it is shown as the lowest of all others.
    finite = shown[np.isfinite(shown)]
    lowest, highest = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    part = (np.clip(shown, lowest, highest) - lowest) / ((highest - lowest) or 1.0)
    numbers = np.rint(np.nan_to_num(part) * STEPS).astype("<u2")
    numbers.flags.writeable = False
    return PickedTensor(updates, numbers, lowest, highest, whole.shape)
