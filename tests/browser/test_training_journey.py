"""A teacher's hour: train while somebody else steps, travel back, bring pairs; and what is killed comes back."""

import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.config import TrainConfig
from core.data.dataset import task_dataset
from core.data.tasks import get_task
from core.training.history import history
from core.training.run_store import RunStore
from tests.browser.bar import expect_step, focus_chips, go_to_step, output_tokens
from tests.browser.conftest import console_errors, server_process
from tests.browser.navigation import go_to, open_model_menu
from tests.browser.soundness import findings
from tests.browser.trainings import (
    choose_what_it_learns,
    goes_on_to_its_end,
    paste,
    set_updates,
    stands,
    updates,
)
from tests.conftest import PATIENCE
from tests.explorer.trainings.conftest import wait_until
from tests.optional import unwrap

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.long]

LEAST_EXACT_MATCH = 0.98
"""The preset is made for 99 %, but another processor's last digits lead its few updates elsewhere."""
SHADOW = """[...document.querySelectorAll('*')].map(each => each.shadowRoot)
.find(root => root?.querySelector('.theatre'))"""
CELL = "[data-testid=stDataFrame] table td"


@pytest.fixture
def runs(tmp_path, monkeypatch) -> Iterator[Path]:
    """The runs folder of the test's servers; whatever trains in it ends with the test."""
    folder = tmp_path / "runs"
    monkeypatch.setenv("EXPLORER_RUNS", str(folder))
    yield folder
    for run in folder.glob("*/metrics.sqlite"):
        kill_training(run.parent, signal.SIGTERM)


def open_tab(browser: Browser, url: str, path: str = "/") -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(url + path)
    return page


def start(page: Page) -> str:
    """Start the training; its id."""
    button, before = page.get_by_role("button", name="Start training"), page.url
    expect(button).to_be_enabled()
    button.click()
    # The run before it may be in the address.
    expect(page).not_to_have_url(before)
    expect(page).to_have_url(re.compile(r"run=[a-z0-9_]+"))
    return unwrap(re.search(r"run=([a-z0-9_]+)", page.url))[1]


def kill_training(folder: Path, how: signal.Signals) -> None:
    with closing(RunStore.read(folder)) as store:
        process = store.fact("process")
    # A number that the system has given to somebody else meanwhile is left alone.
    known = Path(f"/proc/{process}/cmdline")
    if known.exists() and b"core.train" in known.read_bytes():
        os.kill(process, how)


def sharpness(page: Page) -> float:
    """The largest weight of each row of the page's open table of weights, their mean."""
    table = page.get_by_role("region", name="Table of Weights")
    expect(table).to_be_visible()
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
    largest = [max(map(float, row)) for row in rows]
    assert all(abs(sum(map(float, row)) - 1) < 0.01 for row in rows)
    return sum(largest) / len(largest)


def is_paused_and_goes_on_from_another_tab(page: Page) -> None:
    """Keep the cells and words of the theatre, and its place, for `has_not_flickered`."""
    page.get_by_role("button", name="Pause the training").click()
    stands(page, "^Paused: ")
    made = updates(page)
    assert 0 < made < 325
    page.get_by_role("button", name="One update").click()
    stands(page, f"^Paused: {made + 1} of 325")
    page.evaluate(f"window.first = {SHADOW}.querySelectorAll('.weights .cell, .output')")
    assert page.evaluate("window.first.length") > 80
    page.evaluate("box => window.box = box", page.locator(".theatre").bounding_box())
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE * 1000)
    other.goto(page.url)
    stands(other, f"^Paused: {made + 1} of 325")
    other.get_by_role("button", name="Go on training").click()
    stands(page, "^Training: ")
    other.close()


def has_not_flickered(page: Page) -> None:
    """The cells and words that stood there when the training went on are still the same, in their place."""
    assert page.evaluate("[...window.first].every(each => each.isConnected)")
    assert page.locator(".theatre").bounding_box() == page.evaluate("window.box")


def words_correct_themselves(page: Page) -> None:
    """Between the first moment and the last, which are chosen by button and in the film."""
    place, words = page.locator(".theatre .place"), page.locator(".theatre .output")
    page.get_by_role("button", name="First moment").click()
    expect(words.nth(3)).to_have_attribute(
        "aria-label", re.compile("^keyboard: writes .* should be draobyek")
    )
    expect(page.locator(".theatre .stands.right")).to_have_count(0)
    page.get_by_role("button", name="Last moment").click()
    # Another processor's last digits may lead to another letter in one of the words.
    right = [unwrap(word.get_attribute("aria-label")).endswith(", which is right") for word in words.all()]
    assert sum(right) >= len(right) - 1
    expect(page.locator(".theatre .stands.right")).to_have_count(sum(right))
    page.get_by_text("Film: where it looks at every moment").click()
    page.get_by_role("button", name="after 0 updates").click()
    expect(place).to_have_text(re.compile("^after 0 of "))
    page.get_by_role("button", name="Last moment").click()
    expect(place).to_have_text("after 325 of 325 updates")


