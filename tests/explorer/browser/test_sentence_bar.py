"""The bar of the sentence: what travels to the browser, and what may come back from it."""

import json
import random
import struct
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from core.data.tasks import Example
from core.data.tokenizers import (
    BpeTokenizer,
    CharacterTokenizer,
    MorphemeTokenizer,
    Tokenizer,
    TokenizerKind,
    WordTokenizer,
)
from core.data.vocabulary import Vocabulary
from core.errors import ConfigError
from explorer.browser.sentence_bar import (
    MAX_CHARACTERS,
    STEPPED,
    SUBMITTED,
    ChangedModel,
    Output,
    Place,
    SentenceBarData,
    Step,
    Submission,
    pack,
)
from explorer.models.judged import Judged, Verdict
from explorer.visitor.reports import MAX_REPORT
from explorer.visitor.state import MAX_STEPS
from tests.conftest import PATIENCE
from tests.explorer.mounting import asked_of, feed, mount

HERE = Place("here")


def bar(**changes: Any) -> SentenceBarData:
    fields: dict[str, Any] = {
        "key": "here",
        "label": "English sentence",
        "placeholder": "the small cats do not sleep",
        "value": "the dog sleeps",
        "value_id": "example 0",
        "words": ("cats", "do", "dog", "not", "sleep", "the"),
        "mode": "word",
        "unit": "word",
        "max_tokens": 24,
        "replacements": {"don't": "do not"},
    }
    return SentenceBarData(**(fields | changes))


