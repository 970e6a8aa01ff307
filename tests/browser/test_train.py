"""A training from the form to its end: started, watched, paused, moved on by one update, and looked into."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.presets import preset
from explorer.server.limits import MOST_HANDED_OVER
from tests.browser.conftest import running_server
from tests.browser.soundness import findings
from tests.browser.trainings import choose_what_it_learns, goes_on_to_its_end, stands, updates
from tests.conftest import PATIENCE

pytestmark = pytest.mark.browser

CHARTS = "[data-testid=stVegaLiteChart] svg"


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


def number(page: Page, label: str) -> str:
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue").inner_text()


def a_paste_of_any_length_is_answered(page: Page):
    """The field would take nothing of it, and say nothing."""
    choose_what_it_learns(page, "Your own pairs")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate(
        "length => navigator.clipboard.writeText('a\\tb\\n'.repeat(length / 4))", 2 * MOST_HANDED_OVER
    )
    pasted = page.get_by_role("textbox", name="or paste them")
    pasted.focus()
    pasted.press("Control+v")
    pasted.press("Control+Enter")
    expect(
        page.get_by_text("The pasted text has at least 900,000 characters, and 200,000 can be pasted")
    ).to_be_visible()
    assert page.evaluate("field => field.value.length", pasted.element_handle()) == MOST_HANDED_OVER


@pytest.mark.proof
def test_a_training_is_started_watched_paused_and_goes_on_to_its_end(page: Page):
    page.goto("/")
    page.get_by_role("link", name="Train", exact=True).click()
    a_paste_of_any_length_is_answered(page)
    choose_what_it_learns(page, "Copy letters")
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
    expect(start).to_be_enabled()
    start.click()

    stands(page, "^(Starting|Training): ")
    expect(page).to_have_url(re.compile(r"/train\?run=[a-z0-9_]+$"))
    stands(page, "^Training: [1-9]")
    page.get_by_role("button", name="Pause").click()
    stands(page, "^Paused: ")
    made = updates(page)
    assert 0 < made < 150
    page.get_by_role("button", name="One update").click()
    stands(page, f"^Paused: {made + 1} of 150")
    before = float(number(page, "Loss, smoothed"))

    # For such an address Streamlit looks for two of its files in the wrong place, so the second tab's console tells.
    other = page.context.browser.new_page()
    other.set_default_timeout(PATIENCE * 1000)
    other.goto(page.url)
    stands(other, f"^Paused: {made + 1} of 150")
    expect(page.locator(CHARTS)).to_have_count(6)
    page.evaluate(f"window.first = [...document.querySelectorAll('{CHARTS}')]")
    other.get_by_role("button", name="Go on").click()
    goes_on_to_its_end(other, 150)
    other.close()
    stands(page, "^Finished: 150 of 150 updates$")
    # The charts that stood there when it went on are still the same: nothing has flickered.
    assert page.evaluate("window.first.map(chart => chart.isConnected)") == [True] * 6
    assert float(number(page, "Loss, smoothed")) < before
    expect(page.get_by_text(re.compile("^The weights after .* come out exactly right"))).to_be_visible()
    page.get_by_role("heading", name="What it says while it learns").scroll_into_view_if_needed()
    cells = page.get_by_test_id("stDataFrame").first.locator("table td")
    expect(cells.filter(has_text="150").first).to_be_attached()
    expect(cells.filter(has_text="banana").first).to_be_attached()
    assert findings(page) == {}

    page.get_by_role("link", name="Look inside").click()
    expect(page.get_by_role("img", name="The whole network")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?model=[a-z0-9_]+"))
    expect(page.get_by_text("The link names a model that is not here")).to_have_count(0)
