"""A scene of an update: a tiny run that learns to copy, and its updates from the seed."""

from pathlib import Path

from core.run_description import read_description
from core.training.replay import Order, replay
from explorer.views.update.choices import UpdateChoice
from explorer.views.update.scene import UpdateScene, scene_key


def scene_of(folder: Path, update: int, checkpoint: int | None = None) -> UpdateScene:
    """An update of the run in a folder, made again in this process."""
    choice = UpdateChoice(update, checkpoint)
    replayed = replay(Order(str(folder), checkpoint, update))
    return UpdateScene(scene_key(folder.name, choice), read_description(folder), choice, replayed)
