"""python -m core.train and python -m core.translate, as somebody types them."""

import io
import json

import pytest

from core import train, translate

SMALL = ["--d-model", "16", "--n-heads", "2", "--d-ff", "32", "--layers", "1", "--batch-size", "8"]
SHORT = ["--steps", "3", "--warmup-steps", "1", "--n-train", "50", "--n-validation", "5", "--n-test", "5"]


@pytest.fixture
def run_folder(tmp_path):
    folder = tmp_path / "small"
    assert train.main(["--task", "copy", "--out", str(folder), *SMALL, *SHORT]) == 0
    return folder


def test_training_writes_a_run_with_its_held_out_figures(run_folder, capsys):
    described = json.loads((run_folder / "run.json").read_text())
    assert described["evaluation"]["n_pairs"] == 5
    assert [point["index"] for point in described["history"]] == [0, 1, 2]
    assert described["model"]["d_model"] == 16
    assert translate.main(["--run", str(run_folder), "cat", "--max-length", "5"]) == 0


def test_a_run_is_not_overwritten_unasked(run_folder, capsys):
    before = (run_folder / "run.json").read_bytes()
    assert train.main(["--task", "copy", "--out", str(run_folder), *SMALL, *SHORT]) == 2
    assert "add --overwrite" in capsys.readouterr().err
    assert (run_folder / "run.json").read_bytes() == before


def test_impossible_settings_end_in_a_sentence(tmp_path, capsys):
    arguments = ["--task", "copy", "--out", str(tmp_path / "x"), "--d-model", "15", "--n-heads", "2"]
    assert train.main(arguments) == 2
    assert capsys.readouterr().err.strip() == "d_model 15 must be a multiple of n_heads 2"


def test_translating_reads_lines_from_stdin(run_folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("cat\ndog\n"))
    assert translate.main(["--run", str(run_folder), "--max-length", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_one_line_that_cannot_be_read_does_not_end_the_others(run_folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("cat\nc4t\n\ndog\n"))
    assert translate.main(["--run", str(run_folder), "--max-length", "3"]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert len(captured.err.splitlines()) == 2


@pytest.mark.parametrize("out", ["", ".", "/"])
def test_a_run_needs_a_folder_of_its_own(out, capsys):
    assert train.main(["--task", "copy", "--out", out, *SMALL, *SHORT]) == 2
    assert "--out must name a folder" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_known_before_training(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(train, "train_run", lambda *_, **__: pytest.fail("training began"))
    assert train.main(["--task", "copy", "--out", str(tmp_path / "file" / "x"), *SMALL, *SHORT]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_translating_what_cannot_be_read_ends_in_a_sentence(run_folder, capsys):
    assert translate.main(["--run", str(run_folder), "c4t"]) == 2
    assert capsys.readouterr().err.strip() == "The model does not know “4”; use other letters."
    assert translate.main(["--run", str(run_folder / "not"), "cat"]) == 2
    assert "cannot be read" in capsys.readouterr().err
