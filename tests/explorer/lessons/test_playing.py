"""Faults that only a model can show, told with their line; and the command that plays a lesson."""

import math
from pathlib import Path

import pytest

from core.interventions.findings import read_findings
from explorer.app import REGISTRY
from explorer.lessons.__main__ import main
from explorer.lessons.checking import play
from explorer.lessons.facts import find_facts
from explorer.lessons.lesson import LessonError
from explorer.lessons.reading import CONTENT, read_lesson
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run, shipped_runs

FILE = "03-one-query.toml"
HERE = Path(__file__).parent
TEXT = (HERE / FILE).read_text(encoding="utf-8")
WRONG = {
    "no such layer": ("layer = 1\nhead = 0", "layer = 7\nhead = 0", "link's layer"),
    "no such stage": ('stage = "keys"', 'stage = "kees"', "no stage 'kees'"),
    "no such number": ("cross_attn.scores-0", "cross_attn.scores-7", "is not there"),
    "no such site": ('cross_attn.scores", head', 'cross_atn.scores", head', "no site and no parameter"),
    "no such place": ("head = 3, query = 0, key", "head = 9, query = 0, key", "0 to 3, not 9"),
    "no such token": ('query = 4, key = "sleep"', 'query = 4, key = "sleeps"', "has no 'sleeps'"),
    "no such fact": ('["weight_second"', '["weight_secnd"', "is not there"),
    "several numbers": (
        'scores", head = 0, query = 4, key = 5 }\n\n[[',
        'scores", head = 0, query = 4 }\n\n[[',
        "several places",
    ),
    "a claim that fails": ("above = 0.5", "above = 0.9999", "above 0.9999, but the run says 0."),
    "no choice is right": ("below = 0.1 }", "below = 0.0001 }", "none of the choices"),
    "two choices are right": ("below = 1, wrong", "wrong", "exactly one"),
    "a wrong answer that is right": (
        'is = "the", text = "That is what head 0',
        'is = "small", text = "That is what head 0',
        "is what the run says",
    ),
    "an answer nobody can give": ('is = "sleep", text', 'is = "dort", text', "not one of the tokens"),
    "a word out of a matrix": (
        "head = 3, query = 0 }\nweight",
        "head = 3 }\nweight",
        "'argmax' or 'argmin' of one axis",
    ),
    "a number that is a word": ('answer = "size"', 'answer = "produced"', "must be a number"),
    "a number nobody types": ('answer = "sum"', 'answer = "odd"', "tolerance"),
}


def changed(fault: str) -> str:
    old, new, _ = WRONG[fault]
    if fault == "two choices are right":
        return TEXT.replace("above = 0.5, below = 1, ", "above = 0, ", 1)
    if fault == "a number nobody types":
        odd = 'odd = { ask = "value", site = "decoder.layers.1.cross_attn.weights", head = 2, query = 4, key = 3 }\n'
        return (
            TEXT.replace(old, new, 1)
            .replace("tolerance = 0.005\n", "", 1)
            .replace("heads_sum = {", odd + "heads_sum = {", 1)
        )
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("fault", WRONG)
def test_what_the_models_do_not_say_is_told_with_its_line(fault):
    text = changed(fault)
    played = play(read_lesson(FILE, text.encode(), REGISTRY), shipped_runs(), REGISTRY)
    told = next(each for each in played.faults if WRONG[fault][2] in each)
    line = int(told.partition("line ")[2].partition(":")[0])
    changed_at = next(i for i, (now, before) in enumerate(zip(text, TEXT, strict=False)) if now != before)
    stop_of_change = text[:changed_at].count("[[stops]]")
    assert "\n".join(text.splitlines()[:line]).count("[[stops]]") == stop_of_change, told


def test_a_fact_about_itself_is_refused():
    text = TEXT.replace(
        'share = { ask = "ratio", of = ["weight_second"', 'share = { ask = "ratio", of = ["share"'
    )
    played = play(read_lesson(FILE, text.encode(), REGISTRY), shipped_runs(), REGISTRY)
    assert any("refers back to it" in fault for fault in played.faults)


