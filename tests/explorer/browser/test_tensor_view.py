"""The tensor view: how it is used in a browser, and what it reports."""

import dataclasses
import math
import struct
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.browser import tensor_view as module
from explorer.browser.tensor_view import tensor_view
from explorer.browser.tensors import ASK, pack
from explorer.look.theme import format_signed
from explorer.tensors import Axis, CellPlace, Chooser, Panel, Stage, TensorData, TensorViewData, decoder_rows
from tests.conftest import PATIENCE
from tests.explorer import tensor_data
from tests.explorer.mounting import feed, mount
from tests.explorer.tensor_data import (
    HEADS,
    INPUT,
    KEYS,
    OUTPUT,
    PRODUCT,
    QUERIES,
    SIZE,
    SOFTMAX,
    SOURCE,
    values,
)
from tests.optional import unwrap

FOLDER = Path(module.__file__).parent
LAYER = 1
JOINED = Stage("joined", "Joined", "one", (Panel("bias", "b_Q", ("head",), ("d_head",)),))


def tensors() -> dict[str, TensorData]:
    """Those of one layer."""
    return {
        name: dataclasses.replace(
            tensor,
            site=tensor.site_of(LAYER).format(layer=LAYER),
            values=tensor.values[LAYER],
            hidden=None if tensor.hidden is None else tensor.hidden[LAYER],
            axes=tensor.axes[1:],
        )
        for name, tensor in tensor_data.tensors().items()
    }


def choosers(head: int = 0, *, local: bool = True) -> tuple[Chooser, ...]:
    return (Chooser("head", "Head", ("0", "1", "2"), head, local),)


def view_data(**changes) -> TensorViewData:
    data = TensorViewData(
        key="run-1",
        tensors=tensors(),
        stages=(PRODUCT, SOFTMAX, JOINED),
        choosers=choosers(),
        stage="scores",
        row=2,
    )
    return dataclasses.replace(data, **changes)


def with_writes(*writes: str, of: str = "q") -> tuple[Axis, ...]:
    """The axes of a tensor, of which the rows write these tokens."""
    axes = tensors()[of].axes
    return tuple(dataclasses.replace(axis, writes=writes) if axis.name == "query" else axis for axis in axes)


def window_of_head(head: int) -> dict[str, TensorData]:
    """All tensors with that head only."""
    return {
        name: dataclasses.replace(
            tensor,
            values=tensor.values[head : head + 1],
            hidden=None if tensor.hidden is None else tensor.hidden[head : head + 1],
            axes=(Axis("head", HEADS, places=(head,)), *tensor.axes[1:]),
        )
        for name, tensor in tensors().items()
    }


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
    page = browser.new_page(viewport={"width": 1040, "height": 1000})
    yield page
    page.close()


@pytest.fixture
def mounted(page):
    """Mounts the view without Streamlit; ``window.feed`` hands it a message, ``window.reports`` hears it."""

    def show(data: TensorViewData, width: int = 1040):
        page.set_viewport_size({"width": width, "height": 1000})
        mount(page, "tensor-view", tensor_view.path, pack(data))
        return page

    return show


def sentence(page) -> str:
    return " ".join(page.locator(".sentence").inner_text().split())


def hover(page, panel: int, row: int, column: int, rows: int, columns: int) -> None:
    box = page.locator("canvas.cells").nth(panel).bounding_box()
    page.mouse.move(
        box["x"] + (column + 0.5) * box["width"] / columns, box["y"] + (row + 0.5) * box["height"] / rows
    )


def frame(page, panel: int, name: str) -> tuple[int, int, int, int, int, int] | None:
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
    value = format_signed(float(data.tensors["scores"].values[0, 1, 3]))
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
    assert (name, told) == ("ask", {"key": "run-1", "tensor": "scores", "index": [0, 0, 0]})
    assert ASK.parse({**told, "report": 1}, data) is not None
    assert places(page, 2, "cell", QUERIES, KEYS) == [0, 0, 1, 1]
    page.keyboard.press("Escape")
    assert (
        page.evaluate("document.querySelector('#host').shadowRoot.activeElement.className") == "tensor-view"
    )


