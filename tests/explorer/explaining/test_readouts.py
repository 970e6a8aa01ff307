"""What is said of a number that was pointed at: in a stop, a product multiplies out; on One update, every cell."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from explorer.browser.tensor_view import tensor_view
from explorer.browser.tensors import pack
from explorer.look.theme import format_signed
from explorer.tensors import Axis, Panel, Stage, TensorData, TensorViewData
from explorer.views.output import data as output
from explorer.views.update import data as update
from explorer.visitor.extent import PATHS
from explorer.visitor.state import ExplorerState, Inspector, UpdateChoice
from tests.explorer.mounting import mount
from tests.explorer.own_runs import train_tiny
from tests.explorer.random_recording import random_recording
from tests.explorer.stage_cells import cell_index
from tests.explorer.stops import SAID, builders, mount_stop, stop_of
from tests.explorer.updates import scene_of
from tests.marks import left_to_proofs

POINTS = [(0.03, 0.03), (0.45, 0.62), (0.97, 0.97)]
"""Where in each matrix the mouse stands, in parts of its width and height."""
MODELS: Mapping[str, Mapping[str, Any]] = {
    "post": {},
    "pre, unscaled, no bias": {"norm_position": "pre", "scale_scores": False, "attention_bias": False},
}
AT_ONCE = {"post"}
"""What `make test` looks at; `make proofs` looks at all."""
PRODUCT = re.compile(
    r"(?:Row (?P<row>.+)|The row) of (?P<first>.+) times column (?P<column>.+) of (?P<second>.+?)"
    r"(?:, summed over all (?P<all>[\d,]+),)?(?:, with the bias (?P<bias>[^,]+),)? gives (?P<product>[^;]+)"
    r"(?:; (?P<scaling>[÷×]) √(?P<root>\d+) = (?P<result>.+))?"
)
NO_WINDOWS = [(output, "SMALL_VOCABULARY")]
NO_WINDOWS += [(update, name) for name in ("SHOWN_TOKENS", "SHOWN_TERMS", "MAX_CELLS")]


@pytest.fixture(scope="module")
def page(browser):
    """A wide blank page, where no panel needs to scroll."""
    page = browser.new_page(viewport={"width": 1600, "height": 1200})
    yield page
    page.close()


def readouts(page, data: TensorViewData) -> list[list[list[tuple[str, str]]]]:
    """For each stage and panel the sentences, piece by piece, while the mouse stands at each of the points."""
    mount(page, "tensor-view", tensor_view.path, pack(data))
    return page.evaluate(
        """points => {
            const root = document.querySelector("#host").shadowRoot, tabs = [...root.querySelectorAll("[role=tab]")];
            return tabs.map((_, stage) => {
                root.querySelectorAll("[role=tab]")[stage].click();
                const panels = [...root.querySelectorAll("canvas.cells")], order = (a, b) => a.localeCompare(b);
                return panels.map((each) => each.dataset.focus).sort(order).map((name) => panels.find((each) =>
                    each.dataset.focus === name)).map((canvas) => points.map(([across, down]) => {
                    const box = canvas.getBoundingClientRect(), at = {
                        clientX: box.left + across * box.width, clientY: box.top + down * box.height,
                    };
                    canvas.dispatchEvent(new PointerEvent("pointermove", at));
                    const sentence = root.querySelector(".sentence");
                    const place = sentence.querySelector("code").textContent;
                    return [sentence.textContent.slice(0, -place.length).trim(), place];
                }));
            });
        }""",
        POINTS,
    )


# ---- what a sentence names -----------------------------------------------------------------------------------------


def number_of(text: str) -> float:
    """A number as the page prints it."""
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    mantissa, _, power = text.replace("−", "-").replace(",", "").partition(" · 10")
    return float(mantissa) * 10 ** float(power.translate(digits) or 0)


def chosen(data: TensorViewData, panel: Panel) -> dict[str, int]:
    """The shown place of every axis that a panel does not run along."""
    tensor, values = data.tensors[panel.tensor], {each.axis: each.value for each in data.choosers}
    along = (*panel.rows, *panel.columns)
    return {
        axis.name: values[axis.name] if axis.places is None else axis.places.index(values[axis.name])
        for axis in tensor.axes
        if axis.name not in along
    }


def words_of(axis: Axis, place: int) -> str:
    number = place if axis.places is None else axis.places[place]
    if axis.writes:
        return f"reads {axis.labels[place]} → writes {axis.writes[place]}"
    return axis.labels[place] if axis.labels else f"{axis.name} {number}"


def read_by(words: str) -> str:
    """The token that a row is called by, without what it writes."""
    return words.removeprefix("reads ").partition(" → writes ")[0]


class Plane:
    """A panel as Python cuts it out of its tensor: numbers, and the words of every row and column."""

    def __init__(self, data: TensorViewData, panel: Panel):
        self.tensor: TensorData = data.tensors[panel.tensor]
        self.title = panel.title
        axes = {axis.name: axis for axis in self.tensor.axes}
        held = chosen(data, panel)
        sides = [[axes[name] for name in names] for names in (panel.rows, panel.columns)]
        self.words = [
            [
                " · ".join(words_of(axis, at) for axis, at in zip(side, place, strict=True))
                for place in np.ndindex(*(axis.shown for axis in side))
            ]
            for side in sides
        ]
        names = [axis.name for axis in self.tensor.axes]
        order = [names.index(name) for name in (*held, *panel.rows, *panel.columns)]
        cut = self.tensor.values.transpose(order)[tuple(held.values())]
        self.values = cut.reshape([len(words) for words in self.words]).astype(np.float64)
        self.places = {
            cell_index(
                self.tensor, {**held, **dict(zip((*panel.rows, *panel.columns), place, strict=True))}
            ): divmod(i, len(self.words[1]))
            for i, place in enumerate(np.ndindex(*(axis.shown for side in sides for axis in side)))
        }

    def find(self, named: str) -> tuple[int, int]:
        """Row and column of a cell by the place that the page prints of it: ``scores[0, 1, 2, 3]``."""
        index = tuple(int(number) for number in named[named.rindex("[") + 1 : -1].split(", "))
        assert index[: len(self.tensor.lead)] == self.tensor.lead
        return self.places[index[len(self.tensor.lead) :]]


def printed(plane: Plane, row: int, column: int) -> set[str]:
    """How a cell may be written."""
    value = plane.values[row, column]
    return {format_signed(value), f"{value:.4f}", f"{value:.0f}", "masked", ("no", "yes")[bool(value)]}


def letter_of(title: str) -> str:
    """Of a title such as Q queries the symbol."""
    return re.split(",? ", title)[0].replace("_", "")


def check_product(said: str, place: str, planes: list[Plane]) -> None:
    """The sentence of a product's cell: who is multiplied, what comes out, and by what that is divided."""
    found = PRODUCT.fullmatch(said)
    assert found is not None, said
    first, second, result = planes[:3]
    row, column = result.find(place)
    written = tuple(found[name].replace("_", "") for name in ("first", "second"))
    assert written == tuple(letter_of(each.title) for each in (first, second)), said
    # The row has the words of the result: as keys, rows of the decoder are read alone.
    # A token that stands twice is named with its position.
    named_row, named_column = (
        re.sub(r" at position \d+$", "", found[side] or "") for side in ("row", "column")
    )
    assert (named_row, named_column) == (result.words[0][row], second.words[1][column]), said
    assert read_by(first.words[0][row]) == read_by(named_row), said
    product = first.values[row] @ second.values[:, column]
    if len(planes) == 4:
        assert number_of(found["bias"]) == pytest.approx(planes[3].values[0, column], rel=1e-3, abs=6e-4)
        product += planes[3].values[0, column]
    assert number_of(found["product"]) == pytest.approx(product, rel=1e-3, abs=6e-4), said
    if found["scaling"]:
        product *= math.sqrt(int(found["root"])) ** {"÷": -1, "×": 1}[found["scaling"]]
    last = found["result"] or found["product"]
    assert last == format_signed(result.values[row, column]), said
    assert number_of(last) == pytest.approx(product, rel=1e-3, abs=6e-4), said


