"""The checks that every page must pass find each planted fault, and nothing on a sound page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.soundness import barriers, misplaced_text, pale_buttons, poor_pictures, unseen_focus

pytestmark = pytest.mark.browser

SOUND = """
<main><h1>Sound</h1><p>Some words.</p><button>Press</button>
<p style="width: 60px; overflow: auto; white-space: nowrap" tabindex="0">Words that can be scrolled into view</p></main>
<div id="host"></div>
<script>
  document.querySelector("#host").attachShadow({ mode: "open" }).innerHTML = `
    <style>button:focus-visible { outline: 2px solid }</style>
    <canvas role="img" tabindex="0" aria-label="Weights: 7 rows by 7 columns"></canvas><button>Table</button>`;
</script>"""


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """A page for what is planted."""
    page = browser.new_page(reduced_motion="reduce")
    yield page
    page.close()


def plant(page: Page, fault: str, *, in_shadow: bool) -> None:
    page.set_content(f"<html lang='en'><title>Faults</title><body>{SOUND}</body></html>")
    root = "document.querySelector('#host').shadowRoot" if in_shadow else "document.body"
    page.evaluate(f"(fault) => {root}.append(document.createRange().createContextualFragment(fault))", fault)


def test_nothing_is_found_on_a_sound_page(blank: Page):
    plant(blank, "", in_shadow=True)
    checks = (barriers, misplaced_text, pale_buttons, poor_pictures, unseen_focus)
    assert [line for check in checks for line in check(blank)] == []


@pytest.mark.parametrize("in_shadow", [False, True], ids=["page", "shadow"])
@pytest.mark.parametrize(
    ("check", "fault", "said"),
    [
        (barriers, '<p style="color: #aaa; background: #fff">Too pale to be read</p>', "color-contrast"),
        (barriers, "<button></button>", "button-name"),
        (
            misplaced_text,
            '<p style="width: 40px; overflow: hidden; white-space: nowrap">Cut at its end</p>',
            "cut off",
        ),
        (
            misplaced_text,
            '<p style="width: 90px; height: 20px; overflow: hidden">Cut at its lower edge by a box</p>',
            "cut off",
        ),
        (
            misplaced_text,
            '<div style="position: relative; height: 30px"><i style="position: absolute; left: 0">below it</i>'
            '<b style="position: absolute; left: 8px">above</b></div>',
            "on each other",
        ),
        (unseen_focus, '<button style="outline: none">No ring</button>', "No ring"),
        (
            pale_buttons,
            "<style>a.next { background: #14607A; color: #fff } a.next:hover { background: #eee }</style>"
            '<a class="next" href="#there">Next</a>',
            "“Next” under the pointer: 1.16 to 1",
        ),
        (
            pale_buttons,
            "<style>.row:focus-within { background: #27778F } .row button { background: none; color: #14607A }</style>"
            '<div class="row"><button>In a row</button></div>',
            "“In a row” with the focus",
        ),
        (
            pale_buttons,
            "<style>@media all { .half:active i { opacity: .4 } }</style><button class='half'><i>Half</i></button>",
            "“Half” while it is pressed",
        ),
        (
            pale_buttons,
            "<style>.sign { background: #fff } .sign:hover path { stroke: #ccc }</style>"
            "<button class='sign' aria-label='Close'><svg width='9' height='9' aria-hidden='true'>"
            "<path d='M0 0L9 9' stroke='#000' /></svg></button>",
            "“Close” under the pointer",
        ),
    ],
)
def test_a_planted_fault_is_found(check, fault: str, said: str, in_shadow: bool, blank: Page):
    plant(blank, fault, in_shadow=in_shadow)
    assert any(said in line for line in check(blank))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("<canvas></canvas>", "without a role"),
        ('<canvas role="img"></canvas>', "without a name"),
        ("<svg><path d='M0 0H9' /></svg>", "without a role"),
        ("<style>p { transition: color 1s } </style><p>Slow</p>", "a transition"),
        (
            "<style>@keyframes turn { to { rotate: 1turn } } p { animation: turn 9s }</style><p>Round</p>",
            "an animation",
        ),
    ],
)
def test_a_poor_picture_and_unrest_are_found_in_a_view(fault: str, said: str, blank: Page):
    plant(blank, fault, in_shadow=True)
    assert any(said in line for line in poor_pictures(blank))


def test_a_picture_without_numbers_is_found(blank: Page):
    plant(blank, "", in_shadow=True)
    blank.evaluate("document.querySelector('#host').shadowRoot.querySelector('button').remove()")
    assert any("without a table" in line for line in poor_pictures(blank))


def test_a_chart_without_a_name_is_found(blank: Page):
    plant(blank, '<div data-testid="stPlotlyChart"><svg></svg><button>Zoom</button></div>', in_shadow=False)
    assert any("a chart without a name" in line for line in poor_pictures(blank))


def test_a_chart_with_buttons_over_it_is_found(blank: Page):
    chart = '<svg></svg><div class="modebar"><a class="modebar-btn"></a></div>'
    plant(blank, f'<div data-testid="stPlotlyChart" aria-label="Curves">{chart}</div>', in_shadow=False)
    assert any("a chart with buttons over it" in line for line in poor_pictures(blank))
