"""Runs of the runs folder among the shipped ones: which are seen, what they are called, and which weights they have."""

import json
import os
import shutil
from dataclasses import replace

import pytest
import torch

from core.errors import RunError
from core.run import load_run
from core.training.history import load_run_at
from explorer.models import known as store
from explorer.models.known import (
    kept_moments,
    known_run,
    known_runs,
    loaded_run,
    own_description,
    shipped_runs,
)
from explorer.models.server import training_engine
from explorer.server.limits import Limits
from explorer.shell.navigation import _facts
from tests.explorer.own_runs import train_tiny
from tests.optional import unwrap


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("trained"))


@pytest.fixture
def root(tmp_path, monkeypatch, trained):
    """A runs folder with one run."""
    root = tmp_path / "runs"
    shutil.copytree(trained, root / "tiny0001")
    monkeypatch.setenv("EXPLORER_RUNS", str(root))
    return root


def title(root, name, title, created=1.0):
    (root / name / "app.json").write_text(json.dumps({"title": title, "created": created}))


def test_own_runs_follow_the_shipped_ones_the_newest_first(root):
    shutil.copytree(root / "tiny0001", root / "tiny0002")
    title(root, "tiny0001", "Newer", 20.0)
    title(root, "tiny0002", "Older", 10.0)
    runs = known_runs()
    assert list(runs) == [*shipped_runs(), "tiny0001", "tiny0002"]
    assert [runs[name].name for name in ("tiny0001", "tiny0002")] == ["Newer", "Older"]


def test_without_a_runs_folder_there_are_the_shipped_ones_and_none_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "none"))
    assert known_runs() == shipped_runs()
    assert not (tmp_path / "none").exists()


def test_a_run_without_a_title_or_with_another_ones_is_told_apart(root):
    assert known_runs()["tiny0001"].name == "Copy letters (tiny0001)"
    title(root, "tiny0001", "Copy letters")
    assert known_runs()["tiny0001"].name == "Copy letters (tiny0001)"
    title(root, "tiny0001", "Mine")
    assert known_runs()["tiny0001"].name == "Mine"


def test_damaged_unfinished_and_wrongly_named_ones_are_left_out(root):
    for name in ("damaged1", "noweight", "en-fr", ".hidden"):
        shutil.copytree(root / "tiny0001", root / name)
    (root / "damaged1" / "run.json").write_text("{")
    (root / "noweight" / "model.safetensors").unlink()
    (root / "linked01").symlink_to(root / "tiny0001")
    runs = known_runs()
    assert list(runs) == [*shipped_runs(), "tiny0001"]
    assert runs["en-fr"] == shipped_runs()["en-fr"]
    assert own_description("damaged1") is None
    assert unwrap(own_description("noweight")).config == runs["tiny0001"].config
    assert own_description("nothing1") is None


def test_only_the_newest_are_listed(root, monkeypatch):
    monkeypatch.setattr(store, "server_limits", lambda: Limits(listed_runs=2))
    title(root, "tiny0001", "A", 1.0)
    for number in (2, 3):
        shutil.copytree(root / "tiny0001", root / f"tiny000{number}")
        title(root, f"tiny000{number}", str(number), float(number))
    assert list(known_runs())[len(shipped_runs()) :] == ["tiny0003", "tiny0002"]


def test_what_training_writes_is_seen_at_once(root):
    before = loaded_run("tiny0001")
    assert loaded_run("tiny0001") is before
    moment = sorted((root / "tiny0001" / "history").iterdir())[0]
    shutil.copyfile(moment, root / "tiny0001" / "model.safetensors")
    after = loaded_run("tiny0001")
    assert after.fingerprint != before.fingerprint
    described = json.loads((root / "tiny0001" / "run.json").read_text())
    described["best_after"] = 5
    (root / "tiny0001" / "run.json").write_text(json.dumps(described))
    os.utime(root / "tiny0001" / "run.json", ns=(1, 1))
    assert known_runs()["tiny0001"].best_after == 5


def test_every_moment_has_its_own_weights(root):
    assert kept_moments("tiny0001") == (0, 5, 10, 15, 20)
    assert kept_moments("en-fr") == kept_moments("nothing1") == ()
    runs = [loaded_run("tiny0001", updates) for updates in (None, *kept_moments("tiny0001"))]
    assert len({run.fingerprint for run in runs}) == 6
    assert runs[0].fingerprint == load_run(root / "tiny0001").fingerprint
    expected = load_run_at(root / "tiny0001", 10)
    assert runs[3].fingerprint == expected.fingerprint
    assert torch.equal(runs[3].model.generator.weight, expected.model.generator.weight)
    assert loaded_run("tiny0001", 10) is runs[3]


@pytest.mark.parametrize("name", ["nothing1", "../tiny0001", "", "tiny0001/history"])
def test_no_other_name_reaches_a_folder(root, name):
    with pytest.raises(RunError, match="no such run"):
        loaded_run(name)


def test_a_moment_that_is_not_kept_is_refused(root):
    with pytest.raises(RunError, match="no weights after 7 updates"):
        loaded_run("tiny0001", 7)


def test_a_deleted_run_is_gone(root):
    loaded_run("tiny0001")
    training_engine().delete("tiny0001")
    assert "tiny0001" not in known_runs()
    with pytest.raises(RunError, match="no such run"):
        loaded_run("tiny0001")


def test_there_is_one_engine_for_a_folder(root, tmp_path, monkeypatch):
    engine = training_engine()
    assert training_engine() is engine
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "others"))
    assert training_engine() is not engine
    assert engine.folder == root


def test_a_run_that_is_gone_is_a_sentence():
    with pytest.raises(RunError, match=r"^There is no such run any more\.$"):
        known_run("gone0001")


def test_what_is_known_of_a_model_needs_no_more_than_its_count():
    run = shipped_runs()["en-fr"]
    assert "exactly right" in _facts(run, None)
    assert "exactly right" not in _facts(replace(run, evaluation={"n_pairs": 5.0}), None)
