"""Every kind of tokenizer on every page with a sentence: what is typed is taken, and cut as the model cuts it."""

import pytest
from playwright.sync_api import Browser

from core.data.pairs.tokenizing import MAX_WORD_TYPES
from core.run_description import read_description
from tests.addresses import HOME, READING
from tests.app_tests import another_server
from tests.explorer.browser.test_sentence_bar import mounted_bar
from tests.explorer.own_runs import train_pairs
from tests.pages.opening import BAR, bar_of, message_of, open_page, submit

NUMBERS = "en-de-numbers"
"""A shipped model whose tokens are morphemes."""
SENTENCE = "All our cats don't sing"
PAIRS = "\n".join(
    f"{who} {what} don't {verb}.\t{verb}: {what} {who}!"
    for who in ("The old", "All our", "Both the")
    for what in ("dogs", "cats", "dodos")
    for verb in ("sleep", "sing")
)
MANY_WORDS = "\n".join(
    f"the word{number} sleeps\tno word{number} sings" for number in range(MAX_WORD_TYPES + 10)
)
KINDS = {
    "by-words": ("word", PAIRS, "cased_word", SENTENCE),
    "by-lowercase-words": ("lowercase-word", PAIRS, "word", SENTENCE),
    "by-letters": ("character", PAIRS, "character", SENTENCE),
    "by-pieces": ("auto", MANY_WORDS, "bpe", "the word12 swings"),
    NUMBERS: (None, "", "morpheme", "forty-two thousand and one"),
}
"""By the run: the tokenizer that was asked for, what it learned from, the kind that it got, and what is typed."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A runs folder with a run of each kind of tokenizer that own pairs can have."""
    root = tmp_path_factory.mktemp("runs")
    for name, (asked, text, kind, _) in KINDS.items():
        if asked is None:
            continue
        folder = train_pairs(root, name, text=text, tokenizer=asked)
        assert read_description(folder).src_tokenizer.kind == kind
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXPLORER_RUNS", str(root))
        another_server()
        yield root
    another_server()


@pytest.mark.proof
@pytest.mark.parametrize("name", KINDS)
def test_typed_sentence_is_taken_on_every_page_with_an_unknown_token(name, runs):
    sentence = KINDS[name][-1]
    app = open_page(READING[0], model=name)
    for sequence, page in enumerate(READING, start=1):
        # Another sentence on each page, so that what is shown there was taken there.
        text = " ".join([sentence] + [sentence.split()[0]] * (sequence % 2))
        app.switch_page(page)
        bar = bar_of(submit(app, text, sequence))
        assert (bar["value"], bar["message"]) == (text, ""), page
        assert not app.error, page
    bar = bar_of(submit(app, f"{sentence} €", len(READING) + 1))
    # A model of own pairs reads <unk>; the words of a task are all known.
    assert bar["reads_unknown"] == (name != NUMBERS)
    assert bar["value"] == (f"{sentence} €" if name != NUMBERS else text)
    assert ("€" in bar["message"]) == (name == NUMBERS)


@pytest.mark.browser
@pytest.mark.parametrize("name", KINDS)
def test_field_shows_tokens_and_says_what_is_read_as_unk(name, runs, browser: Browser):
    sentence = KINDS[name][-1]
    app = open_page(HOME, model=name)
    from explorer.models.known import known_run

    tokens = known_run(name).src_tokenizer.tokenize(sentence)
    page = mounted_bar(browser, message_of(app, BAR))
    field, reason = page.get_by_role("combobox"), page.locator("#reason")
    chips = page.get_by_role("listitem").locator("bdi")
    field.fill(sentence)
    assert chips.all_inner_texts() == [token.replace(" ", "␣") for token in tokens]
    assert f"knows all {len(tokens)}" in reason.inner_text()
    field.press("Enter")
    assert [report["text"] for _, report in page.evaluate("window.reports")] == [sentence]
    field.fill(f"{sentence} €")
    assert "€" in reason.inner_text()
    assert ("reads <unk> instead" in reason.inner_text()) == (name != NUMBERS)
    field.press("Enter")
    run = [report["text"] for _, report in page.evaluate("window.reports")]
    assert run == ([sentence, f"{sentence} €"] if name != NUMBERS else [sentence])
    if name == NUMBERS:
        page.get_by_role("button", name="Remove €").click()
        assert field.input_value().strip() == sentence
    page.close()
