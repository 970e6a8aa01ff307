"""The flags that decide how files of pairs are read, in training and in evaluation."""

import json

import pytest

from core import evaluate, train
from core.run_description import read_description
from core.training.arguments import options_of
from core.training.own_pairs import own_splits

WORDS = [f"{colour} {thing}" for colour in ("red", "big", "old") for thing in ("car", "dog", "cup", "hut")]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files of the same twelve pairs: two aligned ones, and a table with four columns."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.en").write_text("".join(f"{word}\n" for word in WORDS))
    (tmp_path / "c.de").write_text("".join(f"{word[::-1]}\n" for word in WORDS))
    rows = [f"{number}\t{word[::-1]}\tx\t{word}\n" for number, word in enumerate(WORDS)]
    (tmp_path / "table.tsv").write_text("".join(rows))
    return tmp_path


def learned(folder):
    splits = own_splits(folder, read_description(folder))
    pairs = [*splits.train, *splits.validation, *splits.test]
    return sorted((pair.source, pair.target) for pair in pairs)


@pytest.mark.parametrize(
    "flags",
    [
        ["--source-file", "c.en", "--target-file", "c.de"],
        ["--pairs", "table.tsv", "--columns", "4,2"],
    ],
)
def test_flags_name_the_sources_and_the_targets(files, flags, capsys):
    assert train.main([*flags, "--out", "runs/mine", "--smoke", "--quiet"]) == 0
    assert learned(files / "runs/mine") == sorted((word, word[::-1]) for word in WORDS)
    test = ["--test", "table.tsv", "--columns", "4,2", "--no-header"]
    two = ["--source-file", "c.en", "--target-file", "c.de"]
    found = []
    for which in (test, two):
        assert evaluate.main(["--run", "runs/mine", *which, "--json"]) == 0
        captured = capsys.readouterr()
        found.append(json.loads(captured.out.splitlines()[-1])["loss"])
    assert found[0] == pytest.approx(found[1])
    assert "c.en with c.de has 12 pairs" in captured.err


def test_held_out_files_are_read_by_the_columns_of_the_training_file(files):
    rows = [
        f"{word}\t{'formal' if place % 2 else 'plain'}\t{word[::-1]}" for place, word in enumerate(WORDS * 2)
    ]
    (files / "all.tsv").write_text("\n".join(rows[:10] * 3 + rows))
    # Two rows do not show that the words between source and target are labels.
    (files / "few.tsv").write_text("new car\tplain\trac wen\nnew dog\tformal\tgod wen\n")
    command = ["--pairs", "all.tsv", "--valid", "few.tsv", "--out", "runs/mine", "--smoke", "--quiet"]
    assert train.main(command) == 0
    validation = own_splits(files / "runs/mine", read_description(files / "runs/mine")).validation
    assert [(pair.source, pair.target) for pair in validation] == [
        ("new car", "rac wen"),
        ("new dog", "god wen"),
    ]


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--source-file", "c.en"], "--source-file and --target-file need each other; name both"),
        (["--pairs", "table.tsv", "--target-file", "c.de"], "need each other"),
        (["--pairs", "table.tsv", "--columns", "4,9"], "table.tsv has 4 columns; name two different ones"),
        (["--task", "copy", "--columns", "1,2"], "--columns has no effect here"),
        (["--task", "copy", "--no-header"], "--header has no effect here"),
        (["--task", "copy", "--drop-unchanged"], "--drop-unchanged has no effect here"),
        (["--init-from", "x", "--pairs", "table.tsv", "--keep-spaces"], "--keep-spaces has no effect here"),
        (["--source-file", "runs/x/pairs.tsv", "--target-file", "c.de"], "would be overwritten"),
    ],
)
def test_unfitting_flags_are_refused_with_a_sentence(files, flags, sentence, capsys):
    assert train.main([*flags, "--out", "runs/x"]) == 2
    assert sentence in capsys.readouterr().err
    assert not (files / "runs").exists()


@pytest.mark.parametrize("columns", ["3", "a,b", "1,2,3", "-1,2", "1;2"])
def test_columns_are_two_numbers(columns, capsys):
    with pytest.raises(SystemExit):
        options_of(["--pairs", "x", "--out", "y", f"--columns={columns}"])
    assert "must be two numbers such as 1,3, the source first" in capsys.readouterr().err


def test_reading_flags_of_an_evaluation_need_a_file(capsys):
    assert evaluate.main(["--run", "checkpoints/copy", "--columns", "1,2"]) == 2
    assert "need --test, or two files" in capsys.readouterr().err
    assert evaluate.main(["--run", "checkpoints/copy", "--source-file", "x"]) == 2
    assert "need each other" in capsys.readouterr().err


def test_unchanged_pairs_are_dropped_on_request(files, capsys):
    (files / "same.tsv").write_text("".join(f"{word}\t{word}\n{word} too\t{word[::-1]}\n" for word in WORDS))
    flags = ["--pairs", "same.tsv", "--drop-unchanged", "--out", "runs/mine", "--smoke"]
    assert train.main([*flags, "--quiet"]) == 0
    assert "12 with a target equal to its source (first: line 1)" in capsys.readouterr().err
    assert all(source != target for source, target in learned(files / "runs/mine"))
