"""A run of own pairs: all targets of a source are used, its limits are its own, and its texts are cleaned one way."""

import io
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core import evaluate, train, translate
from core.config import BeamConfig, DecodeConfig, TrainConfig
from core.data.dataset import split_own_pairs
from core.data.pairs import COPY_LIMITS, Cutting, parse_pairs
from core.data.splits import accept_all_targets, separate_targets
from core.data.tasks import Pair
from core.errors import InputError
from core.run import Run, load_run, save_run
from core.run_description import read_description
from core.training.own_pairs import own_splits
from core.training.plan import add_longest_target, dataset_of, plan_pairs, serialize_splits

MODEL = ["--d-model", "8", "--n-heads", "2", "--d-ff", "8", "--layers", "1"]
TINY = [*MODEL, "--steps", "3", "--batch-size", "8", "--warmup-steps", "1", "--quiet"]
WORDS = [f"{first}{second}" for first in "bdfgk" for second in "aeiou"]
LONG = " ".join(["la"] * 60)


def pairs() -> list[Pair]:
    """Every source with two targets, apart from each other in the file; the last target is long."""
    first = [Pair(f"say {word}", f"dis {word} bien fort", ()) for word in WORDS]
    second = [Pair(f"say {word}", f"dis donc {word} très fort", ()) for word in WORDS]
    return [*first, *second, Pair("sing", LONG, ())]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("targets")
    lines = [f"{pair.source.replace(' ', chr(0x200B) + '  ')}\t{pair.target}" for pair in pairs()]
    (home / "own.tsv").write_text("\n".join(lines), encoding="utf-8")
    arguments = ["--pairs", str(home / "own.tsv"), "--out", str(home / "run"), "--max-tokens", "200"]
    assert train.main([*arguments, "--tokenizer", "character", *TINY]) == 0
    run = load_run(home / "run")
    with torch.no_grad():
        # Some token has a positive logit, so the model never ends an output.
        run.model.generator.weight[run.config.eos_id] = 0
    save_run(run, home / "run")
    return home


@pytest.fixture(scope="module")
def run(folder) -> Run:
    return load_run(folder / "run")


def test_plan_mentions_sources_with_several_targets():
    _, dataset, remarks = plan_pairs(
        pairs(), TrainConfig(n_train=100), cutting=Cutting("character", max_tokens=200)
    )
    held_out = len(dataset.splits.validation) + len(dataset.splits.test)
    assert f"{held_out} held-out sources have several targets; each of them counts as right." in remarks
    _, _, remarks = plan_pairs(pairs()[:25], TrainConfig(n_train=100), cutting=Cutting("character"))
    assert not any("several targets" in remark for remark in remarks)


@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_of_a_source_are_in_one_split(seed):
    splits = split_own_pairs(pairs(), TrainConfig(seed=seed, n_train=100))
    sources = [{pair.source for pair in split} for split in (splits.train, splits.validation, splits.test)]
    assert sum(map(len, sources)) == len(set.union(*sources)) == 26
    assert sorted(separate_targets([*splits.train, *splits.validation, *splits.test]), key=str) == sorted(
        pairs(), key=str
    )


def test_unique_sources_are_dealt_out_as_before():
    own = [Pair(str(number), "x", ()) for number in range(20)]
    splits = split_own_pairs(own, TrainConfig(seed=3))
    shuffled = list(own)
    random.Random(3).shuffle(shuffled)
    assert (splits.validation, splits.test) == (tuple(shuffled[:2]), tuple(shuffled[2:4]))
    assert splits.train == tuple(shuffled[4:])


def test_merged_targets_are_taken_apart_again():
    merged = accept_all_targets(pairs())
    assert len(merged) == 26
    assert merged[0].accepted == ("dis ba bien fort", "dis donc ba très fort")
    assert separate_targets(merged)[:2] == (pairs()[0], pairs()[25])
    twice = accept_all_targets([Pair("a", "b", ()), Pair("a", "b", ()), Pair("a", "c", ())])
    assert [pair.accepted for pair in twice] == [("b", "c")]


