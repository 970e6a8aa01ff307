"""The decoding view: its message, what it accepts back, and that both sides write numbers and tokens alike."""

import dataclasses
import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer.components import decode_view as module
from explorer.components.assets import script, style
from explorer.components.decode_view import SCRIPTS, DecodeViewData, ViewState, pack, parse_view
from explorer.theme import format_log_prob, format_probability

FOLDER = Path(module.__file__).parent
LAYERS, HEADS, STEPS, POSITIONS, WIDTH = 2, 3, 4, 5, 6  # each its own size: a swapped axis fails


def view_data(**changes) -> DecodeViewData:
    rng = np.random.default_rng(0)
    weights = rng.random((LAYERS, HEADS, STEPS, POSITIONS), np.float32)
    probs = np.sort(rng.dirichlet(np.ones(WIDTH + 3), STEPS)[:, :WIDTH].astype(np.float32))[:, ::-1]
    data = DecodeViewData(
        key="trace-1",
        source_name="English",
        target_name="French",
        source_tokens=("the", "<b>x</b>", " ", "\ud800", "</s>"),
        output_tokens=("les", "chats", "é", "</s>"),
        weights=weights / weights.sum(-1, keepdims=True),
        site="decoder.layers.{layer}.cross_attn.weights",
        dtype="float32",
        candidate_tokens=tuple(tuple(f"w{t}{i}" for i in range(WIDTH)) for t in range(STEPS)),
        candidate_probs=probs,
        chosen=(0, 1, 0, 5),
        log_probs=np.log(probs[range(STEPS), [0, 1, 0, 5]]),
        entropy_bits=rng.random(STEPS, np.float32),
        vocabulary_size=156,
        gold=((0,), (1, 2), (), (4,)),
        gold_note="",
        step=2,
        layer=1,
        head=None,
        overlay=False,
        autoplay=True,
    )
    return dataclasses.replace(data, **changes)


def unpack(message: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + length].decode())
    start = 4 + length + -length % 4
    assert message[4 + length : start] == b"\0" * (start - 4 - length)
    values = np.frombuffer(message, "<f4", offset=start)
    arrays, end = {}, 0
    for entry in header["arrays"]:
        assert entry["offset"] == end
        end += int(np.prod(entry["shape"]))
        arrays[entry["name"]] = values[entry["offset"] : end].reshape(entry["shape"])
    assert end == values.size
    return header, arrays


def test_the_message_holds_the_recorded_float32_bit_for_bit():
    data = view_data()
    _, arrays = unpack(pack(data))
    for name in ("weights", "candidate_probs", "log_probs", "entropy_bits"):
        np.testing.assert_array_equal(arrays[name], getattr(data, name), strict=True)
    np.testing.assert_array_equal(arrays["mean"], data.weights.mean(1, dtype=np.float32), strict=True)


@pytest.mark.parametrize("key", ["k", "kk", "kkk", "kkkk"])
def test_the_arrays_start_at_a_multiple_of_four_whatever_the_header_length(key):
    header, arrays = unpack(pack(view_data(key=key)))
    assert header["key"] == key
    assert arrays["weights"].shape == (LAYERS, HEADS, STEPS, POSITIONS)


def test_the_header_holds_the_rest_as_given():
    data = view_data(head=np.int64(2).item(), gold=None, gold_note="none known")
    header, arrays = unpack(pack(data))
    for field in dataclasses.fields(data):
        if field.name not in arrays:
            assert header[field.name] == json.loads(json.dumps(getattr(data, field.name)))


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
    return {"trace": "trace-1", "step": 1, "layer": 0, "head": 2, "overlay": True, "report": 7} | changes


@given(
    st.integers(0, STEPS - 1),
    st.integers(0, LAYERS - 1),
    st.none() | st.integers(0, HEADS - 1),
    st.booleans(),
)
def test_every_choice_in_range_is_accepted(step, layer, head, overlay):
    raw = json.loads(json.dumps(report(step=step, layer=layer, head=head, overlay=overlay)))
    assert parse_view(raw, view_data()) == ViewState(step, layer, head, overlay, 7)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(json_values | st.fixed_dictionaries(dict.fromkeys(report(), json_values)))
def test_anything_else_is_none_and_never_an_error(raw):
    assert parse_view(raw, view_data()) is None


@given(
    st.sampled_from(["step", "layer", "head"]),
    st.integers(max_value=-1) | st.integers(STEPS) | st.floats() | st.booleans() | st.text(),
)
def test_one_wrong_part_spoils_the_whole_report(name, value):
    assert parse_view(report(**{name: value}), view_data()) is None


def test_a_report_about_another_trace_is_not_about_this_one():
    assert parse_view(report(trace="trace-0"), view_data()) is None


def test_there_is_no_overlay_without_gold():
    assert parse_view(report(), view_data(gold=None)).overlay is False


def test_every_script_is_listed_and_tokens_never_become_markup():
    assert sorted(SCRIPTS) == sorted(path.name for path in FOLDER.glob("*.js"))
    text = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment", text
    )
    assert text.count("export default") == 1


def test_no_colour_is_written_a_second_time():
    sheet = (FOLDER / "view.css").read_text(encoding="utf-8")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", sheet)


