"""python -m core.translate: every method, line by line, each refusal a sentence."""

import io
import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
import torch

from core import BeamConfig, DecodeConfig, beam_search, decode_steps, generate, load_run, translate
from core.activations.record import PlacedEdit
from core.data.batching import padded
from core.data.tasks import get_task
from core.decoding.together import decode_together
from core.errors import InputError
from tests.another_python import said_by
from tests.conftest import PATIENCE
from tests.optional import unwrap

ROOT = Path(__file__).parents[2]
RUN = str(ROOT / "checkpoints" / "en-fr")
SENTENCE = "the small cat does not sleep"
ANSWER = "le petit chat ne dort pas"


@pytest.fixture(scope="module")
def run():
    return load_run(RUN)


@pytest.fixture
def said(capsys):
    """What the command prints for arguments that it can take, by lines."""

    def said(*arguments):
        assert translate.main(["--run", RUN, *arguments]) == 0
        captured = capsys.readouterr()
        # A sample may run into the limit, and nothing else is worth a line.
        assert all("the output stopped after" in line for line in captured.err.splitlines())
        return captured.out.splitlines()

    return said


def test_greedy_and_beam_print_the_translation_alone(said):
    assert said(SENTENCE, "a dog sings") == [ANSWER, "un chien chante"]
    assert said("--beam", "4", SENTENCE) == [ANSWER]


def test_n_best_prints_scores_and_texts(said, run):
    lines = said("--beam", "4", "--n-best", "3", "--length-penalty", "1", SENTENCE)
    config = BeamConfig(width=4, n_best=3, length_penalty=1.0)
    answer = beam_search(run.model, run.encode_source(SENTENCE)[None], config)
    assert lines == [f"{h.score:.4f}\t{run.tgt_tokenizer.decode(h.ids)}" for h in answer]
    assert len(lines) == 3
    assert lines[0].endswith(f"\t{ANSWER}")


def test_sampling_follows_its_settings(said, run):
    settings: dict[str, Any] = {"temperature": 2.0, "top_k": 9, "top_p": 0.95, "seed": 4}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    assert said(*options, SENTENCE) == [run.translate(SENTENCE, DecodeConfig(**settings))]
    assert (
        len({line for seed in range(5) for line in said("--temperature=3", f"--seed={seed}", SENTENCE)}) > 1
    )


SAMPLING = DecodeConfig(temperature=1.0, seed=4)


def sampled_texts(run, texts, config):
    """Decode all texts in one padded batch and return what each draws."""
    sources = [run.source_ids(text) for text in texts]
    rows = generate(run.model, padded(sources), 50, temperature=config.temperature, seed=config.seed)
    return [run.tgt_tokenizer.decode(row) for row in rows.tolist()]


def test_samples_of_equal_texts_differ(run):
    assert len(set(run.translate(["the small cat sleeps"] * 300, SAMPLING))) > 100


def test_text_of_a_list_draws_as_its_row_of_generate(run):
    task, rng = get_task("en_fr"), random.Random(8)
    texts = [task.sample(rng).source for _ in range(40)] + [SENTENCE] * 3
    assert run.translate(texts, SAMPLING) == sampled_texts(run, texts, SAMPLING)
    assert run.translate(texts[0], SAMPLING) == run.translate(texts, SAMPLING)[0]


@pytest.mark.proof
def test_share_of_samples_varies_little_between_seeds(run):
    """Independent draws of 100 texts have a standard deviation of 0.05; with common draws it is 0.21."""
    task, rng = get_task("en_fr"), random.Random(9)
    texts = [task.sample(rng).source for _ in range(100)]
    greedy = run.translate(texts)
    shares = [
        mean(map(str.__eq__, run.translate(texts, DecodeConfig(temperature=1.0, seed=seed)), greedy))
        for seed in range(8)
    ]
    assert stdev(shares) < 0.07


