"""The beam search view: its message, what it accepts back, and that tokens stay text and keys lead through it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer.models.beam_trees import BeamNode, BeamTree
from explorer.views.beam_search import component as module
from explorer.views.beam_search.component import OPENED, Opened, beam_view, pack
from tests.conftest import PATIENCE
from tests.explorer.mounting import feed, mount
from tests.unpacked import unpacked

FOLDER = Path(module.__file__).parent
EOS = 2


def node(step, parent, token, text, probability, fate, rank, *, log_prob, token_id=9) -> BeamNode:
    score = log_prob / ((6 + step) / 6) ** 0.6
    return BeamNode(
        step, parent, token_id, token, text, float(np.log(probability)), log_prob, score, fate, rank
    )


def small_tree(**changes) -> BeamTree:
    """A beam of two over two steps; greedy goes on alone after the beam has dropped it."""
    nodes = (
        node(0, None, "a", "a", 0.5, "kept", 1, log_prob=-0.69),
        node(0, None, "b", "b", 0.3, "kept", 2, log_prob=-1.20),
        node(0, None, "c", "c", 0.1, "pruned", 3, log_prob=-2.30),
        node(0, None, "d", "d", 0.08, "pruned", 4, log_prob=-2.53),
        node(0, None, "e", "e", 0.02, "pruned", 5, log_prob=-3.91),
        node(1, 1, "</s>", "b", 0.9, "finished", 1, log_prob=-1.31, token_id=EOS),
        node(1, 0, "😀", "a 😀", 0.3, "kept", 2, log_prob=-1.90),
        node(1, 0, "</s>", "a", 0.2, "pruned", 3, log_prob=-2.30, token_id=EOS),
        node(2, 6, "</s>", "a 😀", 0.8, "outside", None, log_prob=-2.12, token_id=EOS),
    )
    tree = BeamTree(
        key="tree-1",
        width=2,
        length_penalty=0.6,
        nodes=nodes,
        n_best=(5,),
        greedy=(0, 6, 8),
        eos_id=EOS,
        end="settled",
    )
    return replace(tree, **changes)


def unpack(message: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    header, arrays, _ = unpacked(message)
    assert len(arrays) == 3
    assert {values.shape for values in arrays.values()} == {(len(header["token"]),)}
    return header, arrays


@pytest.mark.parametrize("key", ["k", "kk", "kkk", "kkkk"])
def test_the_message_holds_every_node(key):
    tree = small_tree(key=key)
    header, arrays = unpack(pack(tree))
    assert (header["key"], header["n_best"], header["greedy"]) == (key, [5], [0, 6, 8])
    for name in ("token_log_prob", "log_prob", "score"):
        expected = np.array([getattr(node, name) for node in tree.nodes], np.float32)
        np.testing.assert_array_equal(arrays[name], expected, strict=True)
    texts: list[str] = []
    for place, node in enumerate(tree.nodes):
        parent, (same, rest) = header["parent"][place], header["text"][place]
        texts.append(("" if parent < 0 else texts[parent])[:same] + rest)
        assert header["tokens"][header["token"][place]] == node.token
        assert header["ended"][place] == (node.token_id == EOS)
    assert texts == [node.text for node in tree.nodes]
    assert [None if rank < 0 else rank for rank in header["rank"]] == [node.rank for node in tree.nodes]


def test_twenty_steps_of_width_four_stay_below_a_hundred_kilobytes_with_the_scripts():
    nodes = [
        node(step, (step - 1) * 16 if step else None, f"wörter{i}", "ein Wort " * step, 0.5, "kept", i + 1,
             log_prob=-1.2345678 * step)
        for step in range(20)
        for i in range(16)
    ]  # fmt: skip
    message = pack(small_tree(nodes=tuple(nodes), n_best=(304,), greedy=tuple(range(0, 320, 16))))
    assert len(message) < 20_000


@given(st.integers(0, 8), st.integers(0, 2**53 - 1))
def test_every_node_of_the_tree_can_be_opened(place, number):
    raw = json.loads(json.dumps({"trace": "tree-1", "node": place, "report": number}))
    assert OPENED.parse(raw, small_tree()) == Opened(place)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    json_values | st.fixed_dictionaries({"trace": json_values, "node": json_values, "report": json_values})
)
def test_anything_else_is_none_and_never_an_error(raw):
    assert OPENED.parse(raw, small_tree()) is None


@given(
    st.sampled_from(["node", "report"]),
    st.integers(max_value=-1) | st.integers(2**53) | st.floats() | st.booleans() | st.text() | st.none(),
)
def test_one_wrong_part_spoils_the_whole_report(name, value):
    raw = {"trace": "tree-1", "node": 1, "report": 7} | {name: value}
    assert OPENED.parse(raw, small_tree()) is None


@pytest.mark.parametrize("changes", [{"trace": "tree-0"}, {"node": 9}])
def test_a_report_about_another_tree_or_no_node_of_it_is_ignored(changes):
    assert OPENED.parse({"trace": "tree-1", "node": 1, "report": 7} | changes, small_tree()) is None


def test_the_page_gets_exactly_the_packed_message():
    def app():
        from explorer.views.beam_search.component import beam_view
        from tests.explorer.views.beam_search.test_beam_view import small_tree

        beam_view(small_tree(), key="view")

    at = AppTest.from_function(app, default_timeout=PATIENCE).run()
    assert not at.exception
    assert at.get_by_key("view").proto.bytes == pack(small_tree())


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    """Mounts the view without Streamlit; ``window.reports`` hears it."""

    def show(tree: BeamTree, width: int = 1040):
        page.set_viewport_size({"width": width, "height": 1000})
        mount(page, "beam-view", beam_view.path, pack(tree))
        return page

    return show


def focused(page) -> str:
    name = page.evaluate("document.querySelector('#host').shadowRoot.activeElement?.ariaLabel ?? ''")
    return ", ".join(name.split(", ")[:2])


@pytest.mark.browser
def test_a_table_that_is_open_stays_open_with_another_tree(mounted):
    page = mounted(small_tree())
    page.get_by_role("button", name="Table", exact=True).click()
    rows = page.get_by_role("region", name="Table of the nodes").locator("tbody tr")
    assert rows.count() == 9
    other = replace(small_tree().nodes[0], token="x", text="x")
    feed(page, pack(small_tree(key="tree-2", nodes=(other, *small_tree().nodes[1:]))))
    assert rows.first.locator("td, th").all_inner_texts()[3] == "x"
    page.get_by_role("button", name="Hide table").click()
    assert page.get_by_role("region", name="Table of the nodes").count() == 0


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    nodes = tuple(replace(node, token=hostile, text=f"{node.text} {hostile}") for node in small_tree().nodes)
    page = mounted(small_tree(nodes=(replace(nodes[0], token="a\u202eb"), *nodes[1:])))
    page.get_by_role("button", name="Table", exact=True).click()
    assert page.locator(".node .token").first.inner_text() == "a\\u{202e}b"
    assert page.locator(".node .token").nth(1).inner_text() == hostile.replace(" ", "␣")
    assert hostile in page.locator("table.list tbody tr").first.inner_text()
    assert page.locator(".beam-view :is(img, script)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_arrows_lead_through_the_tree_and_enter_opens(mounted):
    page = mounted(small_tree())
    page.locator(".node[tabindex='0']").focus()
    assert focused(page) == "</s>, step 1", "the best output is where one starts"

    def press(key: str) -> str:
        page.keyboard.press(key)
        return focused(page)

    assert press("ArrowLeft") == press("ArrowLeft") == "b, step 0"
    assert press("ArrowUp") == press("ArrowUp") == "a, step 0"
    assert press("ArrowRight") == "😀, step 1"
    assert press("ArrowDown") == "</s>, step 1"
    assert press("ArrowUp") == "😀, step 1"
    page.keyboard.press("Enter")
    ((name, told),) = page.evaluate("reports")
    assert told.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    assert (name, told) == ("opened", {"trace": "tree-1", "node": 6})
    assert press("End") == "</s>, step 1"
    assert press("Home") == "b, step 0"


@pytest.mark.browser
def test_a_node_that_is_looked_at_lights_its_path_and_adds_up(mounted):
    page = mounted(small_tree())
    page.get_by_role("button", name=re.compile("^😀")).hover()
    assert page.locator(".node.lit .token").all_inner_texts() == ["a", "😀"]
    details = page.locator(".details").inner_text()
    assert "a 😀 kept: rank 2 of its step" in " ".join(details.split())
    assert "log P = −0.693 − 1.204 = −1.900" in details
    assert f"= {abs(small_tree().nodes[6].score):.3f}" in details.replace("−", "")
    page.get_by_role("button", name=re.compile("^c,")).hover()
    assert (
        "pruned: rank 3 of its step, and the beam keeps the best 2" in page.locator(".details").inner_text()
    )


@pytest.mark.browser
def test_pruned_nodes_are_shown_as_asked_and_greedy_always(mounted):
    page = mounted(small_tree(greedy=(2,)))
    shown = page.locator(".plane .node.pruned .token")
    assert shown.all_inner_texts() == ["c", "d", "</s>"]
    page.get_by_role("button", name="All", exact=True).click()
    assert shown.all_inner_texts() == ["c", "d", "e", "</s>"]
    page.get_by_role("button", name="None", exact=True).click()
    assert shown.all_inner_texts() == ["c"], "greedy’s own"
    page.get_by_role("button", name="Best 2", exact=True).click()


@pytest.mark.browser
def test_the_n_best_table_has_greedy_beside_it_and_opens(mounted):
    page = mounted(small_tree())
    rows = [" ".join(text.split()) for text in page.locator("table.list tbody tr").all_inner_texts()]
    best, last = small_tree().nodes[5], small_tree().nodes[8]
    assert rows == [
        f"1 b 2 −1.310 −{-best.score:.3f} Open",
        f"greedy a 😀 not in the list 3 −2.120 −{-last.score:.3f} Open",
    ]
    page.get_by_role("button", name="Open greedy’s output in Step by step").click()
    page.get_by_role("button", name="Open rank 1 in Step by step").click()
    reports = page.evaluate("reports")
    assert [told["node"] for _, told in reports] == [8, 5]
    assert reports[0][1]["report"] < reports[1][1]["report"]


@pytest.mark.browser
def test_a_tree_that_fits_is_shown_from_its_start_and_says_nothing_of_scrolling(mounted):
    page = mounted(small_tree())
    assert page.get_by_text("Wider than the card").is_hidden()
    assert page.locator(".scroller").evaluate("node => node.scrollLeft") == 0


@pytest.mark.browser
def test_a_button_s_name_holds_what_is_written_on_it(mounted):
    page = mounted(small_tree())
    names = page.locator("table.list button, .details button").evaluate_all(
        "all => all.map((node) => [node.ariaLabel ?? node.textContent, node.textContent])"
    )
    assert len(names) == 3
    for name, label in names:
        assert name.startswith(label)
        assert "debugger" not in name


@pytest.mark.browser
def test_a_finger_looks_first_and_opens_with_the_second_tap(browser):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    mount(page, "beam-view", beam_view.path, pack(small_tree()))
    target = page.get_by_role("button", name=re.compile("^a, step 0"))
    target.tap()
    assert page.evaluate("reports") == []
    assert page.locator(".details .text").inner_text() == "a"
    target.tap()
    assert [told["node"] for _, told in page.evaluate("reports")] == [0]
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 1280, 390])
def test_a_long_tree_opens_at_its_root_and_scrolls_in_its_card_and_never_the_page(mounted, width):
    nodes = [
        node(step, step - 1 if step else None, "mot", "mot " * step, 0.5, "kept", 1, log_prob=-step)
        for step in range(30)
    ]
    page = mounted(small_tree(nodes=tuple(nodes), n_best=(29,), greedy=tuple(range(30))), width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_text("Wider than the card: scroll to see all steps.").wait_for()
    root, card = page.locator(".root").bounding_box(), page.locator(".scroller").bounding_box()
    assert card["x"] <= root["x"], "every hypothesis begins in sight"
    assert root["x"] + root["width"] <= card["x"] + card["width"]
    page.locator(".node[tabindex='0']").focus()
    end = page.locator(".node[tabindex='0']").bounding_box()
    assert card["x"] <= end["x"] <= card["x"] + card["width"] - end["width"], "the keys begin at its end"
    page.keyboard.press("Home")
    box = page.locator(".node[tabindex='0']").bounding_box()
    assert 0 <= box["x"] <= width - box["width"]


@pytest.mark.browser
def test_the_keys_go_on_in_another_width_and_in_other_colours(mounted):
    page = mounted(small_tree())
    page.locator(".node[tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    page.set_viewport_size({"width": 900, "height": 1000})
    page.wait_for_function("innerWidth === 900")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "a, step 0"
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    feed(page, pack(small_tree()))
    page.keyboard.press("ArrowDown")
    assert focused(page) == "b, step 0"


@pytest.mark.browser
def test_a_table_that_was_scrolled_stays_so_with_another_tree(mounted):
    page = mounted(small_tree())
    page.locator(".beam-view").evaluate(
        "root => root.before(Object.assign(document.createElement('style'),"
        " { textContent: '.beam-view .numbers { height: 80px; }' }))"
    )
    page.get_by_role("button", name="Table", exact=True).click()
    table = page.get_by_role("region", name="Table of the nodes")
    table.evaluate("box => box.scrollTo(0, 30)")
    feed(page, pack(small_tree(key="tree-2")))
    assert table.evaluate("box => box.scrollTop") == 30


@pytest.mark.browser
def test_every_column_of_the_list_has_its_name_but_that_of_the_buttons(mounted):
    heads = mounted(small_tree()).get_by_role("table", name="The n-best list").locator("thead tr > *")
    assert heads.all_inner_texts() == ["rank", "output", "tokens", "log P", "score", ""]
    assert [name.evaluate("node => node.tagName") for name in heads.all()] == ["TH"] * 5 + ["TD"]
