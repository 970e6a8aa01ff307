"""The keys of a lesson in a real browser: they press the column's own links, and leave views and fields alone."""

import json

import pytest
from playwright.sync_api import expect

from tests.explorer.mounting import feed, mount

PAGE = """() => {
    const rest = document.createElement("div");
    rest.innerHTML = `
        <div class="st-key-lesson" style="position: fixed; right: 0; top: 0; width: 300px; height: 100vh">
          <h3>One query</h3><div class="st-key-lesson_card">Look at the part.</div>
          <div class="st-key-lesson_previous"><a href="#p" id="previous">p</a></div>
          <div class="st-key-lesson_next"><a href="#n${performance.now()}" id="next">n</a></div>
          <div class="st-key-lesson_demo"><a href="#d" id="demo">d</a></div>
          <div class="st-key-lesson_reveal"><button id="reveal">r</button></div>
          <button role="radio" id="choice">c</button><input id="number" type="number"></div>
        <div data-testid="stMain" style="height: 100vh; overflow: auto; padding-right: 300px">
        <div style="height: 3000px"></div><div class="st-key-part" style="height: 200px">part</div>
        <div style="height: 3000px"></div><div id="view" tabindex="0">v</div>
        <div class="st-key-explain"><div id="panel" role="dialog" tabindex="0">e</div></div></div>`;
    document.body.append(rest);
    document.getElementById("host").className = "st-key-lesson_keys";
    window.clicks = [];
    for (const id of ["previous", "next", "demo", "reveal"])
        document.getElementById(id).addEventListener("click", (event) => {
            event.preventDefault();
            window.clicks.push(id);
            // Whatever it did, the way on is another one: a key that comes before that waits.
            document.getElementById("next").href += "n";
        });
    window.heard = [];
    document.addEventListener("keydown", (event) => window.heard.push(event.key));
}"""


ROW = {"site": "decoder.layers.0.cross_attn.weights", "index": [0, 0, 0], "size": 7, "columns": []}


def message(**more: object) -> bytes:
    said = {"stop": "a/1", "lesson": "Lesson 1", "part": "", "rows": [], "said": "", "line": "← →", **more}
    return json.dumps(said).encode()


@pytest.fixture
def column(page):
    mount(page, "lesson", "browser/lesson/view", message())
    page.evaluate(PAGE)
    return page


def clicks(page) -> list[str]:
    return page.evaluate("window.clicks")


@pytest.mark.parametrize(
    ("key", "pressed"), [("ArrowLeft", "previous"), ("ArrowRight", "next"), ("r", "reveal"), ("d", "demo")]
)
def test_a_key_presses_what_stands_in_the_column(column, key, pressed):
    column.keyboard.press(key)
    assert clicks(column) == [pressed]
    assert column.evaluate("window.heard") == [], "views take arrows, too, while nothing has the focus"
    for place in ("#next", "#panel"):
        column.locator(place).focus()
        column.keyboard.press(key)
    assert clicks(column) == [pressed] * 3


def test_a_key_waits_for_what_it_is_to_press(column):
    """Streamlit draws a link where its place is, but later; the views of the page may be listening by then."""
    column.evaluate("() => { window.link = document.getElementById('next'); window.link.remove(); }")
    column.keyboard.press("ArrowRight")
    assert clicks(column) == []
    column.evaluate("() => document.querySelector('.st-key-lesson_next').append(window.link)")
    column.wait_for_function("window.clicks.length")
    column.evaluate("() => document.body.append('more of the page')")
    assert clicks(column) == ["next"], "once"
    assert column.evaluate("window.heard") == [], "no view may take it in the meantime"


@pytest.mark.parametrize(
    "leave",
    [
        "() => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))",
        "() => { window.place = host; host.remove(); }",
    ],
    ids=["by going on elsewhere", "with the column"],
)
def test_a_key_that_waits_is_forgotten(column, leave):
    column.evaluate("() => { window.link = document.getElementById('next'); window.link.remove(); }")
    column.keyboard.press("ArrowRight")
    column.evaluate(leave)
    column.evaluate("() => new Promise(requestAnimationFrame)")
    column.evaluate("() => document.body.prepend(window.place ?? host)")
    column.evaluate("() => document.querySelector('.st-key-lesson_next').append(window.link)")
    column.evaluate("() => new Promise(requestAnimationFrame)")
    assert clicks(column) == []


