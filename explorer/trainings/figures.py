"""A run's figures in an archive: copied number by number, since a database of a stranger may be anything."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from core.errors import RunError
from core.files import write_whole
from core.numbers import is_whole
from core.training.run_store import SCHEMA, STORE_FILE, RunStore, connection_for_reading
from core.training.store_errors import STORE_ERRORS, store_problem

MOST_STORE_BYTES = 32 * 2**20
_MOST_ROWS = 200_000
"""Most rows of one table."""
_MOST_CELL_BYTES = 2**20
_MOST_TEXT = 10_000
_BLOCK = re.compile(r"[A-Za-z0-9_.]{1,100}")
"""The path of a module."""
"""Characters of a probe."""


def packed_figures(folder: Path) -> bytes:
    """The bytes of a database with a run's figures; none when it has no store.

    Raises:
        RunError: when they cannot be read.
    """
    if not (folder / STORE_FILE).is_file():
        return b""
    try:
        with (
            closing(connection_for_reading(folder / STORE_FILE)) as stored,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            stored.backup(copy)
            # Which process trained it, and when, is nobody's business.
            copy.execute("DELETE FROM facts WHERE name != 'format'")
            copy.commit()
            copy.execute("VACUUM")
            return copy.serialize()
    except STORE_ERRORS as error:
        problem = store_problem(
            folder / STORE_FILE, error, "move the file away to download the run without it"
        )
        raise RunError(problem) from error


def copied_figures(stored: bytes, folder: Path, *, most_steps: int) -> None:
    """Write the figures of an uploaded database into a run's new store.

    Raises:
        RunError: when it holds anything but figures of a run of so many updates.
    """
    uploaded = folder / ".upload"
    uploaded.mkdir()
    path = uploaded / STORE_FILE
    try:
        write_whole(path, stored)
        _check_is_plain(path)
        _copy(uploaded, folder, most_steps)
    except RunError as error:
        raise RunError(
            "The upload cannot be used: its figures are damaged, or are not those of a run."
        ) from error
    finally:
        for left in uploaded.iterdir():
            left.unlink()
        uploaded.rmdir()


def _check_is_plain(path: Path) -> None:
    """Only the tables of a run store, word for word, each page of the file in its place, and not too many rows."""
    try:
        with (
            closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as stored,
            closing(sqlite3.connect(":memory:")) as fresh,
        ):
            stored.execute("PRAGMA trusted_schema = OFF")
            stored.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_CELL_BYTES)
            fresh.executescript(SCHEMA)
            if _tables(stored) != _tables(fresh):
                raise RunError("it has other tables than a run store")
            # Pages that are used twice could make a small file endless; this looks at each page once.
            if stored.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise RunError("it is damaged")
            for _, name, _ in _tables(fresh):
                if stored.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] > _MOST_ROWS:
                    raise RunError("it has too many rows")
    except STORE_ERRORS as error:
        raise RunError(str(error)) from error


def _tables(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Everything in the database but the indices that SQLite makes for itself; most of a hostile one is not read."""
    query = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name LIMIT 20"
    return connection.execute(query).fetchall()


def _copy(source: Path, target: Path, most_steps: int) -> None:
    """Read every row through the run store, which tells apart numbers and others, and write it into a new one."""
    reader, writer = RunStore.read(source), RunStore.create(target)
    try:
        steps, validations = reader.steps(), reader.validations()
        probes, norms = reader.probes(), reader.norms()
        rows: tuple[Any, ...] = (*steps, *validations, *probes, *norms)
        for row in rows:
            _check(asdict(row).values())
        if not all(_BLOCK.fullmatch(norm.block) for norm in norms):
            raise RunError("a block has a name that no module has")
        for step in steps:
            _check_count(step.index, most_steps - 1)
            writer.add_step(step)
        for validation in validations:
            _check_count(validation.updates, most_steps)
            writer.add_validation(validation)
        for updates in (*(probe.updates for probe in probes), *(norm.updates for norm in norms)):
            _check_count(updates, most_steps)
        writer.add_norms(norms)
        for _, together in groupby(probes, key=lambda probe: probe.updates):
            writer.add_probes(list(together))
    finally:
        reader.close()
        writer.close()


def _check(values: Iterable[Any]) -> None:
    for value in values:
        if isinstance(value, dict):
            _check(value.values())
        elif isinstance(value, str) and len(value) > _MOST_TEXT:
            raise RunError("a text is too long")
        elif isinstance(value, float) and not math.isfinite(value):
            raise RunError("a figure is not finite")


def _check_count(value: Any, most: int) -> None:
    if not is_whole(value, 0, most):
        raise RunError("a count is impossible")
