"""The map: its message, what it accepts back, and that it can be walked, chosen and read without Streamlit."""

import base64
import json
import re
import struct
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.app import REGISTRY
from explorer.browser.assets import script, view_style
from explorer.views.map import component as module
from explorer.views.map.architecture import map_data
from explorer.views.map.component import LOOK, OPEN, SCRIPTS, MapData, MapLook, OpenPage, pack
from explorer.views.map.map_choices import looked_at, opened_state, overview, page_of, with_pages
from explorer.visitor.state import Decoding, ExplorerState
from tests.explorer.mounting import MOUNT
from tests.explorer.random_recording import random_recording

FOLDER = Path(module.__file__).parent
STATE = ExplorerState(run="random", sentence="", decoding=Decoding(step=2))
# Bytes as text travel a hundred times faster into the browser than as a list of numbers.
BYTES = "Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))"
MOUNT_TEXT = f"([name, source, css, text]) => ({MOUNT})([name, source, css, {BYTES}])"
FEED_TEXT = f"(text) => window.feed({BYTES})"
LAYERS = {"n_encoder_layers": 2, "n_decoder_layers": 2}


@cache
def drawn(norm: str = "post") -> MapData:
    return looked_at(with_pages(map_data(random_recording(norm_position=norm, **LAYERS)), REGISTRY), STATE)


def text_of(data: MapData) -> str:
    return base64.b64encode(pack(data)).decode()


def unpack(message: bytes) -> tuple[dict, np.ndarray]:
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + length].decode())
    return header, np.frombuffer(message, np.uint8, offset=4 + length + -length % 4)


def test_the_message_holds_every_picture_bit_by_bit():
    data = drawn()
    header, pictures = unpack(pack(data))
    sent = {block["id"]: block for block in header["blocks"]}
    for block in data.blocks:
        for item, told in zip(block.items, sent[block.id]["items"], strict=True):
            start, codes = told["preview"]["offset"], item.preview.codes
            shape = tuple(told["preview"]["shape"])
            np.testing.assert_array_equal(pictures[start : start + codes.size].reshape(shape), codes)
    assert (header["step"], header["chosen"]) == (2, "decoder.layers.1.cross_attn")


def test_a_picture_that_stands_on_many_edges_travels_once():
    header, _ = unpack(pack(drawn()))
    memory = [edge["preview"]["offset"] for edge in header["edges"] if edge["kind"] == "memory"]
    assert len(memory) == 2
    assert len(set(memory)) == 1


def test_a_long_sentence_in_a_toy_model_stays_below_the_limit():
    recorded = random_recording(26, 30, d_model=64, d_ff=256, **LAYERS)
    code = script(*SCRIPTS) + view_style(FOLDER / "view.css")
    message = pack(map_data(recorded))
    assert len(message) < 300_000
    assert len(code.encode()) < 64_000
    assert len(pack(overview(map_data(recorded), STATE))) < 60_000


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_every_block_and_layer_can_be_chosen_at_every_step(data):
    chosen = data.draw(st.sampled_from([*(block.id for block in drawn().blocks), *drawn().layers]))
    raw = {"key": drawn().key, "step": data.draw(st.integers(0, 4)), "chosen": chosen, "report": 7}
    assert LOOK.parse(raw, drawn()) == MapLook(raw["step"], chosen, 7)


def test_every_tensor_can_be_asked_for_from_its_block_and_from_its_layer():
    data = drawn()
    for block in data.blocks:
        layer = ".".join(block.id.split(".")[:3])
        for place in (block.id, layer) if block.layer is not None else (block.id,):
            for item in block.items:
                raw = {
                    "key": data.key,
                    "step": 1,
                    "chosen": place,
                    "page": "",
                    "item": item.name,
                    "report": 3,
                }
                asked = OPEN.parse(raw, data)
                assert asked == OpenPage(1, place, "", item.name, 3)
                assert opened_state(STATE, data, asked).inspector.site == item.name


