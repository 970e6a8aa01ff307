"""Which runs can be looked at: those of the runs folder beside the shipped ones, each with a title of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import RunError
from core.run_description import MODEL_FILE, RUN_FILE, RunDescription, read_description
from explorer.models.task_facts import run_title, title_of
from explorer.trainings.run_folders import NOTE_FILE, RunFolders

Version = tuple[tuple[int, int] | None, ...]
"""When a run's files were written and how large they are, None for one that is not there."""
OWN_FILES = (RUN_FILE, MODEL_FILE, NOTE_FILE)
"""What is shown of a run where one is chosen hangs on these alone."""


@dataclass(frozen=True)
class OwnRun:
    """A run of the runs folder.

    Attributes:
        created: When, in seconds since the epoch.
        description: Called by its title in place of its folder's name.
    """

    created: float
    description: RunDescription


def version_of(folder: Path, *files: str) -> Version:
    """Another one whenever one of these files of a run is another."""
    found: list[tuple[int, int] | None] = []
    for file in files:
        try:
            stat = (folder / file).stat()
        except OSError:
            found.append(None)
        else:
            found.append((stat.st_mtime_ns, stat.st_size))
    return tuple(found)


def read_own_run(folder: Path) -> OwnRun | None:
    """What is known of a run of the runs folder without its weights; None where that cannot be read."""
    try:
        run = read_description(folder)
        note = RunFolders(folder.parent).note(folder.name)
    except RunError:
        return None
    title = note.title if note.title != folder.name else f"{title_of(run.task)} ({folder.name})"
    return OwnRun(note.created, replace(run, name=title))


def versions_in(root: Path) -> dict[Path, Version]:
    """The version of every run that has weights, by its folder; the root need not be there, and is not made."""
    try:
        folders = RunFolders(root)
        found = {folders.root / name: version_of(folders.root / name, *OWN_FILES) for name in folders.ids()}
    except RunError:
        return {}
    return {folder: version for folder, version in found.items() if version[OWN_FILES.index(MODEL_FILE)]}


def newest_runs(
    versions: Mapping[Path, Version], read: Callable[[Path, Version], OwnRun | None], most: int
) -> dict[str, RunDescription]:
    """The newest runs that can be read, by their ids, called by their titles.

    Args:
        versions: Of all runs, as `versions_in` has them.
        read: `read_own_run` of a folder in a version; what it has read it may keep.
        most: Runs at most.
    """
    found = {folder.name: read(folder, version) for folder, version in versions.items()}
    known = {name: run for name, run in found.items() if run is not None}
    newest = sorted(known, key=lambda name: (-known[name].created, name))
    return {name: known[name].description for name in newest[:most]}


def with_own_runs(
    shipped: Mapping[str, RunDescription], own: Mapping[str, RunDescription]
) -> dict[str, RunDescription]:
    """All runs by their keys; an own one that is called as a shipped one is left out, and no two titles are alike."""
    runs = dict(shipped)
    others = {name: run for name, run in own.items() if name not in shipped}
    titles = Counter(run_title(name, run) for name, run in (runs | others).items())
    for name, run in others.items():
        runs[name] = run if titles[run.name] == 1 else replace(run, name=f"{run.name} ({name})")
    return runs
