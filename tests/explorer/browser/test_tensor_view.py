"""The tensor view: its message, what it accepts back, which number a cell is, and how it is used."""

import dataclasses
import math
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer.browser import tensor_view as module
from explorer.browser.assets import script, view_style
from explorer.browser.tensor_view import ASK, LOOK, SCRIPTS, Asked, Looked, pack
from explorer.look.theme import RAMPS, format_signed, ramp_color
from explorer.tensors import (
    Axis,
    CellPlace,
    Chooser,
    Panel,
    Stage,
    TensorData,
    TensorViewData,
    cell_index,
    check,
    decoder_rows,
)
from explorer.visitor.reports import MAX_REPORT
from tests.conftest import PATIENCE
from tests.explorer.mounting import MOUNT
from tests.unpacked import unpacked

FOLDER = Path(module.__file__).parent
LAYERS, HEADS, QUERIES, KEYS, SIZE = 2, 3, 4, 5, 6  # each its own size: a swapped axis fails
SOURCE = ("the", "<b>x</b>", " ", "cat", "</s>")
INPUT, OUTPUT = ("<s>", "le", "chat", "dort"), ("le", "chat", "dort", "</s>")


def values(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def tensors() -> dict[str, TensorData]:
    layer, head = Axis("layer", LAYERS), Axis("head", HEADS)
    query, key = decoder_rows("query", INPUT, OUTPUT), Axis("key", KEYS, SOURCE, "source")
    size = Axis("d_head", SIZE)
    weights = np.abs(values(LAYERS, HEADS, QUERIES, KEYS, seed=1)) + 0.01
    hidden = np.zeros(weights.shape, bool)
    hidden[..., 0, 4] = True
    weights[hidden] = 0
    site = "decoder.layers.{layer}.cross_attn"
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    return {
        "q": TensorData(
            f"{site}.q", values(LAYERS, HEADS, QUERIES, SIZE), (layer, head, query, size), letter="q"
        ),
        "k": TensorData(
            f"{site}.k", values(LAYERS, HEADS, KEYS, SIZE, seed=2), (layer, head, key, size), letter="k"
        ),
        "scores": TensorData(
            f"{site}.scores", values(LAYERS, HEADS, QUERIES, KEYS, seed=3), (layer, head, query, key)
        ),
        "weights": TensorData(
            f"{site}.weights", weights, (layer, head, query, key), scale="weight", hidden=hidden
        ),
        "bias": TensorData(
            f"{site}.b_q",
            values(LAYERS, HEADS, SIZE, seed=4),
            (layer, head, size),
            (("head", "d_head"),),
            lead=(),
        ),
    }


PRODUCT = Stage(
    "scores",
    "Scores",
    "product",
    (
        Panel("q", "Q queries", ("query",), ("d_head",), "qk"),
        Panel("k", "Kᵀ keys", ("d_head",), ("key",), "qk"),
        Panel("scores", "S scores", ("query",), ("key",)),
    ),
    formula="S = Q Kᵀ / √6",
)
SOFTMAX = Stage(
    "softmax",
    "Softmax",
    "map",
    (Panel("scores", "S scores", ("query",), ("key",)), Panel("weights", "A weights", ("query",), ("key",))),
    arrows=("softmax of each row",),
)
JOINED = Stage(
    "joined",
    "Joined",
    "one",
    (Panel("q", "All heads", ("query",), ("head", "d_head")), Panel("bias", "b_Q", (), ("d_head",))),
)


def view_data(**changes) -> TensorViewData:
    data = TensorViewData(
        key="run-1",
        tensors=tensors(),
        stages=(PRODUCT, SOFTMAX, JOINED),
        choosers=(Chooser("layer", "Layer", ("0", "1"), 1), Chooser("head", "Head", ("0", "1", "2"), 0)),
        stage="scores",
        row=2,
    )
    return dataclasses.replace(data, **changes)


def unpack(message: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    header, arrays, _ = unpacked(message)
    return header, arrays


def test_the_message_holds_the_numbers_bit_for_bit_and_the_masks():
    data = view_data()
    _, arrays = unpack(pack(data))
    for name, tensor in data.tensors.items():
        np.testing.assert_array_equal(arrays[f"{name}/values"], tensor.values, strict=True)
    np.testing.assert_array_equal(arrays["weights/hidden"] != 0, data.tensors["weights"].hidden)
    assert "q/hidden" not in arrays


def test_the_header_names_every_field_and_keeps_every_order():
    data = view_data(cell=CellPlace("decoder.layers.1.cross_attn.q", (0, 1, 2, 3)))
    header, _ = unpack(pack(data))
    assert list(header["tensors"]) == list(data.tensors)
    assert [axis["name"] for axis in header["tensors"]["q"]["axes"]] == ["layer", "head", "query", "d_head"]
    for kind, entry in (
        (Axis, header["tensors"]["q"]["axes"][0]),
        (Stage, header["stages"][0]),
        (Panel, header["stages"][0]["panels"][0]),
        (Chooser, header["choosers"][0]),
    ):
        assert list(entry) == [field.name for field in dataclasses.fields(kind)]
    assert [stage["key"] for stage in header["stages"]] == ["scores", "softmax", "joined"]
    assert header["tensors"]["bias"]["index"] == [["head", "d_head"]]
    assert header["cell"] == {"site": "decoder.layers.1.cross_attn.q", "index": [0, 1, 2, 3]}


def test_without_a_chosen_stage_the_first_is_open():
    assert unpack(pack(view_data(stage="")))[0]["stage"] == "scores"


def with_tensor(name: str, **changes) -> dict:
    known = tensors()
    return {"tensors": {**known, name: dataclasses.replace(known[name], **changes)}}


def with_writes(*writes: str, of: str = "q") -> tuple[Axis, ...]:
    """The axes of a tensor, of which the rows write these tokens."""
    axes = tensors()[of].axes
    return tuple(dataclasses.replace(axis, writes=writes) if axis.name == "query" else axis for axis in axes)


def with_panel(**changes) -> dict:
    panel = dataclasses.replace(JOINED.panels[0], **changes)
    return {"stages": (dataclasses.replace(JOINED, panels=(panel,)),), "stage": "joined"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (with_tensor("q", values=values(1, 2)), "shape"),
        (with_tensor("weights", hidden=np.zeros((1,), bool)), "mask"),
        (with_tensor("q", site="decoder.layers.0.cross_attn.q"), "layer"),
        (with_tensor("q", sites=("embed.q",)), "a site for each of the layers"),
        (with_tensor("q", axes=with_writes("dort")), "needs 4 tokens that its rows write"),
        (with_tensor("q", index=(("head", "head"),)), "index"),
        (with_tensor("q", index=(("nothing",),)), "index"),
        ({"stages": ()}, "at least one stage"),
        ({"stages": (PRODUCT, PRODUCT)}, "different keys"),
        ({"stage": "nothing"}, "is not one of the stages"),
        ({"choosers": ()}, "needs a chooser"),
        (
            {
                "choosers": (
                    Chooser("layer", "Layer", ("0", "1"), 2),
                    Chooser("head", "Head", ("0", "1", "2"), 0),
                )
            },
            "options",
        ),
        (
            {"choosers": (Chooser("layer", "Layer", ("0", "1"), 1), Chooser("head", "Head", ("0",), 0))},
            "options",
        ),
        ({"stages": (dataclasses.replace(PRODUCT, panels=PRODUCT.panels[:2]),)}, "product"),
        ({"stages": (dataclasses.replace(SOFTMAX, arrows=()),), "stage": "softmax"}, "arrow"),
        ({"stages": (dataclasses.replace(JOINED, panels=()),), "stage": "joined"}, "nothing to show"),
        (with_panel(tensor="nothing"), "not among"),
        (with_panel(columns=("d_head", "d_head")), "twice"),
        (with_panel(columns=("nothing",)), "lacks"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(changes, says):
    with pytest.raises(ValueError, match=says):
        check(view_data(**changes))


def window_of_layer(layer: int) -> dict[str, TensorData]:
    """All tensors with that layer only."""
    return {
        name: dataclasses.replace(
            tensor,
            values=tensor.values[layer : layer + 1],
            hidden=None if tensor.hidden is None else tensor.hidden[layer : layer + 1],
            axes=(Axis("layer", LAYERS, places=(layer,)), *tensor.axes[1:]),
        )
        for name, tensor in tensors().items()
    }


def choosers(layer: int, head: int = 0, *, local: bool = True) -> tuple[Chooser, ...]:
    return Chooser("layer", "Layer", ("0", "1"), layer, local), Chooser("head", "Head", ("0", "1", "2"), head)


def test_a_chooser_is_local_only_where_all_its_places_are():
    check(view_data(tensors=window_of_layer(1), choosers=choosers(1, local=False)))
    with pytest.raises(ValueError, match="cannot be local"):
        check(view_data(tensors=window_of_layer(1), choosers=choosers(1)))
    with pytest.raises(ValueError, match="which is chosen"):
        check(view_data(tensors=window_of_layer(1), choosers=choosers(0, local=False)))


@st.composite
def windowed(draw) -> tuple[TensorData, np.ndarray]:
    """A tensor with merged axes and windows, and the whole array that it is cut from, as `core` would index it."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    names = [f"a{i}" for i in range(len(sizes))]
    windows = [
        draw(st.none() | st.lists(st.integers(0, n - 1), min_size=1, unique=True).map(tuple)) for n in sizes
    ]
    ends = sorted({*draw(st.lists(st.integers(1, len(sizes)), max_size=3)), len(sizes)})
    index = tuple(tuple(names[a:b]) for a, b in zip([0, *ends], ends, strict=False))
    # The index may name the axes in another order than they are held in, as a transposed matrix does.
    index = tuple(draw(st.permutations(index)))
    axes = tuple(Axis(name, n, places=w) for name, n, w in zip(names, sizes, windows, strict=True))
    size = dict(zip(names, sizes, strict=True))
    whole = np.arange(math.prod(sizes), dtype=np.float32).reshape(
        [math.prod(size[a] for a in group) for group in index]
    )
    order = [name for group in index for name in group]
    apart = whole.reshape([size[name] for name in order]).transpose([order.index(name) for name in names])
    shown = apart[np.ix_(*[w if w is not None else range(n) for n, w in zip(sizes, windows, strict=True)])]
    return TensorData("site", shown, axes, index, lead=()), whole


@settings(deadline=None)
@given(windowed())
def test_the_index_of_a_shown_cell_is_its_place_in_the_whole_tensor(case):
    tensor, whole = case
    assert tensor.index_shape == whole.shape
    for place in np.ndindex(tensor.values.shape):
        named = dict(zip((axis.name for axis in tensor.axes), place, strict=True))
        assert whole[cell_index(tensor, named)] == tensor.values[place]


def look(**changes) -> dict:
    return {"key": "run-1", "stage": "softmax", "choices": {"layer": 0, "head": 2}, "report": 7, **changes}


def ask(**changes) -> dict:
    return {"key": "run-1", "tensor": "q", "layer": 1, "index": [2, 3, 5], "report": 7, **changes}


def test_a_choice_and_a_question_are_understood():
    assert LOOK.parse(look(), view_data()) == Looked("softmax", {"layer": 0, "head": 2}, 7)
    assert ASK.parse(ask(), view_data()) == Asked(CellPlace("decoder.layers.1.cross_attn.q", (0, 2, 3, 5)), 7)
    named = view_data(**with_tensor("q", site="embed.q", sites=("embed.q", "layers.0.q")))
    assert ASK.parse(ask(), named) == Asked(CellPlace("layers.0.q", (0, 2, 3, 5)), 7)
    merged = ask(tensor="bias", index=[HEADS * SIZE - 1])
    assert ASK.parse(merged, view_data()) == Asked(CellPlace("decoder.layers.1.cross_attn.b_q", (17,)), 7)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "x",
        [],
        look(key="run-2"),
        look(stage="nothing"),
        look(stage=["scores"]),
        look(choices=None),
        look(choices={"layer": 0}),
        look(choices={"layer": 0, "head": 3}),
        look(choices={"layer": -1, "head": 0}),
        look(choices={"layer": True, "head": 0}),
        look(choices={"layer": 0.0, "head": 0}),
        look(report=-1),
        look(report=MAX_REPORT),
        look(report="7"),
    ],
)
def test_an_impossible_choice_is_refused(raw):
    assert LOOK.parse(raw, view_data()) is None


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "x",
        ask(key="run-2"),
        ask(tensor="nothing"),
        ask(tensor=None),
        ask(layer=2),
        ask(layer=None),
        ask(layer=True),
        ask(index=None),
        ask(index="123"),
        ask(index=[2, 3]),
        ask(index=[2, 3, 5, 0]),
        ask(index=[HEADS, 0, 0]),
        ask(index=[0, 0, -1]),
        ask(index=[0, 0, 1.0]),
        ask(index=[0, 0, False]),
        ask(report=None),
    ],
)
def test_an_impossible_question_is_refused(raw):
    assert ASK.parse(raw, view_data()) is None


def test_the_page_gets_exactly_the_packed_message():
    def app():
        from explorer.browser.tensor_view import tensor_view
        from tests.explorer.browser.test_tensor_view import view_data

        tensor_view(view_data(), key="view")

    at = AppTest.from_function(app, default_timeout=PATIENCE).run()
    assert not at.exception
    assert at.get_by_key("view").proto.bytes == pack(view_data())


# ---- in a real browser ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(browser):
    """A page with the functions of every script but the last, which is the view itself."""
    page = browser.new_page(viewport={"width": 1040, "height": 1000})
    page.add_script_tag(content=script(*SCRIPTS[:-1]))
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    """Mounts the view without Streamlit; ``window.feed`` hands it a message, ``window.reports`` hears it."""

    def mount(data: TensorViewData, width: int = 1040):
        page.set_viewport_size({"width": width, "height": 1000})
        source = script(*SCRIPTS)
        page.evaluate(MOUNT, ["tensor-view", source, view_style(FOLDER / "view.css"), list(pack(data))])
        return page

    return mount


@pytest.mark.browser
@settings(max_examples=25, deadline=None)
@given(case=windowed(), cut=st.integers(0, 4))
def test_the_browser_finds_the_same_number_and_the_same_index(page, case, cut):
    tensor, whole = case
    names = tuple(axis.name for axis in tensor.axes)
    panel = Panel("t", "T", names[:cut], names[cut:] or names[:0])
    if not panel.columns:
        panel = Panel("t", "T", (), names)
    data = TensorViewData("k", {"t": tensor}, (Stage("s", "S", "one", (panel,)),))
    cells = page.evaluate(
        """raw => {
            const { header, arrays } = readPayload(Uint8Array.from(raw));
            const tensor = makeTensor("t", header.tensors.t, arrays);
            const plane = makePlane(tensor, header.stages[0].panels[0], () => 0), cells = [];
            const { rows, columns } = plane;
            for (let row = 0; row < rows.count; row++) for (let column = 0; column < columns.count; column++) {
                const index = plane.index(row, column);
                cells.push([index, plane.value(row, column), plane.find({ site: "site", index })]);
            }
            return cells;
        }""",
        list(pack(data)),
    )
    assert [value for _, value, _ in cells] == tensor.values.ravel().tolist()
    assert all(whole[tuple(index)] == value for index, value, _ in cells)
    columns = math.prod(axis.shown for axis in tensor.axes if axis.name in panel.columns)
    assert [found["row"] * columns + found["column"] for *_, found in cells] == list(range(len(cells)))


@pytest.mark.browser
def test_both_sides_write_signed_numbers_alike(page):
    rng = np.random.default_rng(1)
    numbers = [
        0.0,
        0.001,
        0.000999,
        9999.0,
        9999.4,
        1e-7,
        2.4e-7,
        -123456.0,
        *(10 ** rng.uniform(-9, 7, 300)),
    ]
    numbers = [float(sign * number) for number in numbers for sign in (1, -1)]
    assert page.evaluate("v => v.map(formatSigned)", numbers) == [format_signed(number) for number in numbers]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["weight", "plus", "minus"])
def test_the_ramps_are_those_of_the_theme(page, name):
    stops = RAMPS["dark"][name]
    drawn = page.evaluate("stops => makeRamp(stops.map(channels)).bytes", list(stops))
    for i, colour in enumerate(drawn):
        expected = [int(ramp_color(stops, i / 255)[k : k + 2], 16) for k in (1, 3, 5)]
        assert max(abs(a - b) for a, b in zip(colour, expected, strict=True)) <= 1


def sentence(page) -> str:
    return " ".join(page.locator(".sentence").inner_text().split())


def hover(page, panel: int, row: int, column: int, rows: int, columns: int) -> None:
    box = page.locator("canvas.cells").nth(panel).bounding_box()
    page.mouse.move(
        box["x"] + (column + 0.5) * box["width"] / columns, box["y"] + (row + 0.5) * box["height"] / rows
    )


def frame(page, panel: int, name: str) -> tuple[int, int, int, int] | None:
    """Of a frame: its first row and column, and how many it holds; None when it is hidden."""
    return page.evaluate(
        """([panel, name]) => {
            const node = document.querySelector("#host").shadowRoot.querySelectorAll(".panel")[panel];
            const frame = node.querySelector(`.frame.${name}`), style = getComputedStyle(frame);
            if (style.visibility === "hidden") return null;
            const cells = node.querySelector("canvas").getBoundingClientRect(), box = frame.getBoundingClientRect();
            return [box.top - cells.top, box.left - cells.left, box.height, box.width, cells.height, cells.width];
        }""",
        [panel, name],
    )


def places(page, panel: int, name: str, rows: int, columns: int) -> list[int] | None:
    found = frame(page, panel, name)
    if found is None:
        return None
    top, left, height, width, full_height, full_width = found
    down, across = full_height / rows, full_width / columns
    return [round(top / down), round(left / across), round(height / down), round(width / across)]


@pytest.mark.browser
def test_a_cell_of_a_product_frames_its_row_and_its_column(mounted):
    data = view_data()
    page = mounted(data)
    page.emulate_media(reduced_motion="reduce")
    hover(page, 2, 1, 3, QUERIES, KEYS)
    assert places(page, 0, "link-row", QUERIES, SIZE) == [1, 0, 1, SIZE]
    assert places(page, 1, "link-column", SIZE, KEYS) == [0, 3, SIZE, 1]
    assert places(page, 2, "hover", QUERIES, KEYS) == [1, 3, 1, 1]
    value = format_signed(float(data.tensors["scores"].values[1, 0, 1, 3]))
    assert (
        sentence(page)
        == f"Row reads le → writes chat of Q queries times column cat of Kᵀ keys gives {value} scores[0, 0, 1, 3]"
    )
    assert places(page, 2, "step", QUERIES, KEYS) == [2, 0, 1, KEYS]


@pytest.mark.browser
def test_the_result_of_a_product_continues_its_factors(mounted):
    page = mounted(view_data())
    a, b, c = (page.locator("canvas.cells").nth(k).bounding_box() for k in range(3))
    assert page.locator(".card").get_attribute("data-arrangement") == "corner"
    assert (c["y"], c["height"]) == (a["y"], a["height"])
    assert (c["x"], c["width"]) == (b["x"], b["width"])
    assert b["y"] + b["height"] < c["y"]
    assert a["x"] + a["width"] < c["x"]


def texts(page, panel: int, box: str) -> list[str]:
    """The labels of a panel at one of its sides."""
    labels = page.locator(".panel").nth(panel).locator(f".{box} .label:not(.floating)")
    return [text.strip() for text in labels.all_inner_texts()]


@pytest.mark.browser
def test_a_row_of_the_decoder_begins_with_what_it_reads_and_ends_with_what_it_writes(mounted):
    page = mounted(view_data())
    written = [f"→ {token}" for token in OUTPUT]
    assert (texts(page, 0, "rows"), texts(page, 0, "ends")) == (list(INPUT), []), "the result ends the row"
    assert (texts(page, 2, "rows"), texts(page, 2, "ends")) == ([], written)
    cells, end = (page.locator(at).last for at in (".panel canvas.cells", ".ends .label:not(.floating)"))
    assert end.bounding_box()["x"] > cells.bounding_box()["x"] + cells.bounding_box()["width"]
    page.get_by_role("tab", name="Softmax").click()
    assert (texts(page, 0, "ends"), texts(page, 1, "ends")) == ([], written)
    page.get_by_role("button", name="Table", exact=True).click()
    assert page.locator(".numbers tbody th").first.inner_text() == "reads <s> → writes le"


@pytest.mark.browser
def test_what_rows_write_takes_no_room_from_the_cells(mounted):
    sizes = {}
    for writes in (OUTPUT, ("a" * 30,) * QUERIES):
        axes = {name: with_writes(*writes, of=name) for name in ("q", "scores", "weights")}
        page = mounted(
            view_data(
                key=writes[0],
                tensors={
                    name: dataclasses.replace(tensor, axes=axes.get(name, tensor.axes))
                    for name, tensor in tensors().items()
                },
            ),
            width=620,
        )
        sizes[writes[0]] = page.locator("canvas.cells").nth(2).bounding_box()["width"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(set(sizes.values())) == 1


@pytest.mark.browser
def test_on_a_phone_the_panels_stack_and_the_page_does_not_scroll_sideways(mounted):
    page = mounted(view_data(), width=390)
    boxes = [page.locator("canvas.cells").nth(k).bounding_box() for k in range(3)]
    assert boxes[0]["y"] < boxes[1]["y"] < boxes[2]["y"]
    assert page.locator(".operator:visible").all_inner_texts() == ["×", "="]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".ends .label").count() == 0, "there is no room for what the rows write"


@pytest.mark.browser
def test_a_tensor_may_have_another_name_in_each_layer(mounted):
    names = with_tensor("scores", site="embed.scores", sites=("embed.scores", "layers.0.scores"))
    page = mounted(view_data(**names, cell=CellPlace("layers.0.scores", (0, 0, 2, 1))))
    assert page.locator("code.site").inner_text() == "layers.0.scores"
    assert places(page, 2, "cell", QUERIES, KEYS) == [2, 1, 1, 1]
    page.locator('[role="tab"]').first.focus()
    page.keyboard.press("[")
    assert page.locator("code.site").inner_text() == "embed.scores"


@pytest.mark.browser
def test_keys_move_the_cell_and_enter_asks_for_it(mounted):
    data = view_data(cell=CellPlace("decoder.layers.1.cross_attn.scores", (0, 0, 2, 1)))
    page = mounted(data)
    page.locator('[role="tab"]').nth(1).focus()
    page.locator("canvas.cells").nth(2).focus()
    for key in ("ArrowRight", "ArrowUp", "End", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    assert "Row reads chat → writes dort of Q queries times column cat" in sentence(page)
    page.keyboard.press("PageUp")
    page.keyboard.press("Home")
    assert "Row reads <s> → writes le of Q queries times column the of Kᵀ keys" in sentence(page)
    page.keyboard.press("Enter")
    ((name, told),) = page.evaluate("reports")
    assert told.pop("report") > 1_500_000_000_000, "numbers must grow from one page load to the next"
    assert (name, told) == ("ask", {"key": "run-1", "tensor": "scores", "layer": 1, "index": [0, 0, 0]})
    assert ASK.parse({**told, "report": 1}, data) is not None
    assert places(page, 2, "cell", QUERIES, KEYS) == [0, 0, 1, 1]
    page.keyboard.press("Escape")
    assert (
        page.evaluate("document.querySelector('#host').shadowRoot.activeElement.className") == "tensor-view"
    )


@pytest.mark.browser
def test_the_explained_cell_is_marked_wherever_it_is_shown(mounted):
    cell = CellPlace("decoder.layers.1.cross_attn.q", (0, 2, 3, 4))
    page = mounted(view_data(cell=cell, choosers=choosers(1, head=2)))
    assert places(page, 0, "cell", QUERIES, SIZE) == [3, 4, 1, 1]
    assert frame(page, 2, "cell") is None
    page.get_by_role("button", name="head 1", exact=True).click()
    assert frame(page, 0, "cell") is None, "another head is shown"
    page.get_by_role("tab", name="Joined").click()
    found = frame(page, 0, "cell")
    assert found is not None, "all heads side by side"
    # Two gaps between the heads stand before it.
    assert round((found[1] - 8) / ((found[5] - 8) / (HEADS * SIZE))) == 2 * SIZE + 4


@pytest.mark.browser
def test_keys_choose_layer_and_head_and_the_resting_choice_is_reported_once(mounted):
    page = mounted(view_data())
    page.get_by_role("tab", name="Scores").focus()
    for key in ("]", "[", ".", ".", ".", ","):
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("reports.length > 0")
    ((name, told),) = page.evaluate("reports")
    told.pop("report")
    assert (name, told) == ("view", {"key": "run-1", "stage": "softmax", "choices": {"layer": 0, "head": 1}})
    assert page.locator(".card h2").inner_text() == "Softmax, head 1"
    assert page.locator("code.site").inner_text() == "decoder.layers.0.cross_attn.weights"


@pytest.mark.browser
def test_without_a_pointer_the_sentence_is_about_the_row_of_the_current_step(mounted):
    scores = tensors()["scores"].values[1, 0]
    for row in range(QUERIES):
        page = mounted(view_data(key=f"row {row}", row=row))
        column = int(np.abs(scores[row]).argmax())
        assert sentence(page).endswith(f"scores[0, 0, {row}, {column}]")
    page = mounted(view_data(key="no row", row=None))
    peak = np.unravel_index(np.abs(scores).argmax(), scores.shape)
    assert sentence(page).endswith(f"scores[0, 0, {peak[0]}, {peak[1]}]")


@pytest.mark.browser
def test_a_key_changes_nothing_that_the_open_stage_does_not_show(mounted):
    all_heads = dataclasses.replace(JOINED, panels=JOINED.panels[:1])
    page = mounted(view_data(stages=(PRODUCT, all_heads), stage="joined"))
    page.get_by_role("tab", name="Joined").focus()
    for key in (".", "]"):
        page.keyboard.press(key)
    page.keyboard.press("[")
    page.keyboard.press("[")
    page.wait_for_function("reports.length > 0")
    assert page.evaluate("reports[0][1].choices") == {"layer": 0, "head": 0}


@pytest.mark.browser
def test_sizes_have_one_colour_and_ids_are_whole_numbers(mounted):
    axis = Axis("query", QUERIES)
    ids = np.array([3, 343, 0, 2], dtype=np.float32)
    sizes = np.array([0.5, 0.0, 2.5, 0.25], dtype=np.float32)
    known = {
        "ids": TensorData("src", ids, (axis,), scale="size", dtype="int64"),
        "sizes": TensorData("change", sizes, (axis,), scale="size"),
    }
    panels = tuple(Panel(name, name, (), ("query",)) for name in known)
    page = mounted(
        view_data(tensors=known, stages=(Stage("one", "One", "one", panels),), stage="one", row=None)
    )
    legends = [" ".join(text.split()) for text in page.locator(".legend").all_inner_texts()]
    assert legends == ["0 343 ids", "0 2.50 sizes"]
    assert sentence(page) == "query 2: 2.500 change[0, 2]"
    assert ", from 0 to 343. Largest in size at query 1: 343." in page.locator("canvas").first.get_attribute(
        "aria-label"
    )
    page.get_by_role("button", name="Table of ids").click()
    assert page.locator(".numbers tbody td").all_inner_texts() == ["3", "343", "0", "2"]


@pytest.mark.browser
def test_a_layer_that_is_not_here_is_asked_for_at_once_and_drawn_when_it_comes(mounted):
    page = mounted(view_data(tensors=window_of_layer(1), choosers=choosers(1, local=False)))
    page.get_by_role("button", name="layer 0").click()
    ((_, told),) = page.evaluate("reports")
    assert told["choices"] == {"layer": 0, "head": 0}
    assert page.locator("code.site").inner_text().startswith("decoder.layers.1"), "it shows what it has"
    answer = view_data(tensors=window_of_layer(0), choosers=choosers(0, local=False), report=told["report"])
    page.evaluate("feed", list(pack(answer)))
    assert page.locator("code.site").inner_text().startswith("decoder.layers.0")
    focused = page.evaluate("document.querySelector('#host').shadowRoot.activeElement.dataset.focus")
    assert focused == "layer:0", "a rebuilt view keeps the focus"


@pytest.mark.browser
def test_a_message_is_followed_unless_it_knows_less_than_the_view_has_told(mounted):
    page = mounted(view_data())

    def hear(stage, report, key="run-1"):
        page.evaluate("feed", list(pack(view_data(stage=stage, report=report, key=key))))

    def shown():
        return page.locator('[role="tab"][aria-selected="true"] b').first.inner_text()

    page.get_by_role("tab", name="Softmax").click()
    page.wait_for_function("reports.length === 1")
    first = page.evaluate("reports[0][1].report")
    page.get_by_role("tab", name="Joined").click()
    hear("softmax", first)
    assert shown() == "Joined", "its own report came back while the visitor went on"
    page.wait_for_function("reports.length === 2")
    second = page.evaluate("reports[1][1].report")
    assert second > first
    hear("softmax", first)
    assert shown() == "Joined", "the message was written before the second report was heard"
    hear("softmax", second)
    assert shown() == "Softmax", "the page itself chose another stage"
    hear("joined", 0, key="run-2")
    assert shown() == "Joined", "another run begins anew"


@pytest.mark.browser
def test_its_own_report_coming_back_builds_no_element(mounted):
    page = mounted(view_data())
    page.get_by_role("button", name="head 2").click()
    page.wait_for_function("reports.length === 1")
    page.evaluate("window.before = [...document.querySelector('#host').shadowRoot.querySelectorAll('*')]")
    report = page.evaluate("reports[0][1].report")
    page.evaluate("feed", list(pack(view_data(choosers=choosers(1, head=2), report=report))))
    assert page.evaluate(
        """() => {
            const after = [...document.querySelector('#host').shadowRoot.querySelectorAll('*')];
            return after.length === before.length && after.every((node, i) => node === before[i]);
        }"""
    )


@pytest.mark.browser
def test_what_is_read_stays_open_where_it_was_when_other_numbers_come(mounted):
    page = mounted(view_data(stage="softmax"))
    page.locator(".tensor-view").evaluate("root => { root.style.width = '340px'; }")
    page.get_by_role("button", name="Table of A weights").click()
    table = page.get_by_role("region", name="Table of A weights")
    table.evaluate("box => { box.style.width = '150px'; box.scrollLeft = 40; box.focus(); }")
    before = table.locator("td").all_inner_texts()
    page.keyboard.press(".")
    assert table.locator("td").all_inner_texts() != before, "another head"
    focused = "document.querySelector('#host').shadowRoot.activeElement"
    assert page.evaluate(f"{focused}.dataset.focus") == "numbers"
    assert table.evaluate("box => box.scrollLeft") == 40

    known = tensors()
    other = {**known, "weights": dataclasses.replace(known["weights"], values=known["weights"].values / 2)}
    page.evaluate("feed", list(pack(view_data(tensors=other, stage="softmax"))))
    now = [float(each) for each in table.locator("tbody td").all_inner_texts() if each != "masked"]
    expected = other["weights"].values[1, 1][~known["weights"].hidden[1, 1]]
    np.testing.assert_allclose(now, expected, atol=6e-5)
    assert page.get_by_role("button", name="Hide table").count() == 1
    assert page.evaluate(f"{focused}.dataset.focus") == "numbers"

    canvas = page.locator("canvas.cells").nth(1)
    canvas.press("Home")
    canvas.press("ArrowRight")
    place = sentence(page).split(":")[0]
    assert place.endswith(" · <b>x</b>"), "the cell of the keys"
    page.evaluate("feed", list(pack(view_data(stage="softmax"))))
    assert page.evaluate(f"{focused}.dataset.focus") == "panel:1"
    assert sentence(page).startswith(f"{place}: ")
    page.get_by_role("tab", name="Joined").click()
    assert page.locator(".as-table").count() == 0, "it was a table of the other stage"


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    known = tensors()
    key = Axis("key", KEYS, (hostile, "<script>", "&amp;", "\u202e", " "), "source")
    scores = dataclasses.replace(known["scores"], axes=(*known["scores"].axes[:3], key))
    page = mounted(view_data(tensors={**known, "scores": scores}))
    hover(page, 2, 0, 0, QUERIES, KEYS)
    assert "<img␣src=x" in sentence(page)
    page.get_by_role("button", name="Table", exact=True).click()
    assert "<script>" in page.locator(".numbers thead").inner_text()
    assert page.locator(".tensor-view :is(img, script)").count() == 0
    assert page.evaluate("window.pwned") is None


@pytest.mark.browser
def test_a_masked_cell_reads_masked_and_every_matrix_says_what_it_is(mounted):
    page = mounted(view_data(stage="softmax"))
    hover(page, 1, 0, 4, QUERIES, KEYS)
    assert sentence(page).startswith("reads <s> → writes le · </s>: masked")
    assert "1 masked" in page.locator(".legends").inner_text()
    canvas = page.locator("canvas.cells").nth(1)
    assert canvas.get_attribute("role") == "img"
    assert canvas.get_attribute("aria-roledescription") == "matrix"
    assert canvas.get_attribute("aria-label").startswith("A weights: 4 rows by 5 columns, float32, from 0.")
    page.get_by_role("button", name="Table of A weights").click()
    assert page.locator(".numbers tbody tr").first.locator("td").all_inner_texts()[-1] == "masked"


@pytest.mark.browser
def test_odd_numbers_and_outliers_are_told_and_a_robust_scale_is_offered(mounted):
    size = 40
    numbers = values(size, size)
    numbers[0, :3] = [np.nan, np.inf, 90]
    tensor = TensorData("src_embed.output", numbers, (Axis("position", size), Axis("d_model", size)))
    stage = Stage("x", "X", "one", (Panel("x", "X", ("position",), ("d_model",)),))
    page = mounted(TensorViewData("odd", {"x": tensor}, (stage,)))
    legend = page.locator(".legend")
    assert "90.0" in legend.inner_text()
    assert "1 value beyond ±90.0, 1 not a number" in legend.inner_text(), "infinity lies beyond every scale"
    page.get_by_role("switch", name="Robust scale").click()
    limit = np.sort(np.abs(numbers[np.isfinite(numbers)]))[math.ceil(0.99 * (size * size - 2)) - 1]
    beyond = int((np.abs(numbers) > limit).sum())
    assert f"{beyond} values beyond ±{limit:.2f}" in legend.inner_text()
    calm = dataclasses.replace(tensor, values=np.sign(values(size, size)))
    page = mounted(TensorViewData("calm", {"x": calm}, (stage,)))
    assert page.get_by_role("switch").count() == 0


@pytest.mark.browser
def test_a_window_and_a_cut_table_say_so(mounted):
    shown = tuple(range(0, 400, 4))
    axis = Axis("d_ff", 400, places=shown, window="Every 4th of 400 hidden units.")
    tensor = TensorData("encoder.layers.0.feed_forward.hidden", values(2, 100), (Axis("position", 2), axis))
    stage = Stage("h", "Hidden", "one", (Panel("h", "h", ("position",), ("d_ff",)),))
    page = mounted(TensorViewData("window", {"h": tensor}, (stage,)))
    assert page.locator("header .thinned").all_inner_texts() == ["Every 4th of 400 hidden units."]
    assert page.locator(".caption .shape").inner_text().strip() == "2×400 float32"
    page.get_by_role("button", name="Table", exact=True).click()
    assert page.locator(".as-table .thinned").inner_text() == "The table shows the first 64 of 100 columns."
    assert page.locator(".numbers thead th").all_inner_texts()[:3] == ["0", "4", "8"]


@pytest.mark.browser
def test_the_view_follows_the_page_colour(mounted):
    page = mounted(view_data())
    root = page.locator(".tensor-view")
    assert root.get_attribute("data-look") == "light"
    page.evaluate("document.querySelector('#host').style.setProperty('--st-background-color', '#13171A')")
    page.evaluate("feed", list(pack(view_data())))
    assert root.get_attribute("data-look") == "dark"


@pytest.mark.browser
def test_numbers_that_cannot_be_explained_are_not_asked_for(mounted):
    known = tensors()
    scores = dataclasses.replace(known["scores"], askable=False)
    data = view_data(tensors={**known, "scores": scores})
    page = mounted(data)
    assert page.get_by_role("button", name="Explain this number").count() == 0
    page.locator("canvas.cells").nth(2).click()
    assert page.evaluate("reports") == []
    page.locator("canvas.cells").nth(0).click()
    ((name, told),) = page.evaluate("reports")
    assert (name, told["tensor"]) == ("ask", "q")
    assert ASK.parse(ask(tensor="scores", index=[0, 0, 0]), data) is None


# ---- a difference, and pictures -----------------------------------------------------------------------------------

DIFFERENCE = Stage(
    "compare",
    "A and B",
    "difference",
    (
        Panel("a", "A scores", ("query",), ("key",), "ab"),
        Panel("b", "B scores", ("query",), ("key",), "ab"),
        Panel("difference", "A − B", ("query",), ("key",)),
    ),
)


def difference_data() -> TensorViewData:
    query, key = decoder_rows("query", INPUT, OUTPUT), Axis("key", KEYS, SOURCE, "source")
    one, other = values(QUERIES, KEYS), 9 * values(QUERIES, KEYS, seed=1)
    shown = {
        "a": TensorData("decoder.a", one, (query, key)),
        "b": TensorData("decoder.b", other, (query, key)),
        "difference": TensorData("A − B", one - other, (query, key), lead=(), askable=False),
    }
    return TensorViewData("compare", shown, (DIFFERENCE,))


@pytest.mark.browser
def test_a_difference_stands_between_its_signs_with_a_scale_of_its_own(mounted):
    page = mounted(difference_data())
    assert page.locator(".operator").all_inner_texts() == ["−", "="]
    assert page.locator(".figure").get_attribute("data-arrangement") == "row"
    assert page.locator(".legend .about").all_inner_texts() == ["A, B", "A − B"]
    assert page.get_by_role("tablist").count() == 0, "one stage needs no choice"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("panel", "name"), [("A scores", "decoder.a.png"), ("A − B", "decoder.a_minus_decoder.b.png")]
)
def test_a_panel_is_saved_as_a_picture_with_its_labels(mounted, panel, name):
    page = mounted(difference_data())
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {panel} as a PNG picture").click()
    assert download.value.suggested_filename == name
    data = Path(download.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    canvas = page.locator("canvas.cells").first.bounding_box()
    # Labels stand at the left and above, a title above them.
    assert width > canvas["width"] + 40
    assert height > canvas["height"] + 80


@pytest.mark.browser
def test_a_saved_head_says_which_one_it_is(mounted):
    page = mounted(view_data(stage="joined"))
    page.get_by_role("tab", name="Softmax").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save A weights as a PNG picture").click()
    assert download.value.suggested_filename == "decoder.layers.1.cross_attn.weights_head-0.png"


@pytest.mark.browser
def test_a_picture_s_name_is_a_plain_name(page):
    parts = ["../a b", "<script>", "head 2", "", "x" * 200]
    name = page.evaluate("parts => fileName(parts, 'png')", parts)
    assert re.fullmatch(r"a-b_script_head-2_x+\.png", name)
    assert len(name) == 124


@pytest.mark.browser
def test_what_is_chosen_while_other_weights_come_is_kept_and_told_about_them(mounted):
    """Such as while a training is played: the message was written before the choice was heard."""
    page = mounted(view_data())
    page.get_by_role("button", name="head 2").click()
    page.evaluate("feed", list(pack(view_data(key="run-2"))))
    page.get_by_role("tab", name="Softmax").click()
    page.wait_for_function("reports.at(-1)?.[1].stage === 'softmax'")
    page.evaluate("feed", list(pack(view_data(key="run-3"))))
    assert page.locator(".card h2").inner_text() == "Softmax, head 2"
    page.wait_for_function("reports.at(-1)[1].key === 'run-3'")
    told = page.evaluate("reports.at(-1)[1]")
    assert (told["stage"], told["choices"]) == ("softmax", {"layer": 1, "head": 2})
    heard = told["report"]
    page.get_by_role("tab", name="Scores").click()
    later = view_data(key="run-3b", stage="softmax", choosers=choosers(1, head=2), report=heard)
    page.evaluate("feed", list(pack(later)))
    assert page.locator(".card h2").inner_text() == "Scores, head 2", "it knows of the choice before"
    page.evaluate("feed", list(pack(view_data(key="run-4", stage="joined"))))
    assert page.get_by_role("tab", selected=True).inner_text().startswith("Joined"), "the page's own choice"


@pytest.mark.browser
def test_the_cell_of_the_keys_is_the_one_that_a_click_on_explain_explains(mounted):
    page = mounted(view_data())
    page.get_by_role("tab", name="Scores").press("Tab")
    canvas = page.locator("canvas.cells").nth(2)
    canvas.focus()
    for key in ("Home", "PageUp"):
        canvas.press(key)
    place = sentence(page)
    page.get_by_role("button", name="Explain this number").click()
    assert sentence(page) == place
    assert page.evaluate("reports.at(-1)[1].index") == [0, 0, 0]


@pytest.mark.browser
@pytest.mark.parametrize("width", [1000, 840, 358, 240])
def test_all_stages_are_in_sight_at_every_width(mounted, width):
    names = (
        "Input",
        "Queries",
        "Keys",
        "Values",
        "Scores",
        "Masked",
        "Softmax",
        "Context",
        "Joined heads",
        "Output",
    )
    stages = tuple(
        dataclasses.replace(PRODUCT, key=name.lower().replace(" ", "-"), title=name) for name in names
    )
    page = mounted(view_data(stages=stages, stage="output"), width=width)
    strip = page.get_by_role("tablist")
    outside = strip.evaluate(
        """strip => {
            const box = strip.getBoundingClientRect(), tabs = [...strip.querySelectorAll("[role=tab]")];
            return tabs.filter((tab) => {
                const own = tab.getBoundingClientRect();
                return own.left < box.left || own.right > box.right || own.top < box.top || own.bottom > box.bottom
                    || tab.scrollWidth > tab.clientWidth;
            }).map((tab) => tab.textContent);
        }"""
    )
    assert outside == []
    assert strip.evaluate("node => [node.scrollLeft, node.scrollWidth - node.clientWidth]") == [0, 0]
    rows = len({box["y"] for box in (tab.bounding_box() for tab in page.get_by_role("tab").all())})
    if width >= 840:
        assert rows == 1, "beside the sidebar of a small laptop, too"


@pytest.mark.browser
def test_keys_go_on_where_the_control_that_had_the_focus_is_not_needed_any_more(mounted):
    numbers = values(2, 40, 40)
    numbers[0] = 1
    numbers[1, 0, 0] = 90
    axes = (Axis("layer", 2), Axis("position", 40), Axis("d_model", 40))
    stage = Stage("x", "X", "one", (Panel("x", "X", ("position",), ("d_model",)),))
    layers = (Chooser("layer", "Layer", ("0", "1"), 1),)
    page = mounted(
        TensorViewData("odd", {"x": TensorData("encoder.layers.{layer}", numbers, axes)}, (stage,), layers)
    )
    page.get_by_role("switch", name="Robust scale").focus()
    page.keyboard.press("[")
    assert page.get_by_role("switch").count() == 0
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.keyboard.press("]")
    assert page.get_by_role("switch", name="Robust scale").is_visible()