def test_arrows_are_the_lessons_at_its_ends_and_while_they_are_held_down(column):
    column.evaluate("() => document.querySelector('.st-key-lesson_previous').remove()")
    column.keyboard.press("ArrowLeft")
    column.keyboard.down("ArrowRight")
    column.keyboard.down("ArrowRight")
    column.keyboard.up("ArrowRight")
    assert clicks(column) == ["next"]
    assert column.evaluate("window.heard") == [], "a view would step to where the stop does not speak of"


def test_without_a_lesson_the_keys_are_the_views(column):
    column.evaluate("() => host.className = ''")
    column.keyboard.press("ArrowRight")
    assert clicks(column) == []
    assert set(column.evaluate("window.heard")) == {"ArrowRight"}


@pytest.mark.parametrize("place", ["#view", "#choice", "#number"])
def test_who_has_the_focus_keeps_the_arrows(column, place):
    column.locator(place).focus()
    for key in ("ArrowLeft", "ArrowRight"):
        column.keyboard.press(key)
    assert clicks(column) == []


@pytest.mark.parametrize(
    "key", ["ArrowUp", "Enter", "x", "Control+ArrowRight", "Alt+ArrowLeft", "Shift+ArrowRight"]
)
def test_other_keys_do_nothing(column, key):
    column.keyboard.press(key)
    assert clicks(column) == []


def test_another_message_adds_no_second_listener(column):
    feed(column, message(said="Right: sleep."))
    column.keyboard.press("ArrowRight")
    assert clicks(column) == ["next"], "more than one would go on by two stops"
    told = column.evaluate(
        "document.querySelector('#host').shadowRoot.querySelector('[role=status]').textContent"
    )
    assert told == "Right: sleep."


def top(page) -> float:
    return page.evaluate("document.querySelector('.st-key-part').getBoundingClientRect().top")


def test_the_part_of_another_stop_comes_into_view_once(column):
    assert top(column) > 2000
    feed(column, message(stop="a/2", part="part"))
    assert 0 <= top(column) < 520
    column.mouse.move(200, 200)
    column.mouse.wheel(0, -2000)
    column.wait_for_function("document.querySelector('.st-key-part').getBoundingClientRect().top > 1000")
    feed(column, message(stop="a/2", part="part", said="Right."))
    assert top(column) > 1000, "the same stop does not move the page again"
    column.get_by_role("button", name="Show it").click()
    assert 0 <= top(column) < 520


# A view draws in a tree of its own, which nobody hears of outside: only its word of it comes.
LIGHT_FAR_BELOW = """async () => {
    const shadow = document.querySelector(".st-key-part").attachShadow({ mode: "open" });
    await new Promise(requestAnimationFrame);
    shadow.innerHTML = "<i style='display: block; height: 40px'></i><i></i>";
    const [frame, end] = shadow.querySelectorAll("i");
    window.dispatchEvent(new CustomEvent("explorer-lit", { detail: { frames: [frame], end } }));
}"""


def test_a_light_that_is_drawn_late_comes_into_view(column):
    feed(column, message(stop="a/2", part="part", rows=[ROW]))
    assert top(column) > 2000, "nothing is in the light yet"
    column.evaluate(LIGHT_FAR_BELOW)
    assert 0 <= top(column) < 520


def test_the_light_leads_to_the_part_goes_out_and_on_again(column):
    feed(column, message(stop="a/2", part="part"))
    part, line = column.locator(".st-key-part"), column.locator("#host svg .line")
    assert part.get_attribute("data-lit") is not None
    expect(line).to_be_visible()
    end = line.evaluate("(line) => line.getPointAtLength(line.getTotalLength()).y")
    box = part.bounding_box()
    assert box["y"] <= end <= box["y"] + box["height"]
    column.keyboard.press("l")
    assert part.get_attribute("data-lit") is None
    expect(line).to_be_hidden()
    column.keyboard.press("l")
    assert part.get_attribute("data-lit") is not None


def test_another_stop_has_the_focus_on_its_title_and_names_its_lesson(column):
    feed(column, message(stop="a/1"))
    assert column.evaluate("document.activeElement.tagName") == "BODY"
    feed(column, message(stop="a/2", part="part"))
    assert column.evaluate("document.activeElement.textContent") == "One query"
    assert column.get_by_role("complementary", name="Lesson 1").is_visible()
    column.keyboard.press("ArrowRight")
    assert clicks(column) == ["next"]
