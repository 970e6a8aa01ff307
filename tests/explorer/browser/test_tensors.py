"""What a view that shows tensors is fed, and what it may report."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.browser.tensors import ASK, LOOK, Looked, pack
from explorer.tensors import (
    Axis,
    CellPlace,
    Chooser,
    Panel,
    Stage,
    TensorData,
    TensorViewData,
    check,
)
from explorer.visitor.reports import MAX_REPORT, Explain
from tests.explorer.stage_cells import cell_index
from tests.explorer.tensor_data import HEADS, LAYERS, PRODUCT, SIZE, SOFTMAX, tensors, values
from tests.unpacked import unpacked

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
        np.testing.assert_array_equal(arrays[f"tensors.{name}.values"], tensor.values, strict=True)
    np.testing.assert_array_equal(arrays["tensors.weights.hidden"] != 0, data.tensors["weights"].hidden)
    assert "tensors.q.hidden" not in arrays


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
    assert LOOK.parse(look(), view_data()) == Looked("softmax", {"layer": 0, "head": 2})
    assert ASK.parse(ask(), view_data()) == Explain(CellPlace("decoder.layers.1.cross_attn.q", (0, 2, 3, 5)))
    named = view_data(**with_tensor("q", site="embed.q", sites=("embed.q", "layers.0.q")))
    assert ASK.parse(ask(), named) == Explain(CellPlace("layers.0.q", (0, 2, 3, 5)))
    merged = ask(tensor="bias", index=[HEADS * SIZE - 1])
    assert ASK.parse(merged, view_data()) == Explain(CellPlace("decoder.layers.1.cross_attn.b_q", (17,)))


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
