"""Tokens in pictures: twins are told apart, and the current step of a long output is inside its picture."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.bar import expect_step
from tests.browser.conftest import clean, running_server

pytestmark = pytest.mark.browser

SIZE = ViewportSize(width=1440, height=900)
LETTERS = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"


@pytest.fixture(scope="module")
def long_outputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app with a run of letters, `long`, that writes as many tokens as it may."""
    folder = tmp_path_factory.mktemp("runs")
    pairs = folder / "pairs.tsv"
    turned = (LETTERS[k:] + LETTERS[:k] for k in range(len(LETTERS)))
    pairs.write_text("".join(f"{text}\t{text[::-1]}\n" for text in turned), encoding="utf-8")
    command = [sys.executable, "-m", "core.train", "--pairs", str(pairs), "--out", str(folder / "long")]
    small = ["--tokenizer", "character", "--layers", "1", "--steps", "2", "--warmup-steps", "1", "--quiet"]
    subprocess.run([*command, *small], check=True)
    with pytest.MonkeyPatch.context() as changed:
        changed.setitem(os.environ, "EXPLORER_RUNS", str(folder))
        with running_server() as url:
            yield url


def opened(browser: Browser, url: str, address: str) -> Page:
    page = browser.new_page(base_url=url, viewport=SIZE, reduced_motion="reduce")
    page.goto(address)
    return page


def hidden_edges(part: Locator, scroller: Locator) -> list[str]:
    """Return the sides on which a part, no longer than its scroller, lies outside of it; once it has come to rest."""
    inner, outer = (each.bounding_box() for each in (part, scroller))
    assert inner is not None
    assert outer is not None
    sides = (
        ("x", inner["x"] - outer["x"], inner["width"], outer["width"]),
        ("y", inner["y"] - outer["y"], inner["height"], outer["height"]),
    )
    return [axis for axis, at, length, room in sides if length <= room and not -2 <= at <= room - length + 2]


def test_guess_about_twins_says_their_positions(browser: Browser, server: str):
    with clean(browser.new_page(base_url=server, viewport=SIZE, reduced_motion="reduce")) as page:
        page.goto("/?model=copy&sentence=abcabcab")
        guide = page.get_by_role("group", name="Your first minute")
        expect(guide).to_contain_text("Which letter did it read most?")
        answers = guide.locator(".answer").all_inner_texts()
        assert len(set(answers)) == len(answers)
        guide.locator(".answer").first.click()
        expect(guide).to_contain_text(" at position ")


def test_letters_of_a_forced_output_are_joined(browser: Browser, server: str):
    with clean(browser.new_page(base_url=server, viewport=SIZE, reduced_motion="reduce")) as page:
        page.goto("/?model=copy&sentence=abcabcab&step=0&prefix=5")
        guide = page.get_by_role("group", name="Your first minute")
        expect(guide).to_contain_text(re.compile(r"Now it goes on to b[a-z]{3,}\."))


def test_step_of_a_long_output_is_inside_its_pictures(browser: Browser, long_outputs: str):
    page = opened(browser, long_outputs, f"/step-by-step?model=long&sentence={LETTERS}&step=30")
    expect_step(page, 30)
    matrix, branches = page.locator(".picture .scroller"), page.locator(".tree .scroller")
    for step in (30, 31):
        expect_step(page, step)
        expect(matrix.locator(".label.now").first).to_be_visible()
        page.wait_for_timeout(400)  # A frame glides to its row.
        assert hidden_edges(matrix.locator(".frame.row"), matrix) == []
        assert hidden_edges(branches.locator("tr.shown td.now .token"), branches) == []
        page.locator(".decode-view").focus()
        page.keyboard.press("ArrowRight")
    page.close()


def test_compared_outputs_scroll_to_current_step(browser: Browser, long_outputs: str):
    page = opened(browser, long_outputs, f"/what-if?model=long&sentence={LETTERS}&step=30")
    chosen, outputs = page.locator(".outputs .chosen"), page.locator(".outputs")
    expect(chosen).to_be_visible()
    assert hidden_edges(chosen, outputs) == []
    used = page.locator(".wrote .beside")
    assert hidden_edges(used.locator("th.most"), used) == []
    page.close()


def assert_names_differ(parts: Locator) -> None:
    """Fail where two parts have one name, without the number that follows it."""
    expect(parts.first).to_be_visible()
    names = [str(part.get_attribute("aria-label")).partition(":")[0] for part in parts.all()]
    assert len(set(names)) == len(names), names


def test_equal_tokens_in_what_if_have_places(browser: Browser, server: str):
    with clean(browser.new_page(base_url=server, viewport=SIZE, reduced_motion="reduce")) as page:
        page.goto("/what-if?model=copy&sentence=abcabcab&second=abcxbcab&step=3")
        assert_names_differ(page.locator(".grid").first.locator("button"))
        card = page.get_by_role("region", name="What wrote the word")
        expect(card.get_by_role("heading")).to_have_text("What wrote a at position 3?")
        expect(card).to_contain_text("To write a at position 3 the last layer reads a at position 3 most")
        heads = card.locator(".used thead th").all_inner_texts()
        assert len(set(heads)) == len(heads) == 9
        page.get_by_role("radio", name="Switch a part off").click()
        assert_names_differ(page.locator(".parts.position [role=gridcell]"))
        page.get_by_role("radio", name="Edit attention").click()
        assert_names_differ(page.get_by_role("slider", name="Weight of"))


def test_varied_token_names_equal_neighbours_with_their_places(browser: Browser, server: str):
    with clean(browser.new_page(base_url=server, viewport=SIZE, reduced_motion="reduce")) as page:
        page.goto("/step-by-step?model=en-fr&sentence=the+small+dog+sees+the+small+cat&vary=2")
        expect(page.get_by_text("everything else stays.")).to_contain_text(
            "between small at position 1 and sees"
        )


def test_table_of_the_steps_names_equal_tokens_with_their_places(browser: Browser, server: str):
    with clean(browser.new_page(base_url=server, viewport=SIZE, reduced_motion="reduce")) as page:
        page.goto("/?model=copy&sentence=abcabcab")
        expect(page.locator(".living-map h1")).to_contain_text(re.compile(r" at position \d\?"))
        # While it asks what was read most, nothing on the page tells.
        page.get_by_role("group", name="Your first minute").locator(".answer").first.click()
        expect(page.get_by_role("table", name="The steps of the decoding")).to_contain_text("a at position 3")
