"""Lesson files that cannot be used: one sentence, with the file and the line of the fault."""

import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.app import REGISTRY
from explorer.lessons.lesson import LessonError
from explorer.lessons.library import read_library
from explorer.lessons.reading import read_lesson
from explorer.lessons.source import MAX_BYTES
from tests.addresses import TITLES
from tests.test_structure import ROOT

FILE = "03-one-query.toml"
TEXT = (Path(__file__).parent / FILE).read_text(encoding="utf-8")
SENTENCE = re.compile(r"^(.+), line (\d+): \S.*[.?…]$", re.DOTALL)


def refusal(text: str | bytes, file: str = FILE) -> tuple[int, str]:
    """Line and words of the sentence that a file gets."""
    with pytest.raises(LessonError) as caught:
        read_lesson(file, text.encode() if isinstance(text, str) else text, REGISTRY)
    found = SENTENCE.match(str(caught.value))
    assert found
    assert found[1] == file
    return int(found[2]), str(caught.value)


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def replaced(old: str, new: str) -> Callable[[], tuple[str, int]]:
    """The shipped lesson with one thing changed, and the line of it."""

    def change() -> tuple[str, int]:
        assert old in TEXT
        return TEXT.replace(old, new, 1), line_of(TEXT, old)

    return change


BAD = {
    "no TOML": (replaced('title = "The query"', "title = The query"), "not TOML"),
    "a page that is not": (
        replaced('page = "cross-attention"', 'page = "cross-atention"'),
        "cross-attention",
    ),
    "a key that is not": (replaced('look = "Any row', 'lok = "Any row'), "did you mean 'look'"),
    "a view that is not": (replaced('stage = "keys"', 'stag = "keys"'), "did you mean 'stage'"),
    "a view of no words": (replaced("layer = 1", "layer = true"), "a word or a number"),
    "a part that is not": (replaced('part = "view"', 'part = "viiew"'), "did you mean 'view'"),
    "an ask that is not": (replaced('ask = "largest"', 'ask = "biggest"'), "'ask' of the fact 'weight'"),
    "an axis that is not": (replaced('head = "mean", query', 'hed = "mean", query'), "did you mean 'head'"),
    "a fact without a site": (
        replaced('ask = "token", side = "output", place = 4', 'ask = "token"'),
        "'side'",
    ),
    "a fact's name": (replaced("produced = {", "Produced = {"), "small letters"),
    "a fact that is not": (
        replaced("and {produced} comes", "and {prduced} comes"),
        "did you mean 'produced'",
    ),
    "an open brace": (replaced("and {produced} comes", "and {produced comes"), "braces"),
    "an answer that is not": (replaced('answer = "most"', 'answer = "must"'), "did you mean 'most'"),
    "a kind that is not": (replaced('kind = "word"', 'kind = "token"'), "choice, number or word"),
    "choices of a word": (replaced('kind = "choice"', 'kind = "word"'), "'choices'"),
    "a choice without a value": (replaced(", below = 0.1 },", " },"), "'is' or one or both"),
    "a claim of nothing": (
        replaced('[[stops.claims]]\nfact = "weight"\nabove = 0.5', '[[stops.claims]]\nfact = "weight"'),
        "'is', 'above' or 'below'",
    ),
    "a claim of no fact": (replaced('fact = "keys"', 'fact = "kees"'), "did you mean 'keys'"),
    "a tolerance below 0": (replaced("tolerance = 0.005", "tolerance = -1"), "at least 0"),
    "a title without words": (replaced('title = "The keys"', 'title = ""'), "needs words"),
    "a title of a number": (replaced('title = "The keys"', "title = 3"), "needs words"),
    "a title too long": (replaced('title = "The keys"', f'title = "{"a" * 61}"'), "60 is the most"),
    "covers of numbers": (replaced('covers = ["query', 'covers = [1, "query'), "a list of words"),
    "a fact that is a text": (
        replaced('tokens = { ask = "tokens", side = "source" }', 'tokens = "7"'),
        "a table",
    ),
    "an option that is a table": (
        replaced("place = 4 }", "place = { at = 4 } }"),
        "a word, a number or a list",
    ),
    "wrong answers of no table": (replaced("wrong = [\n", 'wrong = [ "no",\n'), "a list of tables"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_fault_is_told_with_its_line(fault):
    (text, expected), words = BAD[fault][0](), BAD[fault][1]
    line, sentence = refusal(text)
    assert words in sentence
    assert line == expected


def test_a_lesson_has_six_stops_or_more():
    first = TEXT[: TEXT.index("[[stops]]", TEXT.index("[[stops]]") + 1)]
    line, sentence = refusal(first)
    assert "6 to 12 stops; this one has 1" in sentence
    assert line == line_of(first, "[[stops]]")
    assert "'page' of stop 1" in refusal(first.replace('page = "home"', 'page = "hom"'))[1], (
        "what is wrong with it"
    )


def test_a_lesson_asks_three_times_or_more():
    text = re.sub(r"\[stops\.prediction\]\n(?:(?!\[\[stops).*\n)*", "", TEXT)
    assert "asks 3 times or more; this one asks 0" in refusal(text)[1]


@pytest.mark.parametrize(
    "name", ["lesson.toml", "3-a.toml", "03-A.toml", "03-.toml", "03-a.txt", "../03-a.toml"]
)
def test_the_name_of_the_file_is_part_of_it(name):
    assert refusal(TEXT, name)[0] == 1


def test_a_file_is_text_of_some_length():
    assert "UTF-8" in refusal(TEXT.encode() + b"\xff")[1]
    assert "KiB" in refusal(b"#" * (MAX_BYTES + 1))[1]
    assert "not TOML" in refusal("a = " + "[" * 5000)[1]


LINES = TEXT.splitlines()


@pytest.mark.proof
@given(
    st.integers(0, len(LINES) - 1),
    st.one_of(
        st.just(None),
        st.text(max_size=30),
        st.sampled_from(
            ["[stops.view]", "[[stops]]", "[facts]", "wrong = 3", 'kind = "cell"', "title = [[]]", "}"]
        ),
    ),
)
def test_whatever_a_line_is_the_file_is_read_or_refused_by_a_sentence(place, line):
    lines = [*LINES[:place], *([] if line is None else [line]), *LINES[place + 1 :]]
    try:
        read_lesson(FILE, "\n".join(lines).encode("utf-8", "surrogatepass"), REGISTRY)
    except LessonError as error:
        found = SENTENCE.match(str(error))
        assert found
        assert 1 <= int(found[2]) <= len(LINES) + 40


def test_every_page_has_its_address_and_its_file():
    assert {view.key for view in REGISTRY.values() if view.address} == set(TITLES)
    for view in REGISTRY.values():
        assert (ROOT / view.page).exists()


PARTS_OF_A_KEY = 8_000
"""Of which TOML's reader makes 32 million parts, a quarter of a gigabyte."""
STOP = '[[stops]]\ntitle = "a"\npage = "home"\ntext = "b"\n'
BOMBS = {
    "a dotted key": ("a." * PARTS_OF_A_KEY + "a = 1", "8,000 dots"),
    "a dotted head": ("[" + "a." * PARTS_OF_A_KEY + "a]", "8,000 dots"),
    "a dotted key in a table": ("a = { " + "a." * PARTS_OF_A_KEY + "a = 1 }", "8,000 dots"),
    "a dotted key of what other programs take for lines": (
        '"\u2028".' * PARTS_OF_A_KEY + "a = 1",
        "8,000 dots",
    ),
    "brackets": ("a = " + "[" * 30_000, "too many brackets"),
    "braces": ("a = " + "{a=" * 15_000, "too many brackets"),
    "digits": ("title = " + "9" * 30_000, "digits"),
    "hexadecimal digits": ("title = 0x" + "f" * 30_000, "digits"),
    "stops": ('title = "a"\nsummary = "b"\ncovers = ["c"]\n' + STOP * 1_000, "1,000 entries; 50 is the most"),
    "wrong answers": (
        TEXT.replace("wrong = [\n", "wrong = [\n" + '{ is = "a", text = "b" },\n' * 1_000, 1),
        "entries; 50 is the most",
    ),
    "a long word": (TEXT.replace("layer = 1", "w" * 30_000 + " = 1", 1), "has no 'www"),
}


@pytest.mark.sweep
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_file_takes_little_memory_whatever_stands_in_it(bomb):
    text, words = BOMBS[bomb]
    tracemalloc.start()
    try:
        _, sentence = refusal(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert re.search(words, sentence)
    assert len(sentence) < 1_100
    assert peak < 8 * 2**20


def test_no_more_of_a_file_is_read_than_a_lesson_may_have(tmp_path):
    with open(tmp_path / FILE, "wb") as file:
        file.truncate(2**30)
    tracemalloc.start()
    try:
        (problem,) = read_library(tmp_path, REGISTRY).problems
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert problem == f"{FILE}, line 1: a lesson has at most 64 KiB; this file is larger."
    assert peak < 2**20


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path):
    (tmp_path / FILE).mkdir()
    (problem,) = read_library(tmp_path, REGISTRY).problems
    assert SENTENCE.match(problem)
    assert "cannot be read" in problem
