"""The choice of a tensor in a real browser: search, arrow keys, Enter, and a report that is told once."""

import json
from pathlib import Path

import pytest

from explorer.views.inspector import component as module
from explorer.views.inspector.component import SiteTreeData, pack, site_tree
from explorer.views.inspector.sites import Entry
from tests.explorer.mounting import feed, mount

FOLDER = Path(module.__file__).parent
ENCODER, DECODER = ("Encoder", "Layer 0", "Self-attention"), ("Decoder", "Layer 0", "Cross-attention")
ENTRIES = (
    Entry("src_embed.weight", "learned", ("Source embedding",), "weight", (19, 24)),
    Entry("encoder.layers.0.self_attn.q", "recorded", ENCODER, "q", (4, 7, 6)),
    Entry("encoder.layers.0.self_attn.w_q", "learned", ENCODER, "w_q", (24, 24)),
    Entry("decoder.layers.0.cross_attn.q", "recorded", DECODER, "q", (4, 5, 6)),
    Entry("decoder.layers.0.cross_attn.weights", "recorded", DECODER, "weights", (4, 5, 7)),
    Entry("decoder.output", "recorded", ("Decoder",), "output", (5, 24)),
)
WEIGHTS = "decoder.layers.0.cross_attn.weights"


def data(**changes) -> SiteTreeData:
    return SiteTreeData(**{"key": "k", "entries": ENTRIES, "chosen": WEIGHTS, **changes})


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def tree(page):
    page.set_viewport_size({"width": 900, "height": 800})
    mount(page, "site-tree", site_tree.path, pack(data()))
    return page


def rows(page) -> list[str]:
    return page.get_by_role("treeitem").evaluate_all(
        "nodes => nodes.map(n => n.children[n.matches('.group') ? 1 : 0].textContent)"
    )


def active(page) -> str:
    node = page.locator("[role=treeitem][aria-selected=true]")
    assert node.get_attribute("id") == page.get_by_role("combobox").get_attribute("aria-activedescendant")
    return node.locator(".title, code").inner_text()


def chosen(page) -> list[str]:
    return [value["site"] for name, value in page.evaluate("window.reports") if name == "chosen"]


def value(page) -> str:
    return page.get_by_role("combobox").input_value()


def test_a_message_names_each_group_once_and_refuses_what_is_not_there():
    message = json.loads(pack(data()))
    assert message["groups"] == [["Source embedding"], list(ENCODER), list(DECODER), ["Decoder"]]
    assert message["entries"][2] == ["encoder.layers.0.self_attn.w_q", "w_q", "learned", "24×24", 1]
    with pytest.raises(ValueError, match="'nothing' is not one of the 6 entries"):
        pack(data(chosen="nothing"))


@pytest.mark.browser
def test_a_slash_opens_the_tree_at_the_chosen_tensor(tree):
    assert (value(tree), tree.get_by_role("tree").count()) == (WEIGHTS, 0)
    tree.keyboard.press("/")
    assert rows(tree) == [
        "Source embedding",
        "Encoder",
        "Decoder",
        "Layer 0",
        "Cross-attention",
        "q",
        "weights",
        "output",
    ]
    assert active(tree) == "weights"
    assert tree.get_by_role("combobox").get_attribute("aria-expanded") == "true"
    tree.keyboard.press("Escape")
    assert (value(tree), tree.get_by_role("tree").count(), chosen(tree)) == (WEIGHTS, 0, [])


@pytest.mark.browser
def test_a_slash_in_another_field_is_a_slash(tree):
    tree.evaluate("document.body.append(Object.assign(document.createElement('input'), { id: 'other' }))")
    tree.locator("#other").focus()
    tree.keyboard.press("/")
    assert tree.locator("#other").input_value() == "/"
    assert tree.get_by_role("tree").count() == 0


@pytest.mark.browser
def test_arrows_walk_fold_and_unfold_and_enter_chooses_once(tree):
    tree.keyboard.press("/")
    tree.keyboard.press("ArrowLeft")
    assert active(tree) == "Cross-attention"
    tree.keyboard.press("ArrowLeft")
    assert rows(tree) == ["Source embedding", "Encoder", "Decoder", "Layer 0", "Cross-attention", "output"]
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight"):
        tree.keyboard.press(key)
    assert rows(tree)[1:3] == ["Encoder", "Layer 0"]
    for key in ("ArrowDown", "Enter", "ArrowDown", "Enter", "ArrowDown"):
        tree.keyboard.press(key)
    assert active(tree) == "q"
    tree.keyboard.press("Enter")
    assert (chosen(tree), value(tree)) == (["encoder.layers.0.self_attn.q"], "encoder.layers.0.self_attn.q")
    assert tree.get_by_role("combobox").evaluate("node => node.getRootNode().activeElement === node")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("weights", ["Decoder", "Layer 0", "Cross-attention", "weights"]),
        ("ENCODER q", ["Encoder", "Layer 0", "Self-attention", "q", "w_q"]),
        ("learned", ["Source embedding", "weight", "Encoder", "Layer 0", "Self-attention", "w_q"]),
        ("4×5", ["Decoder", "Layer 0", "Cross-attention", "q", "weights"]),
        ("<b>", []),
    ],
)
def test_a_search_finds_what_has_all_its_words(tree, text, found):
    tree.keyboard.press("/")
    tree.keyboard.type(text)
    assert rows(tree) == found
    if found:
        assert tree.locator("[role=treeitem][aria-selected=true]").get_attribute("class") == "leaf"
        tree.keyboard.press("Enter")
        assert len(chosen(tree)) == (text != "weights")
    else:
        assert tree.locator(".count").inner_text() == "Nothing has such a name."


@pytest.mark.browser
def test_a_click_chooses_and_the_same_again_tells_nothing(tree):
    tree.get_by_role("combobox").click()
    tree.get_by_role("treeitem").filter(has_text="output").click()
    assert (chosen(tree), value(tree)) == (["decoder.output"], "decoder.output")
    tree.get_by_role("combobox").click()
    tree.get_by_role("treeitem").filter(has_text="output").click()
    assert chosen(tree) == ["decoder.output"]


@pytest.mark.browser
def test_a_message_that_does_not_know_of_the_choice_does_not_take_it_back(tree):
    tree.get_by_role("combobox").click()
    tree.get_by_role("treeitem").filter(has_text="output").click()
    report = tree.evaluate("window.reports")[-1][1]["report"]
    feed(tree, pack(data()))
    assert value(tree) == "decoder.output"
    feed(tree, pack(data(report=report, chosen="src_embed.weight")))
    assert value(tree) == "src_embed.weight"


@pytest.mark.browser
def test_a_message_scrolls_nothing_that_is_looked_through(tree):
    tree.evaluate(
        "host => document.querySelector('#host').shadowRoot.append(Object.assign("
        "document.createElement('style'), { textContent: '.site-tree .popup { max-height: 90px; }' }))"
    )
    tree.get_by_role("combobox").fill("e")
    popup = tree.locator(".popup")
    popup.evaluate("node => { node.scrollTop = 60; }")
    feed(tree, pack(data(key="other")))
    assert popup.evaluate("node => node.scrollTop") == 60
