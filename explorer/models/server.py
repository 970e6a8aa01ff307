"""The one engine of a server's trainings."""

from __future__ import annotations

from pathlib import Path

from explorer.server.shared import server_limits
from explorer.server.singleton import Singleton
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.run_folders import runs_folder


def training_engine() -> TrainingEngine:
    """The one engine of this server for the runs folder."""
    return _engine(runs_folder())


@Singleton
def _engine(folder: Path) -> TrainingEngine:
    return TrainingEngine(folder, server_limits())