def test_a_page_opens_at_the_block_that_was_chosen():
    data = drawn()
    asked = OpenPage(1, "decoder.layers.1.cross_attn_add_norm", "add-norm", "", 3)
    assert page_of(data, asked, REGISTRY) == "pages/model/add_norm.py"
    assert opened_state(STATE, data, asked).look.block == "decoder.cross_attn"
    asked = OpenPage(1, "src_embed", "tokens", "", 3)
    assert opened_state(STATE, data, asked).look.block == "encoder"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
GOOD = {
    "step": 1,
    "chosen": "decoder.layers.0.cross_attn",
    "page": "cross-attention",
    "item": "",
    "report": 5,
}


@settings(deadline=None)
@given(json_values)
def test_anything_else_is_none_and_never_an_error(raw):
    assert LOOK.parse(raw, drawn()) is None
    assert OPEN.parse(raw, drawn()) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"key": "another"},
        {"step": 5},
        {"step": True},
        {"chosen": "decoder.layers.2"},
        {"chosen": "decoder"},
        {"chosen": ""},
        {"chosen": ["decoder.layers.0"]},
        {"page": "output"},
        {"page": "map"},
        {"page": ""},
        {"page": 3},
        {"item": "decoder.layers.0.cross_attn.q"},
        {"page": "", "item": "decoder.layers.1.cross_attn.q"},
        {"report": -1},
    ],
)
def test_one_wrong_part_spoils_the_whole_request(changes):
    raw = {"key": drawn().key} | GOOD
    assert OPEN.parse(raw, drawn()) is not None
    assert OPEN.parse(raw | changes, drawn()) is None


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    """Mounts the map without Streamlit; ``window.reports`` hears it."""

    def mount(data: MapData, width: int = 1040):
        source = script(*SCRIPTS)
        page.set_viewport_size({"width": width, "height": 1200})
        page.evaluate(MOUNT_TEXT, ["map-view", source, view_style(FOLDER / "view.css"), text_of(data)])
        return page

    return mount


def focused(page) -> str:
    return page.evaluate("document.querySelector('#host').shadowRoot.activeElement?.dataset?.id ?? ''")


def block(page, name: str):
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def told(page, name: str, **values) -> dict:
    """The last report of this name, once there is one with these values: on a busy machine others may come before."""
    page.wait_for_function(
        """([name, values]) => {
            const last = window.reports.findLast(([each]) => each === name)?.[1];
            return last && Object.entries(values).every(([key, value]) => last[key] === value);
        }""",
        arg=[name, values],
    )
    return [value for each, value in page.evaluate("reports") if each == name][-1]