@pytest.mark.browser
def test_the_explained_cell_is_marked_wherever_it_is_shown(mounted):
    cell = CellPlace("decoder.layers.1.cross_attn.q", (0, 2, 3, 4))
    page = mounted(view_data(cell=cell, choosers=choosers(2)))
    assert places(page, 0, "cell", QUERIES, SIZE) == [3, 4, 1, 1]
    assert frame(page, 2, "cell") is None
    page.get_by_role("button", name="head 1", exact=True).click()
    assert frame(page, 0, "cell") is None, "another head is shown"


@pytest.mark.browser
def test_label_of_a_head_stands_below_its_picture(mounted):
    head = mounted(view_data()).locator(".thumbs button").first
    picture, label = head.locator("canvas").bounding_box(), head.locator(".short").bounding_box()
    assert label["y"] >= picture["y"] + picture["height"]


@pytest.mark.browser
def test_keys_choose_the_head_and_the_resting_choice_is_reported_once(mounted):
    page = mounted(view_data())
    page.get_by_role("tab", name="Scores").focus()
    for key in (".", ".", ".", ","):
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("reports.length > 0")
    ((name, told),) = page.evaluate("reports")
    told.pop("report")
    assert (name, told) == ("view", {"key": "run-1", "stage": "softmax", "choices": {"head": 1}})
    assert page.locator(".card h2").inner_text() == "Softmax, head 1"
    assert page.locator("code.site").inner_text() == "decoder.layers.1.cross_attn.weights"


@pytest.mark.browser
def test_without_a_pointer_the_sentence_is_about_the_row_of_the_current_step(mounted):
    scores = tensors()["scores"].values[0]
    for row in range(QUERIES):
        page = mounted(view_data(key=f"row {row}", row=row))
        column = int(np.abs(scores[row]).argmax())
        assert sentence(page).endswith(f"scores[0, 0, {row}, {column}]")
    page = mounted(view_data(key="no row", row=None))
    peak = np.unravel_index(np.abs(scores).argmax(), scores.shape)
    assert sentence(page).endswith(f"scores[0, 0, {peak[0]}, {peak[1]}]")


@pytest.mark.browser
def test_a_key_changes_nothing_that_the_open_stage_does_not_show(mounted):
    page = mounted(view_data(stage="joined"))
    page.get_by_role("tab", name="Joined").focus()
    page.keyboard.press(".")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("reports.length > 0")
    assert page.evaluate("reports[0][1].choices") == {"head": 0}


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
def test_a_head_that_is_not_here_is_asked_for_at_once_and_drawn_when_it_comes(mounted):
    page = mounted(view_data(tensors=window_of_head(1), choosers=choosers(1, local=False)))
    before = sentence(page)
    page.get_by_role("button", name="head 0").click()
    ((_, told),) = page.evaluate("reports")
    assert told["choices"] == {"head": 0}
    assert sentence(page) == before, "it shows what it has"
    answer = view_data(tensors=window_of_head(0), choosers=choosers(0, local=False), report=told["report"])
    feed(page, pack(answer))
    assert "scores[0, 1, " in before
    assert "scores[0, 0, " in sentence(page)
    focused = page.evaluate("document.querySelector('#host').shadowRoot.activeElement.dataset.focus")
    assert focused == "head:0", "a rebuilt view keeps the focus"


