"""The decoding view: its message, what it accepts back, and that both sides write numbers and tokens alike."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer.look.theme import format_log_prob, format_probability
from explorer.views.decoding import component as module
from explorer.views.decoding.component import BranchRow, DecodeViewData, WhatIf, pack
from explorer.views.decoding.component.reports import (
    ACTION,
    LOOK,
    Force,
    NameBranch,
    OpenBranch,
    RemoveBranch,
    ViewState,
)
from tests.conftest import PATIENCE
from tests.explorer.mounting import encoded, feed
from tests.optional import unwrap
from tests.unpacked import unpacked

FOLDER = Path(module.__file__).parent
LAYERS, HEADS, STEPS, POSITIONS, WIDTH = 2, 3, 4, 5, 6  # each its own size: a swapped axis fails
ENCODER_LAYERS = 1
WORDS = ("w00", "w01", "w02", "é", "zz", " ")
FIRST_ID = 3


def normal(weights: np.ndarray) -> np.ndarray:
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def branch(prefix=(), *, tokens=("les", "chats", "é", "</s>"), differs=None, shown=False) -> BranchRow:
    forced = tuple(t + 1 == len(prefix) for t in range(len(tokens)))
    probs = tuple(0.5 for _ in tokens)
    label = "forced x" if prefix else "greedy"
    return BranchRow(prefix, "", label, tokens, forced, probs, -1.0 - len(prefix), differs, True, shown)


def what_if(*others: BranchRow) -> WhatIf:
    return WhatIf(FIRST_ID, len(WORDS), (branch(shown=True), *others), WORDS)


def view_data(**changes) -> DecodeViewData:
    rng = np.random.default_rng(0)
    weights = rng.random((LAYERS, HEADS, STEPS, POSITIONS), np.float32)
    probs = np.sort(rng.dirichlet(np.ones(WIDTH + 3), STEPS)[:, :WIDTH].astype(np.float32))[:, ::-1]
    data = DecodeViewData(
        key="trace-1",
        prefix=(),
        written=("", "les ", "les chats ", "les chats é "),
        forced=(False,) * STEPS,
        ended=True,
        source_tokens=("the", "<b>x</b>", " ", "\ud800", "</s>"),
        output_tokens=("les", "chats", "é", "</s>"),
        output_ids=(20, 21, 6, 2),
        weights=normal(weights),
        self_weights=normal(np.tril(rng.random((LAYERS, HEADS, STEPS, STEPS), np.float32))),
        encoder_weights=normal(rng.random((ENCODER_LAYERS, HEADS, POSITIONS, POSITIONS), np.float32)),
        bos="<s>",
        causal=True,
        dtype="float32",
        candidate_tokens=tuple(tuple(f"w{t}{i}" for i in range(WIDTH)) for t in range(STEPS)),
        candidate_ids=np.array([[FIRST_ID + i - (i == WIDTH - 1) * 6 for i in range(WIDTH)]] * STEPS),
        candidate_probs=probs,
        chosen=(0, 1, 0, 5),
        log_probs=np.log(probs[range(STEPS), [0, 1, 0, 5]]),
        entropy_bits=rng.random(STEPS, np.float32),
        vocabulary_size=156,
        gold=((0,), (1, 2), (), (4,)),
        gold_note="",
        step=2,
        attention="cross",
        layer=1,
        head=None,
        overlay=False,
    )
    return dataclasses.replace(data, **changes)


def unpack(message: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    header, arrays, _ = unpacked(message)
    return header, arrays


def test_the_message_holds_the_recorded_float32_bit_for_bit():
    data = view_data()
    _, arrays = unpack(pack(data))
    names = ("weights", "self_weights", "encoder_weights", "candidate_probs", "log_probs", "entropy_bits")
    for name in names:
        np.testing.assert_array_equal(arrays[name], getattr(data, name), strict=True)


@pytest.mark.parametrize("key", ["k", "kk", "kkk", "kkkk"])
def test_the_arrays_start_at_a_multiple_of_four_whatever_the_header_length(key):
    header, arrays = unpack(pack(view_data(key=key)))
    assert header["key"] == key
    assert arrays["weights"].shape == (LAYERS, HEADS, STEPS, POSITIONS)


def test_the_header_holds_the_rest_as_given():
    data = view_data(head=np.int64(2).item(), gold=None, gold_note="none known", what_if=what_if())
    header, arrays = unpack(pack(data))
    assert header.pop("what_if") == json.loads(json.dumps(dataclasses.asdict(unwrap(data.what_if))))
    for field in dataclasses.fields(data):
        if field.name not in arrays and field.name in header:
            plain = json.dumps(getattr(data, field.name), default=np.ndarray.tolist)
            assert header[field.name] == json.loads(plain)
    left_out = {field.name for field in dataclasses.fields(data)} - set(header) - set(arrays)
    assert left_out == {"what_if", "prefix", "written"}


def test_not_a_number_and_infinity_travel():
    weights = view_data().weights.copy()
    weights[0, 0, 0, :2] = np.nan, np.inf
    _, arrays = unpack(pack(view_data(weights=weights)))
    np.testing.assert_array_equal(arrays["weights"], weights)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output_tokens": (), "candidate_tokens": ()}, "at least one"),
        ({"weights": np.zeros((HEADS, STEPS, POSITIONS), np.float32)}, "weights must be"),
        ({"weights": np.zeros((LAYERS, HEADS, POSITIONS, STEPS), np.float32)}, "weights must be"),
        ({"weights": np.zeros((LAYERS, 0, STEPS, POSITIONS), np.float32)}, "weights must be"),
        ({"self_weights": np.zeros((LAYERS, HEADS, STEPS, POSITIONS), np.float32)}, "self_weights must be"),
        ({"encoder_weights": np.zeros((1, HEADS, STEPS, STEPS), np.float32)}, "encoder_weights must be"),
        ({"attention": "encoder"}, "layer 1 is not one of the 1 layers"),
        ({"output_ids": (1, 2, 3)}, "output_ids must hold"),
        ({"candidate_ids": np.ones((STEPS, 1), int)}, "candidate_ids must have"),
        ({"forced": (True,)}, "forced must say"),
        ({"what_if": WhatIf(FIRST_ID, 6, (), WORDS)}, "begin with greedy"),
        ({"what_if": WhatIf(FIRST_ID, 6, (branch((4,)),), WORDS)}, "begin with greedy"),
        ({"what_if": WhatIf(FIRST_ID, 7, (branch(),), WORDS)}, "all 7 tokens that can be forced"),
        ({"candidate_probs": np.zeros((STEPS, WIDTH - 1), np.float32)}, "candidate_probs must be"),
        ({"log_probs": np.zeros(STEPS - 1, np.float32)}, "log_probs must be"),
        ({"entropy_bits": np.zeros(STEPS + 1, np.float32)}, "entropy_bits must be"),
        ({"candidate_tokens": (("a",) * WIDTH,) * 3 + (("a",),)}, "candidate_tokens must have"),
        ({"chosen": (0, 0, 0, WIDTH)}, "chosen must hold"),
        ({"chosen": (0, 0, 0)}, "chosen must hold"),
        ({"vocabulary_size": WIDTH - 1}, "vocabulary_size"),
        ({"gold": ((0,),)}, "gold must have"),
        ({"gold": ((0,), (), (), (POSITIONS,))}, "gold holds a position"),
        ({"step": STEPS}, "step 4"),
        ({"layer": -1}, "layer -1"),
        ({"head": HEADS}, "head 3"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        pack(view_data(**changes))


def report(**changes) -> dict:
    told = {
        "trace": "trace-1",
        "step": 1,
        "attention": "cross",
        "layer": 0,
        "head": 2,
        "overlay": True,
        "report": 7,
    }
    return told | changes


@given(
    st.integers(0, STEPS - 1),
    st.integers(0, LAYERS - 1),
    st.none() | st.integers(0, HEADS - 1),
    st.booleans(),
)
def test_every_choice_in_range_is_accepted(step, layer, head, overlay):
    raw = json.loads(json.dumps(report(step=step, layer=layer, head=head, overlay=overlay)))
    assert LOOK.parse(raw, view_data()) == ViewState(step, "cross", layer, head, overlay)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(json_values | st.fixed_dictionaries(dict.fromkeys(report(), json_values)))
def test_anything_else_is_none_and_never_an_error(raw):
    assert LOOK.parse(raw, view_data()) is None


@given(
    st.sampled_from(["step", "layer", "head"]),
    st.integers(max_value=-1) | st.integers(STEPS) | st.floats() | st.booleans() | st.text(),
)
def test_one_wrong_part_spoils_the_whole_report(name, value):
    assert LOOK.parse(report(**{name: value}), view_data()) is None


def test_each_attention_has_its_own_layers():
    assert LOOK.parse(report(attention="self", layer=1), view_data()) is not None
    assert LOOK.parse(report(attention="encoder", layer=0), view_data()) is not None
    assert LOOK.parse(report(attention="encoder", layer=1), view_data()) is None
    assert LOOK.parse(report(attention="both"), view_data()) is None


FORKED = view_data(what_if=what_if(branch((4,), differs=0)))


def action(**changes) -> dict:
    return {"trace": "trace-1", "kind": "force", "step": 1, "token_id": 4, "report": 9} | changes


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        (action(), Force(1, 4)),
        (action(token_id=8), Force(1, 8)),
        (action(kind="open", prefix=[4], step=3), OpenBranch((4,), 3)),
        (action(kind="open", prefix=[], step=0), OpenBranch((), 0)),
        (action(kind="name", prefix=[4], name="other"), NameBranch((4,), "other")),
        (action(kind="remove", prefix=[4]), RemoveBranch((4,))),
    ],
)
def test_what_a_visitor_does_is_understood(raw, meant):
    assert ACTION.parse(json.loads(json.dumps(raw)), FORKED) == meant


@pytest.mark.parametrize(
    "raw",
    [
        action(trace="trace-0"),
        action(step=4),
        action(token_id=2),
        action(token_id=9),
        action(token_id=True),
        action(report=-1),
        action(kind="open", prefix=[5]),
        action(kind="open", prefix=[4], step=4),
        action(kind="open", prefix="4"),
        action(kind="remove", prefix=[]),
        action(kind="name", prefix=[], name="mine"),
        action(kind="name", prefix=[4], name="a" * 41),
        action(kind="name", prefix=[4], name="\ud800"),
        action(kind="name", prefix=[4], name=7),
        action(kind="burn", prefix=[4]),
    ],
)
def test_what_cannot_be_done_is_not(raw):
    assert ACTION.parse(raw, FORKED) is None


@given(json_values | st.fixed_dictionaries(dict.fromkeys(action(prefix=[]), json_values)))
def test_an_action_of_another_form_is_none_and_never_an_error(raw):
    assert ACTION.parse(raw, FORKED) is None


def test_a_view_that_only_looks_takes_no_action():
    assert ACTION.parse(action(), view_data()) is None


def test_a_report_about_another_trace_is_not_about_this_one():
    assert LOOK.parse(report(trace="trace-0"), view_data()) is None


def test_there_is_no_overlay_without_gold():
    assert unwrap(LOOK.parse(report(), view_data(gold=None))).overlay is False


def test_the_page_gets_exactly_the_packed_message():
    def app():
        from explorer.views.decoding.component import decode_view
        from tests.explorer.views.decoding.test_decode_view import view_data

        decode_view(view_data(), key="view")

    at = AppTest.from_function(app, default_timeout=PATIENCE).run()
    assert not at.exception
    assert at.get_by_key("view").proto.bytes == pack(view_data())


@pytest.mark.browser
def test_both_sides_write_numbers_alike(page):
    rng = np.random.default_rng(1)
    values = [
        0.0,
        1.0,
        0.00009999,
        0.0001,
        0.1,
        *rng.random(200).tolist(),
        *(10 ** rng.uniform(-7, 0, 200)).tolist(),
    ]
    assert page.evaluate("v => v.map(formatProbability)", values) == [format_probability(v) for v in values]
    logs = [-v * 20 for v in values]
    assert page.evaluate("v => v.map((x) => fixed(x, 2))", logs) == [format_log_prob(v) for v in logs]
    assert page.evaluate("v => v.map((x) => fixed(x, 3))", logs) == [
        format_log_prob(v, total=True) for v in logs
    ]


@pytest.mark.browser
def test_the_browser_reads_what_python_packed(page):
    data = view_data()
    message = b"\1\2\3" + pack(data)  # not aligned, as the socket may deliver it
    header, weights, cell, means = page.evaluate(
        """raw => {
            const bytes = Uint8Array.from(raw).subarray(3), payload = readPayload(bytes), trace = makeTrace(payload);
            const cross = trace.planes.cross;
            const planes = [cross, trace.planes.self, trace.planes.encoder];
            const means = planes.map((plane) => Array.from(plane.matrix(0, null)));
            return [payload.header, Array.from(payload.arrays.weights), cross.matrix(1, 2)[3 * cross.width + 4], means];
        }""",
        list(message),
    )
    for mean, name in zip(means, ("weights", "self_weights", "encoder_weights"), strict=True):
        expected = getattr(data, name)[0].mean(0, dtype=np.float32).ravel()
        np.testing.assert_array_almost_equal_nulp(np.array(mean, np.float32), expected, nulp=1)
    assert header["output_tokens"] == list(data.output_tokens)
    np.testing.assert_array_equal(np.array(weights, np.float32).reshape(data.weights.shape), data.weights)
    assert np.float32(cell) == data.weights[1, 2, 3, 4]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("chat", "chat"),
        (" ", "␣"),
        ("\n\t", "␣␣"),
        ("", "∅"),
        ("<b>x</b>", "<b>x</b>"),
        ("\u202eabc", "\\u{202e}abc"),
        ("\x00", "\\u{0}"),
        ("a" * 81, "a" * 79 + "…"),
    ],
)
def test_a_token_is_shown_literally_and_whole(page, token, shown):
    assert page.evaluate("visible", token) == shown


def place(page) -> str:
    return page.locator(".place").inner_text()


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    data = view_data(
        step=3,
        source_tokens=("<b>x</b>", "&amp;", " ", hostile, "</s>"),
        output_tokens=(hostile, "b", "c", "<script>window.pwned=1</script>"),
        candidate_tokens=((hostile,) * WIDTH,) * STEPS,
    )
    page = mounted(data)
    page.get_by_role("button", name="Table", exact=True).click()
    assert page.locator(".columns .label").all_inner_texts()[:3] == ["<b>x</b>", "&amp;", "␣"]
    assert page.locator(".decode-view :is(img, script, .word b)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_keys_step_and_choose_and_the_resting_place_is_reported_once(mounted):
    page = mounted(view_data())
    page.wait_for_timeout(600)
    assert page.evaluate("reports") == []
    page.locator(".decode-view").focus()
    for key in ("Home", "ArrowRight", "[", ".", "."):
        page.keyboard.press(key)
    assert place(page) == "Step 1, 2 of 4 tokens"
    page.wait_for_function("reports.length > 0")
    page.wait_for_timeout(600)
    ((name, told),) = page.evaluate("reports")
    assert told.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    seen = {"step": 1, "attention": "cross", "layer": 0, "head": 1, "overlay": False}
    assert (name, told) == ("view", {"trace": "trace-1", **seen})


@pytest.mark.browser
def test_arrows_move_the_cell_inside_the_matrix_and_escape_leaves_it(mounted):
    data = view_data()
    page = mounted(data)
    mean = data.weights.mean(1, dtype=np.float32)[1]
    page.locator("canvas.cells").focus()
    for key in ("Home", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert place(page) == "Step 2, 3 of 4 tokens"
    assert f"{mean[2, 1]:.4f}" in page.locator(".readout p").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert place(page) == "Step 3, 4 of 4 tokens"


@pytest.mark.browser
def test_a_message_is_followed_unless_it_knows_less_than_the_view_has_told(mounted):
    page = mounted(view_data())

    def hear(step, report, key="trace-1"):
        feed(page, pack(view_data(step=step, report=report, key=key)))

    def told(count):
        page.wait_for_function("count => reports.length === count", arg=count)
        return page.evaluate("reports")[-1][1]["report"]

    page.locator(".decode-view").focus()
    page.keyboard.press("Home")
    first = told(1)
    page.keyboard.press("ArrowRight")
    hear(step=0, report=first)
    assert place(page) == "Step 1, 2 of 4 tokens", "its own report came back while the visitor went on"
    second = told(2)
    assert second > first
    hear(step=0, report=first)
    assert place(page) == "Step 1, 2 of 4 tokens", (
        "the message was written before the second report was heard"
    )
    hear(step=3, report=second)
    assert place(page) == "Step 3, 4 of 4 tokens", "the page itself chose another step"
    hear(step=2, report=second, key="trace-2")
    assert place(page) == "Step 2, 3 of 4 tokens"


@pytest.mark.browser
def test_a_new_trace_rests_on_the_step_that_it_comes_with(mounted):
    page = mounted(view_data(key="arrival", step=2))
    assert place(page) == "Step 2, 3 of 4 tokens"
    assert page.evaluate("explorerMoment") == {"step": 2, "isPlaying": False, "speed": 1}
    feed(page, pack(view_data(key="other", step=1, source_tokens=tuple("abcd."))))
    assert place(page) == "Step 1, 2 of 4 tokens"
    assert page.evaluate("explorerMoment") == {"step": 1, "isPlaying": False, "speed": 1}
    assert page.evaluate("reports") == []


@pytest.mark.browser
def test_a_step_builds_no_element(mounted):
    page = mounted(view_data(step=0))
    page.locator(".decode-view").focus()
    page.evaluate("window.before = [...document.querySelector('#host').shadowRoot.querySelectorAll('*')]")
    for key in ("ArrowRight", "ArrowRight", "End", "Home"):
        page.keyboard.press(key)
    assert page.evaluate(
        """() => {
            const after = [...document.querySelector('#host').shadowRoot.querySelectorAll('*')];
            return after.length === before.length && after.every((node, i) => node === before[i]);
        }"""
    )


@pytest.mark.browser
def test_the_view_follows_the_page_colour(mounted):
    page = mounted(view_data())
    root = page.locator(".decode-view")
    assert root.get_attribute("data-look") == "light"
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    feed(page, pack(view_data()))
    assert root.get_attribute("data-look") == "dark"


def readout(page) -> str:
    return page.locator(".readout p").inner_text()


@pytest.mark.browser
def test_three_attentions_share_the_card_and_each_shows_its_own_numbers(mounted):
    data = view_data()
    page = mounted(data)

    def table(name):
        page.get_by_role("button", name=name, exact=True).click()
        rows = page.locator(".numbers tbody tr:visible")
        return [rows.nth(t).locator("td").all_inner_texts() for t in range(rows.count())]

    page.get_by_role("button", name="Table", exact=True).click()
    for name, weights, rows in (
        ("Decoder", data.self_weights[1], 3),
        ("Encoder", data.encoder_weights[0], POSITIONS),
        ("Cross", data.weights[0], 3),
    ):
        mean = weights.mean(0, dtype=np.float32)
        hidden = name == "Decoder"
        expected = [
            ["masked" if hidden and j > t else f"{value:.4f}" for j, value in enumerate(row)]
            for t, row in enumerate(mean[:rows])
        ]
        assert table(name) == expected, name
        assert page.get_by_role("button", name=name, exact=True).get_attribute("aria-pressed") == "true"
    page.wait_for_function("reports.length > 0")
    page.wait_for_timeout(600)
    assert page.evaluate("reports").pop()[1]["attention"] == "cross"


@pytest.mark.browser
@pytest.mark.parametrize("width", [1040, 840, 390])
@pytest.mark.parametrize("attention", ["encoder", "cross"])
def test_every_small_picture_is_whole_with_one_layer_as_with_two(mounted, page, attention, width):
    mounted(view_data(attention=attention, layer=0))
    page.set_viewport_size({"width": width, "height": 1000})
    pictures = page.get_by_role("group", name="Layers and heads")
    page.wait_for_function(f"innerWidth === {width}")
    pictures.get_by_role("button").first.wait_for()
    frame = 5  # around the chosen one, with its gap
    # They are laid out again after the change of width.
    page.wait_for_function(
        """([box, frame]) => {
            const { left, right } = box.getBoundingClientRect();
            return [...box.querySelectorAll("canvas")].every((canvas) => {
                const own = canvas.getBoundingClientRect(), button = canvas.closest("button").getBoundingClientRect();
                return own.left - frame >= left && own.right + frame <= right
                    && own.left - 2 >= button.left && own.right + 2 <= button.right;
            });
        }""",
        arg=[pictures.element_handle(), frame],
    )
    names = pictures.locator(".layer-name").evaluate_all("all => all.map((node) => node.offsetHeight)")
    assert names == [16] * len(names), "each name in one line"


@pytest.mark.browser
def test_the_decoders_own_attention_reads_the_start_mark_and_says_what_is_masked(mounted):
    page = mounted(view_data(attention="self"))
    assert page.locator(".columns .label").all_inner_texts() == ["<s>", "les", "chats", "é"]
    assert page.locator(".rows .label").all_inner_texts() == ["<s>", "les", "chats", "é"]
    assert page.locator(".ends .label").all_inner_texts() == ["→ les", "→ chats", "→ é", "→ </s>"]
    cells, end = (
        page.locator(f"{at}:visible").first.bounding_box() for at in ("canvas.cells", ".ends .label")
    )
    assert end["x"] > cells["x"] + cells["width"], "where a row ends"
    page.locator("canvas.cells:visible").focus()
    page.keyboard.press("End")
    assert "Step 2 (→ é) cannot read é: masked" in readout(page)
    page.keyboard.press("Home")
    assert re.search(r"Step 2 \(→ é\) reads <s> with weight 0\.\d{4}", readout(page))


def tell(page, kind: str, message: object) -> None:
    """Tell the view what another component of the page says."""
    page.evaluate(
        "([kind, detail]) => void window.dispatchEvent(new CustomEvent(`explorer-${kind}`, { detail }))",
        [kind, message],
    )


@pytest.mark.browser
def test_a_token_that_is_pointed_at_elsewhere_lights_what_it_reads_and_what_reads_it(mounted):
    data = view_data(attention="encoder", layer=0, step=3)
    page = mounted(data)
    tell(page, "token", {"side": "source", "place": 1})
    for name in ("link-row", "link-column"):
        assert page.locator(f".frame.{name}").evaluate("e => getComputedStyle(e).visibility") == "visible"
    assert page.locator(".label.lit").all_inner_texts() == [data.source_tokens[1]] * 2
    largest = data.encoder_weights[0].mean(0, dtype=np.float32)[1].max()
    assert f"with weight {largest:.4f}" in readout(page)
    tell(page, "token", None)
    assert page.locator(".label.lit").count() == 0
    assert place(page) == "Step 3, 4 of 4 tokens", "nobody has stepped"


FRAME = "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));"


@pytest.mark.browser
@pytest.mark.parametrize("wait", [FRAME, ""], ids=["frames", "less-than-a-frame"])
def test_view_without_room_is_drawn_once_it_has_some(mounted, wait):
    page = mounted(view_data())
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.evaluate(
        f"""async (text) => {{
            document.body.style.display = "none";
            {wait}
            window.feed(text);
            const tell = (kind, detail) => dispatchEvent(new CustomEvent(`explorer-${{kind}}`, {{ detail }}));
            tell("token", {{ side: "source", place: 1 }});
            tell("command", {{ do: "go", step: 2 }});
            {wait}
            document.body.style.display = "";
        }}""",
        encoded(pack(dataclasses.replace(view_data(), key="another"))),
    )
    page.locator(".frame.row").wait_for()
    assert place(page) == "Step 2, 3 of 4 tokens"
    assert faults == []


@pytest.mark.browser
def test_the_view_says_which_token_the_pointer_is_on(mounted):
    page = mounted(view_data(step=3))
    page.evaluate("addEventListener('explorer-token', (event) => { window.lit = event.detail; })")
    page.locator("canvas.cells").hover(position={"x": 5, "y": 5})
    assert page.evaluate("lit") == {"side": "target", "place": 0}
    page.mouse.move(0, 0)
    assert page.evaluate("lit") is None


@pytest.mark.browser
def test_the_view_does_what_the_bar_asks_for_and_says_where_it_is_until_it_leaves(mounted):
    page = mounted(view_data(step=0))
    moments = (
        "window.moments = []; addEventListener('explorer-moment', (event) => moments.push(event.detail))"
    )
    page.evaluate(moments)
    tell(page, "command", {"do": "go", "step": 2})
    assert place(page) == "Step 2, 3 of 4 tokens"
    tell(page, "command", {"do": "go", "step": 99})
    assert place(page) == "Step 3, 4 of 4 tokens"
    tell(page, "command", {"do": "speed", "speed": 2})
    tell(page, "command", {"do": "toggle"})
    assert page.evaluate("explorerMoment") == {"step": 0, "isPlaying": True, "speed": 2}, (
        "from the start again"
    )
    tell(page, "command", {"do": "toggle"})
    assert [each["step"] for each in page.evaluate("moments")] == [2, 3, 3, 0, 0, 0]
    page.evaluate("end()")
    assert page.evaluate("explorerMoment") is None


@pytest.mark.browser
def test_a_view_that_only_looks_offers_no_force(mounted):
    page = mounted(view_data())
    assert page.get_by_role("button", name="Force").count() == 0
    assert page.get_by_role("region", name="Branches").count() == 0


@pytest.mark.browser
def test_what_was_forced_is_said_to_all_who_see_it_and_to_all_who_hear_it(mounted):
    forced = view_data(step=1, forced=(False, True, False, True), what_if=what_if())
    page = mounted(forced)
    following = page.get_by_role("region", name="Next token")
    chosen = following.locator("tr.chosen")
    assert following.get_by_text("forced here; greedy would take").count() == 1
    assert "forced" in chosen.inner_text()
    page.keyboard.press("ArrowRight")
    assert following.get_by_text("forced here; greedy would take").count() == 0
    assert "chosen" in chosen.inner_text()
    page.keyboard.press("ArrowRight")
    assert following.get_by_text("forced here; greedy would take").count() == 1
    assert "Step 3, </s>, forced, probability" in page.locator("[aria-live=polite]").first.inner_text()


@pytest.mark.browser
def test_a_view_that_only_looks_has_no_row_that_looks_as_if_it_could_be_pressed(mounted):
    page = mounted(view_data(step=0))
    row = page.locator(".candidates tbody tr:not(.chosen)").first
    before = row.locator("th").evaluate("e => getComputedStyle(e).backgroundColor")
    row.hover()
    assert row.locator("th").evaluate("e => getComputedStyle(e).backgroundColor") == before


@pytest.mark.browser
def test_a_forced_candidate_is_reported_at_once_with_what_was_seen_before(mounted):
    page = mounted(view_data(what_if=what_if()))
    page.locator(".decode-view").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    (first, seen), (second, forced) = page.evaluate("reports")
    assert (first, seen["step"], second) == ("view", 0, "action")
    assert forced["report"] > seen["report"]
    assert {**forced, "report": 0} == {
        "trace": "trace-1",
        "kind": "force",
        "step": 0,
        "token_id": FIRST_ID + 2,
        "report": 0,
    }
    assert page.get_by_role("button", name="Force w05").count() == 0, "EOS cannot be forced"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("dragon", "The model has no token “dragon”; choose one of the offered tokens."),
        ("", "Type a token of the model's vocabulary."),
        ("é", "é already stands at step 2."),
    ],
)
def test_a_token_that_cannot_be_forced_is_answered_in_place(mounted, typed, sentence):
    page = mounted(view_data(what_if=what_if()))
    field = page.get_by_role("combobox", name="Any other token")
    field.fill(typed)
    field.press("Enter")
    assert page.get_by_role("alert").inner_text() == sentence
    assert page.evaluate("reports") == []


@pytest.mark.browser
def test_any_other_token_can_be_typed(mounted):
    page = mounted(view_data(what_if=what_if()))
    field = page.get_by_role("combobox", name="Any other token")
    for typed, token_id in (("zz", 7), ("␣", 8)):
        field.fill(typed)
        field.press("Enter")
        assert page.evaluate("reports").pop()[1]["token_id"] == token_id
    field.fill("w")
    assert page.locator("datalist option").evaluate_all("all => all.map((o) => o.value)") == [
        "w00",
        "w01",
        "w02",
    ]


@pytest.mark.browser
def test_totals_are_the_sum_of_the_steps(mounted):
    data = view_data(what_if=what_if())
    page = mounted(data)
    log_p = float(data.log_probs[:3].astype(np.float64).sum())
    assert not page.get_by_label("Running totals").is_visible()
    page.get_by_role("region", name="Next token").get_by_role("button", name="More").click()
    totals = page.get_by_label("Running totals").inner_text()
    assert page.get_by_label("Running totals").is_visible()
    assert format_log_prob(log_p, total=True) in totals
    assert f"{np.exp(-log_p / 3):.3f}" in totals
    assert "the model chose EOS" in totals
    page = mounted(view_data(key="cut", what_if=what_if(), ended=False))
    assert "the limit of 4 tokens" in page.get_by_label("Running totals").inner_text()
    forced = view_data(key="forced", step=3, what_if=what_if(), forced=(True,) * 4)
    totals = mounted(forced).get_by_label("Running totals").inner_text()
    assert "at step 3: EOS was forced" in totals
    assert "the model chose" not in totals


@pytest.mark.browser
@pytest.mark.parametrize(
    ("perplexity", "shown"),
    [(999.4, "999.400"), (3164.673, "3,165"), (1234567, "1,235,000"), (3e12, "3 · 10¹²")],
)
def test_a_large_perplexity_has_four_digits(mounted, perplexity, shown):
    log_probs = np.full(4, -np.log(perplexity), np.float32)
    page = mounted(view_data(key=shown, what_if=what_if(), log_probs=log_probs))
    found = page.get_by_label("Running totals").locator("b").inner_text()
    assert re.fullmatch(r"999\.\d{3}" if perplexity < 1000 else re.escape(shown), found)


@pytest.mark.browser
def test_branches_are_opened_named_and_removed(mounted):
    fork = branch((4,), tokens=("zz", "é", "</s>"), differs=0)
    page = mounted(view_data(step=3, what_if=what_if(fork)))
    assert page.get_by_role("button", name="Remove greedy").count() == 0
    page.get_by_role("button", name="Open forced x").click()
    page.get_by_role("button", name="Rename forced x").click()
    page.get_by_role("textbox", name="Name of forced x").fill("mine")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove forced x").click()
    told = [
        {name: value for name, value in each.items() if name not in ("trace", "report")}
        for _, each in page.evaluate("reports")
    ]
    assert told == [
        {"kind": "open", "prefix": [4], "step": 2},
        {"kind": "name", "prefix": [4], "name": "mine"},
        {"kind": "remove", "prefix": [4]},
    ]
    row = page.get_by_role("row", name=re.compile("forced x"))
    assert "first difference" in row.locator("td").first.text_content()
    assert "−1.00 to greedy" in row.inner_text()


@pytest.mark.browser
def test_what_is_chosen_while_other_weights_come_is_kept_and_told_about_them(mounted):
    """Such as while a training is played: the message was written before the choice was heard."""
    page = mounted(view_data())
    page.locator(".decode-view").press("[")
    feed(page, pack(view_data(key="trace-2")))
    assert "decoder layer 0" in page.locator(".attention header").inner_text()
    page.wait_for_function("reports.at(-1)?.[1].trace === 'trace-2'")
    assert page.evaluate("reports.at(-1)[1].layer") == 0
    feed(page, pack(view_data(key="trace-3", step=0)))
    assert "decoder layer 0" in page.locator(".attention header").inner_text()
    assert place(page) == "Step 0, 1 of 4 tokens", "its output may be shorter"
    feed(page, pack(view_data(key="trace-4", head=2)))
    assert "decoder layer 1, head 2" in page.locator(".attention header").inner_text(), (
        "the page's own choice"
    )


@pytest.mark.browser
def test_keys_go_on_where_the_control_that_had_the_focus_is_not_needed_any_more(mounted):
    page = mounted(view_data(step=0, head=0, what_if=what_if()))
    page.get_by_role("button", name="Force w01").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("button", name="Force w11").count() == 0, "it is what was chosen there"
    settled = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.evaluate(settled)
    page.keyboard.press("]")
    page.keyboard.press("[")
    assert "decoder layer 0" in page.locator(".attention header").inner_text()
    page.get_by_role("button", name="Explain this number").focus()
    page.keyboard.press(",")
    page.evaluate(settled)
    page.keyboard.press(".")
    assert "head 0" in page.locator(".attention header").inner_text()


@pytest.mark.browser
def test_a_table_that_was_scrolled_stays_so_when_other_weights_come(mounted):
    page = mounted(view_data(step=3))
    page.get_by_role("button", name="Table", exact=True).click()
    table = page.get_by_role("region", name="Table of the weights")
    page.locator(".attention").evaluate(
        "card => card.getRootNode().append(Object.assign(document.createElement('style'),"
        " { textContent: '.decode-view .numbers { width: 200px; height: 60px; }' }))"
    )
    table.evaluate("box => box.scrollTo(30, 20)")
    feed(page, pack(view_data(key="trace-2", step=3)))
    assert table.evaluate("box => [box.scrollLeft, box.scrollTop]") == [30, 20]


@pytest.mark.browser
def test_the_cell_of_the_keys_and_a_typed_token_outlast_other_weights(mounted):
    page = mounted(view_data(step=3, head=0, what_if=what_if()))
    cells = page.locator("canvas.cells")
    cells.focus()
    for key in ("Home", "ArrowUp"):
        page.keyboard.press(key)
    later = {"step": 3, "head": 0, "what_if": what_if()}
    feed(page, pack(view_data(key="trace-2", **later)))
    page.keyboard.press("ArrowRight")
    assert place(page) == "Step 3, 4 of 4 tokens", "the cell has moved, not the step"
    assert page.locator(".readout p").inner_text().startswith("Step 2 (→ é) reads <b>x</b> with weight")
    field = page.get_by_role("combobox", name="Any other token")
    field.press_sequentially("zz")
    feed(page, pack(view_data(key="trace-3", **later)))
    page.keyboard.type("z")
    assert field.input_value() == "zzz"
    feed(page, pack(view_data(key="other", source_tokens=tuple("abcd."), **later)))
    assert field.input_value() == "", "another sentence"
