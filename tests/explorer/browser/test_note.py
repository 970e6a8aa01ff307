"""The note in a real browser: its keys, its words at each depth; no key is stolen, no token is markup."""

import pytest
from playwright.sync_api import expect

from explorer.browser import note
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


def show(page, said: note.Said) -> None:
    mount(page, "note", note.PATH, note.pack(note.Note("numbers", said), "What it shows."))


@pytest.fixture
def keyed(page):
    """The note beside fields of every kind."""
    show(page, note.sentences((Piece("Words."),)))
    page.evaluate(FIELDS)
    yield page
    page.evaluate("window.end()")


def pressed(page) -> list[str]:
    return page.evaluate("window.reports.map(([name, { depth }]) => depth)")


def focus(page, name):
    page.evaluate("name => document.querySelector('#fields').shadowRoot.querySelector(name).focus()", name)


def test_each_number_chooses_a_depth(keyed):
    for key in "1234":
        keyed.keyboard.press(key)
    assert pressed(keyed) == list(note.DEPTHS)


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
    assert pressed(keyed) == ["formula"], "a button has no use for numbers"


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
    assert pressed(keyed) == ["code"]


def test_another_message_adds_no_second_listener(keyed):
    feed(keyed, note.pack(note.Note("idea", note.sentences(())), ""))
    keyed.keyboard.press("1")
    assert pressed(keyed) == ["idea"]


def test_a_key_that_somebody_has_used_is_left_alone(keyed):
    focus(keyed, "#button")
    keyed.evaluate(
        "document.querySelector('#fields').shadowRoot.querySelector('#button')"
        ".addEventListener('keydown', (event) => event.preventDefault())"
    )
    keyed.keyboard.press("1")
    assert pressed(keyed) == []


def mount_sentences(page, pieces):
    show(page, note.sentences(pieces))
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


def test_arrows_choose_the_next_depth(keyed):
    keyed.get_by_role("radio", name="Numbers").focus()
    keyed.keyboard.press("ArrowRight")
    keyed.keyboard.press("ArrowRight")
    keyed.keyboard.press("ArrowRight")
    assert pressed(keyed) == ["formula", "code", "idea"]


def test_formula_has_its_lines_and_symbols(page):
    root = r"\frac{Q K^{\top}}{\sqrt{d_k}}"
    show(page, note.formula("Equation 1", (f"S = {root}",), ("S = 3",), (("d_k", "numbers of a key"),)))
    letters, sizes = page.locator(".formula").all()
    expect(letters.locator("math")).to_have_count(2)  # It can wrap before the relation.
    expect(letters.locator("msqrt")).to_have_count(1)
    expect(sizes).to_contain_text("3")
    expect(page.locator("li")).to_contain_text(": numbers of a key")


def test_code_marks_keywords_strings_and_comments(page):
    text = 'def run(n):\n    """Say "<b>"."""\n    return f"{n}" + "#"  # not in 1e-9'
    source = {"name": "run", "path": "core/run.py", "first": 3, "last": 5, "text": text}
    show(page, note.code((source,), "3", "print(3)"))
    shown = page.locator("pre").first
    assert shown.text_content() == text
    assert shown.locator(".keyword").all_text_contents() == ["def", "return"]
    assert shown.locator(".string").all_text_contents() == ['"""Say "<b>"."""', 'f"{n}"', '"#"']
    assert shown.locator(".comment").all_text_contents() == ["# not in 1e-9"]
