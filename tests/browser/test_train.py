"""A training from the form to its end: started, watched, paused, moved on by one update, and looked into."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.config import TrainConfig
from core.data.dataset import task_dataset
from core.data.tasks import get_task
from core.presets import preset
from explorer.server.limits import MOST_HANDED_OVER
from tests.browser.bar import expect_step, go_to_step, output_tokens
from tests.browser.conftest import running_server
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
from tests.optional import unwrap

pytestmark = pytest.mark.browser

SHADOW = """[...document.querySelectorAll('*')].map(each => each.shadowRoot)
.find(root => root?.querySelector('.theatre'))"""


@pytest.fixture
def page(browser: Browser, tmp_path, monkeypatch) -> Iterator[Page]:
    """A page of a server that keeps its runs in the test's folder."""
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "runs"))
    with running_server() as url:
        context = browser.new_context(
            viewport={"width": 1440, "height": 1000}, reduced_motion="reduce", base_url=url
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        yield page
        context.close()
        assert errors == [], "the browser's console must stay clean"


def a_paste_of_any_length_is_answered(page: Page):
    """The field would take nothing of it, and say nothing."""
    choose_what_it_learns(page, "Your own pairs")
    pasted = paste(page, "a\tb\n" * (2 * MOST_HANDED_OVER // 4))
    expect(
        page.get_by_text("The pasted text has at least 900,000 characters, and 200,000 can be pasted")
    ).to_be_visible()
    assert page.evaluate("field => field.value.length", pasted.element_handle()) == MOST_HANDED_OVER


# In one turn of the browser's loop: what is reported in it is one message.
AT_ONCE = """([name, index]) => {
  const all = [...document.querySelectorAll("*")]
    .flatMap(node => [node, ...(node.shadowRoot?.querySelectorAll("*") ?? [])]);
  const tensor = all.find(node => node.matches(".theatre select"));
  tensor.selectedIndex = index;
  tensor.dispatchEvent(new Event("change", { bubbles: true }));
  all.find(node => node.matches("button") && node.innerText.startsWith(name)).click();
}"""


def a_choice_beside_the_theatre_is_never_lost(page: Page):
    """As it comes while the theatre reports by itself which moments it has."""
    page.evaluate(AT_ONCE, ["Details", 1])
    expect(page.get_by_role("spinbutton", name="Updates")).to_be_visible()
    page.evaluate(AT_ONCE, ["Details", 0])
    expect(page.get_by_role("spinbutton", name="Updates")).to_be_hidden()


@pytest.mark.proof
def test_a_training_is_started_watched_paused_and_goes_on_to_its_end(page: Page):
    page.goto("/")
    page.get_by_role("link", name="Train", exact=True).click()
    a_paste_of_any_length_is_answered(page)
    a_choice_beside_the_theatre_is_never_lost(page)
    choose_what_it_learns(page, "Copy letters")
    page.get_by_role("button", name="Details").click()
    field = page.get_by_role("spinbutton", name="Updates")
    # What is typed into the field of the form before goes with that form.
    expect(field).to_have_value(str(preset("copy").training.steps))
    field.fill("60")
    field.press("Enter")
    expect(
        page.get_by_text("warmup_steps 70 must be below steps 60: nothing would be left to decay")
    ).to_be_visible()
    start = page.get_by_role("button", name="Start training")
    expect(start).to_be_disabled()
    field.fill("150")
    field.press("Enter")
    expect(page.get_by_text(re.compile(r"^118,656 parameters\. "))).to_be_visible()
    page.get_by_role("button", name="Details").click()
    expect(start).to_be_enabled()
    start.click()

    stands(page, "^(Starting|Training): ")
    expect(page).to_have_url(re.compile(r"/train\?run=[a-z0-9_]+$"))
    stands(page, "^Training: [1-9]")
    theatre = page.locator(".theatre")
    page.get_by_role("button", name="Pause the training").click()
    stands(page, "^Paused: ")
    made = updates(page)
    assert 0 < made < 150
    page.get_by_role("button", name="One update").click()
    stands(page, f"^Paused: {made + 1} of 150")

    # For such an address Streamlit looks for two of its files in the wrong place, so the second tab's console tells.
    other = unwrap(page.context.browser).new_page()
    other.set_default_timeout(PATIENCE * 1000)
    other.goto(page.url)
    stands(other, f"^Paused: {made + 1} of 150")
    page.evaluate(f"window.first = {SHADOW}.querySelectorAll('.weights .cell, .output')")
    assert page.evaluate("window.first.length") > 80
    box = theatre.bounding_box()
    other.get_by_role("button", name="Go on training").click()
    goes_on_to_its_end(other, 150)
    other.close()
    stands(page, "^Finished: 150 of 150 updates$")
    # The cells and words that stood there when it went on are still the same, in their place: nothing has flickered.
    assert page.evaluate("[...window.first].every(each => each.isConnected)")
    assert theatre.bounding_box() == box
    expect(page.locator(".theatre .place")).to_contain_text("after 150 of 150")
    expect(page.get_by_text(re.compile("^The weights after .* come out exactly right"))).to_be_visible()
    assert findings(page) == {}


def steps_through_and_explains(page: Page, run: str) -> None:
    """From the theatre into the model that was just trained: forwards and back, its cross-attention, one number."""
    page.get_by_role("button", name="Step through this model").click()
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[?&]model={run}\b"))
    go_to_step(page, 2)
    page.keyboard.press("ArrowLeft")
    expect_step(page, 1)
    written = output_tokens(page)
    page.get_by_role("link", name="Cross-attention", exact=True).click()
    expect(page.get_by_role("heading", name="Cross-attention", exact=True)).to_be_visible()
    assert output_tokens(page) == written
    expect_step(page, 1)
    page.locator(".stop .parts [data-part=weights], .stop .parts .part").last.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    explained = page.locator(".st-key-explain")
    expect(explained).to_contain_text(re.compile(r"\d\.\d{3}"))


@pytest.mark.proof
def test_a_recorded_training_plays_at_once_and_a_model_trained_beside_it_is_stepped_through(page: Page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/")
    page.get_by_role("link", name="Train", exact=True).click()
    # Where nothing has been trained a recorded run plays by itself, from its beginning to its end.
    place = page.locator(".theatre .place")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(place).to_have_text(re.compile("^after (25|30|35|40|45|50) of 325"))
    page.get_by_role("button", name="2×").click()
    expect(place).to_have_text(re.compile("^after 325 of 325"))
    expect(page.locator(".theatre .stands.right")).to_have_count(4)
    choose_what_it_learns(page, "Copy letters")
    page.get_by_role("button", name="Start training").click()
    stands(page, "^Training: [1-9]")
    # Its words are wrong at first, and correct themselves.
    word = page.locator(".theatre .output").nth(3)
    page.get_by_role("button", name="First moment").click()
    expect(word).to_have_attribute("aria-label", re.compile("^keyboard: writes .* should be k e y b o a r d"))
    goes_on_to_its_end(page, preset("copy").training.steps)
    page.get_by_role("button", name="Last moment").click()
    expect(word).to_have_attribute("aria-label", "keyboard: writes k e y b o a r d, which is right")
    # All of it at a glance: a moment is chosen in the film.
    page.get_by_text("Film: where it looks at every moment").click()
    page.get_by_role("button", name="after 0 updates").click()
    expect(place).to_have_text(re.compile("^after 0 of "))
    page.get_by_role("button", name="Last moment").click()
    steps_through_and_explains(page, "copy_letters")


@pytest.mark.proof
def test_a_model_of_a_few_hundred_pasted_translations_is_stepped_through(page: Page):
    page.goto("/")
    page.get_by_role("link", name="Train", exact=True).click()
    choose_what_it_learns(page, "Your own pairs")
    pairs = task_dataset(get_task("en_fr"), TrainConfig(n_train=300, n_validation=1, n_test=1)).splits.train
    paste(page, "\n".join(f"{pair.source}\t{pair.target}" for pair in pairs))
    expect(page.get_by_text("The pasted text has 300 pairs")).to_be_visible()
    set_updates(page, 320)
    page.get_by_role("button", name="Start training").click()
    goes_on_to_its_end(page, 320)
    steps_through_and_explains(page, "your_own_pairs")
