"""python -m core.train and python -m core.translate, as somebody types them."""

import io
import json
import re
import shlex
import shutil
from dataclasses import asdict, fields, replace
from itertools import islice

import pytest
import torch

from core import train, translate
from core.config import TrainConfig, TransformerConfig
from core.data.tasks import TASKS, get_task
from core.errors import DivergenceError
from core.evaluation.figures import Evaluation
from core.presets import preset
from core.run import load_run
from core.run_description import read_description
from core.training import console, precision
from core.training.arguments import options_of
from core.training.console import shown
from core.training.history import load_run_at
from core.training.new_run import begin_run
from core.training.plan import describe_task
from core.training.records import Validation
from core.training.session import train_run
from core.training.trainer import Trainer
from tests.another_python import said_by
from tests.optional import unwrap

SMALL = ["--d-model", "16", "--n-heads", "2", "--d-ff", "32", "--layers", "1", "--batch-size", "8"]
SHORT = ["--steps", "3", "--warmup-steps", "1", "--n-train", "50", "--n-validation", "5", "--n-test", "5"]


@pytest.fixture(scope="module")
def trained_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained") / "small"
    assert train.main(["--task", "copy", "--out", str(folder), *SMALL, *SHORT]) == 0
    return folder


@pytest.fixture
def run_folder(trained_once, tmp_path):
    """A trained run that the test may change."""
    return shutil.copytree(trained_once, tmp_path / "small")


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
    assert not (tmp_path / "x").exists()


NOT_CHOSEN = {"src_vocab_size", "tgt_vocab_size", "pad_id", "bos_id", "eos_id", "dtype", "attention_backend"}
"""What the pairs decide, and how a model is computed rather than what it is."""


def test_every_flag_reaches_the_run(tmp_path):
    model = {
        "d_model": 12, "n_heads": 3, "d_ff": 20, "n_encoder_layers": 1, "n_decoder_layers": 2, "dropout": 0.35,
        "attention_dropout": 0.15, "ffn_dropout": 0.25, "max_len": 70, "norm_position": "pre", "final_norm": True,
        "positional": "learned", "activation": "gelu", "norm_eps": 1e-6,
    }  # fmt: skip
    model |= {each.name: not each.default for each in fields(TransformerConfig) if each.type is bool}
    training = {
        "steps": 4, "batch_size": 6, "bucket_batches": 3, "schedule": "constant",
        "peak_learning_rate": 0.004, "warmup_steps": 2,
        "label_smoothing": 0.25, "clip_norm": 0.75, "adam_beta1": 0.8, "adam_beta2": 0.9, "adam_eps": 1e-7,
        "dtype": "bfloat16", "seed": 5, "n_train": 30, "n_validation": 8, "n_test": 7, "validate_every": 3,
        "checkpoint_every": 2, "patience": 3, "perfect_validations": 4, "history": 2, "unseen_pairs": False,
    }  # fmt: skip
    assert set(training) == {setting.name for setting in fields(TrainConfig)}
    assert set(model) == {setting.name for setting in fields(TransformerConfig)} - NOT_CHOSEN
    flags = []
    for name, value in {**model, **training}.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            flags += [f"--{flag}", str(value)]
    assert train.main(["--task", "copy", "--out", str(tmp_path / "flags"), *flags]) == 0
    run = load_run(tmp_path / "flags")
    assert asdict(run.train_config) == training
    assert {name: getattr(run.config, name) for name in model} == model


@pytest.mark.sweep
@pytest.mark.parametrize("task", TASKS)
def test_every_task_trains_with_its_preset_where_nothing_else_is_said(task, tmp_path):
    short = ["--steps", "2", "--warmup-steps", "1", "--n-train", "40", "--n-validation", "4", "--n-test", "4"]
    assert train.main(["--task", task, "--out", str(tmp_path / "run"), *short, "--quiet"]) == 0
    run = load_run(tmp_path / "run")
    known = preset(task)
    assert {name: getattr(run.config, name) for name in known.model} == dict(known.model)
    assert run.train_config.peak_learning_rate == known.training.peak_learning_rate
    assert ("chrf" in run.evaluation) == get_task(task).is_text