def check_stage(
    shown: Stage, texts: list[list[tuple[str, str]]], data: TensorViewData, whole: TensorViewData
) -> int:
    """Every sentence of a stage; how many were about a product.

    Args:
        shown: The stage.
        texts: For each panel and point what was said, and the place that was named.
        data: What the view was fed.
        whole: The same without windows, over which every sum runs.
    """
    (stage,) = (each for each in whole.stages if each.key == shown.key)
    planes = [Plane(whole, panel) for panel in stage.panels]
    inner = data.tensors[shown.panels[0].tensor].axes
    window = any(axis.name in shown.panels[0].columns and axis.shown < axis.size for axis in inner)
    n_products = 0
    for place, said in enumerate(texts):
        plane = planes[place]
        for text, named in said:
            row, column = plane.find(named)
            if stage.kind == "product" and place == 2:
                check_product(text, named, planes)
                assert ("summed over all" in text) == window, text
                n_products += 1
                continue
            words = " · ".join(filter(None, (plane.words[0][row], plane.words[1][column])))
            told, _, value = text.rpartition(": ")
            assert told == words, (text, named)
            assert value in printed(plane, row, column), (text, named)
    return n_products


def check_page(page, make: Callable[[], TensorViewData]) -> int:
    """Every sentence of a page; how many were about a product."""
    data = make()
    with _without_windows():
        whole = make()
    said = readouts(page, data)
    assert len(said) == len(data.stages)
    return sum(check_stage(stage, texts, data, whole) for stage, texts in zip(data.stages, said, strict=True))


