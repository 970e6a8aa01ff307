"""`held_out.json` in a run's folder: the results of its splits, which belong to the run that made them alone."""

import json
from pathlib import Path
from typing import Any

from core.errors import RunError
from core.evaluation.held_out import HeldOut
from core.files import read_bounded, write_whole

HELD_OUT_FILE = "held_out.json"
FORMAT = 2
"""Format 1 had chrF and BLEU of decoded references, and outputs that ended where their reference did."""
MAX_BYTES = 64 * 2**20
MOST_SPLITS = 10


def write_held_out(folder: Path, held_out: HeldOut) -> None:
    """Keep a split's results with the run, beside those of its other splits.

    Raises:
        RunError: when they are too large, or cannot be written.
    """
    kept = _kept(folder, held_out.fingerprint) | {held_out.split: held_out.to_dict()}
    stored = json.dumps({"format": FORMAT, "splits": kept}, ensure_ascii=False).encode()
    if len(stored) > MAX_BYTES or len(kept) > MOST_SPLITS:
        raise RunError(f"{HELD_OUT_FILE} would be larger than {MAX_BYTES // 2**20} MiB; evaluate fewer pairs")
    write_whole(folder / HELD_OUT_FILE, stored)


def read_held_out(folder: Path, fingerprint: str, split: str) -> HeldOut | None:
    """A split's results; None when there are none, or they are of the run as it was before.

    Raises:
        RunError: when they cannot be read.
    """
    if not (folder / HELD_OUT_FILE).exists():
        return None
    values = _read(folder).get(split)
    if values is None:
        return None
    try:
        found = HeldOut.from_dict(values)
    except RunError as error:
        raise _damaged(folder, str(error)) from error
    return found if fingerprint and found.fingerprint == fingerprint else None


def _kept(folder: Path, fingerprint: str) -> dict[str, Any]:
    """The stored splits that are of the same run as it is now."""
    try:
        splits = _read(folder) if (folder / HELD_OUT_FILE).exists() else {}
    except RunError:
        return {}  # What cannot be read is written anew.
    return {
        name: values
        for name, values in splits.items()
        if isinstance(values, dict) and fingerprint and values.get("fingerprint") == fingerprint
    }


def _read(folder: Path) -> dict[str, Any]:
    try:
        stored = json.loads(read_bounded(folder / HELD_OUT_FILE, MAX_BYTES))
    except (ValueError, RecursionError) as error:
        if isinstance(error, RunError):
            raise
        raise _damaged(folder, "it is not JSON") from error
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        raise _damaged(folder, f"it is not of format {FORMAT}")
    splits = stored.get("splits")
    if not isinstance(splits, dict):
        raise _damaged(folder, "it has no splits")
    return splits


def _damaged(folder: Path, why: str) -> RunError:
    return RunError(f"{folder.name}/{HELD_OUT_FILE} cannot be used: {why}; evaluate the run again")
