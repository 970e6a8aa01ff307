"""python -m core.translate: every method, line by line, each refusal a sentence."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from core import BeamConfig, DecodeConfig, beam_search, load_run, translate
from tests.conftest import PATIENCE

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
        assert captured.err == ""
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
    settings = {"temperature": 2.0, "top_k": 9, "top_p": 0.95, "seed": 4}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    assert said(*options, SENTENCE) == [run.translate(SENTENCE, DecodeConfig(**settings))]
    assert (
        len({line for seed in range(5) for line in said("--temperature=3", f"--seed={seed}", SENTENCE)}) > 1
    )


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
        (["--beam", "4", "--top-k", "3"], "--top-k is for drawing one by chance"),
        (["--n-best", "2"], "--n-best is for beam search; add --beam"),
        (["--length-penalty", "0"], "--length-penalty is for beam search; add --beam"),
        (["--beam", "2", "--n-best", "3"], "--n-best 3 must be at most --beam 2"),
        (["--beam", "0"], "--beam must be a whole number of at least 1, not 0"),
        (["--beam", "100000"], "--beam must be at most 1,000, not 100000"),
        (["--top-p", "0.9"], "add --temperature above 0"),
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


def test_help_shows_examples_and_needs_no_torch():
    program = (
        "import sys\nfrom core import translate\n"
        "try: translate.main(['--help'])\nexcept SystemExit: print('torch' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "--beam 4 --n-best 3" in result.stdout
    assert result.stdout.splitlines()[-1] == "False"


def test_lines_are_answered_as_they_come():
    command = [sys.executable, "-m", "core.translate", "--run", RUN]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        for sentence, answer in ((SENTENCE, ANSWER), ("a dog sings", "un chien chante")):
            process.stdin.write(sentence + "\n")
            process.stdin.flush()
            # Would wait for ever if lines were read in blocks.
            assert process.stdout.readline() == answer + "\n"
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0


def test_a_reader_that_has_enough_ends_it_quietly():
    command = [sys.executable, "-m", "core.translate", "--run", RUN]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, cwd=ROOT) as process:
        process.stdin.write(f"{SENTENCE}\n")
        process.stdin.flush()
        assert process.stdout.readline() == f"{ANSWER}\n"
        process.stdout.close()
        process.stdin.write(f"{SENTENCE}\n" * 3)
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == ""


def test_a_run_that_is_not_there_ends_in_a_sentence(capsys):
    assert translate.main(["--run", "nowhere", SENTENCE]) == 2
    assert "cannot be read" in capsys.readouterr().err
