"""The runs folder: which runs there are, what the app notes about each, and how one is removed.

An id reaches a path only if a run's folder of that name lies directly in the runs folder.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
import unicodedata
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from core.errors import ExplorerError, RunError
from core.files import read_bounded, write_whole
from core.numbers import is_number
from core.run_description import RUN_FILE

NOTE_FILE = "app.json"
LOG_FILE = "training.log"
MOST_TITLE = 80
"""Most characters of a run's title."""

_PROJECT = Path(__file__).parent.parent.parent
_MOST_ID = 40
"""Most characters of a title that name its run's folder."""
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What the folder of a run may be called, whether the app or the command line has made it."""
_MOST_NOTE_BYTES = 16 * 2**10
_NEW, _REMOVED = ".new-", ".removed-"
"""Begin the names of folders that are being made or deleted."""
LAST_TIME = 250e9
"""Seconds since the epoch, in the year 9892; the calendar ends with 9999."""
ABANDONED = 3600.0
"""Seconds after which a folder that was being made or deleted is nobody's any more."""


def runs_folder() -> Path:
    """Where training in the app writes: the folder that EXPLORER_RUNS names, or `runs` in the project."""
    return Path(os.environ.get("EXPLORER_RUNS") or _PROJECT / "runs").expanduser().resolve()


@dataclass(frozen=True)
class Note:
    """What the app knows of a run besides the run itself.

    Attributes:
        title: For people; the folder's name where nobody gave one.
        created: When the run was begun, in seconds since the epoch.
        started: When its last process was started; 0 for none.
        ticket: Names the lock that this process holds as long as it lives.
        owner: Digest of the secret of whoever began it in a browser; empty where nobody did or it does not matter.
        told: What the process before it had told of its own start; 0 for none.
        team: The same of all runs that were begun together; empty for one that was begun alone.
    """

    title: str = ""
    created: float = 0.0
    started: float = 0.0
    ticket: str = ""
    owner: str = ""
    told: float = 0.0
    team: str = ""


