"""The panel “Explain this number”: its message, its reports, and its keys, links and focus in a real browser."""

import dataclasses
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from explorer.browser import explain_panel as module
from explorer.browser.explain_panel import (
    DONE,
    LARGEST,
    Back,
    Column,
    Crumb,
    ExplanationData,
    OpenPage,
    ShownNumber,
    ShownTerm,
    Use,
    Words,
    pack,
)
from explorer.shell.explain_panel import at_site
from explorer.tensors import CellPlace
from explorer.visitor.reports import Explain
from explorer.visitor.state import ExplorerState, Look
from tests.explorer.mounting import MOUNT, encoded, feed, load_bundle
from tests.optional import unwrap

FOLDER = Path(module.__file__).parent
HOST = '<div id="host"></div>'
IN_ITS_CONTAINER = MOUNT.replace(
    HOST, f'<button>before</button><div class="st-key-page"><div class="st-key-explain">{HOST}</div></div>'
)
KEY = CellPlace("decoder.layers.0.cross_attn.k", (0, 1, 2, 3))


def term(place: int, rank: int, n: int) -> ShownTerm:
    cell = CellPlace("decoder.layers.0.cross_attn.q", (0, 1, 2, place))
    return ShownTerm(
        place=str(place),
        token=Words(""),
        numbers=(
            ShownNumber("q", f"0.{place:03}", "0.1", "q", cell, cell),
            ShownNumber("k", "−1.000", "-1", "k", KEY, KEY),
        ),
        value=f"−0.{place:03}",
        exact="-0.1",
        share=-1 + place / n,
        rank=rank,
    )


def panel_data(n_terms: int = 4, **changes) -> ExplanationData:
    data = ExplanationData(
        key="trace|score",
        crumbs=(
            Crumb("P(<b>)", 0),
            Crumb("log P", 1),
            Crumb("…", None),
            Crumb("weight", 4),
            Crumb("score", 5),
        ),
        words=(
            Words("le <b>\u202echat", "target"),
            Words(" asks, "),
            Words(" ", "source"),
            Words(" answers"),
        ),
        value="3.050",
        exact="3.04999995",
        site="decoder.layers.0.cross_attn.scores",
        index="[0, 1, 2, 3]",
        shape="1×4×7×7 float32",
        formula="s = q",
        numbers="1 = 1",
        layout="terms",
        letter="e",
        columns=(Column("q", "chat", "q"), Column("k", "cats", "k")),
        value_name="product",
        terms=tuple(term(place, n_terms - 1 - place, n_terms) for place in range(n_terms)),
        n_terms=n_terms,
        rests=tuple((n_terms - shown, f"{n_terms - shown}.041") for shown in range(LARGEST + 1)),
        total="12.200",
        factor="÷ √16",
        result="3.050",
        recorded="3.04999995",
        difference="2.4 · 10⁻⁷",
        used_by=(
            Use("masked score 3.050", CellPlace("decoder.layers.0.cross_attn.masked_scores", (0, 1, 2, 3))),
            Use("context, decoder layer 0", None, "decoder.layers.0.cross_attn.context", "cross-attention"),
            Use("nothing to open", None),
        ),
        page="cross-attention",
        page_title="Cross-attention",
        code="print(1)",
    )
    return dataclasses.replace(data, **changes)


def report(**what) -> dict:
    return {"key": "trace|score", "report": 7, **what}


def test_message_has_its_terms_as_lists_and_its_formulas_as_mathml():
    message = json.loads(pack(panel_data()))
    assert message["terms"][1][:3] == [
        "1",
        ["", ""],
        [
            ["q", "0.001", "0.1", "q", ["decoder.layers.0.cross_attn.q", 0, 1, 2, 1], None],
            ["k", "−1.000", "-1", "k", ["decoder.layers.0.cross_attn.k", 0, 1, 2, 3], None],
        ],
    ]
    assert "<mi>s</mi>" in message["formula"]
    assert message["selected_by"] is None
    place = CellPlace("src", (0, 2))
    chosen = panel_data(selected_by=ShownNumber("t", "35", "35", "source", place, place))
    assert json.loads(pack(chosen))["selected_by"] == ["t", "35", "35", "source", ["src", 0, 2], None]


