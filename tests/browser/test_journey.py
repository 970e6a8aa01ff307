"""The journey of a newcomer in a real browser: open, watch, step, look closer, type, share."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bar import chips, expect_output, field, focus_chips, output_tokens
from tests.browser.navigation import go_to, link_to

pytestmark = pytest.mark.browser

FIRST_TOKENS = ["le", "petit", "chat", "ne", "dort", "pas", "</s>"]


def place(page: Page):
    return page.locator(".place")


def open_home(page: Page, query: str = "") -> None:
    page.goto(f"/{query}")
    expect(picture(page)).to_be_visible()


def open_steps(page: Page, query: str = "") -> None:
    page.goto(f"/step-by-step{query}")
    expect(place(page)).to_contain_text("of")


def picture(page: Page):
    return page.get_by_role("img", name="The whole network")


def question(page: Page):
    return page.get_by_role("heading", level=1)


def heard(page: Page):
    """What a screen reader hears once the picture rests."""
    return page.locator(".living-map [aria-live=polite]")


def type_sentence(page: Page, text: str) -> None:
    field(page).fill(text)
    field(page).press("Escape")


def test_a_decoding_is_stepped_through(page: Page):
    open_steps(page)
    expect_output(page, FIRST_TOKENS)
    expect(place(page)).to_have_text(re.compile(r"Step 4.*5 of 7"))

    focus_chips(page)
    page.keyboard.press("Home")
    expect(place(page)).to_have_text(re.compile(r"Step 0.*1 of 7"))
    expect(page.locator(".readout")).to_contain_text(
        re.compile(r"Step 0 \(→ le\) reads \w+ with weight 0\.\d{4}")
    )
    first = page.locator("table.candidates tbody tr").first.inner_text()

    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(place(page)).to_have_text(re.compile(r"Step 4.*5 of 7"))
    expect(page.locator(".rows .label:not(.later)")).to_have_text(["<s>", "le", "petit", "chat", "ne"])
    expect(page.locator(".readout")).to_contain_text("Step 4 (→ dort) reads sleep with weight")
    chosen = page.locator("table.candidates tbody tr").first
    expect(chosen).to_contain_text("dort")
    assert chosen.inner_text() != first

    page.keyboard.press("ArrowLeft")
    expect(page.locator("table.candidates tbody tr").first).to_contain_text("ne")
    page.keyboard.press("End")
    expect(place(page)).to_have_text(re.compile(r"Step 6"))


def test_the_screen_shows_the_numbers_that_the_model_computes(page: Page):
    from core.run import load_run
    from explorer.models.known import CHECKPOINTS
    from explorer.models.translation import translate

    result = translate(load_run(CHECKPOINTS / "en-fr"), "the small cat does not sleep")
    open_steps(page, "?step=4&layer=1&head=2")
    page.get_by_role("region", name="Cross-attention").get_by_role("button", name="Table").click()
    rows = page.locator(".numbers tbody tr").filter(has_text="writes dort")
    shown = [float(text) for text in rows.first.locator("td").all_inner_texts()]
    expected = result.weights[1, 2, 4]
    assert len(shown) == 7
    assert shown == pytest.approx(expected.tolist(), abs=0.00005)


def test_the_field_completes_the_models_words(page: Page):
    open_steps(page)
    field(page).fill("the hor")
    expect(page.get_by_role("option").first).to_have_text("horse")
    field(page).press("Tab")
    expect(field(page)).to_have_value("the horse ")


def test_unknown_words_are_marked_before_running_and_nothing_is_lost(page: Page):
    open_steps(page)
    type_sentence(page, "the <b>dragon</b> sleeps ")
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#reason").get_by_text('does not know "<"')).to_be_visible()
    assert output_tokens(page) == FIRST_TOKENS
    type_sentence(page, "")
    page.keyboard.press("Enter")
    assert output_tokens(page) == FIRST_TOKENS


def test_a_link_opens_the_very_view_for_somebody_else(page: Page, browser: Browser, server: str):
    open_steps(page)
    field(page).click()
    page.get_by_role("option", name="the man loves the small bird").click()
    expect(chips(page).first).to_have_text("l'")
    focus_chips(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.get_by_role("switch", name="Gold alignment").click()
    page.get_by_role("button", name=re.compile("layer 0.*head 1|head 1.*layer 0", re.IGNORECASE)).click()
    expect(page).to_have_url(re.compile(r"step=1.*layer=0.*head=1.*gold=1"))

    other = browser.new_page(base_url=server, reduced_motion="reduce")
    other.goto(page.url)
    expect(place(other)).to_have_text(re.compile(r"Step 1"))
    expect(other.get_by_role("switch", name="Gold alignment")).to_have_attribute("aria-checked", "true")
    expect(other.locator(".site").first).to_have_text("decoder.layers.0.cross_attn.weights")
    other.close()


def test_a_link_takes_along_what_was_just_chosen_in_a_view(page: Page):
    open_home(page)
    expect(question(page)).to_have_text("What did it read to write dort?")
    picture(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"step=3"))
    expect(link_to(page, "Cross-attention")).to_have_attribute("href", re.compile("step=3"))
    go_to(page, "Cross-attention")
    expect(page).to_have_url(re.compile(r"/cross-attention\?.*step=3"))
    page.get_by_role("tab", name=re.compile("^Values")).click()
    expect(page).to_have_url(re.compile("stage=values"))
    expect(link_to(page, "Watch it run")).to_have_attribute("href", re.compile("step=3"))
    go_to(page, "Watch it run")
    expect(page).to_have_url(re.compile(r":\d+/\?.*step=3"))
    expect(question(page)).to_have_text("What did it read to write ne?")
    assert "stage" not in page.url, "a stage is one of its own page"
    page.go_back()
    expect(page).to_have_url(re.compile(r"/cross-attention\?.*stage=values"))
    expect(page.get_by_role("tab", name=re.compile("^Values"))).to_have_attribute("aria-selected", "true")


def test_a_page_is_as_it_was_left(page: Page):
    open_home(page)
    go_to(page, "Cross-attention")
    expect(page).to_have_url(re.compile("/cross-attention"))
    page.get_by_role("tab", name=re.compile("^Values")).click()
    expect(page).to_have_url(re.compile("stage=values"))
    for other in ("Masks", "Self-attention"):
        go_to(page, other)
        expect(page.get_by_role("heading", level=1, name=other)).to_be_visible()
        expect(link_to(page, "Cross-attention")).to_have_attribute("href", re.compile("stage=values"))
    go_to(page, "Cross-attention")
    expect(page.get_by_role("tab", name=re.compile("^Values"))).to_have_attribute("aria-selected", "true")


def test_an_operand_of_an_explained_number_is_framed(page: Page):
    page.goto("/self-attention")
    part = page.locator(".stop [data-part=scores]")
    part.focus()
    part.press("Enter")
    place = page.locator(".stop .sentence code")
    expect(place).to_have_text(re.compile(r"^scores\["))
    expect(page).to_have_url(re.compile("explain="))
    page.locator(".explain-panel table button").filter(has_text=re.compile(r"^−?\d")).first.click()
    expect(page).to_have_url(re.compile("%3B"))
    expect(place).to_have_text(re.compile(r"^[qk]\["))


def test_back_and_forward_walk_through_what_was_seen(page: Page):
    open_home(page)
    expect(question(page)).to_have_text("What did it read to write dort?")
    picture(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"step=3"))
    expect(picture(page)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"step=2"))
    page.go_back()
    expect(question(page)).to_have_text("What did it read to write ne?")
    expect(page).to_have_url(re.compile(r"step=3"))
    page.go_forward()
    expect(question(page)).to_have_text("What did it read to write chat?")
    expect(page).to_have_url(re.compile(r"step=2"))


def test_what_a_link_says_is_shown_letter_by_letter(page: Page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_home(page, "?sentence=![x](/outside.png)%20$a_1$%20*b*")
    expect(page.get_by_test_id("stAlert")).to_contain_text("“!”, “[”, “x”, “]”, “(”")
    assert not [url for url in asked if url.endswith("outside.png")]


def test_a_bad_link_shows_sentences_and_the_default(page: Page):
    open_home(page, "?model=<script>&sentence=the+dragon&step=zzz")
    expect(page.get_by_text("names a model that is not here")).to_be_visible()
    expect(question(page)).to_have_text("What did it read to write dort?")
    assert "Traceback" not in page.content()


def test_no_width_needs_sideways_scrolling(any_page: Page):
    open_home(any_page)
    wide = any_page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    inner = any_page.evaluate(
        "Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth - e.clientWidth))"
    )
    assert inner <= 0