def test_run_keeps_every_target_of_its_pairs(folder):
    description = read_description(folder / "run")
    splits = own_splits(folder / "run", description)
    counts = description.train_config
    assert (counts.n_validation, counts.n_test) == (len(splits.validation), len(splits.test)) == (2, 2)
    assert counts.n_train == len(splits.train)
    held_out = [*splits.validation, *splits.test]
    assert any(len(pair.accepted) == 2 for pair in held_out)
    assert len(splits.train) + len(separate_targets(held_out)) == 51
    stored = (folder / "run" / "pairs.tsv").read_bytes()
    assert serialize_splits(dataset_of(folder / "run", description)) == stored
    assert len(parse_pairs(stored, "pairs.tsv", COPY_LIMITS).pairs) == 51


def test_output_limit_follows_the_longest_target(folder, run):
    stored = json.loads((folder / "run" / "run.json").read_text())
    assert stored["max_target_tokens"] == len(LONG)
    assert run.output_limit == len(LONG) + len(LONG) // 2 + 5
    del stored["max_target_tokens"]
    older = type(read_description(folder / "run")).from_dict("older", stored)
    assert (older.max_target_tokens, older.output_limit) == (None, 50)


@pytest.mark.proof
def test_one_limit_holds_for_translation_trace_and_evaluation(run):
    (output,) = run.outputs(["say ba"])[0]
    assert (output.truncated, len(output.ids)) == (True, run.output_limit)
    assert run.translate("say ba") == output.text
    assert run.translate("say ba", BeamConfig(width=1)) == output.text
    assert run.trace("say ba", "generator.logits").tgt_out.tolist() == list(output.ids)
    (result,) = run.evaluate([("say ba", "x")]).results
    assert (result.output, len(result.output_tokens)) == (output.text, len(output.ids))
    assert result.finished != output.truncated
    (short,) = run.outputs(["say ba"], DecodeConfig(max_length=3))[0]
    assert (short.ids, short.truncated) == (output.ids[:3], True)


def test_truncated_output_is_marked(folder, run, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("say ba\nsay be\n"))
    arguments = ["--run", str(folder / "run"), "--json", "--max-length", "2"]
    assert translate.main(arguments) == 0
    captured = capsys.readouterr()
    assert [json.loads(line)["truncated"] for line in captured.out.splitlines()] == [True, True]
    assert captured.err.splitlines() == [
        f"line {number}: the output stopped after 2 tokens, as --max-length says" for number in (1, 2)
    ]
    monkeypatch.setattr("core.run_description.RunDescription.output_limit", 4)
    assert translate.main(["--run", str(folder / "run"), "say ba"]) == 0
    said = capsys.readouterr().err
    assert said == "the output stopped after 4 tokens, the run's limit; add --max-length N\n"


def test_every_line_of_the_training_file_is_translated(folder, capsys, monkeypatch):
    sources = [line.split("\t")[0] for line in (folder / "own.tsv").read_text("utf-8").split("\n")]
    lines = "\ufeff" + "\n".join([*sources[:3], f"say\u00ad {WORDS[0]}"])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), "utf-8"))
    assert translate.main(["--run", str(folder / "run"), "--max-length", "2"]) == 0
    written = capsys.readouterr().out.splitlines()
    assert len(written) == 4
    assert written[0] == written[3]


def test_given_texts_are_cleaned_as_the_pairs_were(run):
    assert run.source_ids("\ufeffsay\u200b   ba\u00ad") == run.source_ids("say ba")
    assert run.target_ids("dis   ba") == run.target_ids("dis ba")
    (result,) = run.evaluate([("say\u200b  ba", "dis \t ba")]).results
    assert (result.source, result.reference) == ("say ba", "dis ba")


