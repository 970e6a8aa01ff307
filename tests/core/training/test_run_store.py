"""The run store keeps figures, forgets what is made again, serves readers meanwhile, and breaks with a sentence."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from core.errors import RunError
from core.evaluation.figures import Evaluation
from core.training import run_store
from core.training.records import BlockNorm, Probe, TrainStep, Validation
from core.training.run_store import STORE_FILE, RunStore

FIGURES = Evaluation(n_pairs=7, loss=0.1234567890123456789, exact_match=0.5, token_accuracy=0.75)


def step(index: int) -> TrainStep:
    return TrainStep(index, loss=1 / (index + 3), learning_rate=1e-3, grad_norm=0.1, tokens_per_second=9.0)


@pytest.fixture
def store(tmp_path):
    store = RunStore.create(tmp_path)
    yield store
    store.close()


def test_what_was_added_is_read_back_to_the_last_bit(store, tmp_path):
    text = replace(FIGURES, chrf=55.5, bleu=33.25)
    for index in range(5):
        store.add_step(step(index))
    store.add_validation(Validation(2, FIGURES))
    store.add_validation(Validation(4, text))
    store.add_probes([Probe(4, "eins", "one"), Probe(4, "a\x00b\n", "«zwei»")])
    norms = [BlockNorm(0, "src_embed", 1 / 3, None), BlockNorm(0, "encoder.layers.0.self_attn", 2.5, 0.125)]
    store.add_norms(norms)
    store.set_fact("state", "training")
    reader = RunStore.read(tmp_path)
    assert reader.norms() == norms
    assert reader.norms(["src_embed"]) == norms[:1]
    assert reader.last_step() == step(4)
    assert [reader.step(index) for index in (0, 3, 5)] == [step(0), step(3), None]
    assert reader.steps() == [step(index) for index in range(5)]
    assert reader.validations() == [Validation(2, FIGURES), Validation(4, text)]
    assert reader.probes() == [Probe(4, "eins", "one"), Probe(4, "a\x00b\n", "«zwei»")]
    assert reader.fact("state") == "training"
    assert reader.fact("nothing", "else") == "else"
    reader.close()


def test_a_resumed_training_forgets_what_it_makes_again(store):
    for index in range(6):
        store.add_step(step(index))
        store.add_validation(Validation(index + 1, FIGURES))
        store.add_probes([Probe(index + 1, "a", "b")])
        store.add_norms([BlockNorm(index + 1, "generator", 1.0, 1.0)])
    store.discard_after(4)
    assert [each.updates for each in store.norms()] == [1, 2, 3, 4]
    assert [each.index for each in store.steps()] == [0, 1, 2, 3]
    assert [each.updates for each in store.validations()] == [1, 2, 3, 4]
    assert [each.updates for each in store.probes()] == [1, 2, 3, 4]


def test_a_reader_sees_new_rows_while_the_writer_goes_on(store, tmp_path, monkeypatch):
    monkeypatch.setattr(run_store, "SECONDS_BETWEEN_COMMITS", 0)
    reader = RunStore.read(tmp_path)
    for index in range(3):
        store.add_step(step(index))
        assert len(reader.steps()) == index + 1
    reader.close()


def test_rows_are_held_back_until_they_are_committed(store, tmp_path, monkeypatch):
    monkeypatch.setattr(run_store, "SECONDS_BETWEEN_COMMITS", 1e9)
    reader = RunStore.read(tmp_path)
    store.add_step(step(0))
    assert reader.steps() == []
    store.commit()
    assert reader.steps() == [step(0)]
    reader.close()


def test_a_killed_writer_leaves_what_it_had_committed(tmp_path):
    program = f"""
import os, signal
from pathlib import Path
from core.training.run_store import RunStore
from tests.core.training.test_run_store import step
store = RunStore.create(Path({str(tmp_path)!r}))
store.add_step(step(0))
store.commit()
store.add_step(step(1))
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == -9
    reader = RunStore.read(tmp_path)
    assert reader.steps() == [step(0)]
    reader.close()
    store = RunStore.create(tmp_path)
    assert store.steps() == [step(0)]
    store.close()


@pytest.mark.parametrize(
    "hostile",
    [
        "UPDATE validations SET exact_match = NULL",
        "UPDATE validations SET loss = 'low'",
        "UPDATE steps SET loss = x'00'",
        "DROP TABLE steps; CREATE VIEW steps AS SELECT 1",
        "ALTER TABLE validations RENAME COLUMN loss TO cost",
    ],
)
def test_rows_that_are_not_figures_are_told_in_a_sentence(tmp_path, hostile):
    store = RunStore.create(tmp_path)
    store.add_step(step(0))
    store.add_validation(Validation(2, FIGURES))
    store.close()
    with sqlite3.connect(tmp_path / STORE_FILE) as connection:
        connection.executescript(hostile)
    reader = RunStore.read(tmp_path)
    with pytest.raises(RunError, match="cannot be used"):
        (reader.steps(), reader.validations())
    reader.close()


@pytest.mark.parametrize("damage", [b"", b"not a data base", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_store_is_told_in_a_sentence(tmp_path, damage):
    store = RunStore.create(tmp_path)
    store.add_step(step(0))
    store.close()
    (tmp_path / STORE_FILE).write_bytes(damage)
    with pytest.raises(RunError, match=STORE_FILE):
        RunStore.read(tmp_path).steps()


def test_a_store_of_another_format_is_refused(tmp_path):
    RunStore.create(tmp_path).close()
    with sqlite3.connect(tmp_path / STORE_FILE) as connection:
        connection.execute("UPDATE facts SET value = '99' WHERE name = 'format'")
    with pytest.raises(RunError, match="format 99"):
        RunStore.create(tmp_path)


def test_no_store_is_told_in_a_sentence(tmp_path):
    with pytest.raises(RunError, match="no such file"):
        RunStore.read(tmp_path)


def test_a_store_that_another_program_has_locked_says_so_and_what_to_do(tmp_path, monkeypatch):
    RunStore.create(tmp_path).close()
    monkeypatch.setattr(run_store, "WRITER_PATIENCE", 0.05)
    monkeypatch.setattr(run_store, "READER_PATIENCE", 0.05)
    with closing(sqlite3.connect(tmp_path / STORE_FILE, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        for act in (lambda: RunStore.create(tmp_path), lambda: RunStore.read(tmp_path).steps()):
            with pytest.raises(RunError) as caught:
                act()
            assert caught.value.sentence == (
                f"{tmp_path.name}/metrics.sqlite is locked by another program, such as a viewer of databases; "
                "close it there, then try again."
            )


def test_whoever_reads_while_a_store_is_made_finds_none_or_a_whole_one(tmp_path, monkeypatch):
    seen = []

    class Watched(sqlite3.Connection):
        def execute(self, *arguments):
            look()
            return super().execute(*arguments)

        def executescript(self, *arguments):
            look()
            return super().executescript(*arguments)

    def look() -> None:
        if (tmp_path / STORE_FILE).exists():
            with closing(RunStore.read(tmp_path)) as store:
                seen.append(store.steps())

    connect = sqlite3.connect

    def watched(path, **arguments):
        factory = sqlite3.Connection if arguments.get("uri") else Watched
        return connect(path, **arguments, factory=factory)

    monkeypatch.setattr(sqlite3, "connect", watched)
    RunStore.create(tmp_path).close()
    assert seen
    assert not any(seen)