@pytest.mark.browser
def test_a_table_that_is_open_stays_open_with_other_numbers(mounted):
    page = mounted(drawn())
    page.get_by_role("button", name="Table", exact=True).click()
    table = page.get_by_role("region", name="Table of the blocks")
    rows = len(drawn().blocks)
    assert table.locator("tbody tr").count() == rows
    fewer = looked_at(
        with_pages(map_data(random_recording(n_encoder_layers=1, n_decoder_layers=1)), REGISTRY), STATE
    )
    assert len(fewer.blocks) < rows
    page.evaluate(FEED_TEXT, text_of(fewer))
    assert table.locator("tbody tr").count() == len(fewer.blocks)
    page.get_by_role("button", name="Hide table").click()
    assert table.count() == 0


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    data = replace(drawn(), source=(hostile,) * 7, inputs=("a\u202eb",) * 5, outputs=(hostile,) * 5)
    page = mounted(data)
    page.get_by_role("button", name="Table", exact=True).click()
    assert hostile.replace(" ", "␣") in page.locator(".lead").inner_text()
    assert "a\\u{202e}b" in page.locator(".lead").inner_text()
    assert page.locator(".map-view :is(img, script)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_a_step_changes_shapes_and_tokens_and_is_told_when_it_rests(mounted):
    page = mounted(drawn())
    lead, data = page.locator(".lead"), drawn()
    assert (
        lead.inner_text()
        == f"The heavy line is step 2: {data.inputs[2]} goes in, {data.outputs[2]} comes out."
    )
    shapes = page.locator(".figure .shape")
    assert "3×24" in "".join(shapes.all_text_contents())
    forward = page.get_by_role("button", name="Step forward")
    forward.click()
    forward.press("ArrowRight")
    forward.press("ArrowRight")
    assert "5×24" in "".join(shapes.all_text_contents())
    assert page.locator(".legend").inner_text().startswith("path of step 4")
    expected = {"key": data.key, "step": 4, "chosen": "decoder.layers.1.cross_attn"}
    report = told(page, "view", step=4)
    assert report.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    assert report == expected
    assert forward.get_attribute("aria-disabled") == "true"


@pytest.mark.browser
def test_arrows_lead_through_the_blocks_and_enter_chooses(mounted):
    page = mounted(drawn())
    page.locator("[data-id][tabindex='0']").focus()
    assert focused(page) == "decoder.layers.1.cross_attn", "what is chosen is where one starts"
    page.keyboard.press("ArrowUp")
    assert focused(page) == "decoder.layers.1.cross_attn_add_norm"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.locator(".chosen-card h2").inner_text() == "Feed-forward"
    assert block(page, "Feed-forward, decoder layer 1").get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowLeft")
    assert focused(page).startswith("encoder")
    page.keyboard.press("[")
    assert focused(page) == "encoder.layers.0"
    told(page, "view", chosen="encoder.layers.0")


@pytest.mark.browser
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_every_block_can_be_reached_by_arrows(mounted, norm):
    page = mounted(drawn(norm))
    every = set(page.locator("[data-id]").evaluate_all("nodes => nodes.map((node) => node.dataset.id)"))
    page.locator("[data-id][tabindex='0']").focus()
    seen, edge = set(), [focused(page)]
    while edge:
        at = edge.pop()
        if at in seen:
            continue
        seen.add(at)
        for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
            page.locator(f"[data-id='{at}']").focus()
            page.keyboard.press(key)
            edge.append(focused(page))
    assert seen == every


@pytest.mark.browser
def test_a_folded_layer_unfolds_and_shows_all_its_tensors(mounted):
    page, data = mounted(drawn()), drawn()
    assert block(page, "Cross-attention").count() == 1
    block(page, "Decoder layer 0, folded").click()
    assert block(page, "Cross-attention, decoder layer 0").count() == 1
    assert block(page, "Decoder layer 1, folded").count() == 1
    names = page.locator(".chosen-card .items .link").count()
    expected = sum(len(each.items) for each in data.blocks if each.id.startswith("decoder.layers.0."))
    assert names == expected
    page.locator(".chosen-card .items .link").first.click()
    report = told(page, "open")
    assert (report["chosen"], report["item"]) == (
        "decoder.layers.0.self_attn",
        "decoder.layers.0.self_attn.q",
    )
    assert OPEN.parse(report, data) is not None


@pytest.mark.browser
def test_the_card_lists_every_tensor_and_opens_the_page(mounted):
    page, data = mounted(drawn()), drawn()
    chosen = data.block("decoder.layers.1.cross_attn")
    links = page.locator(".chosen-card .items .link").all_inner_texts()
    assert links == [item.name.removeprefix(f"{chosen.id}.") for item in chosen.items]
    assert "At step 2" in page.locator(".chosen-card").inner_text()
    page.get_by_role("button", name="Open cross-attention, layer 1").click()
    report = told(page, "open")
    assert (report["chosen"], report["page"], report["item"], report["step"]) == (
        chosen.id,
        "cross-attention",
        "",
        2,
    )
    for name in ("Source tokens", "Memory", "Positions, encoder", "Softmax", "Next token"):
        block(page, name).click()
        assert page.locator(".chosen-card h2").inner_text() == name.split(",")[0]


@pytest.mark.browser
def test_memory_reaches_keys_and_values_of_every_cross_attention(mounted):
    page = mounted(drawn())
    assert page.locator(".edge.k.key").count() == page.locator(".edge.v.key").count() == 2
    assert page.locator(".memory-name").text_content() == "memory computed once, reused"


@pytest.mark.browser
def test_the_overview_leads_to_the_map_from_every_block(mounted):
    data = overview(drawn(), STATE)
    page = mounted(data)
    assert block(page, "Cross-attention").count() == 0
    block(page, "Encoder layer 1, folded").press("Enter")
    report = told(page, "open")
    assert (report["chosen"], report["page"]) == ("encoder.layers.1.self_attn", "map")
    assert OPEN.parse(report, data) is not None
    page.get_by_role("button", name="See it on the map").click()


@pytest.mark.browser
def test_a_message_with_what_was_reported_redraws_nothing_and_another_choice_is_followed(mounted):
    page, data = mounted(drawn()), drawn()
    page.get_by_role("button", name="Step back").click()
    report = told(page, "view")
    page.evaluate("document.querySelector('#host').shadowRoot.querySelector('.figure > svg').kept = true")
    own = replace(data, step=1, report=report["report"])
    page.evaluate(FEED_TEXT, text_of(own))
    kept = "document.querySelector('#host').shadowRoot.querySelector('.figure > svg').kept"
    assert page.evaluate(kept) is True
    page.evaluate(FEED_TEXT, text_of(replace(own, step=4)))
    assert "step 4" in page.locator(".lead").inner_text()


@pytest.mark.browser
@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("width", [1040, 700, 390])
def test_nothing_overlaps_and_nothing_leaves_the_card(mounted, width, norm):
    page = mounted(drawn(norm), width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    boxes = page.locator(".figure .block > .box").evaluate_all(
        """nodes => nodes.map((node) => {
            const { left, top, right, bottom } = node.getBoundingClientRect();
            return [left, top, right, bottom, node.parentNode.dataset.id];
        })"""
    )
    assert len(boxes) >= 14
    for place, (left, top, right, bottom, name) in enumerate(boxes):
        assert 0 <= left < right <= width, name
        for other in boxes[place + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart or name == other[4], (name, other[4])
    encoder, decoder = (
        page.locator(f".figure .caption.{stack}").bounding_box()["y"] for stack in ("encoder", "decoder")
    )
    assert (encoder > decoder + 200) == (width < 640), "on a phone the decoder stands first"


@pytest.mark.browser
def test_what_is_chosen_while_other_weights_come_is_kept_and_told_about_them(mounted):
    """Such as while a training is played: the message was written before the choice was heard."""
    page, data = mounted(drawn()), drawn()
    page.get_by_role("button", name="Step forward").click()
    page.evaluate(FEED_TEXT, text_of(replace(data, key="other")))
    assert "step 3" in page.locator(".lead").inner_text()
    page.wait_for_function("reports.at(-1)?.[1].key === 'other'")
    assert page.evaluate("reports.at(-1)[1].step") == 3
    page.evaluate(FEED_TEXT, text_of(replace(data, key="another", step=0)))
    assert "step 0" in page.locator(".lead").inner_text(), "the page itself chose another step"


@pytest.mark.browser
def test_layers_stay_unfolded_with_other_weights(mounted):
    page, data = mounted(drawn()), drawn()
    block(page, "Encoder layer 0, folded").click()
    block(page, "Feed-forward, decoder layer 1").click()
    report = told(page, "view", chosen="decoder.layers.1.feed_forward")
    heard = replace(data, chosen="decoder.layers.1.feed_forward", report=report["report"])
    page.evaluate(FEED_TEXT, text_of(heard))
    page.evaluate(FEED_TEXT, text_of(replace(heard, key="other")))
    assert block(page, "Encoder layer 0, unfolded").count() == 1
    page.evaluate(FEED_TEXT, text_of(replace(heard, key="link", chosen="decoder.layers.0.feed_forward")))
    assert block(page, "Encoder layer 0, folded").count() == 1, "a link unfolds what it names"


@pytest.mark.browser
def test_other_colours_leave_focus_and_scroll_where_they_are(mounted):
    page = mounted(drawn())
    page.get_by_role("button", name="Table", exact=True).click()
    table = page.get_by_role("region", name="Table of the blocks")
    table.evaluate("box => box.scrollTo(0, 50)")
    back = page.get_by_role("button", name="Step back")
    back.focus()
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    page.evaluate(FEED_TEXT, text_of(drawn()))
    assert page.locator(".map-view").get_attribute("data-look") == "dark"
    assert back.evaluate("node => node === node.getRootNode().activeElement")
    assert table.evaluate("box => box.scrollTop") == 50
