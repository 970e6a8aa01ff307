"""What a training has written down of an update, to compare with the same update made again."""

from __future__ import annotations

from contextlib import closing, suppress

import torch

from core.errors import ExplorerError, RunError
from core.model.parameters import find_parameter
from core.training.records import TrainStep
from core.training.run_store import RunStore
from explorer.models.known import loaded_run, run_folder
from explorer.views.update.scene import UpdateScene


def reported_step(name: str, scene: UpdateScene) -> TrainStep | None:
    """What the training told of this update: from its figures, or from the few points that its description keeps."""
    index, folder = scene.update.step.index, run_folder(name)
    with suppress(RunError), closing(RunStore.read(folder)) as store:  # A shipped run has no store.
        if step := store.step(index):
            return step
    point = next((point for point in scene.run.history if point["index"] == index), None)
    if point is None or not {"loss", "learning_rate", "grad_norm"} <= set(point):
        return None
    return TrainStep(index, point["loss"], point["learning_rate"], point["grad_norm"], tokens_per_second=0.0)


def updates_made(name: str) -> int | None:
    """How many updates the training of a run has made so far; None where it has kept no figures that tell."""
    folder = run_folder(name)
    try:
        with closing(RunStore.read(folder)) as store:
            last = store.last_step()
    except RunError:
        return None
    return last.index + 1 if last else 0


def compared_with_history(name: str, scene: UpdateScene) -> tuple[int, int] | None:
    """How many weights after the update are those that the run has kept of that moment, of how many.

    They are kept in half precision, so both are compared as such; None where they cannot be read.
    """
    try:
        model = loaded_run(name, scene.update.step.index + 1).model
    except ExplorerError:
        return None
    equal = total = 0
    for parameter in scene.update.parameters:
        kept = find_parameter(model, parameter)
        if kept is None:
            return None
        here = scene.update.of("after", parameter)
        equal += int((here.half() == kept.to(torch.float16)).sum())
        total += here.numel()
    return equal, total
