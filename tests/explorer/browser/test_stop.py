"""A stop in a real browser: what it says of each number is that number, and what is done in it is reported once."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from operator import ge
from typing import Any

import pytest

from explorer.browser.stop import OPEN, Gone
from explorer.browser.tensors import ASK, LOOK, Looked
from explorer.explaining.marked import marked_cell
from explorer.look.theme import format_signed
from explorer.tensors import CellPlace, TensorData, TensorViewData
from explorer.views.attention.data import attention_view
from explorer.visitor.extent import PATHS, AttentionKind
from explorer.visitor.reports import Explain
from tests.explorer.random_recording import random_recording
from tests.explorer.stops import SAID, STATE, STEP, builders, masked, mount_stop, stop_of
from tests.marks import left_to_proofs
from tests.optional import unwrap

pytestmark = pytest.mark.browser

MODELS: Mapping[str, Mapping[str, Any]] = {
    "post": {},
    "pre, unscaled, no bias, learned positions": {
        "norm_position": "pre",
        "scale_scores": False,
        "attention_bias": False,
        "positional": "learned",
    },
    "not causal, no positions, odd width": {
        "causal": False,
        "positional": "none",
        "d_model": 15,
        "n_heads": 3,
    },
}
VALUE = re.compile(r".*?(?P<value>[−\d][\d.,]*(?: · 10\S+)?|masked|yes|no)$")
MADE = {"terms", "exp"}
"""Parts of the output's picture whose numbers are made of recorded ones: x · e and e^logit."""
PARTS = """() => [...document.querySelector("#host").shadowRoot.querySelectorAll(".part")]
    .map((node) => node.dataset.part)"""


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    yield page
    page.close()


def recorded_at(data: TensorViewData, named: str) -> set[float]:
    """Every number of the view that a place such as ``scores[0, 1, 2, 3]`` may name, with the chosen layer."""
    name, _, numbers = named.partition("[")
    index = tuple(int(number) for number in numbers[:-1].split(", "))
    layer = next((each.value for each in data.choosers if each.axis == "layer"), None)
    found = set()
    for tensor in data.tensors.values():
        axes = {axis.name: axis for axis in tensor.axes}
        if tensor.site_of(layer).rpartition(".")[2] != name or index[: len(tensor.lead)] != tensor.lead:
            continue
        place = {"layer": layer} if "layer" in axes else {}
        rest = index[len(tensor.lead) :]
        if len(rest) != len(tensor.index_shape) or any(map(ge, rest, tensor.index_shape)):
            continue  # Of another shape, though of the same name.
        for number, names in zip(rest, tensor.index_axes, strict=True):
            for each in reversed(names):
                number, place[each] = divmod(number, axes[each].size)
        shown = [
            place[axis.name] if axis.places is None else axis.places.index(place[axis.name])
            for axis in tensor.axes
        ]
        found.add(float(tensor.values[tuple(shown)]))
    return found


def as_printed(value: float) -> set[str]:
    return {
        format_signed(value),
        f"{value:.4f}".replace("-", "−"),
        f"{value:.0f}",
        "masked",
        ("no", "yes")[bool(value)],
    }


@pytest.mark.parametrize("model", left_to_proofs(MODELS, {"post"}))
def test_every_picture_says_the_recorded_number_of_each_cell_at_each_stage(page, model):
    recorded = random_recording(**MODELS[model])
    for name, (picture, build) in builders(recorded).items():
        data = build()
        mount_stop(page, stop_of(recorded, picture, data))
        said = page.evaluate(SAID)
        assert {part for _, part, _, _ in said} >= set(page.evaluate(PARTS)), (
            f"{name}: each part says something"
        )
        for tab, part, text, named in said:
            found = VALUE.fullmatch(text)
            assert found, (name, tab, part, text)
            assert bool(named) != (part in MADE), (
                f"{name}: what is not recorded names no tensor ({part}, {named})"
            )
            if not named or " · v = " in text or "× √" in text:
                continue  # What is made of recorded numbers on the screen is compared below.
            wanted = {each for value in recorded_at(data, named) for each in as_printed(value)}
            assert found["value"] in wanted, (name, tab, part, text, named)


LABELS = """() => Object.fromEntries([...document.querySelector("#host").shadowRoot.querySelectorAll(".part")]
    .map((node) => [node.dataset.part, node.getAttribute("aria-label")]))"""


