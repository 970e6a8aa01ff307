"""The run store: the figures that a training writes while it goes on, and that whoever watches it reads.

A SQLite file in WAL mode: one writer, any number of readers, and nothing half written.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from core.errors import RunError
from core.evaluation.figures import Evaluation
from core.files import replacing, shown
from core.training.records import BlockNorm, Probe, TrainStep, Validation
from core.training.store_errors import as_sentences

STORE_FILE = "metrics.sqlite"
STORE_FORMAT = 1
SECONDS_BETWEEN_COMMITS = 0.5
WRITER_PATIENCE, READER_PATIENCE = 10.0, 2.0
"""Seconds that are waited for somebody who has locked the file; on a page nobody waits for long."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS steps (
    position INTEGER PRIMARY KEY, loss REAL, learning_rate REAL, grad_norm REAL, tokens_per_second REAL);
CREATE TABLE IF NOT EXISTS validations (
    updates INTEGER PRIMARY KEY, n_pairs INTEGER, loss REAL, exact_match REAL, token_accuracy REAL,
    chrf REAL, bleu REAL, string_match REAL);
CREATE TABLE IF NOT EXISTS probes (
    updates INTEGER, number INTEGER, source TEXT, output TEXT, PRIMARY KEY (updates, number));
CREATE TABLE IF NOT EXISTS norms (
    updates INTEGER, block TEXT, weight REAL, gradient REAL, PRIMARY KEY (updates, block));
