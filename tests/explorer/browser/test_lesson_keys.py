"""The keys of a lesson in a real browser: they press the strip's own links, and leave views and fields alone."""

import json
from pathlib import Path

import pytest

from explorer.browser import lesson_keys
from explorer.browser.assets import script, style
from tests.explorer.mounting import MOUNT

HERE = Path(lesson_keys.__file__).parent
CHILDREN = '<span class="line"></span><span class="unseen" role="status"></span>'
PAGE = """() => {
    const rest = document.createElement("div");
    rest.innerHTML = `
        <div style="position: sticky; top: 0"><div class="st-key-lesson">
          <div class="st-key-lesson_previous"><a href="#p" id="previous">p</a></div>
          <div class="st-key-lesson_next"><a href="#n" id="next">n</a></div>
          <div class="st-key-lesson_demo"><a href="#d" id="demo">d</a></div>
          <div class="st-key-lesson_reveal"><button id="reveal">r</button></div>
          <button role="radio" id="choice">c</button><input id="number" type="number"></div></div>
        <div style="height: 3000px"></div><div class="st-key-part" style="height: 200px">part</div>
        <div style="height: 3000px"></div><div id="view" tabindex="0">v</div>
        <div class="st-key-explain"><div id="panel" role="dialog" tabindex="0">e</div></div>`;
    document.body.append(rest);
    document.getElementById("host").className = "st-key-lesson_keys";
    window.clicks = [];
    for (const id of ["previous", "next", "demo", "reveal"])
        document.getElementById(id).addEventListener("click", (event) => {
            event.preventDefault();
            window.clicks.push(id);
        });
    window.heard = [];
    document.addEventListener("keydown", (event) => window.heard.push(event.key));
}"""


def message(**more: str) -> list[int]:
    return list(json.dumps({"stop": "a/1", "part": "", "said": "", "line": "← →", **more}).encode())


@pytest.fixture
def strip(page):
    source = script(*lesson_keys.SCRIPTS)
    filled = MOUNT.replace("shadow.append(", f"root.innerHTML = `{CHILDREN}`; shadow.append(")
    page.evaluate(filled, ["lesson-keys", source, style(HERE / "keys.css"), message()])
    page.evaluate(PAGE)
    return page


def clicks(page) -> list[str]:
    return page.evaluate("window.clicks")


@pytest.mark.parametrize(
    ("key", "pressed"), [("ArrowLeft", "previous"), ("ArrowRight", "next"), ("r", "reveal"), ("d", "demo")]
)
def test_a_key_presses_what_stands_in_the_strip(strip, key, pressed):
    strip.keyboard.press(key)
    assert clicks(strip) == [pressed]
    assert strip.evaluate("window.heard") == [], "views take arrows, too, while nothing has the focus"
    for place in ("#next", "#panel"):
        strip.locator(place).focus()
        strip.keyboard.press(key)
    assert clicks(strip) == [pressed] * 3


def test_a_key_waits_for_what_it_is_to_press(strip):
    """Streamlit draws a link where its place is, but later; the views of the page may be listening by then."""
    strip.evaluate("() => { window.link = document.getElementById('next'); window.link.remove(); }")
    strip.keyboard.press("ArrowRight")
    assert clicks(strip) == []
    strip.evaluate("() => document.querySelector('.st-key-lesson_next').append(window.link)")
    strip.wait_for_function("window.clicks.length")
    strip.evaluate("() => document.body.append('more of the page')")
    assert clicks(strip) == ["next"], "once"
    assert strip.evaluate("window.heard") == [], "no view may take it in the meantime"


@pytest.mark.parametrize(
    "leave",
    [
        "() => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))",
        "() => { window.place = host; host.remove(); }",
    ],
    ids=["by going on elsewhere", "with the strip"],
)
def test_a_key_that_waits_is_forgotten(strip, leave):
    strip.evaluate("() => { window.link = document.getElementById('next'); window.link.remove(); }")
    strip.keyboard.press("ArrowRight")
    strip.evaluate(leave)
    strip.evaluate("() => new Promise(requestAnimationFrame)")
    strip.evaluate("() => document.body.prepend(window.place ?? host)")
    strip.evaluate("() => document.querySelector('.st-key-lesson_next').append(window.link)")
    strip.evaluate("() => new Promise(requestAnimationFrame)")
    assert clicks(strip) == []


def test_arrows_are_the_lessons_at_its_ends_and_while_they_are_held_down(strip):
    strip.evaluate("() => document.querySelector('.st-key-lesson_previous').remove()")
    strip.keyboard.press("ArrowLeft")
    strip.keyboard.down("ArrowRight")
    strip.keyboard.down("ArrowRight")
    strip.keyboard.up("ArrowRight")
    assert clicks(strip) == ["next"]
    assert strip.evaluate("window.heard") == [], "a view would step to where the stop does not speak of"


def test_without_a_strip_the_keys_are_the_views(strip):
    strip.evaluate("() => host.className = ''")
    strip.keyboard.press("ArrowRight")
    assert clicks(strip) == []
    assert set(strip.evaluate("window.heard")) == {"ArrowRight"}


@pytest.mark.parametrize("place", ["#view", "#choice", "#number"])
def test_who_has_the_focus_keeps_the_arrows(strip, place):
    strip.locator(place).focus()
    for key in ("ArrowLeft", "ArrowRight"):
        strip.keyboard.press(key)
    assert clicks(strip) == []


@pytest.mark.parametrize(
    "key", ["ArrowUp", "Enter", "x", "Control+ArrowRight", "Alt+ArrowLeft", "Shift+ArrowRight"]
)
def test_other_keys_do_nothing(strip, key):
    strip.keyboard.press(key)
    assert clicks(strip) == []


def test_another_message_adds_no_second_listener(strip):
    strip.evaluate("data => window.feed(data)", message(said="Right: sleep."))
    strip.keyboard.press("ArrowRight")
    assert clicks(strip) == ["next"], "more than one would go on by two stops"
    told = strip.evaluate(
        "document.querySelector('#host').shadowRoot.querySelector('[role=status]').textContent"
    )
    assert told == "Right: sleep."


def test_the_part_of_another_stop_comes_into_view_once(strip):
    def top() -> float:
        return strip.evaluate("document.querySelector('.st-key-part').getBoundingClientRect().top")

    assert top() > 2000
    strip.evaluate("data => window.feed(data)", message(stop="a/2", part="part"))
    assert 0 <= top() < 300, "under the strip, which stays in sight"
    strip.mouse.wheel(0, -2000)
    strip.wait_for_function("document.querySelector('.st-key-part').getBoundingClientRect().top > 1000")
    strip.evaluate("data => window.feed(data)", message(stop="a/2", part="part", said="Right."))
    assert top() > 1000, "the same stop does not move the page again"


def test_on_a_low_screen_the_pictures_of_a_part_come_before_its_head(strip):
    strip.set_viewport_size({"width": 1280, "height": 400})
    strip.evaluate("""() => {
        const part = document.querySelector(".st-key-part"), host = part.appendChild(document.createElement("div"));
        part.style.height = "700px";
        host.attachShadow({ mode: "open" }).innerHTML =
            '<div style="height: 280px">head</div><div class="figure" style="height: 200px">picture</div>';
    }""")
    strip.evaluate("data => window.feed(data)", message(stop="a/2", part="part"))
    figure = strip.locator(".st-key-part .figure").bounding_box()
    under = strip.locator(".st-key-lesson").bounding_box()
    assert under["y"] + under["height"] <= figure["y"]
    assert figure["y"] + figure["height"] <= 400