def test_labels_of_made_numbers_give_their_own_range(page):
    recorded = random_recording()
    picture, build = builders(recorded)["output"]
    data = build()
    mount_stop(page, stop_of(recorded, picture, data))
    labels = page.evaluate(LABELS)
    logits, written = data.tensors["logits"].values[STEP], int(recorded.trace.tgt_out[STEP])
    ten = sorted(range(len(logits)), key=lambda token: -logits[token])[:10]
    ten = ten if written in ten else [*ten[:-1], written]
    powers = [math.exp(float(logits[token])) for token in ten]
    low, high = (f"{value:.2f}" for value in (min(powers), max(powers)))
    assert f"from {low} to {high}." in labels["exp"]
    terms = data.tensors["x"].values[STEP] * data.tensors["matrix"].values[ten]
    low, high = (format_signed(float(value)) for value in (terms.min(), terms.max()))
    assert f"from {low} to {high}." in labels["terms"]


@pytest.mark.parametrize("kind", PATHS)
def test_a_score_is_said_with_its_product_and_a_value_with_its_weight(page, kind: AttentionKind):
    recorded = random_recording()
    data = attention_view(recorded, STATE, kind)
    mount_stop(page, stop_of(recorded, "attention", data))
    said = page.evaluate(SAID)
    q, k, v, weights = (data.tensors[name].values[1, 1] for name in ("q", "k", "v", "weights"))
    scores = [(text, named) for tab, part, text, named in said if tab == "tab-scores" and part == "scores"]
    assert scores
    for text, named in scores:
        _, _, row, column = (int(number) for number in named[named.index("[") + 1 : -1].split(", "))
        product = float(q[row] @ k[column])
        assert f"gives {format_signed(product)[:5]}" in text, (text, product)
        assert text.endswith(f"÷ √{q.shape[1]} = {format_signed(product / math.sqrt(q.shape[1]))}"), text
    weighted = [(text, named) for tab, part, text, named in said if tab == "tab-context" and part == "v"]
    assert weighted
    for text, named in weighted:
        _, _, key, place = (int(number) for number in named[named.index("[") + 1 : -1].split(", "))
        assert text.endswith(f"a · v = {format_signed(float(v[key, place]) * float(weights[STEP, key]))}"), (
            text
        )


def cell_of(tensor: TensorData, numbers: Mapping[str, int]) -> CellPlace:
    """A number of the model by its place on each axis."""
    sizes, index = {axis.name: axis.size for axis in tensor.axes}, []
    for names in tensor.index_axes:
        number = 0
        for name in names:
            number = number * sizes[name] + numbers[name]
        index.append(number)
    return CellPlace(tensor.site_of(numbers.get("layer")), (*tensor.lead, *index))


def test_a_stop_and_the_words_beside_it_speak_of_the_number_that_is_explained(page):
    recorded = random_recording()
    for name, (picture, build) in builders(recorded).items():
        data = build()
        stage = next((each for each in data.stages if each.kind == "product"), data.stages[-1])
        tensor, largest = data.tensors[stage.result.tensor], marked_cell(replace(data, stage=stage.key))
        if not tensor.askable:
            continue
        cell = cell_of(tensor, unwrap(largest).numbers)
        asked = replace(data, cell=cell)
        beside = unwrap(marked_cell(replace(asked, stage=stage.key)))
        assert (beside.explained, beside.numbers) == (True, unwrap(largest).numbers), name
        mount_stop(page, stop_of(recorded, picture, asked, stage=stage.key))
        code = "document.querySelector('#host').shadowRoot.querySelector('.sentence code').textContent"
        assert page.evaluate(code) == f"{cell.site.split('.')[-1]}[{', '.join(map(str, cell.index))}]", name