@pytest.mark.proof
def test_run_is_evaluated_on_all_pairs_of_its_own_file(folder, run, capsys):
    assert evaluate.main(["--run", str(folder / "run"), "--test", str(folder / "own.tsv"), "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    # 25 sources with two targets each, and the long one.
    assert (values["n_pairs"], values["left_out"]) == (26, [])
    assert {"n_exact", "n_string_exact", "string_match", "n_truncated"} <= set(values)


def test_table_counts_pairs_left_out(folder, tmp_path, capsys):
    longer = tmp_path / "longer.tsv"
    longer.write_text(f"say ba\tdis ba\nsay be\t{' '.join([LONG] * 2)}\nsay\n", encoding="utf-8")
    assert evaluate.main(["--run", str(folder / "run"), "--test", str(longer)]) == 0
    table = capsys.readouterr().out
    assert "left out          2 pairs of the file" in table
    assert "1 with a side that is too long" in table
    assert "1 without a target (line 3)" in table


def test_n_best_has_each_text_once(run, monkeypatch):
    found = run.outputs(["say ba"], BeamConfig(width=6, n_best=4, max_length=3))[0]
    assert len({output.text for output in found}) == len(found) == 4
    # A tokenizer with several spellings of one text, as byte pairs have.
    monkeypatch.setattr(type(run.tgt_tokenizer), "join", lambda _, tokens: "".join(tokens)[:1])
    folded = run.outputs(["say ba"], BeamConfig(width=6, n_best=4, max_length=3))[0]
    assert len({output.text for output in folded}) == len(folded)
    assert folded[0].score == found[0].score
    scores = [output.score for output in folded if output.score is not None]
    assert scores == sorted(scores, reverse=True)


def test_merged_targets_keep_every_credit():
    merged = accept_all_targets(
        [Pair("hi", "salut", (), "Alice"), Pair("hi", "bonjour", (), "Bob"), Pair("hi", "coucou", ())]
    )
    assert merged[0].attribution == "Alice; Bob"
    assert accept_all_targets(separate_targets(merged)) == merged


def test_older_run_is_evaluated_to_the_length_of_its_references(run):
    older = Run(**{**vars(run), "max_target_tokens": None})
    assert older.output_limit == 50
    (result,) = older.evaluate([("sing", LONG)]).results
    assert len(result.output_tokens) == older.output_limit_for(len(LONG)) > len(LONG)


def test_resumed_older_run_knows_its_longest_target(folder, run):
    older = replace(read_description(folder / "run"), max_target_tokens=None)
    dataset = dataset_of(folder / "run", older)
    assert add_longest_target(older, dataset).max_target_tokens == run.max_target_tokens


def test_line_with_an_unseen_token_is_translated_and_told(folder, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("say 語\n".encode())))
    assert translate.main(["--run", str(folder / "run"), "--max-length", "3", "--json"]) == 0
    said = capsys.readouterr()
    assert "line 1: “語” was never seen in training; read as <unk>" in said.err
    assert json.loads(said.out)["unknown"] == ["語"]


def test_few_sources_with_many_targets_are_enough():
    pairs = [Pair(f"say {n % 3}", f"dis {n}", ()) for n in range(12)]
    splits = split_own_pairs(pairs, TrainConfig(n_train=100))
    assert [len({pair.source for pair in split}) for split in (splits.train, splits.validation, splits.test)] == [
        1, 1, 1,
    ]  # fmt: skip
    with pytest.raises(InputError, match="at least 3 different sources, not 2"):
        split_own_pairs([Pair(f"say {n % 2}", f"dis {n}", ()) for n in range(12)], TrainConfig())


def test_training_prints_its_first_pair(tmp_path, capsys):
    pairs = tmp_path / "pairs.tsv"
    rows = (f"{word}\t{word[::-1]}\n" for word in WORDS)
    pairs.write_text("Frage\tAntwort\n" + "".join(rows), encoding="utf-8")
    assert train.main(["--pairs", str(pairs), "--out", str(tmp_path / "run"), *TINY]) == 0
    assert "The first pair is “Frage” → “Antwort”." in capsys.readouterr().err