def test_command_line_samples_as_a_list_does(said, run, monkeypatch):
    texts = [SENTENCE, "a dog sings", SENTENCE, SENTENCE]
    options = ("--temperature=1", "--seed=4")
    assert said(*options, *texts) == run.translate(texts, SAMPLING)
    stdin = io.TextIOWrapper(io.BytesIO(f"{SENTENCE}\n\n{SENTENCE}\n".encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    # The empty line has the second place, so the third line draws as the third text.
    first, _, third, _ = run.translate(texts, SAMPLING)
    assert said(*options, "--batch-size=2") == [first, "", third]


def test_number_of_samples_is_drawn_of_each_text(said, run):
    repeated = [SENTENCE] * 3 + ["a dog sings"] * 3
    expected = run.translate(repeated, SAMPLING)
    options = ("--temperature=1", "--seed=4", "--samples=3")
    assert said(*options, SENTENCE, "a dog sings") == expected
    objects = [json.loads(line) for line in said(*options, "--json", SENTENCE, "a dog sings")]
    assert [found["source"] for found in objects] == [SENTENCE, "a dog sings"]
    assert [sample["output"] for found in objects for sample in found["samples"]] == expected


def test_failed_line_gives_an_empty_line_per_sample(capsys, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"xyz\n\na dog sings\n"))
    monkeypatch.setattr("sys.stdin", stdin)
    assert translate.main(["--run", RUN, "--temperature=0.1", "--samples=2"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["", "", "", "", "un chien chante", "un chien chante"]


@pytest.mark.parametrize("method", [(), ("--beam", "3"), ("--temperature", "0.5")])
def test_a_prefix_begins_every_translation(said, method):
    (line,) = said(*method, "--prefix", "une petite", SENTENCE)
    assert line.startswith("une petite ")
    assert line != ANSWER


def test_run_translate_takes_every_method(run):
    assert run.translate(SENTENCE) == run.translate(SENTENCE, BeamConfig()) == ANSWER
    prefix = run.tgt_tokenizer.encode("une")
    assert run.translate(SENTENCE, BeamConfig(), prefix=prefix).startswith("une ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--beam", "4", "--temperature", "0.7"], "leave one of them out"),
        (["--beam", "4", "--top-k", "3"], "--top-k is for sampling"),
        (["--n-best", "2"], "--n-best is for beam search; add --beam"),
        (["--length-penalty", "0"], "--length-penalty is for beam search; add --beam"),
        (["--beam", "2", "--n-best", "3"], "--n-best 3 must be at most --beam 2"),
        (["--beam", "0"], "--beam must be a whole number of at least 1, not 0"),
        (["--beam", "100000"], "--beam must be at most 1,000, not 100000"),
        (["--top-p", "0.9"], "--top-p applies to sampling; add --temperature above 0"),
        (["--seed", "3"], "--seed applies to sampling; add --temperature above 0"),
        (["--samples", "3"], "--samples applies to sampling; add --temperature above 0"),
        (["--beam", "4", "--samples", "3"], "--samples is for sampling; leave one of them out"),
        (["--temperature", "0", "--top-k", "3"], "add --temperature above 0"),
        (["--temperature", "-1"], "--temperature must be 0, or from"),
        (["--temperature", "1", "--top-p", "2"], "--top-p must be a number above 0"),
        (["--max-length", "0"], "--max-length must be a whole number"),
        (["--prefix", "le xyz"], "The model cannot write “xyz”"),
        (["--device", "abacus"], "device must be cpu, cuda or mps"),
    ],
)
def test_what_does_not_go_together_ends_in_a_sentence(arguments, sentence, capsys):
    assert translate.main(["--run", RUN, *arguments, SENTENCE]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""


def test_a_prefix_longer_than_the_output_is_said_of_each_text(capsys):
    assert translate.main(["--run", RUN, "--max-length", "1", "--prefix", "le petit", SENTENCE]) == 2
    assert "the forced prefix has 2 tokens, but 1 at most" in capsys.readouterr().err


def test_lines_that_cannot_be_translated_are_numbered_and_the_rest_is(capsys, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"a dog sings\n\nxyz\n\xff\xfe\r\n" + SENTENCE.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert translate.main(["--run", RUN]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["un chien chante", "", "", "", ANSWER]
    unknown, wrong = captured.err.splitlines()
    assert unknown.startswith("line 3: The model does not know “xyz”")
    assert wrong.startswith("line 4: this is not UTF-8 text")


@pytest.mark.proof
def test_texts_decoded_together_give_what_each_gives_by_itself(run):
    task, rng = get_task("en_fr"), random.Random(5)
    texts = [task.sample(rng).source for _ in range(60)]
    sources = [run.source_ids(text) for text in texts]
    assert len({len(source) for source in sources}) > 3
    for config in (DecodeConfig(), BeamConfig(width=3, n_best=2), DecodeConfig(temperature=1.5, seed=3)):
        together = decode_together(run.model, sources, config, batch_size=17)
        for place, (source, targets) in enumerate(zip(sources, together, strict=True)):
            src = torch.tensor([source])
            if isinstance(config, BeamConfig):
                alone = beam_search(run.model, src, config)
                assert [target.ids for target in targets] == [best.ids for best in alone]
                assert [target.score for target in targets] == pytest.approx(
                    [best.score for best in alone], abs=1e-4
                )
            else:
                *_, last = steps = list(decode_steps(run.model, src, config, places=[place]))
                assert [target.ids for target in targets] == [tuple(last.hypotheses[0].tolist())]
                assert targets[0].log_prob == pytest.approx(
                    sum(float(each.log_prob) for each in steps), abs=1e-4
                )


@pytest.mark.sweep
@pytest.mark.parametrize("method", [(), ("--beam", "3"), ("--temperature", "2"), ("--prefix", "une")])
def test_lines_in_batches_are_answered_in_their_order_with_the_same(method, capsys, monkeypatch):
    task, rng = get_task("en_fr"), random.Random(6)
    lines = [task.sample(rng).source for _ in range(11)]
    lines[3:3] = ["", "xyz abc"]
    answers = []
    for size in ("1", "5", "100"):
        stdin = io.TextIOWrapper(io.BytesIO("\n".join(lines).encode()))
        monkeypatch.setattr("sys.stdin", stdin)
        assert translate.main(["--run", RUN, "--batch-size", size, *method]) == 2
        answers.append(capsys.readouterr())
    assert len(answers[0].out.splitlines()) == 13
    assert answers[0].out.splitlines()[3:5] == ["", ""]
    assert answers[0] == answers[1] == answers[2]
    assert "line 5: The model does not know “xyz”, “abc”" in answers[0].err


def says(*tokens):
    """Return changes that make a model write these tokens, and the last of them from then on."""
    return [
        ("generator.logits", PlacedEdit(lambda value, first: _raised(value, first, tokens))),
    ]


def _raised(value, first, tokens):
    for row in range(value.shape[1]):
        value[:, row, tokens[min(first + row, len(tokens) - 1)]] += 1000
    return value


@pytest.mark.parametrize(
    ("tokens", "printed", "said", "status"),
    [
        ([3], [""], "the model writes nothing but <unk>, which stands for no word; train it again", 2),
        ([3, 3, 2], [""], "the model writes nothing but <unk>", 2),
        ([10, 3, 2], ["{} <unk>"], "the output has <unk>, which stands for no word", 0),
    ],
)
def test_unknown_token_in_an_output_is_told(tokens, printed, said, status, capsys, monkeypatch, run):
    monkeypatch.setattr(
        "core.decoding.together.decode_together",
        lambda model, *given, edits, **settings: decode_together(
            model, *given, edits=says(*tokens), **settings
        ),
    )
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a dog sings\n")))
    assert translate.main(["--run", RUN]) == status
    captured = capsys.readouterr()
    word = run.tgt_tokenizer.vocabulary.token(10)
    assert captured.out.splitlines() == [line.format(word) for line in printed]
    assert captured.err.startswith(f"line 1: {said}")


def test_one_text_that_cannot_be_decoded_does_not_stop_those_beside_it(capsys, monkeypatch):
    def refusing(model, sources, *given, **settings):
        if any(len(source) == 4 for source in sources):
            raise InputError("no position is left")
        return decode_together(model, sources, *given, **settings)

    monkeypatch.setattr("core.decoding.together.decode_together", refusing)
    assert translate.main(["--run", RUN, "--batch-size", "3", SENTENCE, "a dog sings", SENTENCE]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [ANSWER, ANSWER]
    assert captured.err == "no position is left\n"


def test_json_has_an_object_for_each_line(capsys, monkeypatch, run):
    stdin = io.TextIOWrapper(io.BytesIO(SENTENCE.encode() + b"\n\nthe xyz\n\xff\n"))
    monkeypatch.setattr("sys.stdin", stdin)
    assert translate.main(["--run", RUN, "--json", "--batch-size", "9"]) == 2
    right, empty, unknown, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    (best,) = decode_together(run.model, [run.source_ids(SENTENCE)])[0]
    assert right == {"source": SENTENCE, "output": ANSWER, "log_prob": pytest.approx(best.log_prob, abs=1e-5)}
    assert empty == {"source": "", "output": "", "log_prob": None}
    assert (unknown["source"], unknown["unknown"]) == ("the xyz", ["xyz"])
    assert "does not know" in unknown["error"]
    assert "not UTF-8" in wrong["error"]


def test_json_has_the_n_best_with_their_scores(said, run):
    (line,) = said("--json", "--beam", "4", "--n-best", "3", SENTENCE)
    values = json.loads(line)
    found = beam_search(run.model, run.encode_source(SENTENCE)[None], BeamConfig(width=4, n_best=3))
    assert [each["output"] for each in values["n_best"]] == [run.tgt_tokenizer.decode(h.ids) for h in found]
    assert [each["score"] for each in values["n_best"]] == pytest.approx([h.score for h in found])
    assert (values["output"], values["score"]) == (ANSWER, values["n_best"][0]["score"])


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        (["--beam", "360"], "--beam 360 is wider than the 355 tokens that can be written first"),
        (["--beam", "51"], "--beam 51 is unlikely to find better translations"),
        (["--beam", "51", "--n-best", "51"], ""),
        (["--beam", "50"], ""),
    ],
)
def test_a_beam_that_cannot_help_is_said_and_searched(arguments, warning, capsys):
    assert translate.main(["--run", RUN, *arguments, "--max-length", "3", "a dog"]) == 0
    captured = capsys.readouterr()
    assert captured.out
    assert captured.err.startswith(warning)
    assert len(captured.err.splitlines()) == (1 if warning else 0)


def test_help_shows_examples_and_needs_no_torch():
    program = (
        "import sys\nfrom core import translate\n"
        "try: translate.main(['--help'])\nexcept SystemExit: print('torch' in sys.modules)"
    )
    said = said_by(program)
    assert "--beam 4 --n-best 3" in said
    flags = said.split("options:")[1].split("examples:")[0].split("\n  --")[1:]
    # Each has a default but the run, and --json, which is off.
    assert [flag.split()[0] for flag in flags if "(default:" not in " ".join(flag.split())] == ["run", "json"]
    assert said.splitlines()[-1] == "False"


@pytest.mark.proof
def test_lines_are_answered_as_they_come():
    command = [sys.executable, "-m", "core.translate", "--run", RUN]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        for sentence, answer in ((SENTENCE, ANSWER), ("a dog sings", "un chien chante")):
            unwrap(process.stdin).write(sentence + "\n")
            unwrap(process.stdin).flush()
            # Would wait for ever if lines were read in blocks.
            assert unwrap(process.stdout).readline() == answer + "\n"
        unwrap(process.stdin).close()
        assert process.wait(timeout=PATIENCE) == 0


@pytest.mark.proof
def test_a_reader_that_has_enough_ends_it_quietly():
    command = [sys.executable, "-m", "core.translate", "--run", RUN]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT) as process:
        unwrap(process.stdin).write(f"{SENTENCE}\n")
        unwrap(process.stdin).flush()
        assert unwrap(process.stdout).readline() == f"{ANSWER}\n"
        unwrap(process.stdout).close()
        unwrap(process.stdin).write(f"{SENTENCE}\n" * 3)
        unwrap(process.stdin).close()
        assert process.wait(timeout=PATIENCE) == 0
        assert unwrap(process.stderr).read() == ""


def test_a_run_that_is_not_there_ends_in_a_sentence(capsys):
    assert translate.main(["--run", "nowhere", SENTENCE]) == 2
    assert "cannot be read" in capsys.readouterr().err