def test_the_command_plays_a_file(capsys):
    assert main(["check", str(HERE / FILE)]) == 0
    out = capsys.readouterr().out
    assert "Stop 10 of 10" in out
    recorded = recorded_of(loaded_run("en-fr"), "the small cat does not sleep")
    weights = recorded.values("decoder.layers.1.cross_attn.weights")[:, 5].mean(axis=0)
    assert f"weight = {weights.max():.4f}" in out
    assert "answer: not" in out
    assert "No faults." in out


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    (tmp_path / FILE).write_text(changed("a claim that fails"), encoding="utf-8")
    (tmp_path / "04-none.toml").write_text("title = 3")
    assert (
        main(["check", "--quiet", str(tmp_path / FILE), str(tmp_path / "04-none.toml"), str(tmp_path / "x")])
        == 1
    )
    said = capsys.readouterr()
    assert said.out == ""
    first, second, third = said.err.splitlines()
    assert first.startswith(f"{FILE}, line ")
    assert second.startswith("04-none.toml, line 1: ")
    assert "cannot be read" in third


def test_an_output_is_printed_with_plain_spaces():
    lesson = read_lesson("10-decoding.toml", (CONTENT / "10-decoding.toml").read_bytes(), REGISTRY)
    whole = find_facts(lesson.file, lesson.stop(4).facts, shipped_runs())["whole"]
    assert whole.value == whole.text == "la petit chat ne dort pas"
    assert {piece.text for piece in whole.pieces if not piece.kind} == {" "}


UNANSWERED = {
    'ask = "carried", second = "the small cats do not sleep", step = 4, site = "x"': "has no row 'x'; it has src_embed",
    'ask = "carried", second = "the cats sleep", step = 4, site = "src_embed.output"': "tokens",
    'ask = "arm", experiment = "no-such", arm = "control", name = "n_heads"': "no such experiment",
    'ask = "arm", experiment = "copy-without-positions", arm = "x", name = "n_heads"': "it has control, none",
    'ask = "arm", experiment = "copy-without-positions", arm = "none", name = "x"': "no setting 'x'",
    'ask = "uniform", side = "x"': "'source' or 'target'",
}


def found_in(fact: str):
    """The fact as the first stop of a lesson about “the small cat does not sleep” asks it."""
    text = TEXT.replace("[stops.facts]\n", f"[stops.facts]\nprobed = {{ {fact} }}\n", 1)
    lesson = read_lesson(FILE, text.encode(), REGISTRY)
    return find_facts(lesson.file, lesson.stop(1).facts, shipped_runs())["probed"]


@pytest.mark.parametrize("fact", UNANSWERED)
def test_a_question_that_has_no_answer_is_told_with_a_sentence(fact):
    with pytest.raises(LessonError, match=UNANSWERED[fact]):
        found_in(fact)


def test_what_a_borrowed_vector_carries_is_what_the_patching_map_says():
    stored = read_findings()
    asked = f'ask = "carried", second = "{stored["donor"]}", step = 4, site = "src_embed.output"'
    assert found_in(asked).value == stored["carrier"]
    for place, share in enumerate(stored["shares"]["src_embed.output"]):
        found = found_in(f"{asked}, place = {place}")
        assert found.value == pytest.approx(share, abs=1e-3)
        # What is 0 for the reader is not below it.
        assert not found.text.startswith("\N{MINUS SIGN}0.00")


def test_the_size_of_the_papers_model_is_counted():
    """Embedding, then 6 + 6 layers: attentions of 4 matrices, networks of 2, all with biases, and a norm after each."""
    d, inner, tokens = 512, 2048, 37_000
    attention, network, norm = 4 * (d * d + d), 2 * d * inner + d + inner, 2 * d
    layers = 6 * (attention + network + 2 * norm) + 6 * (2 * attention + network + 3 * norm)
    assert found_in('ask = "base"').value == tokens * d + layers


def test_a_uniform_guess_is_as_wrong_as_its_vocabulary_is_large():
    size = found_in('ask = "vocabulary", side = "target"').value
    assert found_in('ask = "uniform", side = "target"').value == pytest.approx(math.log(size))