def test_a_token_that_is_half_a_surrogate_pair_travels():
    assert json.loads(pack(panel_data(words=(Words("\ud800", "source"),))))["words"][0]["text"] == "\ud800"


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ({"kind": "follow", "site": KEY.site, "index": [0, 1, 2, 3]}, Explain(KEY)),
        ({"kind": "back", "place": 1}, Back(1)),
        ({"kind": "back", "place": -1}, Back(-1)),
        (
            {"kind": "open", "site": "decoder.layers.0.cross_attn.scores"},
            OpenPage("decoder.layers.0.cross_attn.scores", "cross-attention"),
        ),
        (
            {"kind": "open", "site": "decoder.layers.0.cross_attn.context"},
            OpenPage("decoder.layers.0.cross_attn.context", "cross-attention"),
        ),
    ],
)
def test_reports_are_taken_that_the_shown_number_links_to(what, expected):
    assert DONE.parse(report(**what), panel_data()) == expected


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "follow",
        [],
        {},
        report(),
        report(kind="follow"),
        report(kind="follow", site=KEY.site, index=[0, 1, 2, 4]),
        report(kind="follow", site=KEY.site, index=[0, 1, 2, 3.0]),
        report(kind="follow", site=KEY.site, index=[False, True, 2, 3]),
        report(kind="follow", site=KEY.site, index={"0": 1}),
        report(kind="follow", site=[KEY.site], index=[0, 1, 2, 3]),
        report(kind="follow", site=KEY.site, index=[0, 1, 2, 3], report=2**60),
        report(kind="follow", site=KEY.site, index=[0, 1, 2, 3], key="another"),
        report(kind="back", place=2),
        report(kind="back", place=5),
        report(kind="back", place=True),
        report(kind="back", place=None),
        report(kind="back", place=1.0),
        report(kind="open", site="decoder.layers.0.cross_attn.q"),
        report(kind="open", site=None),
        report(kind="open", site=["x"]),
        report(kind="open", site=""),
        report(kind="else", site=KEY.site, index=[0, 1, 2, 3]),
    ],
)
def test_reports_are_dropped_that_it_does_not_link_to(raw):
    assert DONE.parse(raw, panel_data()) is None