@contextmanager
def _without_windows() -> Iterator[None]:
    """While a view is made without them, all units, tokens and rows are in it."""

    with ExitStack() as limits:
        for owner, name in NO_WINDOWS:
            limits.enter_context(patch.object(owner, name, 10**9))
        yield


@pytest.mark.browser
@pytest.mark.parametrize("model", left_to_proofs(MODELS, AT_ONCE))
def test_every_product_of_a_stop_multiplies_out(page, model):
    recorded, products = random_recording(**MODELS[model]), dict[str, set[tuple[str, str]]]()
    for name, (picture, build) in builders(recorded).items():
        data = build()
        mount_stop(page, stop_of(recorded, picture, data))
        stages = {(each.result.tensor, each.key): each for each in data.stages if each.kind == "product"}
        found = set()
        for _, _, text, named in page.evaluate(SAID):
            if PRODUCT.fullmatch(text) is None:
                continue
            key = next(key for key, stage in stages.items() if _is_result(data, stage, named, text))
            check_product(text, named, [Plane(data, panel) for panel in stages[key].panels])
            found.add(key)
        products[name] = found
    for kind in PATHS:
        # Q, K, V, QKᵀ where it is scaled, the scores, the context, the output.
        made = {key for _, key in products[kind]}
        assert made >= {"queries", "keys", "values", "scores", "context", "output"}, kind
        assert ("products" in made) == recorded.run.config.scale_scores, kind
    assert {key for _, key in products["positions"]} == {"similarity", "rotation"}


def _is_result(data: TensorViewData, stage: Stage, named: str, text: str) -> bool:
    """Whether a sentence names a cell of what a stage makes, of the factors that it says."""
    tensor = data.tensors[stage.result.tensor]
    layer = next((each.value for each in data.choosers if each.axis == "layer"), None)
    is_named = tensor.site_of(layer).rpartition(".")[2] == named.partition("[")[0]
    return is_named and f" of {letter_of(stage.panels[0].title)} times " in text.replace("_", "")


@pytest.mark.browser
def test_the_readouts_of_an_update_multiply_out(page, tmp_path):
    scene = scene_of(train_tiny(tmp_path, stop_after=4), 4)
    for name in ("encoder.layers.0.self_attn.w_q", "decoder.layers.0.feed_forward.linear2.weight"):
        choice = ExplorerState(
            run="tiny0001", sentence="abc", inspector=Inspector(site=name), update=UpdateChoice(pair=3)
        )
        assert check_page(page, partial(update.update_view, scene, choice)) == len(POINTS)