def test_a_row_that_is_not_there_yet_says_nothing_and_its_label_leads_to_it(page):
    recorded = random_recording()
    data = attention_view(recorded, STATE, "masked-self-attention")
    mount_stop(page, stop_of(recorded, "attention", data))
    answer = page.evaluate(
        """() => {
            const root = document.querySelector("#host").shadowRoot, canvas = root.querySelector(".stage > canvas");
            const part = root.querySelector("[data-part=scores]").getBoundingClientRect();
            const left = root.querySelector("[data-part=q]").getBoundingClientRect().left;
            const n = Number(/: (\\d+) rows/.exec(root.querySelector("[data-part=scores]").ariaLabel)[1]);
            const y = (row) => part.top + ((row + 0.5) * part.height) / n;
            const at = (x, row) => ({ clientX: x, clientY: y(row) });
            canvas.dispatchEvent(new PointerEvent("pointermove", at(part.left + 5, 3)));
            const later = root.querySelector(".sentence code");
            canvas.dispatchEvent(new PointerEvent("pointermove", at(part.left + 5, 2)));
            const now = root.querySelector(".sentence code").textContent;
            canvas.dispatchEvent(new PointerEvent("pointermove", at(part.right - 5, 2)));
            const key = root.querySelector(".sentence code");
            canvas.dispatchEvent(new MouseEvent("click", at(left - 20, 3)));
            return [later, now, key];
        }"""
    )
    assert answer == [None, "scores[0, 1, 2, 0]", None]
    page.wait_for_function("() => window.reports.length")
    ((name, report),) = page.evaluate("window.reports")
    assert name == "view"
    assert LOOK.parse(report, data) == Looked("", {"layer": 1, "head": 1}, 3)


def test_what_is_done_by_keys_is_reported_and_nothing_else_is_believed(page):
    recorded = random_recording()
    data = attention_view(recorded, STATE, "cross-attention")
    mount_stop(page, stop_of(recorded, "attention", data, here="decoder.layers.1.cross_attn"))
    page.evaluate("document.querySelector('#host').shadowRoot.querySelector('[data-part=weights]').focus()")
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    name, ask = page.evaluate("window.reports.at(-1)")
    asked = CellPlace("decoder.layers.1.cross_attn.weights", (0, 1, STEP - 1, 1))
    assert (name, ASK.parse(ask, data)) == ("ask", Explain(asked))
    for wrong in ({"tensor": "nobody"}, {"index": [9, 9, 9]}, {"layer": 7}, {"key": "another run"}):
        assert ASK.parse(ask | wrong, data) is None

    page.keyboard.press("Escape")
    page.keyboard.press(".")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => window.reports.at(-1)[1].stage === 'input'")
    name, look = page.evaluate("window.reports.at(-1)")
    assert (name, look["choices"], look["row"]) == ("view", {"layer": 1, "head": 2}, STEP)
    for other in ({"stage": "nowhere"}, {"choices": {"layer": 1}}, {"choices": {"layer": 1, "head": 99}}):
        assert LOOK.parse(look | other, data) is None
    assert unwrap(LOOK.parse(look | {"row": -1}, data)).row is None

    # From the stage to the whole picture of the block, and from there to the whole network.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    name, gone = page.evaluate("window.reports.at(-1)")
    assert (name, OPEN.parse(gone, data)) == ("open", Gone(""))
    assert OPEN.parse(gone | {"block": 5}, data) is None


def test_another_layer_comes_at_once_and_another_block_through_the_page(page):
    recorded = random_recording()
    data = attention_view(recorded, STATE, "cross-attention")
    mount_stop(page, stop_of(recorded, "attention", data, here="decoder.layers.1.cross_attn"))
    press = "name => document.querySelector('#host').shadowRoot.querySelector(`.rail [aria-label='${name}']`).click()"
    page.evaluate(press, "Decoder: Cross-attention, layer 0")
    here = "document.querySelector('#host').shadowRoot.querySelector('[aria-current]').ariaLabel"
    assert page.evaluate(here) == "Decoder: Cross-attention, layer 0"
    page.wait_for_function("() => window.reports.length")
    ((name, look),) = page.evaluate("window.reports")
    assert (name, look["choices"]["layer"]) == ("view", 0)
    page.evaluate(press, "Encoder: Feed-forward, layer 1")
    name, gone = page.evaluate("window.reports.at(-1)")
    assert (name, OPEN.parse(gone, data)) == ("open", Gone("encoder.layers.1.feed_forward"))


def test_the_lit_row_is_played_stage_by_stage_and_rests_complete(page):
    recorded = random_recording()
    data = attention_view(recorded, STATE, "cross-attention")
    mount_stop(page, stop_of(recorded, "attention", data))
    hear = "window.addEventListener('explorer-moment', (event) => window.moments.push(event.detail))"
    page.evaluate(f"() => {{ window.moments = []; {hear}; }}")
    ask = "detail => window.dispatchEvent(new CustomEvent('explorer-command', { detail }))"
    page.evaluate(ask, {"do": "speed", "speed": 20})
    page.evaluate(ask, {"do": "toggle"})
    page.wait_for_function("() => window.moments.at(-1)?.isPlaying === false && window.moments.length > 2")
    moments = page.evaluate("window.moments")
    assert {each["isPlaying"] for each in moments if each["isRunning"]} == {True}
    assert moments[-1] == {"step": STEP, "isPlaying": False, "speed": 20, "isRunning": False}
    page.evaluate(ask, {"do": "go", "step": 1})
    assert page.evaluate("window.moments.at(-1).step") == 1


