"""The views of tokens: the messages, and in a real browser the merges, the keys and hostile texts."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.data.tokenizers import BpeTokenizer
from core.data.vocabulary import EOS
from explorer.models.tokenizations import Cut, Merging
from explorer.views.embedding import component as module
from explorer.views.embedding.component import (
    RankedToken,
    RankingData,
    TokenViewData,
    pack_tokens,
    ranking_view,
    token_view,
)
from explorer.views.embedding.token_page import SPECIAL_TOKENS
from tests.explorer.mounting import feed, mount

FOLDER = Path(module.__file__).parent
HOSTILE = "<img src=x onerror=alert(1)>"
TEXT = "low lower lowest newer"
BPE = BpeTokenizer.train(["low low lower lower lowest lowest newer newer wider wider"] * 3, 40)


def view_data(text=TEXT, key="run/text"):
    start, *steps = BPE.merge_steps(text)
    tokens = (*text.split(), HOSTILE, EOS)
    return TokenViewData(
        key=key,
        cuts=(
            Cut("word", True, tokens, (*range(4, 3 + len(tokens) - 1), 3, 2), 50),
            Cut("bpe", False, (*BPE.tokenize(text), EOS), (*BPE.encode(text), 2), 40),
        ),
        specials=SPECIAL_TOKENS,
        merging=Merging(start.tokens, tuple(steps), len(BPE.merges), False),
    )


def test_the_message_has_every_cut_and_every_merge_but_no_step_twice():
    message = json.loads(pack_tokens(view_data()))
    assert [cut["title"] for cut in message["cuts"]] == ["Words", "Byte-pair encoding"]
    assert [cut["n_unknown"] for cut in message["cuts"]] == [1, 0]
    steps = BPE.merge_steps(TEXT)[1:]
    assert [tuple(step["pair"]) for step in message["merging"]["steps"]] == [step.merge for step in steps]
    assert [step["rank"] for step in message["merging"]["steps"]] == [step.rank for step in steps]
    assert set(message["merging"]["steps"][0]) == {"pair", "rank", "places"}


def test_a_cut_without_an_id_for_each_token_is_refused():
    data = view_data()
    broken = TokenViewData("k", (Cut("word", True, ("a", "b"), (4,), 9),), data.specials, None)
    with pytest.raises(ValueError, match="2 tokens need as many ids, not 1"):
        pack_tokens(broken)
    with pytest.raises(ValueError):
        module.ranking_view.pack([RankingData("Nearest to", ("a",), (RankedToken("b", 5, float("nan")),))])


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    def show(message, path=token_view.path, root="token-view", width=900):
        page.set_viewport_size({"width": width, "height": 900})
        mount(page, root, path, message)
        return page

    return show


def shown(page):
    return page.locator(".merging .box").all_text_contents()


@pytest.mark.browser
def test_each_step_shows_the_tokens_that_the_tokenizer_has_then(mounted):
    page = mounted(pack_tokens(view_data()))
    steps = BPE.merge_steps(TEXT)
    assert shown(page) == list(steps[0].tokens)
    for number, step in enumerate(steps[1:], start=1):
        page.get_by_role("button", name="Next merge").click()
        expect(page.locator(".said")).to_contain_text(f"Merge {number} of {len(steps) - 1}:")
        expect(page.locator(".said")).to_contain_text(f"rank {step.rank} of {len(BPE.merges)}")
        assert shown(page) == list(step.tokens)
        assert page.locator(".merging .made").count() == len(step.positions)
    expect(page.get_by_role("button", name="Next merge")).to_be_disabled()
    assert shown(page) == BPE.tokenize(TEXT)


@pytest.mark.browser
def test_keys_step_and_the_list_leads_to_any_merge(mounted):
    page = mounted(pack_tokens(view_data()))
    steps = BPE.merge_steps(TEXT)
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert shown(page) == list(steps[2].tokens)
    page.keyboard.press("ArrowLeft")
    assert shown(page) == list(steps[1].tokens)
    page.keyboard.press("End")
    assert shown(page) == list(steps[-1].tokens)
    page.keyboard.press("Home")
    assert shown(page) == list(steps[0].tokens)
    page.locator(".merges button").nth(2).click()
    assert shown(page) == list(steps[3].tokens)
    expect(page.locator(".merges button").nth(2)).to_have_attribute("aria-current", "step")


@pytest.mark.browser
def test_the_same_message_keeps_the_step_and_the_focus(mounted):
    message = pack_tokens(view_data())
    page = mounted(message)
    page.get_by_role("button", name="Next merge").click()
    feed(page, message)
    expect(page.get_by_role("button", name="Next merge")).to_be_focused()
    assert shown(page) == list(BPE.merge_steps(TEXT)[1].tokens)
    feed(page, pack_tokens(view_data("lowest", key="other")))
    assert shown(page) == list(BPE.merge_steps("lowest")[0].tokens)


@pytest.mark.browser
def test_tokens_are_text_and_unknown_ones_say_so(mounted):
    page = mounted(pack_tokens(view_data()))
    own = page.get_by_role("region", name="Words")
    expect(own).to_contain_text("read by the model")
    expect(own).to_contain_text("1 token not in it")
    unknown = own.locator("li", has=page.locator(".unknown"))
    assert unknown.locator(".box").inner_text() == HOSTILE.replace(" ", "␣")
    assert unknown.locator("em").inner_text() == "3 <unk>"
    assert page.locator("img").count() == 0
    assert own.locator(".special").inner_text() == EOS


@pytest.mark.browser
@pytest.mark.parametrize("width", [900, 340])
def test_nothing_is_wider_than_the_view(mounted, width):
    page = mounted(pack_tokens(view_data("wider " * 60)), width=width)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.browser
def test_a_ranking_is_a_table_with_the_numbers_and_the_texts_as_they_are(mounted):
    rows = (RankedToken(HOSTILE, 7, 0.875), RankedToken(" ", 12, -0.25))
    page = mounted(
        module.ranking_view.pack([RankingData("Nearest to", ("<b>", "−", "x", "+", "y"), rows)]),
        ranking_view.path,
        "token-view ranking-view",
    )
    table = page.get_by_role("table", name="Nearest to <b> − x + y")
    cells = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert cells == [[HOSTILE.replace(" ", "␣"), "7", "", "0.875"], ["␣", "12", "", "−0.250"]]
    widths = page.locator(".bar").evaluate_all("(bars) => bars.map((bar) => bar.style.width)")
    assert widths == ["87.5%", "0%"]
    assert page.locator("img").count() == 0


@pytest.mark.browser
def test_a_button_that_reaches_the_end_keeps_the_keyboard(mounted):
    page = mounted(pack_tokens(view_data()))
    steps = BPE.merge_steps(TEXT)
    page.get_by_role("button", name="All merges").press("Enter")
    assert shown(page) == list(steps[-1].tokens)
    page.keyboard.press("ArrowLeft")
    assert shown(page) == list(steps[-2].tokens)
