"""The training page before any training: the recorded training and the form."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.presets import preset
from explorer.server.limits import MOST_HANDED_OVER
from tests.browser.conftest import clean, running_server
from tests.browser.navigation import go_to
from tests.browser.trainings import choose_what_it_learns, paste

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, tmp_path, monkeypatch) -> Iterator[Page]:
    """A page of a server that keeps its runs in the test's folder."""
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "runs"))
    with running_server() as url:
        context = browser.new_context(
            viewport={"width": 1440, "height": 1000}, reduced_motion="reduce", base_url=url
        )
        with clean(context.new_page()) as page:
            yield page
        context.close()


def a_paste_of_any_length_is_answered(page: Page):
    """The field would take nothing of it, and say nothing."""
    choose_what_it_learns(page, "Your own pairs")
    # Few lines, as each costs the browser time.
    pasted = paste(page, (1999 * "a" + "\tb\n") * (MOST_HANDED_OVER // 2002 + 1))
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
@pytest.mark.long
def test_recorded_training_plays_and_form_reports_errors(page: Page):
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/")
    go_to(page, "Train")
    # Before the first training, a recorded run plays from beginning to end.
    place = page.locator(".theatre .place")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(place).to_have_text(re.compile("^after (25|30|35|40|45|50) of 325"))
    page.get_by_role("button", name="2×").click()
    expect(place).to_have_text(re.compile("^after 325 of 325"))
    expect(page.locator(".theatre .stands.right")).to_have_count(4)

    a_choice_beside_the_theatre_is_never_lost(page)
    choose_what_it_learns(page, "Copy letters")
    page.get_by_role("button", name="Details").click()
    field = page.get_by_role("spinbutton", name="Updates")
    # What is typed into the field of the form before goes with that form.
    expect(field).to_have_value(str(preset("copy").training.steps))
    field.fill("60")
    field.press("Enter")
    expect(
        page.get_by_text("Warm-up 70 must be below Updates 60: nothing would be left to decay")
    ).to_be_visible()
    start = page.get_by_role("button", name="Start training")
    expect(start).to_be_disabled()
    field.fill("150")
    field.press("Enter")
    expect(page.get_by_text(re.compile(r"^118,656 parameters\. "))).to_be_visible()
    page.get_by_role("button", name="Details").click()
    expect(start).to_be_enabled()
    # At the end, because so much text slows the browser down.
    a_paste_of_any_length_is_answered(page)