def test_an_operand_that_is_pointed_at_beside_the_picture_is_framed_in_it(page):
    recorded = random_recording()
    data = attention_view(recorded, STATE, "cross-attention")
    mount_stop(page, stop_of(recorded, "attention", data))
    pixels = "() => document.querySelector('#host').shadowRoot.querySelector('.stage > canvas').toDataURL()"
    tell = "detail => window.dispatchEvent(new CustomEvent('explorer-term', { detail }))"
    before = page.evaluate(pixels)
    page.evaluate(tell, {"site": "decoder.layers.1.cross_attn.q", "index": [0, 1, STEP, 3]})
    assert page.evaluate(pixels) != before
    page.evaluate(tell, None)
    assert page.evaluate(pixels) == before
    page.evaluate(tell, {"site": "nobody", "index": [0]})
    assert page.evaluate(pixels) == before


def test_a_picture_below_a_stop_stands_there_whole_leaves_the_keys_of_the_page_and_takes_another_sentence(
    page,
):
    recorded = random_recording()
    data = masked(recorded, "padding")
    mount_stop(page, stop_of(recorded, "masks", data, stage="weights"))
    shown = page.evaluate(
        """() => {
            const root = document.querySelector("#host").shadowRoot;
            return [...root.querySelectorAll(".rail, .stages")].map((node) => node.checkVisibility());
        }"""
    )
    assert shown == [False, False]
    assert set(page.evaluate(PARTS)) >= {
        "src",
        "tgt_in_padding",
        "mask",
        "masked_scores",
        "cross_weights",
        "change",
    }
    note = next(stage.note for stage in data.stages if stage.key == "weights")
    sentence = "document.querySelector('#host').shadowRoot.querySelector('.sentence').textContent"
    assert page.evaluate(sentence).endswith(note), "it says what its stage does"
    page.evaluate("document.activeElement?.blur()")
    for key in ("ArrowRight", "Escape", " "):
        page.keyboard.press(key)
    assert page.evaluate("window.reports") == []

    page.evaluate("document.querySelector('#host').shadowRoot.querySelector('[data-part=src]').focus()")
    page.keyboard.press("ArrowDown")
    assert "A shorter one" in page.evaluate(sentence)
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.reports.length")
    ((name, look),) = page.evaluate("window.reports")
    assert name == "view"
    assert unwrap(LOOK.parse(look, data)).choices == {"sentence": 1, "layer": 1, "head": 1}


DRAWN = """() => {
    const drawn = window.drawn = [], { fillText } = CanvasRenderingContext2D.prototype;
    window.undo = () => { CanvasRenderingContext2D.prototype.fillText = fillText; };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most) {
        drawn.push([text, Math.min(1, (most ?? Infinity) / (this.measureText(text).width || 1))]);
        return fillText.call(this, text, x, y, most);
    };
}"""
"""Note each text that is drawn on a canvas, and the share of its own width that it is given."""


def drawn_texts(page, *tokens: str) -> dict[str, float]:
    """Draw an attention of these source tokens; return each text with the least share of its width."""
    recorded = random_recording()
    recorded = replace(recorded, source=(*tokens, *recorded.source[len(tokens) :]))
    page.evaluate(DRAWN)
    mount_stop(page, stop_of(recorded, "attention", attention_view(recorded, STATE, "cross-attention")))
    drawn = page.evaluate("() => { window.undo(); return window.drawn; }")
    return {text: min(share for each, share in drawn if each == text) for text, _ in drawn}


def test_underscore_of_a_token_is_drawn_as_it_is(page):
    drawn = drawn_texts(page, "a_b", "_u_", "x_1")
    assert {"a_b", "_u_", "x_1"} <= set(drawn)
    assert "Q" in drawn, "the letter of a formula stands lower, by itself"


def test_long_token_is_cut_and_not_squeezed(page):
    drawn = drawn_texts(page, "donaudampfschifffahrtsgesellschaft", "chat")
    assert min(drawn.values()) > 0.69
    assert any(text.startswith("don") and text.endswith("…") for text in drawn)
    assert "donaudampfschifffahrtsgesellschaft" not in drawn
