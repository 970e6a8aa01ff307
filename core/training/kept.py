"""What a run keeps on the disk, by kind, and how it is thinned. It needs no torch.

A finished run needs its weights (to be used, and to be trained on), its figures and its pairs. A checkpoint, which has
Adam's moments as well, is kept to take the update after it apart; the moments of its history, to go back to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import RunError
from core.run_description import MODEL_FILE, read_description
from core.training.checkpoint_files import CHECKPOINT_FOLDER, checkpoints
from core.training.history import history, history_files, history_path


@dataclass(frozen=True)
class Kept:
    """What a run keeps, in bytes.

    Attributes:
        weights: Of its best weights.
        checkpoints: From which it goes on, or one of its updates is made again.
        moments: Of the weights on the way.
        n_moments: How many moments there are.
        rest: Figures, pairs, first weights and the description.
    """

    weights: int
    checkpoints: int
    moments: int
    n_moments: int
    rest: int


def kept_by(folder: Path) -> Kept:
    """What a run keeps; what goes while it is counted, counts as nothing."""
    sizes = {path: _size(path) for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
    moments = [path for path in history_files(folder) if path in sizes]
    of_moments = sum(sizes[path] for path in moments)
    of_checkpoints = sum(size for path, size in sizes.items() if path.parent == folder / CHECKPOINT_FOLDER)
    weights = sizes.get(folder / MODEL_FILE, 0)
    rest = sum(sizes.values()) - of_moments - of_checkpoints - weights
    return Kept(weights, of_checkpoints, of_moments, len(moments), rest)


def thin(folder: Path, most: int) -> int:
    """Let a finished run keep its weights and figures, and so many moments of its history; return the bytes freed.

    Moments are left out evenly; the first and the last stay, with a single one the last. The checkpoint goes.

    Raises:
        RunError: when the run is not finished, so that it may still go on, or a file cannot be removed.
    """
    if not read_description(folder).is_complete:
        raise RunError(f"the run {folder.name} is not finished; what it keeps is needed to go on with it")
    before = sum(_size(path) for path in folder.rglob("*") if path.is_file())
    known = history(folder)
    if most < 2:
        stay = set(known[len(known) - most :])
    else:
        count = min(most, len(known))
        stay = {known[place * (len(known) - 1) // max(1, count - 1)] for place in range(count)}
    gone = [history_path(folder, updates) for updates in known if updates not in stay]
    gone += checkpoints(folder)
    try:
        for path in gone:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RunError(f"the run {folder.name} cannot be thinned: {error.strerror}") from error
    return before - sum(_size(path) for path in folder.rglob("*") if path.is_file())


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