class RunFolders:
    """The runs in one folder, which need not be there yet; to be read it need not be one that can be written."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def ids(self) -> list[str]:
        """Every run, in the order of the names.

        Raises:
            RunError: when the folder cannot be read.
        """
        try:
            names = sorted(
                entry.name for entry in os.scandir(self.root) if entry.is_dir(follow_symlinks=False)
            )
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RunError(f"the runs folder cannot be read: {error.strerror}") from error
        return [name for name in names if SAFE_NAME.fullmatch(name) and self._is_run(name)]

    def path_of(self, run_id: str) -> Path:
        """The folder of a run.

        Raises:
            RunError: when there is no such run.
        """
        if not isinstance(run_id, str) or not SAFE_NAME.fullmatch(run_id) or not self._is_run(run_id):
            raise RunError("There is no such run any more.")
        return self.root / run_id

    def make(self) -> Path:
        """A new folder to put a run into, which nobody sees before it is published.

        Raises:
            RunError: when it cannot be made.
        """
        folder = self.root / f"{_NEW}{secrets.token_hex(8)}"
        try:
            folder.mkdir()
        except OSError as error:
            raise RunError(f"the runs folder cannot be written: {error.strerror}") from error
        return folder

    def publish(self, folder: Path, title: str, *, owner: str = "", team: str = "") -> str:
        """Make the run in a new folder one of the runs, under an id that its title is read in, which is returned.

        Raises:
            RunError: when that cannot be written.
        """
        run_id = self._free_id(title)
        self.write_note(
            folder.name, Note(clean_title(title) or run_id, created=time.time(), owner=owner, team=team)
        )
        try:
            folder.rename(self.root / run_id)
        except OSError as error:
            raise RunError(f"the runs folder cannot be written: {error.strerror}") from error
        return run_id

    def _free_id(self, title: str) -> str:
        """The letters and digits of a title, with a number where that is taken; nothing else of it reaches a path."""
        plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
        # Words are joined otherwise than a link joins runs.
        name = "_".join(re.findall("[a-z0-9]+", plain))[:_MOST_ID].strip("_") or "run"
        # A shipped model's name would hide the run behind it.
        for number in count(1):
            run_id = name if number == 1 else f"{name}_{number}"
            if not any(os.path.lexists(place / run_id) for place in (self.root, _PROJECT / "checkpoints")):
                return run_id
        raise AssertionError  # Never: the numbers have no end.

    def note(self, run_id: str) -> Note:
        """What was noted of a run; what is damaged counts as not noted."""
        folder = self.root / run_id
        try:
            values = json.loads(read_bounded(folder / NOTE_FILE, _MOST_NOTE_BYTES))
            return Note(
                clean_title(str(values.get("title", ""))) or run_id,
                _time(values.get("created")) or _modified(folder / RUN_FILE),
                _time(values.get("started")),
                _hex(values.get("ticket"), 16),
                _hex(values.get("owner"), 64),
                _time(values.get("told")),
                _hex(values.get("team"), 16),
            )
        except (ExplorerError, ValueError, AttributeError, RecursionError):
            return Note(title=run_id, created=_modified(folder / RUN_FILE))

    def write_note(self, run_id: str, note: Note) -> None:
        """Note something of a run.

        Raises:
            RunError: when it cannot be written.
        """
        path, stored = self.root / run_id / NOTE_FILE, json.dumps(asdict(note), ensure_ascii=False).encode()
        try:
            write_whole(path, stored)
        except RunError:
            # A process that begins to train there just now clears away what looks half written, this as well.
            write_whole(path, stored)

    def remove(self, folder: Path) -> None:
        """Remove a folder that `make` or `path_of` gave, with all that is in it; links are not followed.

        Raises:
            RunError: when something of it cannot be removed.
        """
        # It disappears at once, so that nobody sees half a run.
        gone = self.root / f"{_REMOVED}{secrets.token_hex(8)}"
        try:
            folder.rename(gone)
            shutil.rmtree(gone)
        except OSError as error:
            raise RunError(f"the run {folder.name} cannot be deleted: {error.strerror}") from error

    def tidy(self) -> None:
        """Remove what processes that were killed while they made or deleted a run have left; the folder is there."""
        for entry in os.scandir(self.root):
            if re.fullmatch(f"({_NEW}|{_REMOVED})[0-9a-f]{{16}}".replace(".", r"\."), entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > ABANDONED:
                        shutil.rmtree(entry.path)

    def bytes_of(self, run_id: str) -> int:
        """Bytes on disk of a run."""
        return bytes_in(self.path_of(run_id))

    def bytes_in_all(self) -> int:
        """Bytes on disk of everything in the runs folder."""
        return bytes_in(self.root)

    def changed(self, run_id: str) -> float:
        """When a run was begun, last started, renamed or given weights, in seconds since the epoch."""
        folder = self.path_of(run_id)
        return max(_modified(folder / name) for name in (RUN_FILE, NOTE_FILE))

    def _is_run(self, name: str) -> bool:
        folder = self.root / name
        return not folder.is_symlink() and (folder / RUN_FILE).is_file()


def clean_title(title: str) -> str:
    """A title on one line, without characters that cannot be seen, and not endless."""
    visible = "".join(letter if letter.isprintable() else " " for letter in title[: 10 * MOST_TITLE])
    return " ".join(visible.split())[:MOST_TITLE].strip()


def bytes_in(folder: Path) -> int:
    """Bytes on disk of everything in a folder; links are not followed."""
    total = 0
    for place, _, names in os.walk(folder, followlinks=False):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size
    return total


def _modified(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _time(value: Any) -> float:
    return float(value) if is_number(value, 0, LAST_TIME) else 0.0


def _hex(value: Any, length: int) -> str:
    return value if isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{length}}}", value) else ""
