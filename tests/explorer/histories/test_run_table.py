"""Rows, settings and curves of runs as data: what is there, what is missing, and why a run cannot be shown."""

import shutil
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.config import TransformerConfig
from core.errors import RunError
from core.model.parameters import count_parameters
from core.model.shapes import expected_parameters
from core.run import load_run
from core.run_description import read_description
from core.training.records import TrainStep
from core.training.run_store import RunStore
from explorer.histories.runs_table import (
    MISSING,
    MOST_POINTS,
    RunRow,
    curves_of,
    disk_size,
    labels,
    own_row,
    problem_of,
    settings_of,
    shipped_row,
    table_of,
)
from explorer.models.known import CHECKPOINTS
from explorer.trainings.status import RunStatus
from tests.explorer.own_runs import train_tiny

STATUS = RunStatus("tiny0001", "My run", "copy", "stopped", 10, 20, 3.25, None, None, 1.7e9, "", True, True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def copy():
    return read_description(CHECKPOINTS / "copy")


def row(title: str, key: str, state: str = "finished") -> RunRow:
    return RunRow(key, title, "Copy", state, 1, 1, None, None, None, None, 0, None)


def test_a_shipped_run_has_its_figures_and_no_date(copy):
    found = shipped_row("copy", copy, size=2048, count=expected_parameters)
    parameters = count_parameters(load_run(CHECKPOINTS / "copy").model)
    assert (found.title, found.task, found.parameters) == ("Copy letters", "Copy letters", parameters)
    assert (found.updates, found.planned, found.exact_match, found.seed) == (900, 900, 1.0, 0)
    assert found.loss == copy.history[-1]["loss"]
    assert not found.is_own
    columns = table_of([found], UTC)
    assert {name: cells[0] for name, cells in columns.items()} == {
        "Title": "Copy letters",
        "Task": "Copy letters",
        "State": "shipped",
        "Updates": "900",
        "Loss": f"{found.loss:.3f}",
        "Exact match, test": "1.000",
        "Parameters": f"{parameters:,}",
        "Seed": "0",
        "On disk": "2.0 KiB",
        "Begun": MISSING,
    }


@pytest.mark.proof
def test_an_own_run_tells_how_far_it_is_and_when_it_was_begun(folder):
    run = read_description(folder)
    found = own_row(STATUS, run, size=7, count=expected_parameters)
    columns = table_of([found], timezone(timedelta(hours=2)))
    begun = datetime.fromtimestamp(1.7e9, UTC) + timedelta(hours=2)
    assert (columns["Updates"], columns["Loss"]) == (["10 of 20"], ["3.250"])
    assert columns["Begun"] == [f"{begun:%Y-%m-%d %H:%M}"]
    assert (found.is_own, found.seed, found.exact_match) == (True, 0, run.evaluation["exact_match"])


def test_what_cannot_be_read_is_missing_in_the_table():
    found = own_row(replace(STATUS, task="", loss=None), None, size=0, count=expected_parameters, problem="x")
    columns = table_of([found], UTC)
    missing = {name for name, cells in columns.items() if cells == [MISSING]}
    assert missing == {"Task", "Loss", "Exact match, test", "Parameters", "Seed"}


def test_runs_of_the_same_title_are_told_apart():
    rows = [row("A", "a"), row("B", "b"), row("A", "c"), row("B", "b", "shipped")]
    assert labels(rows) == {"own/a": "A (a)", "own/b": "B (b)", "own/c": "A (c)", "shipped/b": "B (shipped)"}


def test_sizes_are_read_by_people():
    assert [disk_size(size) for size in (0, 1023, 1024, 2**20 - 1, 2**20)] == [
        "0 B",
        "1,023 B",
        "1.0 KiB",
        "1,024.0 KiB",
        "1.0 MiB",
    ]


def test_settings_that_differ_come_first(folder, copy):
    found = settings_of([copy, read_description(folder)])
    by_name = {setting.name: setting for setting in found}
    assert by_name["d_model"].values == ("64", "16")
    assert by_name["peak_learning_rate"].values == ("0.006", "0.002")
    assert by_name["tie_embeddings"].values == ("yes", "yes")
    assert not by_name["task"].differs
    differing = [setting.differs for setting in found]
    assert differing == sorted(differing, reverse=True)
    assert 0 < sum(differing) < len(found)
    assert not any(setting.differs for setting in settings_of([copy, copy]))


def test_every_setting_that_makes_a_model_another_one_is_compared(copy):
    same_in_all = {"max_len", "pad_id", "bos_id", "eos_id", "norm_eps", "dtype", "attention_backend"}
    compared = {setting.name for setting in settings_of([copy])}
    assert {field.name for field in fields(TransformerConfig)} - compared <= same_in_all


def test_curves_come_from_the_run_store_and_else_from_the_description(folder, copy):
    curves = curves_of(folder, None)
    assert [updates for updates, _ in curves.losses] == list(range(20))
    assert [updates for updates, _ in curves.exact_matches] == [10, 20]
    shipped = curves_of(CHECKPOINTS / "copy", copy)
    assert shipped.losses[0] == (0, copy.history[0]["loss"])
    assert shipped.exact_matches == ()


def test_a_long_curve_keeps_its_ends(copy, tmp_path):
    n = 10 * MOST_POINTS + 3
    long = replace(copy, history=tuple({"index": index, "loss": 1.0 / (index + 1)} for index in range(n)))
    losses = curves_of(tmp_path, long).losses
    assert len(losses) <= MOST_POINTS + 1
    assert (losses[0], losses[-1]) == ((0, 1.0), (n - 1, 1.0 / n))


def test_the_lowest_loss_is_that_of_all_updates_not_of_those_that_are_drawn(tmp_path):
    n, dip = 2 * MOST_POINTS, 7
    store = RunStore.create(tmp_path)
    for index in range(n):
        store.add_step(TrainStep(index, 0.25 if index == dip else 1.0, 1.0, 1.0, 1.0))
    store.close()
    curves = curves_of(tmp_path, None)
    assert dip not in dict(curves.losses)
    assert (curves.lowest, curves.is_whole) == (0.25, True)


def test_a_description_tells_whether_it_has_kept_every_update(copy, tmp_path):
    thinned = curves_of(CHECKPOINTS / "copy", copy)
    assert not thinned.is_whole
    assert thinned.lowest == min(step["loss"] for step in copy.history)
    first = tuple({"index": index, "loss": 3.0 - index} for index in range(3))
    assert curves_of(tmp_path, replace(copy, history=first)).is_whole
    assert curves_of(tmp_path, None).lowest is None


def test_a_damaged_store_is_told(folder, tmp_path):
    (tmp_path / "metrics.sqlite").write_bytes(b"not a data base" * 100)
    with pytest.raises(RunError, match=r"metrics\.sqlite cannot be used"):
        curves_of(tmp_path, None)


def test_the_page_can_say_why_a_run_cannot_be_shown(folder, tmp_path):
    assert "newest 30 runs" in problem_of("tiny0001", folder, (), 30)
    assert "name of a shipped model" in problem_of("tiny0001", folder, ("tiny0001",), 30)
    copied = tmp_path / "tiny0002"
    shutil.copytree(folder, copied)
    (copied / "model.safetensors").unlink()
    assert "no weights yet" in problem_of("tiny0002", copied, (), 30)
    (copied / "run.json").write_text("{")
    assert "cannot be read" in problem_of("tiny0002", copied, (), 30)
