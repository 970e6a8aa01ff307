"""The living map: its message, what it accepts back, and that it can be played, forced and read without Streamlit."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from core.activations.location import locate
from core.run import load_run
from explorer.app import REGISTRY
from explorer.models.known import CHECKPOINTS
from explorer.models.recorded import record_translation
from explorer.models.translation import translate
from explorer.tensors import CellPlace
from explorer.views.living_map import component as module
from explorer.views.living_map.choices import with_pages
from explorer.views.living_map.component import (
    ACT,
    REST,
    Beside,
    Forced,
    Inspected,
    Opened,
    Released,
    Rested,
    WhatIfRequest,
    pack,
)
from explorer.views.living_map.component.data import LivingMapData
from explorer.views.living_map.data import living_map_data
from explorer.visitor.reports import Explain
from explorer.visitor.state import ENCODER_MS, STEP_MS
from tests.core.variants import VARIANTS
from tests.explorer.mounting import feed, mount
from tests.explorer.random_recording import random_run, recording_of
from tests.unpacked import unpacked

FOLDER = Path(module.__file__).parent
SENTENCE = "w4 w9 w5 w7 w4 w6"
STEPS = 6


@cache
def drawn(**changes) -> LivingMapData:
    run = random_run(replace(VARIANTS["float32"], **{"n_decoder_layers": 2, **changes}))
    forced = tuple(map(run.tgt_tokenizer.vocabulary.id, ("w5", "w8", "w6", "w7", "w9", "</s>")))
    written = translate(run, SENTENCE, forced)
    data = living_map_data(record_translation(run, SENTENCE, written), written, written)
    return with_pages(replace(data, step=2, forced=(False,) * STEPS), REGISTRY)


def test_the_message_holds_every_tile_weight_and_logit_bit_by_bit():
    data = drawn()
    header, arrays, codes = unpacked(pack(data))
    assert set(codes) == set(data.codes)
    for site, each in data.codes.items():
        np.testing.assert_array_equal(codes[site], each)
    for site, each in data.weights.items():
        np.testing.assert_array_equal(arrays[site], each)
    np.testing.assert_array_equal(arrays["logits"], data.logits)
    np.testing.assert_array_equal(arrays["candidates.probs"], data.candidates.probs)
    np.testing.assert_array_equal(arrays["log_probs"], data.log_probs)
    assert (header["step"], header["moment"], tuple(header["source"])) == (2, None, data.source)
    told = [header["kinds"][kind] | {"id": name} for name, kind in header["blocks"]]
    for block, each in zip(data.blocks, told, strict=True):
        names = [
            tensor if locate(tensor).kind == "stack" else f"{block.id}.{tensor}"
            for tensor, *_ in each["tensors"]
        ]
        assert names == [tensor.name for tensor in block.tensors]
        assert (each["id"], each["n_parameters"]) == (block.id, block.n_parameters)


def test_a_long_sentence_in_a_toy_model_stays_below_the_limit():
    run = load_run(CHECKPOINTS / "en-fr")
    recorded = recording_of(run, 25, 25)
    written = translate(run, "the small cat does not sleep")
    data = living_map_data(recorded, written, written)
    assert len(pack(data)) < 350_000


def asked(**changes) -> dict:
    return {"key": drawn().key, "report": 7} | changes


@settings(deadline=None, max_examples=40)
@given(st.integers(0, STEPS - 1), st.none() | st.integers(0, ENCODER_MS + STEPS * STEP_MS))
def test_every_moment_of_the_run_can_be_rested_on(step, moment):
    assert REST.parse(asked(step=step, moment=moment), drawn()) == Rested(step, moment)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, STEPS - 1), st.integers(0, drawn().n_vocabulary - 1))
def test_every_token_but_padding_and_start_can_be_forced_at_every_step(step, token):
    expected = Forced(step, token) if token >= drawn().first_id else None
    assert ACT.parse(asked(kind="force", step=step, token_id=token), drawn()) == expected
    probability = ACT.parse(asked(kind="probability", step=step, token_id=token), drawn())
    assert probability == Explain(CellPlace("hypothesis.prob", (step, token)))


def test_a_branch_is_left_a_block_is_opened_and_a_weight_is_asked_about():
    data = drawn()
    assert ACT.parse(asked(kind="release"), data) == Released()
    for block in data.blocks:
        assert ACT.parse(asked(kind="open", block=block.id), data) == Opened(block.id)
    for site, weights in data.weights.items():
        head, row, column = (size - 1 for size in weights.shape)
        told = asked(kind="weight", site=site, head=head, row=row, column=column)
        assert ACT.parse(told, data) == Explain(CellPlace(site, (0, head, row, column)))


def test_another_models_values_are_drawn_where_there_is_one_and_none_of_them_is_explained():
    told = asked(kind="compare", compared="trained", step=2, moment=None)
    assert ACT.parse(told, drawn()) is None, "this model has no changes"
    data = replace(drawn(), trained=drawn().outputs)
    assert ACT.parse(told, data) == Beside("trained", Rested(2, None))
    assert ACT.parse(told | {"compared": "neither"}, data) is None
    assert ACT.parse(told | {"step": STEPS}, data) is None
    site = next(iter(data.weights))
    told = asked(kind="weight", site=site, head=0, row=0, column=0)
    assert isinstance(ACT.parse(told, data), Explain)
    for compared in ("trained", "difference"):
        assert ACT.parse(told, replace(data, compared=compared)) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
PARTS = ("step", "moment", "token_id", "block", "site", "head", "row", "column")


@settings(deadline=None, max_examples=60)
@given(
    json_values,
    st.sampled_from(["force", "probability", "weight", "open", "compare"]),
    st.fixed_dictionaries({name: st.none() | st.text() | st.floats() | st.lists(st.integers(), max_size=2)
                           for name in PARTS}),
)  # fmt: skip
def test_anything_else_is_none_and_never_an_error(raw, kind, parts):
    assert REST.parse(raw, drawn()) is None
    assert ACT.parse(raw, drawn()) is None
    assert ACT.parse(asked(kind=kind, **parts), drawn()) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"key": "another"},
        {"report": -1},
        {"report": None},
        {"step": STEPS},
        {"step": -1},
        {"step": True},
        {"step": 1.5},
        {"moment": -1},
        {"moment": ENCODER_MS + STEPS * STEP_MS + 1},
        {"moment": "4"},
    ],
)
def test_one_wrong_part_spoils_what_is_rested_on(changes):
    assert REST.parse(asked(step=1, moment=5000), drawn()) is not None
    assert REST.parse(asked(step=1, moment=5000) | changes, drawn()) is None


@pytest.mark.parametrize(
    "told",
    [
        {"kind": "force", "step": STEPS, "token_id": 5},
        {"kind": "force", "step": 0, "token_id": 999},
        {"kind": "force", "step": 0, "token_id": 0},
        {"kind": "remove", "step": 0, "token_id": 5},
        {"kind": "open", "block": "decoder"},
        {"kind": "open", "block": "decoder.layers.2.cross_attn"},
        {"kind": "open", "block": ["src_embed"]},
        {"kind": "weight", "site": "generator.logits", "head": 0, "row": 0, "column": 0},
        {"kind": "weight", "site": "encoder.layers.0.self_attn.weights", "head": 4, "row": 0, "column": 0},
        {"kind": "weight", "site": "encoder.layers.0.self_attn.weights", "head": 0, "row": 7, "column": 0},
    ],
)
def test_what_is_not_there_cannot_be_asked_for(told):
    assert ACT.parse(asked(**told), drawn()) is None


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page(reduced_motion="reduce")
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    """Mounts the map without Streamlit; ``window.reports`` hears it."""

    def show(data: LivingMapData, width: int = 1192, height: int = 800):
        page.set_viewport_size({"width": width, "height": height})
        mount(page, "living-map", module.living_map.path, pack(data))
        page.get_by_role("img", name="The whole network").wait_for()
        return page

    return show


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


def heard(page) -> str:
    return page.locator("[aria-live=polite]").text_content()


def expect_question(page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    data = replace(
        drawn(), source=(hostile,) * 7, inputs=("a\u202eb",) * STEPS, outputs=(hostile,) * STEPS,
        candidates=replace(drawn().candidates, tokens=((hostile,) * len(drawn().candidates.ids[0]),) * STEPS),
    )  # fmt: skip
    page = mounted(data)
    shown = hostile.replace(" ", "␣")
    expect_question(page, f"What did it read to write {shown} at position 2?")
    assert shown in page.locator(".caption").inner_text()
    assert "a\\u{202e}b" in page.locator(".caption").inner_text()
    assert shown in page.locator(".candidates").inner_text()
    assert page.locator(".living-map :is(img, script)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_steps_and_stages_are_walked_by_keys_said_in_words_and_told_when_they_rest(mounted):
    page, data = mounted(drawn()), drawn()
    expect_question(page, f"What did it read to write {data.outputs[2]}?")
    page.get_by_role("img", name="The whole network").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    report = told(page, "view", step=4)
    assert report.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    assert report == {"key": data.key, "step": 4, "moment": None}
    assert f"and writes {data.outputs[4]} with probability" in heard(page)
    rows = page.get_by_role("table", name="The steps of the decoding").locator("tbody tr")
    assert rows.count() == STEPS
    assert rows.nth(4).locator("td").all_text_contents()[:3] == ["4", data.inputs[4], data.outputs[4]]
    page.keyboard.press("Home")
    report = told(page, "view", step=0, moment=ENCODER_MS)
    assert REST.parse(report, data) == Rested(0, ENCODER_MS)
    expect_question(page, "What does the source say?")
    assert heard(page) == f"The encoder has read {' '.join(data.source)}."
    page.keyboard.press("End")
    expect_question(page, "What did it read to stop here?")
    page.keyboard.press("Shift+ArrowLeft")
    expect_question(page, f"What comes after {data.inputs[5]}?")
    report = told(page, "view", step=5)
    assert ENCODER_MS + 5 * STEP_MS < report["moment"] < ENCODER_MS + 6 * STEP_MS
    track = page.get_by_role("slider", name="Moment of the run")
    assert int(track.get_attribute("aria-valuenow")) == report["moment"]
    assert track.get_attribute("aria-valuetext") == page.locator(".caption > span").first.inner_text()


@pytest.mark.browser
def test_the_line_of_the_run_is_scrubbed_to_a_moment(mounted):
    page = mounted(drawn())
    box = page.get_by_role("slider", name="Moment of the run").bounding_box()
    # The encoder has 0.6 of a step's width: this is the middle of step 3.
    page.mouse.click(box["x"] + box["width"] * (0.6 + 3.5) / (STEPS + 0.6), box["y"] + 12)
    report = told(page, "view", step=3)
    assert abs(report["moment"] - (ENCODER_MS + 3.5 * STEP_MS)) < 60
    expect_question(page, f"What comes after {drawn().inputs[3]}?")


@pytest.mark.browser
def test_without_motion_play_goes_from_stage_to_stage(mounted):
    page = mounted(replace(drawn(), moment=ENCODER_MS + 2 * STEP_MS))
    page.get_by_role("img", name="The whole network").focus()
    moments: list[float] = []
    for _ in range(3):
        page.keyboard.press("Space")
        seen = [0, *moments][-1]
        page.wait_for_function(
            "(seen) => (reports.findLast(([name]) => name === 'view')?.[1].moment ?? 0) > seen", arg=seen
        )
        moments.append(told(page, "view")["moment"])
    assert moments == sorted(set(moments))


@pytest.mark.browser
def test_a_candidate_is_forced_and_its_probability_explained(mounted):
    page, data = mounted(drawn()), drawn()
    offered = zip(data.candidates.ids[2], data.candidates.tokens[2], strict=True)
    rival, word = next(each for each in offered if each[0] != data.output_ids[2] and each[0] >= data.first_id)
    page.get_by_role("button", name=f"force {word}", exact=True).click()
    report = told(page, "act", kind="force")
    assert ACT.parse(report, data) == Forced(2, rival)
    page.locator(".candidate.written .number").click()
    report = told(page, "act", kind="probability")
    assert ACT.parse(report, data) == Explain(CellPlace("hypothesis.prob", (2, data.output_ids[2])))
    feed(page, pack(replace(data, key="branch", forced=(False, False, True, False, False, False))))
    expect_question(page, f"Forced: {data.outputs[2]}")
    assert ", forced" in page.locator(".caption").inner_text()


DEEP = {"n_encoder_layers": 6, "n_decoder_layers": 6}


@pytest.mark.browser
@pytest.mark.parametrize("width", [1192, 390])
@pytest.mark.parametrize(
    "changes", [{}, DEEP, {"norm_position": "pre", **DEEP}, {"n_decoder_layers": 1}], ids=str
)
def test_every_block_has_a_place_on_the_map_also_in_a_folded_layer(mounted, changes, width):
    data = drawn(**changes)
    page = mounted(data, width=width)
    boxes = page.locator(".blocks button").evaluate_all(
        """(nodes) => nodes.map((node) => {
            const { x, y, width, height } = node.getBoundingClientRect();
            return [node.getAttribute("aria-label").split(", ").at(-1), x + width / 2, y + height / 2];
        })"""
    )
    assert [name for name, *_ in boxes] == [block.id for block in data.blocks]
    assert len({(round(x), round(y)) for _, x, y in boxes}) == len(boxes), "each at a place of its own"


@pytest.mark.browser
def test_button_in_the_lead_reports_a_request(mounted):
    page, data = mounted(drawn()), drawn()
    lead = page.locator(".head > p").filter(has_text="The cells show what it read, not why.")
    lead.get_by_role("button", name="why").click()
    assert ACT.parse(told(page, "act", kind="what-if"), data) == WhatIfRequest()


@pytest.mark.browser
def test_a_block_of_a_folded_layer_is_opened_where_it_stands(mounted):
    data = drawn(**DEEP)
    page = mounted(data)
    folded = "decoder.layers.1.cross_attn"
    place = page.locator(f".blocks button[aria-label$=', {folded}']").bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    assert ACT.parse(told(page, "act", kind="open"), data) == Opened(folded)


@pytest.mark.browser
def test_every_block_can_be_reached_says_all_its_tensors_and_opens_its_page(mounted):
    page, data = mounted(drawn()), drawn()
    reached = page.locator(".blocks button").evaluate_all(
        "nodes => nodes.map((node) => node.getAttribute('aria-label').split(', ').at(-1))"
    )
    assert reached == [block.id for block in data.blocks]
    cross = next(block for block in data.blocks if block.id == "decoder.layers.1.cross_attn")
    button = page.get_by_role("button", name=f"{cross.title}, {cross.id}", exact=True)
    button.focus()
    page.keyboard.press("i")
    card = page.locator(".corner")
    expect(card.get_by_role("heading")).to_have_text(cross.title)
    assert card.locator("td code").all_inner_texts() == [
        tensor.name.removeprefix(f"{cross.id}.") for tensor in cross.tensors
    ]
    assert " × ".join(map(str, cross.tensors[0].shape)) in card.inner_text()
    assert f"{cross.n_parameters:,} parameters" in card.inner_text()
    card.get_by_role("button", name="scores", exact=True).click()
    assert ACT.parse(told(page, "act", kind="inspect"), data) == Inspected(f"{cross.id}.scores")
    card.get_by_role("button", name=f"Open {cross.page}").click()
    assert ACT.parse(told(page, "act", kind="open"), data) == Opened(cross.id)
    page.keyboard.press("Escape")
    expect(card.get_by_role("heading")).to_have_text("Next token")


@pytest.mark.browser
def test_a_message_with_what_was_reported_moves_nothing_and_another_choice_is_followed(mounted):
    page, data = mounted(drawn()), drawn()
    page.get_by_role("img", name="The whole network").focus()
    page.keyboard.press("ArrowLeft")
    report = told(page, "view", step=1)
    page.keyboard.press("ArrowLeft")
    expect_question(page, f"What did it read to write {data.outputs[0]}?")
    feed(page, pack(replace(data, step=1, report=report["report"])))
    expect_question(page, f"What did it read to write {data.outputs[0]}?")
    report = told(page, "view", step=0)
    feed(page, pack(replace(data, step=4, report=report["report"])))
    expect_question(page, f"What did it read to write {data.outputs[4]}?")
    feed(page, pack(replace(data, step=3, moment=ENCODER_MS + 3 * STEP_MS + 1500, report=report["report"])))
    expect_question(page, f"What comes after {data.inputs[3]}?")


@pytest.mark.browser
def test_a_step_chosen_while_other_weights_come_is_kept_and_told_about_them(mounted):
    """Such as while a training is played: the message was written before the choice was heard."""
    page, data = mounted(drawn()), drawn()
    page.get_by_role("img", name="The whole network").focus()
    page.keyboard.press("ArrowRight")
    told(page, "view", step=3)
    feed(page, pack(replace(data, key="other")))
    expect_question(page, f"What did it read to write {data.outputs[3]}?")
    told(page, "view", key="other", step=3)
    feed(page, pack(replace(data, key="another", step=0)))
    expect_question(page, f"What did it read to write {data.outputs[0]}?")


@pytest.mark.browser
def test_a_new_picture_takes_the_focus_over_and_takes_it_from_nobody(mounted):
    """Keys go to what has the focus: who answers a lesson that changes the model goes on with them in the lesson."""
    page, data = mounted(drawn()), drawn()
    picture = page.get_by_role("img", name="The whole network")
    feed(page, pack(replace(data, key="other")))
    assert page.evaluate("document.activeElement === document.body")
    picture.focus()
    feed(page, pack(replace(data, key="another")))
    assert picture.evaluate("node => node === node.getRootNode().activeElement")


@pytest.mark.browser
def test_other_colours_leave_focus_and_moment_where_they_are(mounted):
    page, data = mounted(drawn()), drawn()
    picture = page.get_by_role("img", name="The whole network")
    picture.focus()
    page.keyboard.press("ArrowRight")
    told(page, "view", step=3)
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    feed(page, pack(data))
    assert page.locator(".living-map").get_attribute("data-look") == "dark"
    expect_question(page, f"What did it read to write {data.outputs[3]}?")
    assert picture.evaluate("node => node === node.getRootNode().activeElement")


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1032, 720), (390, 844)])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_nothing_leaves_the_screen_and_the_picture_is_not_empty(mounted, width, height, norm):
    page = mounted(drawn(norm_position=norm), width, height)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    box = page.get_by_role("img", name="The whole network").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    if width > 640:
        foot = page.get_by_role("slider", name="Moment of the run").bounding_box()
        assert box["y"] + box["height"] <= foot["y"]
        assert foot["y"] + foot["height"] <= height
    page.wait_for_function("""() => {
        const canvas = document.querySelector("#host").shadowRoot.querySelector("canvas[role=img]");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let drawn = 0;
        for (let at = 3; at < data.length; at += 4) drawn += data[at] > 0;
        return drawn > 0.05 * data.length / 4;
    }""")
