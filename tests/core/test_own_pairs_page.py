"""Every command that the page about own pairs shows is run as it stands there, on small pairs."""

import re
import shlex
from pathlib import Path

import pytest

from core import train
from core.data.pairs import TOKENIZER_CHOICES, Cutting, choose_tokenizer, parse_pairs
from core.data.tasks.task import Pair
from core.run import load_run
from tests.optional import unwrap

PAGE = Path(__file__).parents[2] / "docs" / "own-pairs.md"
COMMANDS = re.findall(r"^    python -m core\.train (.+)$", PAGE.read_text(), re.MULTILINE)


@pytest.mark.proof
def test_every_command_of_the_page_does_what_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = [
        f"the {colour} {thing}"
        for colour in ("red", "big", "old")
        for thing in ("house", "car", "dog", "ship")
    ]
    Path("sentences.tsv").write_text("".join(f"{each}\t{each[::-1]}\n" for each in words))
    Path("others.tsv").write_text("".join(f"{each} {each}\t{each[::-1]}\n" for each in words))
    table = [f"{number}\t{each}\tx\t{each[::-1]}\n" for number, each in enumerate(words)]
    Path("table.tsv").write_text("number\ttext\tmark\tletters\n" + "".join(table))
    Path("code.tsv").write_text("".join(f"{each}\t    {each[::-1]}\n" for each in words))
    Path("corpus.en").write_text("".join(f"{each}\n" for each in words))
    Path("corpus.de").write_text("".join(f"{each[::-1]}\n" for each in words))
    assert len(COMMANDS) == 7
    for command in COMMANDS:
        arguments = shlex.split(command)
        smoke = [] if "--resume" in arguments else ["--smoke"]
        assert train.main([*arguments, *smoke, "--quiet"]) == 0, capsys.readouterr().err
    assert (
        unwrap(load_run("runs/mine-2").parent).name
        == unwrap(load_run("runs/fine-tuned").parent).name
        == "mine"
    )
    assert len(list(Path("runs/mine/history").iterdir())) == 5


def blocks(section):
    """Return the kind and the text of each block of a section."""
    (text,) = re.findall(rf"^## {section}$(.*?)^## ", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_forms_of_the_page_have_the_same_two_pairs():
    forms = blocks("Forms")
    assert len(forms) == 9
    for kind, text in forms:
        found = parse_pairs(text.encode(), f"pairs.{kind}")
        assert [(pair.source, pair.target) for pair in found.pairs] == [
            ("red lamp", "rote Lampe"),
            ('blue "door"', "blaue Tür"),
        ], kind


@pytest.mark.parametrize(("section", "name"), [("Columns", "table.tsv"), ("Cleaning", "pairs.tsv")])
def test_reports_of_the_page_are_those_of_its_files(section, name):
    (_, file), (_, report) = blocks(section)
    assert str(parse_pairs(file.encode(), name).report) == report.strip()


@pytest.mark.parametrize("flag", re.findall(r"`(--[a-z-]+)", PAGE.read_text()))
def test_every_flag_of_the_page_is_one_of_the_command(flag, capsys):
    with pytest.raises(SystemExit):
        train.main(["--help"])
    assert f"{flag} " in capsys.readouterr().out.replace("\n", " ").replace("]", " ").replace(",", " ")


def test_tokenizers_of_the_page_cut_its_example_as_shown():
    text = PAGE.read_text(encoding="utf-8")
    example = unwrap(re.search(r"^\| choice \| tokens of `(.+)` \|", text, re.MULTILINE)).group(1)
    rows = dict(re.findall(r"^\| `([a-z-]+)`[^|]* \| ([^|]+) \|", text, re.MULTILINE))
    assert set(rows) == set(TOKENIZER_CHOICES)
    pair = Pair(example, "x y", ())
    for choice in ("word", "lowercase-word", "character"):
        tokens = choose_tokenizer([pair], Cutting(choice)).source.tokenize(example)
        shown = re.findall(r"`([^`]+)`", rows[choice])
        assert tokens[: len(shown)] == shown
        assert len(tokens) == len(shown) or choice == "character"


def test_losses_of_the_page_are_reported_in_its_words():
    pairs = [Pair("a b", "The cat.", ())]
    (sentence,) = choose_tokenizer(pairs, Cutting("lowercase-word"), pairs).sentences()
    assert sentence.split(" targets ")[1] in PAGE.read_text(encoding="utf-8")