any_text = st.text(max_size=40)
any_bar = st.builds(
    SentenceBarData,
    key=any_text,
    label=any_text,
    placeholder=any_text,
    value=any_text,
    value_id=any_text,
    words=st.lists(any_text, max_size=8).map(tuple),
    mode=st.sampled_from(get_args(TokenizerKind)),
    unit=any_text,
    max_tokens=st.integers(1, 512),
    replacements=st.dictionaries(any_text, any_text, max_size=4),
    merges=st.lists(st.tuples(any_text, any_text), max_size=4).map(tuple),
    message=any_text,
    reference=any_text,
    examples=st.lists(st.builds(Example, any_text, any_text, any_text), max_size=3).map(tuple),
    output=st.none()
    | st.builds(
        Output,
        st.tuples(any_text),
        st.tuples(st.floats(0, 1)),
        st.tuples(st.booleans()),
        st.tuples(any_text),
        st.integers(0, 9),
        st.none()
        | st.builds(
            Judged,
            st.sampled_from(get_args(Verdict)),
            any_text,
            st.tuples(any_text),
            st.tuples(st.booleans()),
            st.tuples(st.booleans()),
        ),
    ),
    changed=st.none() | st.builds(ChangedModel, any_text, st.integers(1, 9), st.booleans()),
)
good_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=MAX_CHARACTERS)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def arrived(message: bytes) -> dict[str, Any]:
    """What the browser reads of a message, header and vocabulary."""
    (length,) = struct.unpack_from("<I", message)
    vocabulary = json.loads(message[4 + -(-length // 4) * 4 :])
    return json.loads(message[4 : 4 + length]) | vocabulary


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


@given(any_bar)
def test_the_message_keeps_every_field(data: SentenceBarData) -> None:
    got = arrived(pack(data))
    assert (got.pop("max_characters"), len(got.pop("arrays"))) == (MAX_CHARACTERS, 1)
    for name in ("words", "merges"):
        got[name] = tuple(tuple(each) if isinstance(each, list) else each for each in got[name])
    got["examples"] = tuple(Example(**each) for each in got["examples"])
    if got["output"]:
        judged = got["output"].pop("judged")
        lists = {name: tuple(value) for name, value in got["output"].items() if name != "step"}
        got["output"] = Output(**(got["output"] | lists), judged=judged and Judged(**_with_tuples(judged)))
    if got["changed"]:
        got["changed"] = ChangedModel(**got["changed"])
    assert SentenceBarData(**got) == data


@pytest.mark.parametrize("changes", [{"mode": "sub-word"}, {"max_tokens": 0}])
def test_an_impossible_bar_is_refused_with_a_sentence(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="must be"):
        bar(**changes)


@given(good_text, st.integers(0, MAX_REPORT - 1))
def test_a_submission_of_the_agreed_form_arrives_unchanged(text: str, sequence: int) -> None:
    assert SUBMITTED.parse({"text": text, "report": sequence}, HERE) == Submission(text)


@given(json_values)
def test_whatever_else_the_browser_sends_is_no_submission_and_no_error(raw: object) -> None:
    assert SUBMITTED.parse(raw, HERE) is None or isinstance(raw, dict)


@given(json_values, json_values)
def test_wrong_fields_never_become_a_submission(text: object, sequence: object) -> None:
    parsed = SUBMITTED.parse({"text": text, "report": sequence}, HERE)
    assert parsed is None or (type(parsed.text) is str and type(sequence) is int)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "the dog sleeps",
        [],
        {},
        {"text": "the dog sleeps"},
        {"report": 1},
        {"text": 7, "report": 1},
        {"text": "a", "report": "1"},
        {"text": "a", "report": 1.0},
        {"text": "a", "report": True},
        {"text": "a", "report": -1},
        {"text": "a", "report": MAX_REPORT},
        {"text": "a" * (MAX_CHARACTERS + 1), "report": 1},
        {"text": "half a pair \ud800", "report": 1},
    ],
)
def test_these_are_no_submissions(raw: object) -> None:
    assert SUBMITTED.parse(raw, HERE) is None


@given(json_values, json_values, json_values)
def test_wrong_fields_never_become_a_step(key: object, step: object, sequence: object) -> None:
    parsed = STEPPED.parse({"key": key, "step": step, "report": sequence}, HERE)
    assert parsed is None or (key == "here" and type(parsed.step) is int)


@pytest.mark.parametrize(
    "changes", [{"key": "elsewhere"}, {"key": None}, {"step": -1}, {"step": MAX_STEPS}, {"step": True}]
)
def test_a_step_of_another_output_or_of_none_is_no_step(changes: dict[str, Any]) -> None:
    report = {"key": "here", "step": 3, "report": 8}
    assert STEPPED.parse(report, HERE) == Step(3)
    assert STEPPED.parse(report | changes, HERE) is None


def _page() -> None:
    """A page with one bar; AppTest runs this body as a script of its own."""
    import streamlit as st

    from explorer.browser.sentence_bar import EVENTS, Place, SentenceBarData, sentence_bar
    from explorer.visitor.reports import pending

    data = SentenceBarData(
        "here", "Letters", "cab", "cab", "0", ("a", "b", "c"), "character", "letter", 10, {}
    )
    for got in pending("bar", Place("here"), EVENTS):
        st.text(str(got))
    sentence_bar(data, key="bar")


def test_the_page_gets_nothing_before_and_each_report_once_after_it_was_sent() -> None:
    page = AppTest.from_function(_page, default_timeout=PATIENCE).run()
    assert not page.exception
    assert not page.text
    assert arrived(page.get_by_key("bar").proto.bytes)["words"] == ["a", "b", "c"]
    page.session_state["bar"] = {
        "submission": {"text": "bca", "report": 3},
        "view": {"key": "here", "step": 2, "report": 4},
    }
    page.run()
    assert not page.exception
    assert [text.value for text in page.text] == ["Submission(text='bca')", "Step(step=2)"]
    page.run()
    assert not page.text
    page.session_state["bar"] = {"submission": {"text": "bca", "report": 5}}
    page.run()
    assert [text.value for text in page.text] == ["Submission(text='bca')"], "the same text once more"


READ = """({ data, texts }) => {
    const { cutterOf, tokenize } = bundle.proven, cutter = cutterOf(data);
    return texts.map((text) => tokenize(text.normalize("NFC"), cutter).map((token) => token.text));
}"""

CONTRACTIONS = {f"{verb}n't": f"{verb} not" for verb in ("do", "does", "is", "have")}


def read_in_the_browser(browser: Browser, data: SentenceBarData, texts: list[str]) -> list[list[str]]:
    return asked_of(browser, READ, {"data": arrived(pack(data)), "texts": texts})


PIECES = (
    *(
        "the",
        "Dog",
        " doesn't ",
        " DON’T ",
        "l'",
        "L’",
        "qu'",
        "aujourd'hui",
        "été",
        "e\u0301",
        "x\u0302",
        "ß",
    ),
    *("au", "ab", "ba", "·", "▁", "👍", "👍🏽", "हि", "€"),
    *("_", "7", " ", "  ", "'", "’", ".", "!", "?", "…", ",", "-", "<b>", "\u00a0", "¿", "ж", "א", "日", "²"),
)


LEARNED = (
    "the cats don't sleep, the bats do",
    "a cab, a bab: abba ba",
    "été ба été ба",
    "👍👍 👍🏽 हि हिहि abc7abc7",
)


@pytest.mark.browser
@pytest.mark.parametrize(
    "tokenizer",
    [
        WordTokenizer(Vocabulary.build("abc")),
        WordTokenizer(Vocabulary.build("ab👍🏽")),
        CharacterTokenizer(Vocabulary.build("abc")),
        CharacterTokenizer(Vocabulary.build("ab 👍")),
        MorphemeTokenizer(Vocabulary.build(("the", "do", "·a", "·e", "ab", "·ba", "b", "-"))),
        BpeTokenizer.train(LEARNED, 60),
        BpeTokenizer.train(LEARNED, 90),
        # Not as training orders them: what one merge makes is joined by an earlier one of the list.
        BpeTokenizer(
            Vocabulary.build(("▁", *"abu", "ab", "aba", "▁a")), (("ab", "a"), ("a", "b"), ("▁", "a"))
        ),
    ],
    ids=lambda tokenizer: f"{tokenizer.kind}-{len(tokenizer.vocabulary)}",
)
def test_the_browser_splits_a_text_as_the_model_does(browser: Browser, tokenizer: Tokenizer) -> None:
    rng = random.Random(0)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(0, 12))) for _ in range(2000)]
    merges = tokenizer.merges if isinstance(tokenizer, BpeTokenizer) else ()
    data = bar(
        mode=tokenizer.kind, words=tokenizer.vocabulary.words, replacements=CONTRACTIONS, merges=merges
    )
    differing = [
        (text, found, expected)
        for text, found in zip(texts, read_in_the_browser(browser, data, texts), strict=True)
        if _split_as(found, tokenizer) != (expected := tokenizer.tokenize(text))
    ]
    assert differing == []