@pytest.mark.browser
def test_a_message_is_followed_unless_it_knows_less_than_the_view_has_told(mounted):
    page = mounted(view_data())

    def hear(stage, report, key="run-1"):
        feed(page, pack(view_data(stage=stage, report=report, key=key)))

    def shown():
        return page.locator('[role="tab"][aria-selected="true"] span').first.inner_text()

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
    feed(page, pack(view_data(choosers=choosers(2), report=report)))
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
    feed(page, pack(view_data(tensors=other, stage="softmax")))
    now = [float(each) for each in table.locator("tbody td").all_inner_texts() if each != "masked"]
    expected = other["weights"].values[1][~unwrap(known["weights"].hidden)[1]]
    np.testing.assert_allclose(now, expected, atol=6e-5)
    assert page.get_by_role("button", name="Hide table").count() == 1
    assert page.evaluate(f"{focused}.dataset.focus") == "numbers"

    canvas = page.locator("canvas.cells").nth(1)
    canvas.press("Home")
    canvas.press("ArrowRight")
    place = sentence(page).split(":")[0]
    assert place.endswith(" · <b>x</b>"), "the cell of the keys"
    feed(page, pack(view_data(stage="softmax")))
    assert page.evaluate(f"{focused}.dataset.focus") == "panel:1"
    assert sentence(page).startswith(f"{place}: ")
    page.get_by_role("tab", name="Joined").click()
    assert page.locator(".as-table").count() == 0, "it was a table of the other stage"


@pytest.mark.browser
def test_hostile_tokens_are_text(mounted):
    hostile = "<img src=x onerror=window.pwned=1>"
    known = tensors()
    key = Axis("key", KEYS, (hostile, "<script>", "&amp;", "\u202e", " "), "source")
    scores = dataclasses.replace(known["scores"], axes=(*known["scores"].axes[:2], key))
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
    feed(page, pack(view_data()))
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
    assert ASK.parse({"key": "run-1", "tensor": "scores", "index": [0, 0, 0], "report": 7}, data) is None


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
def test_what_is_chosen_while_other_weights_come_is_kept_and_told_about_them(mounted):
    """Such as while a training is played: the message was written before the choice was heard."""
    page = mounted(view_data())
    page.get_by_role("button", name="head 2").click()
    feed(page, pack(view_data(key="run-2")))
    page.get_by_role("tab", name="Softmax").click()
    page.wait_for_function("reports.at(-1)?.[1].stage === 'softmax'")
    feed(page, pack(view_data(key="run-3")))
    assert page.locator(".card h2").inner_text() == "Softmax, head 2"
    page.wait_for_function("reports.at(-1)[1].key === 'run-3'")
    told = page.evaluate("reports.at(-1)[1]")
    assert (told["stage"], told["choices"]) == ("softmax", {"head": 2})
    heard = told["report"]
    page.get_by_role("tab", name="Scores").click()
    later = view_data(key="run-3b", stage="softmax", choosers=choosers(2), report=heard)
    feed(page, pack(later))
    assert page.locator(".card h2").inner_text() == "Scores, head 2", "it knows of the choice before"
    feed(page, pack(view_data(key="run-4", stage="joined")))
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
        assert rows == 1, "in the window of a small laptop, too"


@pytest.mark.browser
def test_keys_go_on_where_the_control_that_had_the_focus_is_not_needed_any_more(mounted):
    numbers = values(40, 40)
    numbers[0, 0] = 90
    axes = (Axis("head", 2, places=(1,)), Axis("position", 40), Axis("d_model", 40))
    stage = Stage("x", "X", "one", (Panel("x", "X", ("position",), ("d_model",)),))
    odd = TensorData("encoder.x", numbers[None], axes)
    page = mounted(
        TensorViewData("odd", {"x": odd}, (stage,), (Chooser("head", "Head", ("0", "1"), 1, False),))
    )
    page.get_by_role("switch", name="Robust scale").focus()
    page.keyboard.press(",")
    ((_, told),) = page.evaluate("reports")
    calm = dataclasses.replace(
        odd, values=np.ones((1, 40, 40), np.float32), axes=(Axis("head", 2, places=(0,)), *axes[1:])
    )
    heads = (Chooser("head", "Head", ("0", "1"), 0, False),)
    feed(page, pack(TensorViewData("odd", {"x": calm}, (stage,), heads, report=told["report"])))
    assert page.get_by_role("switch").count() == 0
    page.keyboard.press(".")
    assert page.evaluate("reports.at(-1)[1].choices") == {"head": 1}
