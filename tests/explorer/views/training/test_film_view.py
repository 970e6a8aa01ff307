"""The filmstrip in a real browser: a picture for each moment, live, with the focus where it was."""

from pathlib import Path

import numpy as np
import pytest

from explorer.browser.assets import script, view_style
from explorer.views.training import component as module
from explorer.views.training.component import OPEN, SCRIPTS, FilmData, Opened, Picture, pack
from tests.explorer.mounting import MOUNT

FOLDER = Path(module.__file__).parent
HOST = "document.querySelector('#host').shadowRoot"


def film(*moments: int, opens: bool = True, key: str = "run/cat") -> FilmData:
    """Pictures of 2 by 3 cells."""
    weights = np.array([[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]], np.float32)
    return FilmData(key, [Picture(each, weights, f"After {each}: <b>blurred</b>") for each in moments], opens)


@pytest.fixture
def mounted(browser):
    page = browser.new_page(viewport={"width": 360, "height": 400})

    def mount(data: FilmData):
        source = script(*SCRIPTS)
        css = view_style(FOLDER / "view.css")
        page.evaluate(MOUNT, ["film-view", source, css, list(pack(data))])
        return page

    yield mount
    page.close()


def feed(page, data: FilmData) -> None:
    page.evaluate("bytes => window.feed(bytes)", list(pack(data)))


def test_each_moment_is_a_picture_with_its_words_as_text(mounted):
    page = mounted(film(0, 1500))
    assert page.evaluate(f"[...{HOST}.querySelectorAll('li')].map(n => n.textContent)") == ["0", "1,500"]
    about = page.evaluate(f"{HOST}.querySelector('canvas').getAttribute('aria-label')")
    assert about == "After 0: <b>blurred</b>"
    pixels = page.evaluate(f"""() => {{
        const canvas = {HOST}.querySelector("canvas"), context = canvas.getContext("2d");
        const cell = canvas.width / 3, at = (x, y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
        return [at(2, 2), at(cell + 2, 2), at(2, cell + 2)].map(([r, g, b]) => r + g + b);
    }}""")
    empty, full, half = pixels
    assert empty > half > full, "a larger weight is darker on the white page"


def test_a_new_moment_joins_at_the_end_and_the_focus_stays(mounted):
    page = mounted(film(0, 5))
    page.evaluate(f"{HOST}.querySelectorAll('button')[1].focus()")
    feed(page, film(0, 5, 10))
    assert page.evaluate(f"{HOST}.activeElement.textContent") == "5"
    assert page.evaluate(f"{HOST}.querySelectorAll('li').length") == 3
    feed(page, film(0, 3, 5, 10))
    texts = page.evaluate(f"[...{HOST}.querySelectorAll('li')].map(n => n.textContent)")
    assert texts == ["0", "3", "5", "10"]
    assert page.evaluate(f"{HOST}.activeElement.textContent") == "5"


def test_the_strip_scrolls_and_not_the_page_and_stays_at_the_newest(mounted):
    page = mounted(film(*range(0, 100, 5)))
    gap = f"(() => {{ const s = {HOST}.querySelector('ol'); return s.scrollWidth - s.clientWidth - s.scrollLeft; }})()"
    assert page.evaluate(gap) < 4
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    feed(page, film(*range(0, 120, 5)))
    assert page.evaluate(gap) < 4
    page.evaluate(
        f"""() => {{
            const strip = {HOST}.querySelector("ol");
            strip.style.width = "250px";
            strip.dispatchEvent(new Event("scroll"));
        }}"""
    )
    page.wait_for_function(f"{gap} < 4")
    feed(page, film(*range(0, 130, 5)))
    assert page.evaluate(gap) < 4, "a narrower window is nobody who looks back"
    page.evaluate(
        f"""() => new Promise(done => {{
            const strip = {HOST}.querySelector("ol");
            strip.addEventListener("scroll", done, {{ once: true }});
            strip.scrollLeft = 0;
        }})"""
    )
    feed(page, film(*range(0, 140, 5)))
    assert page.evaluate(f"{HOST}.querySelector('ol').scrollLeft") == 0, "somebody looks at the beginning"


def test_a_press_asks_for_its_moment(mounted, monkeypatch):
    page = mounted(film(0, 5))
    page.evaluate(f"{HOST}.querySelectorAll('button')[1].focus()")
    page.keyboard.press("Enter")
    ((name, report),) = page.evaluate("window.reports")
    assert (name, report["updates"], report["key"]) == ("open", 5, "run/cat")
    assert OPEN.parse(report, film(0, 5)) == Opened(5, report["report"])
    assert OPEN.parse(report, film(0, 10)) is None
    assert OPEN.parse(report, film(0, 5, key="run/dog")) is None
    assert OPEN.parse(report, film(0, 5, opens=False)) is None
    feed(page, film(0, 5, opens=False))
    page.evaluate(f"{HOST}.querySelectorAll('button')[1].click()")
    assert len(page.evaluate("window.reports")) == 1


@pytest.mark.parametrize(
    "raw",
    [
        None,
        5,
        {"updates": True},
        {"updates": "5"},
        {"updates": 5, "report": -1},
        {"updates": 5, "report": 1.5},
    ],
)
def test_what_a_browser_makes_up_opens_nothing(raw):
    sent = {"key": "run/cat", **raw} if isinstance(raw, dict) else raw
    assert OPEN.parse(sent, film(1, 5)) is None


def test_a_new_moment_does_not_take_a_press_away(mounted):
    page = mounted(film(0, 5))
    x, y = page.evaluate(
        f"(() => {{ const b = {HOST}.querySelector('button').getBoundingClientRect(); return [b.x + 9, b.y + 9]; }})()"
    )
    page.mouse.move(x, y)
    page.mouse.down()
    feed(page, film(0, 5, 10))
    page.mouse.up()
    assert [report["updates"] for _, report in page.evaluate("window.reports")] == [0]
