"""From pasted pairs to a named cause: train, filter the mistakes, open one where it goes wrong, vary one token."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.evaluation.store import HELD_OUT_FILE
from tests.browser.conftest import server_process
from tests.browser.trainings import choose_what_it_learns, goes_on_to_its_end, paste, set_updates
from tests.conftest import PATIENCE
from tests.optional import unwrap

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.long]

SENTENCES, UPDATES = 300, 320


def sentences(rng: random.Random) -> str:
    """A small English and Spanish grammar whose adverb stands at either end, so that nobody can know all answers."""
    nouns = {
        "cat": "el gato",
        "dog": "el perro",
        "house": "la casa",
        "girl": "la niña",
        "moon": "la luna",
        "car": "el coche",
    }
    adjectives = {
        "red": "roj",
        "white": "blanc",
        "small": "pequeñ",
        "new": "nuev",
        "old": "viej",
        "dear": "car",
    }
    verbs = {"is": "es", "seems": "parece", "is not": "no es"}
    adverbs = {"today": "hoy", "here": "aquí", "always": "siempre", "now": "ahora", "often": "a menudo"}

    def pair() -> tuple[str, str]:
        noun, one, other = rng.choice(list(nouns)), *rng.sample(list(adjectives), 2)
        verb, adverb = rng.choice(list(verbs)), rng.choice(list(adverbs))
        end = "o" if nouns[noun].startswith("el") else "a"
        clause = f"{nouns[noun]} {adjectives[one]}{end} {verbs[verb]} {adjectives[other]}{end}"
        spanish = f"{clause} {adverbs[adverb]}" if rng.random() < 0.5 else f"{adverbs[adverb]} {clause}"
        return f"the {one} {noun} {verb} {other} {adverb}", spanish

    return "\n".join("\t".join(each) for each in _distinct(pair, SENTENCES))


def _distinct(draw: Callable[[], tuple], most: int) -> list[tuple]:
    """So many with different beginnings, in the order in which they are drawn."""
    found: dict[object, tuple] = {}
    while len(found) < most:
        row = draw()
        found.setdefault(row[0], row)
    return list(found.values())


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("journey") / "runs"


@pytest.fixture(scope="module")
def url(place):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXPLORER_RUNS", str(place))
        with server_process() as (address, _):
            yield address


def train(page: Page, text: str, tokenizer: str) -> None:
    """Train on pasted pairs for some updates: too few, so that there are mistakes."""
    choose_what_it_learns(page, "Your own pairs")
    paste(page, text)
    expect(page.get_by_text(re.compile("^The pasted text has "))).to_be_visible()
    page.get_by_role("radiogroup", name="Tokens").get_by_role("radio", name=tokenizer).click()
    set_updates(page, UPDATES)
    button = page.get_by_role("button", name="Start training")
    expect(button).to_be_enabled()

    button.click()
    # Before that the page shows the one that ended last.
    expect(page).to_have_url(re.compile(r"[?&]run="))

    goes_on_to_its_end(page, UPDATES)


def figures_of(page: Page) -> str:
    exact = page.locator(".mistakes p.exact")
    expect(exact).to_be_visible()
    return exact.inner_text().replace(",", "")


def agree(page: Page, folder: Path) -> None:
    """The command says what the page says."""
    told = subprocess.run(
        [sys.executable, "-m", "core.evaluate", "--run", str(folder), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    figures = json.loads(told.stdout)
    assert figures_of(page).startswith(f"{figures['n_exact']} of {figures['n_pairs']} exactly right")
    assert f"{figures['loss']:.3f}" in page.locator(".mistakes .figures").inner_text()
    assert (folder / HELD_OUT_FILE).exists()


def narrow(page: Page) -> Locator:
    """Take the most frequent mistake; its pairs are left in the list."""
    bar = page.locator("section[aria-label='Taken for'] .bar").first
    count = int(bar.locator(".count").inner_text())
    bar.click()
    expect(bar).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".mistakes .said")).to_have_text(re.compile(rf"^{count:,} pairs?\."))
    return page.locator(".mistakes .pair").first


def open_first(page: Page, pair: Locator) -> None:
    """Open it: it stands at its first wrong step, its reference as a branch beside the output."""
    columns = pair.locator(".place")
    classes = [unwrap(column.get_attribute("class")) for column in columns.all()]
    step = next(i for i, each in enumerate(classes) if "first" in each)
    should, wrote = (columns.nth(step).locator(kind).inner_text() for kind in (".expected", ".wrote"))
    pair.get_by_role("button").click()
    expect(page.locator(".decode-view .place, .place").filter(has_text=f"Step {step}").first).to_be_visible()
    branches = (
        page.get_by_role("region", name="Branches")
        .or_(page.locator("section").filter(has_text="Branches"))
        .first
    )
    expect(branches).to_contain_text("reference")
    expect(branches).to_contain_text(should.strip())
    expect(page.locator(".vary-view")).to_contain_text(f"Step {step}: P of two next tokens")
    rivals = page.locator(".vary-view .verdict")
    expect(rivals).to_contain_text(f"{wrote.strip()} is the most probable for ")


def vary(page: Page) -> None:
    """Another value in one place: the outputs are those of the model, and the own one is the sentence's."""
    view = page.locator(".vary-view")
    chips = view.get_by_role("radiogroup", name="Token that is varied").get_by_role("radio")
    expect(chips.first).to_be_visible()
    chips.first.click()
    expect(chips.first).to_have_attribute("aria-checked", "true")
    expect(view.locator(".value").first).to_be_visible()
    assert view.locator(".value").count() > 1


def test_own_pairs_lead_to_the_cause_of_their_mistakes(browser: Browser, url: str, place: Path):
    page = browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{url}/train")
    train(page, sentences(random.Random(5)), "Byte pairs")
    folder = place / unwrap(re.search(r"run=([\w-]+)", page.evaluate("location.href")))[1]
    page.get_by_role("link", name="See its mistakes").first.click()
    expect(page.get_by_role("heading", name="Mistakes", exact=True)).to_be_visible()
    agree(page, folder)
    open_first(page, narrow(page))
    vary(page)
    page.context.close()
