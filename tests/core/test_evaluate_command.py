"""python -m core.evaluate: the numbers of HeldOut as a table and as JSON, each refusal a sentence."""

import json
import random
import shutil
from pathlib import Path

import pytest

from core import evaluate, load_run, train
from core.data.dataset import task_dataset
from core.data.tasks import get_task
from core.evaluation.held_out import HeldOut
from core.evaluation.mistakes import MISTAKES
from core.evaluation.pairs import held_out
from core.evaluation.store import HELD_OUT_FILE, read_held_out
from core.training.history import load_run_at
from tests.another_python import said_by

ROOT = Path(__file__).parents[2]
REVERSE, TRANSLATOR = ROOT / "checkpoints" / "reverse", ROOT / "checkpoints" / "en-fr"
HALF_WAY = ("--run", str(REVERSE), "--updates", "150", "--pairs", "120")


@pytest.fixture(scope="module")
def found() -> HeldOut:
    """The first test pairs of a model that has learned to reverse letters half-way."""
    run = load_run_at(REVERSE, 150)
    return held_out(run, task_dataset(get_task("reverse"), run.train_config).splits.test[:120])


def said(capsys, *arguments: str) -> str:
    assert evaluate.main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.proof
def test_json_has_the_numbers_of_the_collection(found, capsys):
    values = json.loads(said(capsys, *HALF_WAY, "--json", "--mistakes", "3"))
    assert 0 < values["n_exact"] < values["n_pairs"] == 120
    worst = values.pop("worst")
    assert [each["number"] for each in worst] == [each.number for each in found.worst(3)]
    assert [each["loss"] for each in worst] == [each.loss for each in found.worst(3)]
    assert values.pop("unknown_tokens") == {"source": {}, "reference": {}, "n_pairs": 0}
    assert (values.pop("run"), values.pop("fingerprint")) == ("reverse", found.fingerprint)
    assert values.pop("left_out") == []
    assert values == json.loads(json.dumps(found.summary() | {"n_available": 2000}))


@pytest.mark.proof
def test_the_table_has_the_numbers_of_the_collection(found, capsys):
    lines = said(capsys, *HALF_WAY, "--mistakes", "2").splitlines()
    assert lines[0] == "reverse, test: 120 pairs of 2,000, the first"
    exact = found.figures.exact_match
    assert f"  exactly right     {round(exact * 120)} of 120 ({exact:.1%})" in lines
    for key, wrong in found.mistakes.items():
        assert f"  {MISTAKES[key].title:<20} {len(wrong):>6}" in lines
    for share in found.by_source_length():
        assert f"{share.of:>17}  {share.n:>6}  {share.share:>6.1%}" in lines
    assert [line.split()[1] for line in lines if line.startswith("  source ")] == [
        each.source for each in found.worst(2)
    ]
    assert not any(line.startswith("  source ") for line in said(capsys, *HALF_WAY).splitlines())


def test_pairs_of_a_file_are_read_as_those_of_a_training_and_unknown_tokens_said(tmp_path, capsys):
    file = tmp_path / "own.tsv"
    file.write_text(
        "the small cat sleeps\tle petit chat dort\nthe xyzzy dog sleeps\tle chien dort bien\n"
        "a dog sings\tun chien chante\nA dog sings!\tun chien\nonly a source\n"
    )
    assert evaluate.main(["--run", str(TRANSLATOR), "--test", str(file), "--json"]) == 0
    captured = capsys.readouterr()
    values = json.loads(captured.out)
    assert (values["split"], values["n_pairs"], values["n_exact"]) == ("own.tsv", 3, 2)
    assert values["unknown_tokens"] == {"source": {"xyzzy": 1}, "reference": {"bien": 1}, "n_pairs": 1}
    assert "own.tsv has 4 pairs" in captured.err
    assert (
        "Dropped after cutting into tokens: 1 " in captured.err
    )  # "A dog sings!" has the tokens of "a dog sings".
    assert evaluate.main(["--run", str(TRANSLATOR), "--test", str(file)]) == 0
    table = capsys.readouterr().out
    assert "tokens that the vocabulary lacks, in 1 pair" in table
    assert "in references: 1 token, “bien” (cannot be met)" in table


def test_pairs_that_are_too_long_for_learned_positions_are_left_out(tmp_path, capsys):
    words = random.Random(0)
    file, out = tmp_path / "letters.tsv", tmp_path / "run"
    sources = {" ".join(words.choices("abcdef", k=words.randint(1, 6))) for _ in range(90)}
    file.write_text("".join(f"{source}\t{source[::-1]}\n" for source in sorted(sources)))
    settings = "--steps 2 --batch-size 8 --d-model 8 --n-heads 2 --d-ff 8 --layers 1 --max-len 8 --quiet"
    arguments = ["--pairs", str(file), "--out", str(out), "--positional", "learned", *settings.split()]
    assert train.main(arguments) == 0
    capsys.readouterr()
    # A run of own pairs tests on its own test pairs, of which it has a copy.
    values = json.loads(said(capsys, "--run", str(out), "--json"))
    assert values["n_pairs"] == values["n_available"] == load_run(out).train_config.n_test
    file.write_text("a b c d e f a\tb\na b c d e f a b\tb\n")
    assert evaluate.main(["--run", str(out), "--test", str(file), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["n_pairs"] == 1
    assert "Dropped after cutting into tokens: 1 " in captured.err


@pytest.mark.proof
def test_results_are_kept_with_the_run_where_that_is_asked_for(tmp_path, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / "checkpoints" / "copy", folder)
    arguments = ["--run", str(folder), "--split", "validation", "--quiet"]
    assert evaluate.main(arguments) == 0
    assert not (folder / HELD_OUT_FILE).exists()
    assert evaluate.main([*arguments, "--keep"]) == 0
    assert f"saved as copy/{HELD_OUT_FILE}" in capsys.readouterr().err
    run = load_run(folder)
    kept = read_held_out(folder, run.fingerprint, "validation")
    assert kept is not None
    assert kept.n_available == len(kept.results) == run.train_config.n_validation
    assert read_held_out(folder, run.fingerprint, "test") is None


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--run", "nowhere"], "there is no such file"),
        (
            ["--run", str(REVERSE), "--split", "unseen"],
            "has no unseen pairs; choose --split test or validation",
        ),
        (["--run", str(REVERSE), "--updates", "3"], "3"),
        (["--run", str(REVERSE), "--test", "nothing.tsv"], "there is no such file"),
        (["--run", str(REVERSE), "--keep", "--pairs", "3"], "leave out --test, --updates and --pairs"),
        (["--run", str(REVERSE), "--device", "abacus"], "device must be cpu, cuda or mps"),
    ],
)
def test_what_cannot_be_evaluated_ends_in_a_sentence(arguments, sentence, capsys):
    assert evaluate.main(arguments) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""


def test_help_shows_defaults_and_kinds_and_needs_no_torch():
    program = (
        "import sys\nfrom core import evaluate\n"
        "try: evaluate.main(['--help'])\nexcept SystemExit: print('torch' in sys.modules)"
    )
    output = said_by(program)
    assert output.endswith("False\n")
    assert "(default: test)" in output
    assert all(mistake.meaning in output for mistake in MISTAKES.values())
