"""Where a run's training checkpoints lie. Finding them needs no torch."""

from pathlib import Path

CHECKPOINT_FOLDER = "checkpoints"


def checkpoint_path(folder: Path, updates: int) -> Path:
    """Where a run's checkpoint after so many updates lies."""
    return folder / CHECKPOINT_FOLDER / f"{updates:09d}.safetensors"


def checkpoints(folder: Path) -> list[Path]:
    """A run's checkpoints, the newest first."""
    return sorted((folder / CHECKPOINT_FOLDER).glob(f"{'[0-9]' * 9}.safetensors"), reverse=True)


def drop_last_checkpoint(folder: Path) -> None:
    """Let the checkpoint of the end go: a finished run does not go on from it, and no update follows it."""
    for path in checkpoints(folder)[:1]:
        path.unlink(missing_ok=True)