def _split_as(tokens: list[str], tokenizer: Tokenizer) -> list[str]:
    """An emoji that the model does not know in any part is shown in one; to Python it is several unknown tokens."""
    known = tokenizer.vocabulary
    return [
        point
        for token in tokens
        for point in (token if token.startswith("👍") and token not in known else [token])
    ]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("  The DOG  don’t sleep … ! ", ["the", "dog", "do", "not", "sleep"]),
        ("l'homme L’e\u0301te\u0301", ["l'", "homme", "l'", "été"]),
        ("__proto__ constructor", ["__proto__", "constructor"]),
        (" .!?… ", []),
    ],
)
def test_the_browser_reads_these_words(browser: Browser, text: str, tokens: list[str]) -> None:
    assert read_in_the_browser(browser, bar(), [text]) == [tokens]


def mounted_bar(browser: Browser, message: bytes | None = None) -> Page:
    """The bar on a page of its own, as its first message draws it; what it reports is put on `window.reports`."""
    page = browser.new_page()
    mount(page, "sentence-bar", "browser/sentence_bar/view", message or pack(bar()))
    return page


@pytest.mark.browser
def test_what_a_screen_reader_hears_is_about_the_text_that_was_accepted(browser) -> None:
    page = mounted_bar(browser)
    field, status = page.get_by_role("combobox"), page.get_by_role("status")
    field.fill("the dragon")
    field.press("Enter")
    assert "dragon" in status.inner_text()
    field.fill("the dog")
    field.press("Enter")
    # At once, without a rest: the page is drawn anew for the answer.
    assert "dragon" not in status.inner_text()
    assert "2" in status.inner_text()
    feed(page, pack(bar(message="The model is not there.")))
    assert "The model is not there." in status.inner_text()
    page.close()


@pytest.mark.browser
def test_an_answer_is_about_the_text_that_was_submitted_not_about_what_is_typed_since(browser) -> None:
    page = mounted_bar(browser)
    field, answer = page.get_by_role("combobox"), "The model is not there."
    field.fill("the dog")
    field.press("Enter")
    field.fill("the")
    feed(page, pack(bar(message=answer)))
    assert answer not in page.locator("#reason").inner_text()
    field.fill("the dog")
    assert answer in page.locator("#reason").inner_text()
    page.close()


@pytest.mark.browser
def test_strip_about_a_changed_model_reports_its_buttons(browser) -> None:
    words = "<img src=x>, set to 0; the causal mask is switched off"
    page = mounted_bar(browser, pack(bar(changed=ChangedModel(words, 2, is_compared=False), report=7)))
    strip = page.get_by_role("status").filter(has_text="changed model")
    assert strip.inner_text() == f"You are looking at a changed model: {words}"
    assert strip.get_attribute("title") == words
    strip_buttons = page.locator(".changes").get_by_role("button")
    assert strip_buttons.all_inner_texts() == ["Undo", "Undo all 2", "Compare"]
    strip_buttons.first.focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    reports = page.evaluate("reports")
    assert [(name, what["act"]) for name, what in reports] == [
        ("changes", "undo"),
        ("changes", "undo_all"),
        ("changes", "compare"),
    ]
    numbers = [what["report"] for _, what in reports]
    assert 7 < numbers[0] < numbers[1] < numbers[2]
    strip_buttons.first.focus()
    feed(page, pack(bar(changed=ChangedModel("one", 1, is_compared=True), report=numbers[2])))
    assert strip_buttons.first.evaluate("node => node.matches(':focus')"), "the next undo needs no search"
    assert strip_buttons.filter(visible=True).all_inner_texts() == ["Undo"]
    assert page.locator("#host").get_attribute("data-strip") == "title"
    feed(page, pack(bar()))
    assert page.get_by_text("changed model").count() == 0
    assert page.locator("#host").get_attribute("data-strip") is None
    page.close()