def test_combinations_that_are_kept_out_are_tested_by_themselves(tmp_path, capsys):
    short = ["--steps", "2", "--warmup-steps", "1", "--n-train", "40", "--n-validation", "4", "--n-test", "6"]
    command = ["--unseen-pairs", *SMALL, *short, "--quiet"]
    assert train.main(["--task", "en_fr", "--out", str(tmp_path / "run"), *command]) == 0
    assert load_run(tmp_path / "run").evaluation["n_unseen"] == 6
    assert "with unseen combinations" in capsys.readouterr().out
    assert train.main(["--task", "copy", "--out", str(tmp_path / "other"), *command]) == 2
    assert "copy" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--task", "copy", "--resume", "x"], "not allowed with argument"),
        (["--task", "magic", "--out", "x"], "invalid choice: 'magic'"),
        (
            ["--out", "x"],
            "one of the arguments --task --pairs --source-file --resume --init-from is required",
        ),
        (["--task", "copy", "--out", "x", "--threads", "0"], "must be a whole number from 1 to 1,024"),
        (["--task", "copy", "--out", "x", "--threads", "9" * 30], "must be a whole number from 1 to 1,024"),
        (["--pairs", "x", "--out", "x", "--bpe-size", "9" * 14], "must be a whole number from 1 to 100,000"),
        (["--task", "copy", "--out", "x", "--steps", "many"], "invalid int value: 'many'"),
    ],
)
def test_a_wrong_command_ends_with_how_it_is_written(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as end:
        train.main(arguments)
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--resume", "{folder}", "--steps", "9"], "leave out --steps"),
        (["--resume", "{folder}", "--overwrite"], "leave out --overwrite"),
        (["--resume", "{folder}", "--dropout", "0"], "leave out --dropout"),
        (["--resume", "{folder}", "--no-causal"], "leave out --causal"),
        (["--resume", "{folder}", "--seed", "0"], "leave out --seed"),
        (
            ["--task", "copy", "--tokenizer", "bpe", "--out", "{folder}/x"],
            "--tokenizer has no effect here",
        ),
        (["--task", "copy", "--out", "{folder}/" + "x" * 400], "cannot be written"),
        (
            ["--task", "copy", "--out", "{folder}/x", "--warmup-steps", "9" * 400],
            "warmup_steps must be at most",
        ),
        (
            ["--task", "copy", "--out", "{folder}/x", "--d-model", "900000", "--overwrite"],
            "make the model smaller",
        ),
        (
            ["--task", "copy", "--out", "{folder}", "--d-model", "900000", "--overwrite"],
            "make the model smaller",
        ),
        (["--pairs", "{folder}/pairs.tsv", "--out", "{folder}"], "overwritten by the run's own copy"),
        (["--resume", "{folder}", "--out", "x"], "leave out --out"),
        (["--resume", "{folder}", "--smoke"], "leave out --smoke"),
        (["--resume", "{folder}", "--init-from", "x"], "leave out --init-from"),
        (["--task", "copy", "--out", "{folder}/x", "--valid", "x"], "--valid has no effect here"),
        (
            ["--task", "copy", "--out", "{folder}/x", "--separate-vocabularies"],
            "--separate-vocabularies has no effect",
        ),
        (
            ["--init-from", "{folder}", "--task", "copy", "--out", "{folder}/x"],
            "--task has no effect here",
        ),
        (["--init-from", "{folder}", "--out", "{folder}/x", "--d-ff", "9"], "--d-ff has no effect here"),
        (
            ["--init-from", "{folder}", "--out", "{folder}/x", "--n-train", "9"],
            "--n-train has no effect here",
        ),
        (
            ["--init-from", "{folder}", "--out", "{folder}", "--overwrite"],
            "overwritten while the new run starts from it",
        ),
        (["--init-from", "{folder}/no", "--out", "{folder}/x"], "there is no such file"),
        (["--resume", "{folder}/nothing"], "there is no such file"),
        (
            ["--task", "copy", "--out", "{folder}/x", "--device", "abacus"],
            "device must be cpu, cuda or mps",
        ),
        (["--task", "copy", "--out", "{folder}/x", "--steps", "0"], "steps must be a whole number"),
        (["--task", "copy", "--out", "{folder}/x", "--dropout", "1.5"], "dropout must be a number"),
        (["--task", "copy", "--out", "{folder}/x", "--n-train", "100000000"], "n_train must be at most"),
        (["--pairs", "{folder}/nothing.tsv", "--out", "{folder}/x"], "there is no such file"),
        (["--pairs", "{folder}", "--out", "{folder}/x"], "there is no such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments, sentence, run_folder, capsys):
    before = {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert train.main([argument.format(folder=run_folder) for argument in arguments]) == 2
    errors = capsys.readouterr().err
    assert sentence in errors
    assert errors.count("\n") == 1
    assert {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()} == before


def test_help_needs_no_torch():
    program = (
        "import sys, core.train\n"
        "try: core.train.main(['--help'])\n"
        "except SystemExit: print('torch' in sys.modules)"
    )
    said = said_by(program)
    assert said.strip().endswith("False")
    assert "--resume" in said


GERMAN = {"red": "rot", "big": "groß", "old": "alt", "new": "neu", "small": "klein"}
NOUNS = {"house": "Haus", "car": "Auto", "book": "Buch", "dog": "Hund", "tree": "Baum", "ship": "Schiff"}


@pytest.fixture
def pairs_file(tmp_path):
    lines = [f"the {a} {n}\tdas {GERMAN[a]} {NOUNS[n]}" for a in GERMAN for n in NOUNS]
    path = tmp_path / "mine.tsv"
    path.write_text("\n".join([*lines, "no target here", lines[0]]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("tokenizer", "kind"), [("auto", "cased_word"), ("character", "character"), ("bpe", "bpe")]
)
def test_own_pairs_are_learnt_translated_and_gone_on_with(tokenizer, kind, pairs_file, tmp_path, capsys):
    folder = tmp_path / "mine"
    arguments = [
        "--pairs",
        str(pairs_file),
        "--out",
        str(folder),
        "--tokenizer",
        tokenizer,
        "--bpe-size",
        "60",
    ]
    assert train.main([*arguments, *SMALL, "--steps", "4", "--warmup-steps", "1"]) == 0
    said = capsys.readouterr()
    assert "2 of 32 lines were dropped" in said.err
    assert "24 training pairs, 3 validation pairs, 3 test pairs" in said.err
    assert "chrF" in said.out
    # Four updates teach nothing, and that is not left without a word.
    assert "0 of 3 held-out sources exactly right" in said.out
    assert "An answer counts only if every token of it is right" in said.out
    # Which of the two depends on the number of tokens: the loss is close to that of random guesses.
    assert re.search(r"has learned nothing so far: after only 4 updates|was still falling after", said.out)
    run = load_run(folder)
    assert run.task == "pairs"
    assert run.src_tokenizer.kind == kind
    assert len((folder / "pairs.tsv").read_text().splitlines()) >= 30
    assert isinstance(run.translate("the old house"), str)
    assert train.main(["--resume", str(folder)]) == 0


def test_a_run_of_own_pairs_needs_them_as_they_were(pairs_file, tmp_path, capsys):
    folder = tmp_path / "mine"
    arguments = [
        "--pairs",
        str(pairs_file),
        "--out",
        str(folder),
        *SMALL,
        "--steps",
        "4",
        "--warmup-steps",
        "1",
    ]
    assert train.main(arguments) == 0
    stored = (folder / "pairs.tsv").read_text()
    described = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**described, "evaluation": {}}))
    for damaged, sentence in (
        (stored.replace("the red house", "the red car"), "is not as the run left it"),
        (stored.replace("Haus", "Hut"), "was trained on other pairs"),
        ("", "is not as it was written"),
    ):
        (folder / "pairs.tsv").write_text(damaged)
        assert train.main(["--resume", str(folder)]) == 2
        assert sentence in capsys.readouterr().err
    (folder / "pairs.tsv").write_text(stored)
    assert train.main(["--resume", str(folder)]) == 0


def test_translating_reads_lines_from_stdin(run_folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("cat\ndog\n"))
    assert translate.main(["--run", str(run_folder), "--max-length", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_one_line_that_cannot_be_read_does_not_end_the_others(run_folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("cat\nc4t\n\ndog\n"))
    assert translate.main(["--run", str(run_folder), "--max-length", "3"]) == 2
    captured = capsys.readouterr()
    assert [bool(line) for line in captured.out.splitlines()] == [True, False, False, True]
    errors = [line for line in captured.err.splitlines() if "the output stopped after 3 tokens" not in line]
    assert len(errors) == 1


@pytest.mark.parametrize("out", ["", ".", "/", "..", "runs/.."])
def test_a_run_needs_a_folder_of_its_own(out, capsys):
    assert train.main(["--task", "copy", "--out", out, *SMALL, *SHORT]) == 2
    assert "--out must name a folder" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_known_before_training(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr("core.training.session.train_run", lambda *_, **__: pytest.fail("training began"))
    assert train.main(["--task", "copy", "--out", str(tmp_path / "file" / "x"), *SMALL, *SHORT]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_translating_what_cannot_be_read_ends_in_a_sentence(run_folder, capsys):
    assert translate.main(["--run", str(run_folder), "c4t"]) == 2
    assert capsys.readouterr().err.strip() == "The model does not know “4”; use other letters."
    assert translate.main(["--run", str(run_folder / "not"), "cat"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_line_of_a_validation_never_calls_all_what_is_not_all(capsys):
    description = describe_task(get_task("copy"), preset("copy").training, preset("copy").model)
    nearly = Evaluation(n_pairs=5000, loss=0.1, exact_match=4999 / 5000, token_accuracy=0.9998)
    list(shown([Validation(50, nearly)], description))
    said = capsys.readouterr().err
    assert "after 50 updates: 4,999 of 5,000 exact, >99.9% of the tokens, loss 0.100" in said


PAIR_FLAGS = ["--quiet", *SMALL, "--steps", "4", "--warmup-steps", "1"]


def test_a_run_is_trained_on_with_its_own_pairs_and_the_new_one_knows_its_parent(pairs_file, tmp_path):
    parent, child = tmp_path / "parent", tmp_path / "child"
    assert train.main(["--pairs", str(pairs_file), "--out", str(parent), *PAIR_FLAGS]) == 0
    before = (parent / "model.safetensors").read_bytes()
    assert train.main(["--init-from", str(parent), "--out", str(child), "--steps", "2", "--quiet"]) == 0
    old, new = load_run(parent), load_run(child)
    assert (unwrap(new.parent).name, unwrap(new.parent).fingerprint) == ("parent", old.fingerprint)
    assert new.train_config.steps == 2
    assert (new.config, new.src_tokenizer.vocabulary) == (old.config, old.src_tokenizer.vocabulary)
    # The same pairs are held out, or what it is measured by would have been learnt.
    assert (child / "pairs.tsv").read_bytes() == (parent / "pairs.tsv").read_bytes()
    first, begun = (
        load_run_at(folder, updates).model.state_dict() for folder, updates in ((child, 0), (parent, 4))
    )
    assert all(torch.allclose(first[name], begun[name], atol=1e-3) for name in first)
    assert (parent / "model.safetensors").read_bytes() == before


@pytest.mark.proof
def test_a_run_of_a_task_is_trained_on_without_its_parent_and_to_the_bit(run_folder, tmp_path):
    arguments = ["--init-from", str(run_folder), "--steps", "6", "--checkpoint-every", "2", "--quiet"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert train.main([*arguments, "--out", str(whole)]) == 0
    description, dataset = train._planned(options_of([*arguments, "--out", str(parts)]), print)
    begin_run(parts, description, dataset, parent=run_folder)
    shutil.rmtree(run_folder)
    events = train_run(parts, description, dataset)
    list(islice(events, 3))
    events.close()
    assert train.main(["--resume", str(parts), "--quiet"]) == 0
    for name in ("model.safetensors", "run.json"):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()


def test_a_run_is_fine_tuned_on_other_pairs_and_those_it_cannot_read_are_counted(
    pairs_file, tmp_path, capsys
):
    parent, child, others = tmp_path / "parent", tmp_path / "child", tmp_path / "others.tsv"
    assert train.main(["--pairs", str(pairs_file), "--out", str(parent), *PAIR_FLAGS]) == 0
    known = [f"{a} {n} the\t{GERMAN[a]} {NOUNS[n]}" for a in GERMAN for n in NOUNS]
    others.write_text("\n".join([*known, "the whale\tdas Haus", "the ship\tder Wal"]), encoding="utf-8")
    capsys.readouterr()
    arguments = ["--init-from", str(parent), "--pairs", str(others), "--out", str(child), "--steps", "2"]
    assert train.main([*arguments, "--quiet"]) == 0
    assert "2 with tokens that the initial model does not know" in capsys.readouterr().err
    run = load_run(child)
    assert (run.task, unwrap(run.parent).name) == ("pairs", "parent")
    assert run.train_config.n_train + run.train_config.n_validation + run.train_config.n_test == 30
    assert train.main(["--resume", str(child)]) == 0
    others.write_text(
        "a whale\tein Wal\n" * 1 + "\n".join(f"{n} whale\t{n} Wal" for n in range(20)), encoding="utf-8"
    )
    assert train.main([*arguments, "--overwrite"]) == 2
    assert "needs at least 10 pairs" in capsys.readouterr().err


def test_files_of_ones_own_validate_and_test_and_what_stands_in_training_as_well_is_said(
    pairs_file, tmp_path, capsys
):
    lines = pairs_file.read_text().splitlines()[:30]
    valid, test, folder = tmp_path / "valid.tsv", tmp_path / "test.tsv", tmp_path / "run"
    valid.write_text("\n".join([lines[0], "the very old dog\tdas alt alt Hund", lines[2]]))
    test.write_text("\n".join([lines[2], "the big big car\tdas groß groß Auto"]))
    arguments = ["--pairs", str(pairs_file), "--valid", str(valid), "--test", str(test), "--out", str(folder)]
    assert train.main([*arguments, *PAIR_FLAGS]) == 0
    said = capsys.readouterr().err
    assert "Left out of the validation: 1 with a source that is also in the test pairs." in said
    assert "Left out of the training: 2 with a source that is also in the validation or test pairs." in said
    assert "28 training pairs, 2 validation pairs, 2 test pairs" in said
    assert load_run(folder).evaluation["n_pairs"] == 2
    stored = (folder / "pairs.tsv").read_text().splitlines()[3:]
    assert sorted(stored[-2:]) == sorted(test.read_text().splitlines())
    assert train.main(["--resume", str(folder)]) == 0


def test_each_side_can_have_a_vocabulary_of_its_own(pairs_file, tmp_path, capsys):
    folder = tmp_path / "run"
    arguments = ["--pairs", str(pairs_file), "--out", str(folder), *PAIR_FLAGS]
    assert train.main([*arguments, "--separate-vocabularies"]) == 0
    run = load_run(folder)
    assert not set(run.src_tokenizer.vocabulary.tokens[4:]) & set(run.tgt_tokenizer.vocabulary.tokens[4:])
    assert not run.config.tie_embeddings
    assert "for the sources and" in capsys.readouterr().err
    assert train.main([*arguments, "--separate-vocabularies", "--tie-embeddings", "--overwrite"]) == 2
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith(("separate vocabularies", "tie_embeddings needs one"))
    )


@pytest.mark.parametrize(
    ("limit", "text", "said"),
    [
        (["--max-bytes", "100"], "a b\tc d\n" * 40, "mine.tsv is larger than"),
        (["--max-pairs", "12"], "", "24 beyond the most pairs that are taken"),
        (["--max-tokens", "2"], "", "with a side that is too long"),
    ],
)  # fmt: skip
def test_limits_are_flags(limit, text, said, tmp_path, capsys):
    path = tmp_path / "mine.tsv"
    path.write_text(text or "".join(f"a{n} b\tc{n}{' d' * (n % 3)}\n" for n in range(36)))
    train.main(["--pairs", str(path), "--out", str(tmp_path / "run"), *PAIR_FLAGS, *limit])
    assert said in capsys.readouterr().err


def test_long_sides_and_many_bytes_are_taken_where_they_are_asked_for(tmp_path, capsys):
    path, folder = tmp_path / "mine.tsv", tmp_path / "run"
    path.write_text("".join(f"{f'w{n} ' * 60}\t{f'v{n} ' * 50}\n" for n in range(20)))
    arguments = ["--pairs", str(path), "--out", str(folder), *PAIR_FLAGS]
    assert train.main(arguments) == 2
    assert train.main([*arguments, "--max-tokens", "60"]) == 0
    assert load_run(folder).max_source_tokens == 60
    assert train.main(["--resume", str(folder)]) == 0


@pytest.mark.proof
def test_a_smoke_run_is_one_flag(pairs_file, tmp_path):
    folder = tmp_path / "smoke"
    assert train.main(["--pairs", str(pairs_file), "--out", str(folder), "--smoke"]) == 0
    run = load_run(folder)
    assert (run.updates, run.config.d_model, run.train_config.n_test) == (20, 16, 3)
    assert len(list((folder / "history").iterdir())) > 1
    assert (
        train.main(["--task", "reverse", "--out", str(tmp_path / "task"), "--smoke", "--d-model", "8"]) == 0
    )
    assert load_run(tmp_path / "task").config.d_model == 8
    assert train.main(["--init-from", str(folder), "--out", str(tmp_path / "on"), "--smoke"]) == 0


TOO_FAST = ["--schedule", "constant", "--warmup-steps=0", "--peak-learning", "5", "--validate-every", "6"]


@pytest.mark.proof
def test_command_printed_after_a_divergence_trains_as_printed(tmp_path, capsys):
    folder = tmp_path / "a run"
    short = ["--steps", "12", "--n-train", "300", "--n-validation", "5", "--n-test", "5", "--quiet"]
    assert train.main(["--task", "reverse", "--out", str(folder), *SMALL, *short, *TOO_FAST]) == 0
    said = capsys.readouterr().out
    assert "The training diverged" in said
    (command,) = (line for line in said.splitlines() if line.startswith("Begin again with: "))
    words = shlex.split(command.removeprefix("Begin again with: "))
    assert words[:3] == ["python", "-m", "core.train"]
    before = read_description(folder).train_config
    assert train.main(words[3:]) == 0
    now = read_description(folder).train_config
    assert now == replace(before, peak_learning_rate=0.006, warmup_steps=3)
    assert "The training diverged" not in capsys.readouterr().out


def test_infinite_loss_prints_a_command_for_a_new_training(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "run"

    def broken(trainer, batch):
        raise DivergenceError("the loss is nan at update 0; lower the learning rate")

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "update", broken)
        assert train.main(["--task", "copy", "--out", str(folder), *SMALL, *SHORT]) == 2
        said = capsys.readouterr().err
        assert train.main(["--resume", str(folder)]) == 2
        assert "begin again with --overwrite" in capsys.readouterr().err
    command = said.strip().splitlines()[-1].partition("; begin again with: ")[2]
    assert train.main(shlex.split(command)[3:]) == 0
    assert read_description(folder).train_config.peak_learning_rate == 0.002


@pytest.mark.parametrize("slower", [True, False])
def test_slow_bfloat16_causes_a_warning(tmp_path, capsys, monkeypatch, slower):
    seconds = {False: 1.0, True: 2.5 if slower else 0.5}
    monkeypatch.setattr(precision, "_seconds", lambda config, enabled: seconds[enabled])
    arguments = ["--task", "copy", "--out", str(tmp_path / "run"), *SMALL, *SHORT]
    assert train.main([*arguments, "--dtype", "bfloat16"]) == 0
    assert ("bfloat16 is slower than float32 on this CPU" in capsys.readouterr().err) == slower
    assert train.main([*arguments, "--overwrite"]) == 0
    assert "bfloat16" not in capsys.readouterr().err


def test_measuring_a_number_type_leaves_random_numbers_alone():
    description = describe_task(get_task("copy"), TrainConfig(dtype="bfloat16"))
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    precision.precision_warning(description, torch.device("cpu"))
    torch.testing.assert_close(torch.rand(3), expected)


def test_scripts_are_answered_in_json(pairs_file, tmp_path, capsys):
    folder = tmp_path / "run"
    assert train.main(["--pairs", str(pairs_file), "--out", str(folder), *PAIR_FLAGS, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["folder"], said["complete"], said["updates"]) == (str(folder), True, 4)
    assert said["evaluation"]["n_pairs"] == 3
    assert said["outcome"] == json.loads((folder / "run.json").read_text())["outcome"]


@pytest.mark.proof
def test_without_a_terminal_progress_is_a_line_now_and_then(run_folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(console, "BETWEEN_LINES", 0.0)
    arguments = ["--task", "copy", *SMALL, *SHORT, "--validate-every", "2"]
    capsys.readouterr()
    assert train.main([*arguments, "--out", str(tmp_path / "lines")]) == 0
    said = capsys.readouterr().err
    assert "\r" not in said
    assert [line.split(",")[0].split(":")[0] for line in said.splitlines()] == [
        "1 of 3 updates", "2 of 3 updates", "after 2 updates", "3 of 3 updates", "after 3 updates",
    ]  # fmt: skip
    assert train.main([*arguments, "--out", str(tmp_path / "quiet"), "--quiet"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().err.splitlines()] == [
        "after 2 updates", "after 3 updates",
    ]  # fmt: skip


def test_help_shows_what_every_setting_stands_at(capsys):
    with pytest.raises(SystemExit):
        train.main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "number of updates; an upper limit with --patience (default: by task; with --pairs 10000)" in said
    assert "width of the residual stream (default: 64)" in said
    assert "(default: 0.0; with --pairs 0.1)" in said
    assert "maximum number of pairs to read, at about 1 kB of memory each (default: 50000)" in said


def test_a_training_keeps_as_many_moments_as_it_is_told(run_folder, tmp_path):
    assert list((run_folder / "history").iterdir())
    folder = tmp_path / "none"
    assert train.main(["--task", "copy", "--out", str(folder), *SMALL, *SHORT, "--history", "none"]) == 0
    assert not (folder / "history").exists()


def test_a_finished_run_is_thinned_by_its_history(run_folder, tmp_path, capsys):
    assert train.main(["--resume", str(run_folder), "--history", "1"]) == 0
    assert "MB were freed" in capsys.readouterr().err
    assert [path.stem for path in (run_folder / "history").iterdir()] == ["000000003"]
    assert list((run_folder / "checkpoints").iterdir()) == []
    assert translate.main(["--run", str(run_folder), "cat"]) == 0
    description, dataset = train._planned(
        options_of(["--task", "copy", "--out", str(tmp_path / "begun"), *SMALL, *SHORT]), print
    )
    begin_run(tmp_path / "begun", description, dataset)
    assert train.main(["--resume", str(tmp_path / "begun"), "--history", "none"]) == 2
    assert "let this one finish" in capsys.readouterr().err