"""


class RunStore:
    """The figures of one run. One process writes; others may read at the same time.

    What is added becomes visible to readers within half a second, or at `commit`.

    Raises:
        RunError: from every method, when the file cannot be read or written, or is damaged.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self._folder, self._connection = folder, connection
        self._committed = time.monotonic()

    @classmethod
    def create(cls, folder: Path) -> Self:
        """Open a run's store for writing; make it where there is none."""
        path = folder / STORE_FILE
        with _sentences(folder):
            if not path.exists():
                # A reader may come at any moment and must not find a file without tables.
                with replacing(path) as beside, closing(sqlite3.connect(beside)) as connection:
                    connection.executescript(SCHEMA)
            store = cls(folder, sqlite3.connect(path, isolation_level=None, timeout=WRITER_PATIENCE))
            # A file may bring views and triggers of its own; they may do nothing that tables cannot.
            store._connection.execute("PRAGMA trusted_schema = OFF")
            store._connection.execute("PRAGMA journal_mode = WAL")
            store._connection.execute("PRAGMA synchronous = FULL")
            store._connection.executescript(SCHEMA)
            if not store._has_string_match():
                store._connection.execute("ALTER TABLE validations ADD COLUMN string_match REAL")
            store._connection.execute("BEGIN")
        found = store.fact("format", STORE_FORMAT)
        if found != STORE_FORMAT:
            raise RunError(f"{shown(folder / STORE_FILE)} has the format {found!r}, not {STORE_FORMAT}")
        store.set_fact("format", STORE_FORMAT)
        return store

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Open a run's store for reading alone."""
        path = folder / STORE_FILE
        if not path.is_file():
            raise RunError(f"{shown(path)} cannot be read: there is no such file")
        with _sentences(folder):
            return cls(folder, connection_for_reading(path))

    def add_step(self, step: TrainStep) -> None:
        """Add an update, in place of the one of the same index."""
        self._add("steps", tuple(asdict(step).values()))

    def add_validation(self, validation: Validation) -> None:
        """Add a validation, in place of the one after as many updates."""
        self._add("validations", (validation.updates, *asdict(validation.figures).values()))

    def add_probes(self, probes: Sequence[Probe]) -> None:
        """Add what became of the fixed sources after some updates."""
        for number, probe in enumerate(probes):
            self._add("probes", (probe.updates, number, probe.source, probe.output))

    def add_norms(self, norms: Sequence[BlockNorm]) -> None:
        """Add the blocks' norms after some updates, in place of those of the same update."""
        for norm in norms:
            self._add("norms", tuple(asdict(norm).values()))

    def steps(self) -> list[TrainStep]:
        """Every update's figures, by index."""
        return self._steps("position >= 0 ORDER BY position")

    def step(self, index: int) -> TrainStep | None:
        """The update of an index, found without reading the others."""
        found = self._steps("position = ?", index)
        return found[0] if found else None

    def last_step(self) -> TrainStep | None:
        """The newest update, found without reading the others."""
        found = self._steps("position >= 0 ORDER BY position DESC LIMIT 1")
        return found[0] if found else None

    def validations(self) -> list[Validation]:
        """Every validation, the earliest first."""
        columns = "updates, n_pairs, loss, exact_match, token_accuracy, chrf, bleu"
        if self._has_string_match():
            columns += ", string_match"
        found = self._select(f"SELECT {columns} FROM validations WHERE updates >= 0 ORDER BY updates")
        with _sentences(self._folder):
            return [_validation(*row) for row in found]

    def probes(self) -> list[Probe]:
        """Every probe, those of one time in their order."""
        query = "SELECT updates, source, output FROM probes WHERE updates >= 0 ORDER BY updates, number"
        return [Probe(updates, str(source), str(output)) for updates, source, output in self._select(query)]

    def norms(self, blocks: Sequence[str] | None = None) -> list[BlockNorm]:
        """The blocks' norms, those of one time in the order of the computation.

        Args:
            blocks: Those that are asked for; None for all.
        """
        among = "" if blocks is None else f"AND block IN ({', '.join('?' * len(blocks))})"
        query = f"SELECT updates, block, weight, gradient FROM norms WHERE updates >= 0 {among} ORDER BY updates, rowid"
        found = self._select(query, *(blocks or ()))
        with _sentences(self._folder):
            return [
                BlockNorm(_number(updates), str(block), _number(weight), _number_or_none(gradient))
                for updates, block, weight, gradient in found
            ]

    def norm_blocks(self) -> list[str]:
        """The blocks whose norms there are, in the order of the computation."""
        query = "SELECT block FROM norms WHERE updates = (SELECT MIN(updates) FROM norms) ORDER BY rowid"
        return [str(block) for (block,) in self._select(query)]

    def discard_after(self, updates: int) -> None:
        """Forget everything that came after so many updates: a resumed training makes it again."""
        with _sentences(self._folder):
            self._connection.execute("DELETE FROM steps WHERE position >= ?", (updates,))
            self._connection.execute("DELETE FROM validations WHERE updates > ?", (updates,))
            self._connection.execute("DELETE FROM probes WHERE updates > ?", (updates,))
            self._connection.execute("DELETE FROM norms WHERE updates > ?", (updates,))
        self.commit()

    def set_fact(self, name: str, value: Any) -> None:
        """Keep a JSON value under a name, visible at once."""
        self.set_facts(**{name: value})

    def set_facts(self, **facts: Any) -> None:
        """Keep JSON values under their names, all of them visible at once."""
        for name, value in facts.items():
            self.note_fact(name, value)
        self.commit()

    def note_fact(self, name: str, value: Any) -> None:
        """Keep a JSON value under a name, visible with the next figures."""
        self._add("facts", (name, json.dumps(value, ensure_ascii=False)))

    def fact(self, name: str, default: Any = None) -> Any:
        """The value that was kept under a name."""
        found = self._select("SELECT value FROM facts WHERE name = ?", name)
        with _sentences(self._folder):
            return json.loads(found[0][0]) if found else default

    def commit(self) -> None:
        """Let readers see everything that was added."""
        with _sentences(self._folder):
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
        self._committed = time.monotonic()

    def copy_figures(self, folder: Path) -> None:
        """Write all figures, and no facts, into another folder, as one file that nobody goes on writing."""
        with _sentences(folder), replacing(folder / STORE_FILE) as beside:
            self._connection.execute("VACUUM INTO ?", (str(beside),))
            with closing(sqlite3.connect(beside, isolation_level=None)) as connection:
                connection.execute("DELETE FROM facts WHERE name <> 'format'")
                # Readers need no files beside it then, which could not be made everywhere.
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute("VACUUM")

    def close(self) -> None:
        """Commit, if this is the writer, and end."""
        with _sentences(self._folder):
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")
            self._connection.close()

    def _add(self, table: str, values: tuple[Any, ...]) -> None:
        marks = ", ".join("?" * len(values))
        with _sentences(self._folder):
            self._connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values)
        if time.monotonic() - self._committed > SECONDS_BETWEEN_COMMITS:
            self.commit()

    def _has_string_match(self) -> bool:
        """Return True if the store is from a version that compares outputs with their references as texts."""
        columns = self._select("SELECT name FROM pragma_table_info('validations')")
        return ("string_match",) in columns

    def _steps(self, condition: str, *values: int) -> list[TrainStep]:
        columns = "position, loss, learning_rate, grad_norm, tokens_per_second"
        found = self._select(f"SELECT {columns} FROM steps WHERE {condition}", *values)
        with _sentences(self._folder):
            return [TrainStep(*map(_number, row)) for row in found]

    def _select(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        with _sentences(self._folder):
            return self._connection.execute(query, values).fetchall()


def connection_for_reading(path: Path) -> sqlite3.Connection:
    """A connection to a store that writes nothing, also where nothing can be written.

    Raises:
        sqlite3.Error: when the file cannot be read.
    """
    uri = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=READER_PATIENCE)
    try:
        connection.execute("SELECT name FROM sqlite_schema LIMIT 1")
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_DIRECTORY:
            raise
        # Readers agree with writers by files beside it, which cannot be made here; so nobody writes here either.
        return sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)
    except BaseException:
        connection.close()
        raise
    return connection


def _number(value: Any) -> Any:
    if isinstance(value, int | float):
        return value
    raise ValueError(f"{value!r} stands where a number should")


def _number_or_none(value: Any) -> Any:
    return None if value is None else _number(value)


def _validation(updates: Any, *figures: Any) -> Validation:
    always, texts = figures[:4], figures[4:]
    return Validation(_number(updates), Evaluation(*map(_number, always), *map(_number_or_none, texts)))


def _sentences(folder: Path) -> AbstractContextManager[None]:
    return as_sentences(folder / STORE_FILE, "move the file away to go on without its figures")