def test_the_page_gets_exactly_the_packed_message():
    def app():
        from explorer.components.decode_view import decode_view
        from tests.explorer.test_decode_view import view_data

        decode_view(view_data(), key="view")

    at = AppTest.from_function(app, default_timeout=30).run()
    assert not at.exception
    assert at.get_by_key("view").proto.bytes == pack(view_data())


@pytest.fixture(scope="module")
def page(browser):
    """A blank page in a real browser that has the functions of payload.js."""
    page = browser.new_page()
    page.add_script_tag(content=(FOLDER / "payload.js").read_text(encoding="utf-8"))
    yield page
    page.close()


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
    header, weights, cell = page.evaluate(
        """raw => {
            const bytes = Uint8Array.from(raw).subarray(3), payload = readPayload(bytes), trace = makeTrace(payload);
            return [payload.header, Array.from(payload.arrays.weights), trace.matrix(1, 2)[3 * trace.positions + 4]];
        }""",
        list(message),
    )
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


MOUNT = """async ([source, css, bytes]) => {
    document.body.innerHTML = '<div id="host"></div>';
    const shadow = document.querySelector("#host").attachShadow({ mode: "open" });
    const root = Object.assign(document.createElement("div"), { className: "decode-view" });
    const style = Object.assign(document.createElement("style"), { textContent: css });
    shadow.append(style, root);
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const reports = window.reports = [];  // its own: an earlier view may still have something to say
    const view = (await import(address)).default;
    window.feed = (bytes) => view({
        data: Uint8Array.from(bytes), parentElement: shadow,
        setStateValue: (name, value) => reports.push([name, value]),
    });
    window.feed(bytes);
}"""


@pytest.fixture
def mounted(page):
    """Mounts the view without Streamlit; ``window.feed`` hands it a message, ``window.reports`` hears it."""

    def mount(data: DecodeViewData):
        source = script(*(FOLDER / name for name in SCRIPTS))
        css = style(FOLDER / "view.css")
        page.set_viewport_size({"width": 1040, "height": 1000})
        page.evaluate(MOUNT, [source, css, list(pack(data))])
        return page

    return mount


def place(page) -> str:
    return page.locator(".place").inner_text()


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    data = view_data(
        autoplay=False,
        step=3,
        source_tokens=("<b>x</b>", "&amp;", " ", hostile, "</s>"),
        output_tokens=(hostile, "b", "c", "<script>window.pwned=1</script>"),
        candidate_tokens=((hostile,) * WIDTH,) * STEPS,
    )
    page = mounted(data)
    page.locator("button.link").click()
    assert page.locator(".chip.source .word").all_inner_texts()[:3] == ["<b>x</b>", "&amp;", "␣"]
    assert page.locator(".decode-view :is(img, script, .word b)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_keys_step_and_choose_and_the_resting_place_is_reported_once(mounted):
    page = mounted(view_data(autoplay=False))
    page.wait_for_timeout(600)
    assert page.evaluate("reports") == []
    page.locator(".track").focus()
    for key in ("Home", "ArrowRight", "[", ".", "."):
        page.keyboard.press(key)
    assert place(page) == "Step 1, 2 of 4 tokens"
    page.wait_for_function("reports.length > 0")
    page.wait_for_timeout(600)
    ((name, told),) = page.evaluate("reports")
    assert told.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    assert (name, told) == ("view", {"trace": "trace-1", "step": 1, "layer": 0, "head": 1, "overlay": False})


@pytest.mark.browser
def test_arrows_move_the_cell_inside_the_matrix_and_escape_leaves_it(mounted):
    data = view_data(autoplay=False)
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
    page = mounted(view_data(autoplay=False))

    def hear(step, report, key="trace-1"):
        page.evaluate("feed", list(pack(view_data(autoplay=False, step=step, report=report, key=key))))

    def told(count):
        page.wait_for_function("count => reports.length === count", arg=count)
        return page.evaluate("reports")[-1][1]["report"]

    page.locator(".track").focus()
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
def test_a_new_trace_plays_itself_once_and_silently(mounted):
    page = mounted(view_data(key="arrival", autoplay=True))
    assert place(page) == "Step 0, 1 of 4 tokens"
    page.wait_for_function(
        "document.querySelector('#host').shadowRoot.querySelector('.place').textContent.startsWith('Step 3')"
    )
    page.wait_for_timeout(600)
    assert page.locator(".button.play").get_attribute("aria-label") == "Play"
    assert page.evaluate("reports") == []


@pytest.mark.browser
def test_with_reduced_motion_the_last_step_is_there_at_once(mounted, page):
    page.emulate_media(reduced_motion="reduce")
    page = mounted(view_data(key="calm", autoplay=True))
    assert place(page) == "Step 3, 4 of 4 tokens"
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.browser
def test_a_step_builds_no_element(mounted):
    page = mounted(view_data(autoplay=False, step=0))
    page.locator(".track").focus()
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
    page = mounted(view_data(autoplay=False))
    root = page.locator(".decode-view")
    assert root.get_attribute("data-look") == "light"
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    page.evaluate("feed", list(pack(view_data(autoplay=False))))
    assert root.get_attribute("data-look") == "dark"
