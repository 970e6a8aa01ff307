"""The keys of the depth and the sentences of its card in a real browser: no key is stolen, no token is markup."""

import json

import pytest

from explorer.browser.sentence_view import pack
from explorer.look.pieces import Piece
from tests.explorer.mounting import feed, mount

# The fields stand in a shadow tree of their own, as those of our components do.
FIELDS = """() => {
    const host = document.createElement("div");
    document.body.append(host);
    host.id = "fields";
    host.attachShadow({ mode: "open" }).innerHTML = `
        <input id="text"><textarea id="area"></textarea><select id="list"><option>1</option></select>
        <div id="rich" contenteditable="true">a</div><button id="button">b</button>
        <input id="slider" type="range"><div id="box" role="combobox" tabindex="0">c</div>`;
}"""


@pytest.fixture
def keyed(page):
    """The line of keys beside fields of every kind."""
    data = json.dumps({"n": 4}).encode()
    mount(page, "depth-keys", "browser/depth_keys/keys", data)
    page.evaluate(FIELDS)
    yield page
    page.evaluate("window.end()")


def pressed(page):
    return page.evaluate("window.reports")


def focus(page, name):
    page.evaluate("name => document.querySelector('#fields').shadowRoot.querySelector(name).focus()", name)


def test_each_number_chooses_a_depth(keyed):
    for key in "1234":
        keyed.keyboard.press(key)
    assert pressed(keyed) == [["pressed", place] for place in range(4)]


@pytest.mark.parametrize(
    "key", ["0", "5", "9", "a", "Control+1", "Alt+2", "Meta+3", "Shift+Digit4", "Enter", "F1"]
)
def test_other_keys_do_nothing(keyed, key):
    keyed.keyboard.press(key)
    assert pressed(keyed) == []


@pytest.mark.parametrize("field", ["#text", "#area", "#list", "#rich", "#box"])
def test_a_field_keeps_its_keys(keyed, field):
    focus(keyed, field)
    keyed.keyboard.press("2")
    assert pressed(keyed) == []
    focus(keyed, "#button")
    keyed.keyboard.press("3")
    assert pressed(keyed) == [["pressed", 2]], "a button has no use for numbers"


def test_what_is_typed_arrives(keyed):
    focus(keyed, "#text")
    keyed.keyboard.type("1234")
    assert (
        keyed.evaluate("document.querySelector('#fields').shadowRoot.querySelector('#text').value") == "1234"
    )
    assert pressed(keyed) == []


def test_a_slider_leaves_the_numbers_alone(keyed):
    focus(keyed, "#slider")
    keyed.keyboard.press("4")
    assert pressed(keyed) == [["pressed", 3]]


def test_another_message_adds_no_second_listener(keyed):
    feed(keyed, json.dumps({"n": 4}).encode())
    keyed.keyboard.press("1")
    assert pressed(keyed) == [["pressed", 0]]


def test_a_key_that_somebody_has_used_is_left_alone(keyed):
    focus(keyed, "#button")
    keyed.evaluate(
        "document.querySelector('#fields').shadowRoot.querySelector('#button')"
        ".addEventListener('keydown', (event) => event.preventDefault())"
    )
    keyed.keyboard.press("1")
    assert pressed(keyed) == []


def mount_sentences(page, pieces):
    mount(page, "sentence-view", "browser/sentence_view/view", pack(pieces))
    return page.evaluate(
        "[...document.querySelector('#host').shadowRoot.querySelector('.sentence-view').childNodes]"
        ".map((node) => [node.nodeName, node.className ?? '', node.textContent])"
    )


def test_sentences_show_numbers_and_tokens(page):
    pieces = (Piece("At step 4, "), Piece("dorment", "target"), Piece(" reads "), Piece("0.8532", "number"))
    assert mount_sentences(page, pieces) == [
        ["#text", "", "At step 4, "],
        ["BDI", "target", "dorment"],
        ["#text", "", " reads "],
        ["B", "", "0.8532"],
    ]


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("<img src=x onerror=window.pressed=1>", "<img␣src=x␣onerror=window.pressed=1>"),
        ("\u202eabc", "\\u{202e}abc"),
        ("\ud800", "\\u{d800}"),
        ("$x$ **a**", "$x$␣**a**"),
        ("", "∅"),
    ],
)
def test_tokens_are_text(page, token, shown):
    assert mount_sentences(page, (Piece(token, "source"),)) == [["BDI", "source", shown]]