def steps_through_and_explains(page: Page, run: str) -> None:
    """From the theatre into the model that was just trained: forwards and back, its cross-attention, one number."""
    page.get_by_role("button", name="Step through this model").click()
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[?&]model={run}\b"))
    go_to_step(page, 2)
    page.keyboard.press("ArrowLeft")
    expect_step(page, 1)
    written = output_tokens(page)
    go_to(page, "Cross-attention")
    expect(page.get_by_role("heading", name="Cross-attention", exact=True)).to_be_visible()
    assert output_tokens(page) == written
    expect_step(page, 1)
    page.locator(".stop .parts [data-part=weights], .stop .parts .part").last.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    explained = page.locator(".st-key-explain")
    expect(explained).to_contain_text(re.compile(r"\d\.\d{3}"))


def test_a_teacher_trains_travels_back_brings_pairs_and_loses_nothing(browser: Browser, runs: Path):
    with server_process() as (url, server):
        page = open_tab(browser, url)
        errors = console_errors(page)
        go_to(page, "Train")
        choose_what_it_learns(page, "Reverse letters")
        reverse = start(page)
        stands(page, "^Training: [1-9]")
        expect(page).to_have_url(re.compile(r"/train\?run=[a-z0-9_]+$"))
        is_paused_and_goes_on_from_another_tab(page)

        # Somebody else steps through another model meanwhile.
        before = updates(page)
        other = open_tab(browser, url, "/step-by-step")
        place = other.locator(".place")
        expect(place).to_contain_text("Step 4")
        focus_chips(other)
        for key, step in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3)):
            other.keyboard.press(key)
            expect(place).to_contain_text(f"Step {step}")
        other.context.close()

        goes_on_to_its_end(page, 325)
        assert before < 325
        has_not_flickered(page)
        assert findings(page) == {}
        said = unwrap(
            page.get_by_text(re.compile("^The weights after .* come out exactly right")).get_attribute(
                "title"
            )
        )
        right, tried = (
            int(each.replace(",", "")) for each in unwrap(re.search(r"([\d,]+) of ([\d,]+)", said)).groups()
        )
        assert right / tried >= LEAST_EXACT_MATCH

        words_correct_themselves(page)
        steps_through_and_explains(page, reverse)

        # From the last moment of the theatre into the app, and back to update 100 with the slider.
        go_to(page, "Train")
        expect(page.locator(".theatre .place")).to_have_text("after 325 of 325 updates")
        page.get_by_role("button", name="Open the app here").click()
        expect(page.get_by_role("heading", name="Cross-attention", exact=True)).to_be_visible()
        page.get_by_role("button", name="Table", exact=True).click()
        sharp = sharpness(page)
        facts = open_model_menu(page)
        expect(facts).to_contain_text("Weights after 325 of 325 updates.")
        slider = facts.get_by_role("slider").first
        for moment in sorted((each for each in history(runs / reverse) if 100 <= each < 325), reverse=True):
            slider.focus()
            page.keyboard.press("ArrowLeft")
            expect(facts).to_contain_text(f"Weights after {moment} of 325 updates.")
        expect(page).to_have_url(re.compile("at_update=100"))
        # The table stays open; its numbers come after the words of the menu.
        wait_until(lambda: sharpness(page) < sharp - 0.1)

        # Two thousand sentence pairs, pasted.
        sentences = task_dataset(
            get_task("en_fr"), TrainConfig(n_train=2000, n_validation=1, n_test=1)
        ).splits
        go_to(page, "Train")
        choose_what_it_learns(page, "Your own pairs")
        paste(page, "\n".join(f"{pair.source}\t{pair.target}" for pair in sentences.train))
        expect(page.get_by_text("The pasted text has 2,000 pairs")).to_be_visible()
        set_updates(page, 5000)  # It is stopped long before.
        own = start(page)
        stands(page, "^Training: [1-9]")

        # Its process is killed, and gone on with.
        kill_training(runs / own, signal.SIGKILL)
        stands(page, "^Interrupted: ")
        expect(page.get_by_text("resume goes on from the last checkpoint")).to_be_visible()
        page.locator(".theatre").get_by_role("button", name="Resume", exact=True).click()
        stands(page, "^Training: [1-9]")

        # So is the server; the training goes on meanwhile.
        page.context.close()
        assert errors == [], "the browser's console must stay clean"
        server.kill()
        server.wait()
    with server_process() as (url, _):
        page = open_tab(browser, url, f"/train?run={own}")
        stands(page, "^Training: [1-9]")
        made = updates(page)
        go_to(page, "Runs")
        for title in ("Reverse letters", "Your own pairs"):
            expect(page.locator(CELL).filter(has_text=title).first).to_be_attached()
        # A run from a terminal appears by itself.
        shutil.copytree(runs / reverse, runs / "my-name", ignore=shutil.ignore_patterns("app.json"))
        expect(page.locator(CELL).filter(has_text="my-name").first).to_be_attached()
        go_to(page, "Train")
        stands(page, "^Training: ")
        assert updates(page) >= made
        page.get_by_role("button", name="Stop", exact=True).click()
        stands(page, "^Stopped at a checkpoint: ")
        page.goto(f"{url}/train?run=my-name")
        stands(page, "^Finished: 325 of 325 updates$")
        page.context.close()
