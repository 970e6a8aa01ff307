"""An experiment as somebody goes through it: guess, train both, look at both at one time, read what came of it."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.experiments import EXPERIMENTS
from tests.browser.conftest import server_process
from tests.browser.test_training_journey import kill_training, open_tab
from tests.conftest import TRAINING_PATIENCE
from tests.optional import unwrap

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.long]

COPY = EXPERIMENTS["copy-without-positions"]
GUESS = COPY.choices[1]
LONG = 1000 * TRAINING_PATIENCE


@pytest.fixture
def runs(tmp_path, monkeypatch) -> Iterator[Path]:
    """The runs folder of the test's server; whatever trains in it ends with the test."""
    folder = tmp_path / "runs"
    monkeypatch.setenv("EXPLORER_RUNS", str(folder))
    yield folder
    for run in folder.glob("*/metrics.sqlite"):
        kill_training(run.parent, signal.SIGTERM)


def arm(page: Page, label: str) -> Locator:
    return page.get_by_role("region", name=label)


def written(page: Page, label: str, word: str) -> str:
    """What an arm writes for a word, as it is spoken."""
    return unwrap(
        arm(page, label).get_by_role("button", name=re.compile(f"^{word}: ")).get_attribute("aria-label")
    )


def follows_to_the_end(page: Page, of: int) -> None:
    """Both are trained to their last update; however long they take, each moment is waited for anew."""
    end, at = f"both after {of} of {of} updates", page.locator(".transport .at")
    while (stood := at.inner_text()) != end:
        expect(at).not_to_have_text(stood, timeout=LONG)


def test_a_guess_two_trainings_on_one_time_and_a_verdict_that_names_the_guess(browser: Browser, runs: Path):
    with server_process() as (url, _):
        page = open_tab(browser, url, f"/experiments?experiment={COPY.key}")
        train = page.get_by_role("button", name="Train both")
        expect(arm(page, "With positions")).to_be_visible()
        expect(train).to_be_disabled()
        page.get_by_text(GUESS.text, exact=True).click()
        expect(train).to_be_enabled()
        train.click()

        # Both train at the same time.
        expect(page.get_by_text("You said")).to_be_visible()
        for label in ("With positions", "No positions"):
            expect(arm(page, label)).to_contain_text(re.compile(r"Training: \d"), timeout=LONG)
        expect(page.get_by_text(GUESS.text, exact=True)).to_be_visible()
        assert not page.get_by_text(f"you said “{GUESS.short}”").is_visible()
        follows_to_the_end(page, COPY.training.steps)

        # The verdict comes with the last moment, and names the guess and every seed.
        verdict = page.get_by_role("heading", name=f"Hardly any; you said “{GUESS.short}”.")
        expect(verdict).to_be_visible(timeout=LONG)
        expect(page.get_by_text("with seeds 0, 1 and 2: ")).to_be_visible()
        expect(page.get_by_role("img", name=re.compile("Its letters, any order: .*this run"))).to_be_visible()
        assert written(page, "With positions", "keyboard").endswith("which is right")
        assert not written(page, "No positions", "keyboard").endswith("which is right")

        # One slider moves both; the beginning is nobody's word yet.
        slider = page.get_by_role("slider").first
        slider.focus()
        page.keyboard.press("Home")
        expect(page.locator(".transport .at")).to_have_text(f"both after 0 of {COPY.training.steps} updates")
        for label in ("With positions", "No positions"):
            assert "should be keyboard" in written(page, label, "keyboard")
        page.keyboard.press("End")
        expect(page.locator(".transport .at")).to_contain_text(f"both after {COPY.training.steps}")
        expect(slider).to_have_attribute("aria-valuetext", re.compile("With positions: loss .*exact match"))

        # Another word is the matrix of both; what there was to see is asked and answered.
        arm(page, "No positions").get_by_role("button", name=re.compile("^tap: ")).click()
        for label in ("With positions", "No positions"):
            matrix = arm(page, label).get_by_role("img", name=re.compile("^Cross-attention of tap"))
            expect(matrix).to_be_visible()
        page.get_by_text(COPY.seen.answers[COPY.seen.right], exact=True).click()
        expect(page.get_by_text("That is what happened.")).to_be_visible()
        page.context.close()