@pytest.mark.parametrize(
    ("site", "index", "expected"),
    [
        ("decoder.layers.1.cross_attn.weights", (0, 3, 4, 5), (1, 3, "decoder.cross_attn")),
        ("encoder.layers.0.feed_forward.hidden", (0, 3, 4), (0, 2, "encoder.feed_forward")),
        ("encoder.layers.1.self_attn.k", (), (1, 2, "encoder.self_attn")),
        ("decoder.layers.1.cross_attn_add_norm.sum", (0, 1, 1), (1, 2, "decoder.cross_attn")),
        ("encoder.output", (0, 1, 1), (0, 2, "encoder")),
        ("generator.logits", (0, 1, 1), (0, 2, "")),
    ],
)
def test_a_page_opens_where_the_number_is(site, index, expected):
    there = at_site(ExplorerState(run="r", sentence="s", look=Look(layer=0, head=2, stage="q")), site, index)
    assert (there.look.layer, there.look.head, there.look.block) == expected
    assert there.look.stage == {"weights": "softmax", "k": "keys"}.get(
        value := site.rpartition(".")[2], value
    )


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    def mount(data: ExplanationData | None, width: int = 1000):
        load_bundle(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(IN_ITS_CONTAINER, ["explain-panel", "browser/explain_panel/panel", encoded(pack(data))])
        return page

    return mount


def told(page) -> dict:
    name, what = page.evaluate("reports.at(-1)")
    assert name == "report"
    assert what.pop("key") == "trace|score"
    assert what.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    return what


@pytest.mark.browser
def test_the_panel_is_a_region_that_is_named_by_its_sentence(mounted):
    page = mounted(panel_data())
    sentence = "le␣<b>\\u{202e}chat asks, ␣ answers"
    region = page.get_by_role("region", name=f"This number: {sentence} 3.050")
    assert region.get_by_role("heading", level=2).text_content() == "This number"
    assert region.locator(".sentence").text_content() == sentence
    assert region.locator(".value").inner_text().split("\n")[0].startswith("3.050")
    assert region.locator("code").text_content() == "decoder.layers.0.cross_attn.scores[0, 1, 2, 3]"
    assert region.locator(".way li").all_text_contents() == ["P(<b>)", "log P", "…", "weight", "score"]
    assert "recorded 3.04999995, difference 2.4 · 10⁻⁷" in region.locator(".check").inner_text()
    assert region.locator("tfoot tr").all_inner_texts() == ["sum\t12.200", "÷ √16\t3.050"]


@pytest.mark.browser
def test_the_page_hears_which_operand_is_pointed_at_and_when_that_ends(mounted):
    passed_on = CellPlace("decoder.layers.0.cross_attn.masked_scores", (0, 1, 2, 3))
    number = ShownNumber("s", "9.000", "9.0", "target", KEY, passed_on)
    page = mounted(panel_data(terms=(dataclasses.replace(term(0, 0, 1), numbers=(number,)),), n_terms=1))
    page.evaluate("""() => {
        window.heard = [];
        window.addEventListener("explorer-term", ({ detail }) => window.heard.push(detail));
    }""")
    button = page.get_by_role("button", name="s 9.000, explain")
    assert button.get_attribute("title") == (
        "9.0\ndecoder.layers.0.cross_attn.masked_scores[0, 1, 2, 3]\n"
        "decoder.layers.0.cross_attn.k[0, 1, 2, 3]"
    )
    button.hover()
    there = {"site": passed_on.site, "index": [0, 1, 2, 3]}
    assert page.evaluate("heard") == [there], "where the number stands, not what it only passes on"
    page.locator("h2").hover()
    assert page.evaluate("heard") == [there, None]
    button.focus()
    assert page.evaluate("heard.at(-1)") == there
    page.evaluate("end()")
    assert page.evaluate("heard.at(-1)") is None


@pytest.mark.browser
def test_operands_uses_and_crumbs_are_links(mounted):
    page = mounted(panel_data())
    page.get_by_role("button", name="q 0.002, explain").click()
    assert told(page) == {"kind": "follow", "site": "decoder.layers.0.cross_attn.q", "index": [0, 1, 2, 2]}
    page.get_by_role("button", name="masked score 3.050").click()
    assert told(page)["site"] == "decoder.layers.0.cross_attn.masked_scores"
    page.get_by_role("button", name="context, decoder layer 0").click()
    assert told(page) == {"kind": "open", "site": "decoder.layers.0.cross_attn.context"}
    page.get_by_role("button", name="Open Cross-attention").click()
    assert told(page) == {"kind": "open", "site": "decoder.layers.0.cross_attn.scores"}
    page.get_by_role("button", name="weight", exact=True).click()
    assert told(page) == {"kind": "back", "place": 4}
    assert page.get_by_role("button", name="nothing to open").count() == 0


@pytest.mark.browser
def test_escape_closes_and_backspace_goes_one_back(mounted):
    page = mounted(panel_data())
    page.get_by_role("button", name="q 0.000, explain").focus()
    page.keyboard.press("Backspace")
    assert told(page) == {"kind": "back", "place": 4}
    page.keyboard.press("Escape")
    assert told(page) == {"kind": "back", "place": -1}
    page = mounted(panel_data(crumbs=(Crumb("score", 0),)))
    page.keyboard.press("Backspace")
    assert told(page) == {"kind": "back", "place": -1}
    page.get_by_role("button", name="back", exact=True).click()
    assert told(page) == {"kind": "back", "place": -1}
    assert page.get_by_role("button", name="close").count() == 0, "from the first number back closes"
    page = mounted(panel_data())
    page.get_by_role("button", name="back", exact=True).click()
    assert told(page) == {"kind": "back", "place": 4}
    page.get_by_role("button", name="close").click()
    assert told(page) == {"kind": "back", "place": -1}


@pytest.mark.browser
def test_the_focus_moves_in_and_follows_to_the_next_number(mounted):
    page = mounted(panel_data())
    page.locator("h2").click()
    page = mounted(panel_data())
    inside = "document.activeElement.className"
    assert page.evaluate(inside) == "st-key-explain"
    page.get_by_role("button", name="q 0.001, explain").focus()
    feed(page, pack(panel_data(key="trace|other")))
    assert page.evaluate(inside) == "st-key-explain"
    page.get_by_role("button", name="before").focus()
    feed(page, pack(panel_data(key="trace|third")))
    assert page.evaluate("document.activeElement.textContent") == "before", (
        "who works on the page is left alone"
    )


@pytest.mark.browser
def test_panel_closes_and_returns_focus(mounted):
    page = mounted(None)
    before, region = page.get_by_role("button", name="before"), page.locator(".st-key-explain")
    before.click()
    assert page.locator("[data-explaining]").count() == 0
    feed(page, pack(panel_data()))
    assert page.locator("[data-explaining]").count() == 1
    expect(region).to_be_focused()
    feed(page, pack(None))
    assert page.locator("[data-explaining]").count() == 0
    assert region.inner_text().strip() == ""
    expect(before).to_be_focused()


@pytest.mark.browser
def test_removed_panel_returns_focus(mounted):
    page = mounted(None)
    page.get_by_role("button", name="before").click()
    feed(page, pack(panel_data()))
    page.evaluate("end()")
    expect(page.get_by_role("button", name="before")).to_be_focused()
    assert page.locator("[data-explaining]").count() == 0


FULL_COLUMN = ".st-key-explain { max-height: 420px; overflow: auto; width: 290px }"


@pytest.mark.browser
def test_sum_stays_in_sight_beside_a_picture(mounted):
    page = mounted(None, width=1400)
    page.add_style_tag(content=FULL_COLUMN)
    feed(page, pack(panel_data(n_terms=40)))
    rows = page.locator("table.terms tbody tr")
    shown = rows.count() - 1
    assert 3 <= shown < LARGEST
    assert rows.last.inner_text() == f"{40 - shown} smaller Show all\t{40 - shown}.041"
    box, sums = (unwrap(page.locator(each).bounding_box()) for each in (".st-key-explain", "tfoot"))
    assert sums["y"] + sums["height"] <= box["y"] + box["height"]
    page.get_by_role("button", name="Show all").click()
    expect(rows).to_have_count(41)
    page.get_by_role("button", name=f"Show the {shown} largest").click()
    expect(rows).to_have_count(shown + 1)


@pytest.mark.browser
def test_formulas_stand_above_and_below_the_terms(mounted):
    page = mounted(panel_data(formula=r"\frac{1}{\sqrt{d_k}}", numbers="1 = -1"))
    parts = page.locator(".explain-panel .content > *")
    assert [each.evaluate("(node) => node.className || node.localName") for each in parts.all()] == [
        "header",
        "formula",
        "body",
        "formula",
        "foot",
    ]
    above, below = page.locator(".formula math").all()
    assert above.locator("mfrac msqrt").count() == 1
    assert below.locator("mo").last.get_attribute("form") == "prefix", "a sign is no difference"


@pytest.mark.browser
def test_many_terms_begin_with_the_largest_and_can_all_be_shown(mounted):
    page = mounted(panel_data(n_terms=40))
    rows = page.locator("tbody tr")
    assert rows.count() == LARGEST + 1
    assert rows.last.inner_text() == "28 smaller Show all\t28.041"
    assert rows.first.locator("th").inner_text() == "39"
    page.get_by_role("button", name="Show all").click()
    assert rows.count() == 41
    page.get_by_role("button", name="Sort by place").click()
    assert rows.first.locator("th").inner_text() == "0"
    assert page.get_by_role("button", name="Sort by place").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Show the 12 largest").click()
    assert rows.count() == LARGEST + 1
    assert rows.first.locator("th").inner_text() == "39"


@pytest.mark.browser
def test_few_terms_begin_with_the_largest_too_and_can_be_put_in_their_order(mounted):
    page = mounted(panel_data())
    places = page.locator("tbody th")
    assert places.all_inner_texts() == ["3", "2", "1", "0"]
    page.get_by_role("button", name="Sort by place").click()
    assert places.all_inner_texts() == ["0", "1", "2", "3"]


@pytest.mark.browser
def test_bars_go_to_the_side_of_their_sign(mounted):
    terms = (
        dataclasses.replace(term(0, 0, 2), share=-1.0),
        dataclasses.replace(term(1, 1, 2), share=0.5),
    )
    page = mounted(panel_data(terms=terms, n_terms=2))
    left, right = (page.locator("td.bar i").nth(i).bounding_box() for i in (0, 1))
    middle = page.locator("td.bar").first.bounding_box()
    centre = middle["x"] + middle["width"] / 2
    assert abs(left["x"] + left["width"] - centre) < 1.5
    assert abs(right["x"] - centre) < 1.5
    assert left["width"] / right["width"] == pytest.approx(2, abs=0.1)


@pytest.mark.browser
def test_a_disagreement_is_said(mounted):
    page = mounted(panel_data(agrees=False))
    assert "does not agree with the recorded 3.04999995" in page.locator(".check.bad").inner_text()


@pytest.mark.browser
def test_a_problem_stands_alone_and_can_be_closed(mounted):
    page = mounted(ExplanationData(key="trace|score", crumbs=(), problem="This number is not there: <b>."))
    assert page.locator(".problem").inner_text() == "This number is not there: <b>."
    assert page.locator("h3").count() == 0
    page.get_by_role("button", name="back").click()
    assert told(page) == {"kind": "back", "place": -1}


@pytest.mark.browser
def test_parts_of_a_formula_are_lines_with_their_operands(mounted):
    constant = ShownNumber("ε", "1.0·10⁻⁵", "1e-05")
    line = dataclasses.replace(term(0, 0, 1), place="denominator", numbers=(*term(0, 0, 1).numbers, constant))
    page = mounted(panel_data(layout="parts", terms=(line,), n_terms=1))
    (row,) = page.locator("table.parts tr").all()
    assert row.locator("th").inner_text() == "denominator"
    assert row.locator(".operand").all_inner_texts() == ["q 0.000", "k −1.000", "ε 1.0·10⁻⁵"]
    assert row.get_by_role("button").count() == 2, "a constant explains itself"


@pytest.mark.browser
def test_on_a_phone_targets_are_large(mounted):
    page = mounted(panel_data(), width=390)
    for button in page.locator(".explain-panel button").all():
        box = button.bounding_box()
        assert box["height"] >= 43.5, button.text_content()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
def test_without_a_clipboard_the_code_can_be_copied_by_hand(mounted):
    page = mounted(panel_data())
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.get_by_role("button", name="Copy code").click()
    field = page.get_by_role("textbox", name="Python that prints this number")
    field.wait_for()
    assert field.input_value() == "print(1)"


@pytest.mark.browser
def test_what_is_read_stays_as_it_is_in_other_colours_and_with_other_weights(mounted):
    page = mounted(panel_data(n_terms=40))
    rows, by_place = page.locator("tbody tr"), page.get_by_role("button", name="Sort by place")
    by_place.click()
    assert rows.count() == 41
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    feed(page, pack(panel_data(n_terms=40)))
    assert page.locator(".explain-panel").get_attribute("data-look") == "dark"
    assert by_place.evaluate("node => node === node.getRootNode().activeElement")
    assert rows.count() == 41
    feed(page, pack(panel_data(n_terms=40, key="trace 2|score")))
    assert rows.count() == 41, "the same number of other weights"
    assert by_place.get_attribute("aria-pressed") == "true"
    feed(page, pack(panel_data(n_terms=40, key="trace 2|other", index="[0, 1, 2, 4]")))
    assert rows.count() == LARGEST + 1, "another number"
