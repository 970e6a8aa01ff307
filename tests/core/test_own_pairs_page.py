"""Every command that the page about own pairs shows is run as it stands there, on small pairs."""

import re
import shlex
from pathlib import Path

import pytest

from core import train
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
    assert len(COMMANDS) == 4
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


@pytest.mark.parametrize("flag", re.findall(r"`(--[a-z-]+)", PAGE.read_text()))
def test_every_flag_of_the_page_is_one_of_the_command(flag, capsys):
    with pytest.raises(SystemExit):
        train.main(["--help"])
    assert f"{flag} " in capsys.readouterr().out.replace("\n", " ").replace("]", " ").replace(",", " ")
