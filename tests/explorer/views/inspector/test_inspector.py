"""The inspector: every tensor of a model by name, laid out, windowed, compared; each number is the recorded one."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.activations.location import locate
from core.activations.sites import sites
from core.explanation.explain import explain
from core.model.parameters import find_parameter, named_parameters
from explorer.app import REGISTRY
from explorer.browser.tensors import Looked, pack
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run, shipped_runs
from explorer.models.recorded import Recorded
from explorer.tensors import check
from explorer.views.inspector.data import (
    MAX_BYTES,
    comparison_view,
    default_site,
    difference,
    inspector_view,
    looked_state,
    pinned_as_shown,
    slice_of_pinned,
    title_of,
    value_name,
)
from explorer.views.inspector.sites import IDS, entries, is_known, tensor_of
from explorer.views.inspector.slice import (
    MAX_COLUMNS,
    MAX_HELD,
    MAX_ROWS,
    choose_sides,
    side_options,
    slice_of,
)
from explorer.views.inspector.tables import csv_of, parts_of, pinned_words, place_words, statistics_table
from explorer.visitor.state import NO_ROWS, Cut, ExplorerState, Pinned
from tests.explorer.random_recording import random_recording
from tests.explorer.stage_cells import cell_index

pytestmark = pytest.mark.sweep

STATE = ExplorerState(run="copy", sentence="cat")
WEIGHTS = "decoder.layers.0.cross_attn.weights"
VARIANTS: dict[str, dict[str, Any]] = {
    "pre-norm": {"norm_position": "pre"},
    "untied": {"tie_embeddings": False},
    "learned positions": {"positional": "learned"},
    "no positions, no bias": {"positional": "none", "attention_bias": False},
    "bfloat16": {"dtype": "bfloat16"},
    "not causal": {"causal": False},
}


@pytest.fixture(scope="module", params=["en-fr", "copy", *VARIANTS])
def recorded(request) -> Recorded:
    if request.param in VARIANTS:
        return random_recording(**VARIANTS[request.param])
    run = loaded_run(request.param)
    return recorded_of(run, {"en-fr": "the small cat does not sleep", "copy": "cat"}[request.param])


@pytest.fixture(scope="module")
def tiny() -> Recorded:
    return random_recording()


def raw(recorded: Recorded, name: str) -> np.ndarray:
    """The numbers by another way than the inspector's."""
    if name in IDS:
        return getattr(recorded.trace, name).numpy().astype(np.float32)
    parameter = find_parameter(recorded.run.model, name)
    values = parameter if parameter is not None else recorded.trace.activations[name][0]
    return values.detach().float().numpy()


def test_the_tree_holds_every_site_and_every_parameter_once_with_its_shape(recorded):
    found = entries(recorded)
    names = [entry.name for entry in found]
    expected = (
        {site.name for site in sites(recorded.run.config)}
        | set(named_parameters(recorded.run.model))
        | set(IDS)
    )
    assert set(names) == expected
    assert len(names) == len(expected)
    for entry in found:
        assert entry.shape == raw(recorded, entry.name).shape, entry.name
        assert entry.label
        assert is_known(recorded, entry.name)


@pytest.mark.proof
def test_every_tensor_is_shown_with_its_own_numbers_and_a_random_one_is_explained(recorded):
    generator = np.random.default_rng(0)
    for entry in entries(recorded):
        shown = slice_of(tensor_of(recorded, entry.name), Cut())
        np.testing.assert_array_equal(shown.tensor.values, raw(recorded, entry.name), err_msg=entry.name)
        data = inspector_view(recorded, shown)
        assert len(pack(data)) <= 2**20
        tensor = data.tensors["a"]
        place = {axis.name: int(generator.integers(axis.shown)) for axis in tensor.axes}
        value = tensor.values[tuple(place.values())]
        index = (*tensor.lead, *cell_index(tensor, place))
        explained = explain(recorded.run, recorded.trace, tensor.site, index)
        assert np.float32(explained.recorded) == value, (entry.name, index)
        assert REGISTRY.showing(locate(entry.name)) is not None, entry.name


def test_the_default_is_what_the_last_layer_reads(recorded):
    assert default_site(recorded.run.config) in {entry.name for entry in entries(recorded)}


@pytest.mark.parametrize(
    "name", ["", "nothing", "encoder", "encoder.layers.9.self_attn.q", "generator.forward", "a..b"]
)
def test_what_is_not_there_is_not_known(tiny, name):
    assert not is_known(tiny, name)


def test_groups_are_named_as_on_the_pages(tiny):
    paths = {entry.name: (*entry.path, entry.label) for entry in entries(tiny)}
    assert paths["encoder.layers.0.self_attn.q"] == ("Encoder", "Layer 0", "Self-attention", "q")
    assert paths["decoder.layers.1.cross_attn_add_norm.mean"][2:] == (
        "Add & norm after cross-attention",
        "mean",
    )
    assert paths["encoder.layers.0.feed_forward.linear1.weight"][-1] == "linear1.weight"
    assert paths["tgt_in"] == ("Target embedding", "tgt_in")
    order = [path[0] for path in dict.fromkeys(paths.values())]
    assert list(dict.fromkeys(order)) == [
        "Source embedding",
        "Encoder",
        "Target embedding",
        "Decoder",
        "Generator",
    ]
    layers = [path[1] for path in paths.values() if path[0] == "Decoder"]
    assert list(dict.fromkeys(layers)) == ["Layer 0", "Layer 1", "Layer 2", "output"]
    assert (title_of(WEIGHTS), value_name("encoder.layers.0.self_attn.w_q")) == (
        "Cross-attention: weights",
        "w_q",
    )
    assert value_name("encoder.layers.0.feed_forward.linear1.bias") == "linear1 bias"


# ---- rows, columns and windows ------------------------------------------------------------------------------------


def test_queries_run_down_and_keys_to_the_right(tiny):
    shown = slice_of(tensor_of(tiny, WEIGHTS), Cut(), head=2)
    assert (shown.rows, shown.columns, shown.places) == ("query", "key", {"head": 2})
    np.testing.assert_array_equal(shown.values(), raw(tiny, WEIGHTS)[2])


@pytest.mark.parametrize("rows", ["head", "query", "key", NO_ROWS])
@pytest.mark.parametrize("columns", ["head", "query", "key"])
def test_any_two_axes_can_be_chosen(tiny, rows, columns):
    tensor = tensor_of(tiny, WEIGHTS)
    shown = slice_of(tensor, Cut(rows=rows, columns=columns, places=(("head", 1), ("key", 4), ("query", 3))))
    check(inspector_view(tiny, shown))
    assert shown.columns == columns
    assert shown.rows != columns
    axes = [axis.name for axis in tensor.axes]
    order = [*(axes.index(name) for name in shown.places), *(axes.index(side) for side in shown.sides)]
    np.testing.assert_array_equal(
        shown.values(), raw(tiny, WEIGHTS).transpose(order)[tuple(shown.places.values())]
    )


def test_what_a_tensor_has_not_is_its_default(tiny):
    wanted = Cut(rows="nothing", columns="vocab", places=(("head", 99), ("other", 3)), first_row=50)
    shown = slice_of(tensor_of(tiny, WEIGHTS), wanted)
    assert (shown.rows, shown.columns, shown.places) == ("query", "key", {"head": 3})
    assert list(shown.window("query")) == list(range(5))


def test_choosing_the_other_side_s_axis_changes_places(tiny):
    shown = slice_of(tensor_of(tiny, WEIGHTS), Cut())
    assert choose_sides(STATE, shown, rows="key", columns="key").inspector.cut == Cut("key", "query")
    assert choose_sides(STATE, shown, rows="query", columns="query").inspector.cut == Cut("key", "query")
    row = slice_of(tensor_of(tiny, WEIGHTS), Cut(rows=NO_ROWS))
    assert choose_sides(STATE, row, rows="key", columns="key").inspector.cut == Cut("key", "head")


def test_a_vector_has_no_rows_and_nothing_to_choose(tiny):
    tensor = tensor_of(tiny, "encoder.layers.0.self_attn.b_q")
    assert side_options(tensor) == ((), ())
    assert slice_of(tensor, Cut(rows="output")).sides == ("output",)


def long_tensor(tiny: Recorded, rows: int, columns: int):
    tensor = tensor_of(tiny, "src_embed.weight")
    axes = (
        replace(tensor.axes[0], size=rows, labels=tuple(f"t{i}" for i in range(rows))),
        replace(tensor.axes[1], size=columns),
    )
    values = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    return replace(tensor, values=values, axes=axes)


@pytest.mark.parametrize(
    ("first", "starts"), [((0, 0), (0, 0)), ((64, 256), (64, 256)), ((10**6, 10**6), (36_936, 256))]
)
def test_of_a_large_table_a_window_is_shown_and_said(tiny, first, starts):
    tensor = long_tensor(tiny, 37_000, 512)
    shown = slice_of(tensor, Cut(first_row=first[0], first_column=first[1]))
    data = inspector_view(tiny, shown)
    assert len(pack(data)) < MAX_BYTES
    rows, columns = data.tensors["a"].axes
    assert (rows.places, rows.window) == (
        tuple(range(starts[0], starts[0] + MAX_ROWS)),
        f"Rows {starts[0]:,} to {starts[0] + MAX_ROWS - 1:,} of 37,000.",
    )
    assert columns.window == f"Columns {starts[1]} to {starts[1] + MAX_COLUMNS - 1} of 512."
    assert rows.labels[0] == f"t{starts[0]}"
    value = data.tensors["a"].values[1, 2]
    assert value == (starts[0] + 1) * 512 + starts[1] + 2
    assert cell_index(data.tensors["a"], {"vocab": 1, "d_model": 2}) == (starts[0] + 1, starts[1] + 2)
    assert place_words(shown)[0] == f"vocab-{starts[0]}-{starts[0] + MAX_ROWS - 1}"


def test_nobody_chooses_among_thousands_of_places(tiny):
    tensor = long_tensor(tiny, MAX_HELD + 1, 8)
    assert NO_ROWS not in side_options(tensor)[0]
    assert slice_of(tensor, Cut(rows=NO_ROWS, columns="d_model")).sides == ("vocab", "d_model")
    assert NO_ROWS in side_options(long_tensor(tiny, MAX_HELD, 8))[0]


def test_too_many_heads_for_one_message_are_sent_one_by_one(tiny):
    tensor = tensor_of(tiny, WEIGHTS)
    big = replace(
        tensor,
        values=np.zeros((40, 64, 200), np.float32),
        hidden=np.zeros((40, 64, 200), bool),
        axes=tuple(
            replace(axis, size=n, labels=(), writes=())
            for axis, n in zip(tensor.axes, (40, 64, 200), strict=True)
        ),
    )
    data = inspector_view(tiny, slice_of(big, Cut(), head=7))
    assert len(pack(data)) < MAX_BYTES
    (chooser,) = data.choosers
    assert (chooser.value, chooser.local, len(chooser.options)) == (7, False, 40)


# ---- A, B and A − B -----------------------------------------------------------------------------------------------


def compared(recorded: Recorded, a: str, cut: Cut, pinned: Pinned, other: Recorded | None = None):
    first = slice_of(tensor_of(recorded, a), cut)
    second = slice_of_pinned(pinned, other or recorded, first)
    data = comparison_view(recorded, first, other or recorded, second)
    check(data)
    return data


def test_two_layers(tiny):
    name = "decoder.layers.2.cross_attn.weights"
    data = compared(tiny, name, Cut(), Pinned(WEIGHTS, "copy", "cat"))
    np.testing.assert_array_equal(
        data.tensors["difference"].values, raw(tiny, name)[0] - raw(tiny, WEIGHTS)[0]
    )
    assert [panel.group for panel in data.stages[0].panels] == ["ab", "ab", ""]
    assert [data.tensors[name].askable for name in ("a", "b", "difference")] == [True, True, False]
    assert data.tensors["difference"].scale == "signed"


def test_two_heads(tiny):
    pinned = Pinned(WEIGHTS, "copy", "cat", places=(("head", 3),))
    data = compared(tiny, WEIGHTS, Cut(places=(("head", 1),)), pinned)
    values = raw(tiny, WEIGHTS)
    np.testing.assert_array_equal(data.tensors["difference"].values, values[1] - values[3])
    assert {chooser.axis: chooser.value for chooser in data.choosers} == {"head": 1, "B head": 3}
    # A cell of B is asked for at its own head.
    tensor = data.tensors["b"]
    assert cell_index(tensor, {"B head": 0, "query": 2, "key": 4}) == (3, 2, 4)


def test_two_steps(tiny):
    pinned = Pinned(WEIGHTS, "copy", "cat", places=(("head", 0), ("query", 4)))
    data = compared(tiny, WEIGHTS, Cut(rows=NO_ROWS, places=(("query", 2),)), pinned)
    values = raw(tiny, WEIGHTS)
    np.testing.assert_array_equal(data.tensors["difference"].values, values[0, 2] - values[0, 4])


def test_two_runs_and_two_sentences_of_one_shape(tiny):
    other = replace(random_recording(norm_position="pre"), key="other")
    data = compared(tiny, WEIGHTS, Cut(), Pinned(WEIGHTS, "reverse", "cat"), other)
    np.testing.assert_array_equal(
        data.tensors["difference"].values, raw(tiny, WEIGHTS)[0] - raw(other, WEIGHTS)[0]
    )
    # The page explains numbers of A's model and sentence; the same place of B is another number.
    assert not data.tensors["b"].askable
    assert data.tensors["b"].site != WEIGHTS


def test_a_parameter_is_the_same_for_another_sentence(tiny):
    other = replace(tiny, key="another sentence")
    name = "encoder.layers.0.self_attn.w_q"
    data = compared(tiny, name, Cut(), Pinned(name, "copy", "dog"), other)
    assert data.tensors["b"].askable
    assert not data.tensors["difference"].values.any()


def test_other_shapes_are_told_and_both_are_shown(tiny):
    longer = replace(random_recording(n_source=9), key="longer")
    data = compared(tiny, WEIGHTS, Cut(), Pinned(WEIGHTS, "copy", "catalogue"), longer)
    assert "difference" not in data.tensors
    assert data.stages[0].note == "There is no A − B: A is 5×7 and B is 5×9."
    vector = compared(tiny, WEIGHTS, Cut(), Pinned("decoder.layers.0.self_attn.b_q", "copy", "cat"))
    assert vector.stages[0].note == "There is no A − B: A is 5×7 and B is 24."


def test_a_difference_is_masked_where_either_is_and_weights_share_a_scale_with_signed_values(tiny):
    name = "decoder.layers.0.self_attn."
    data = compared(tiny, f"{name}scores", Cut(), Pinned(f"{name}weights", "copy", "cat"))
    assert {data.tensors[key].scale for key in ("a", "b")} == {"signed"}
    hidden = data.tensors["difference"].hidden
    assert hidden is not None
    np.testing.assert_array_equal(hidden, np.triu(np.ones((5, 5), bool), 1))
    data = compared(tiny, f"{name}masked_scores", Cut(), Pinned(f"{name}masked_scores", "copy", "cat"))
    values = data.tensors["difference"].values
    assert np.isnan(values[0, 1])  # minus infinity minus itself
    assert not values[np.tril_indices(5)].any()


def test_no_difference_of_two_shapes(tiny):
    a, b = (slice_of(tensor_of(tiny, name), Cut()) for name in (WEIGHTS, "src_embed.weight"))
    with pytest.raises(ValueError, match="A is 5×7 and B is 19×24"):
        difference(a, b)


def test_places_of_a_and_b_are_kept_apart(tiny):
    shown = slice_of(tensor_of(tiny, WEIGHTS), Cut(rows=NO_ROWS, places=(("query", 2),)), head=3)
    state = pinned_as_shown(STATE, shown)
    assert state.inspector.pinned == Pinned(WEIGHTS, "copy", "cat", (), (("head", 3), ("query", 2)))
    looked = Looked("compare", {"head": 1, "query": 4, "B head": 0, "B query": 3})
    after = looked_state(state, looked, shown)
    assert (after.look.head, after.inspector.cut.places) == (1, ())
    assert after.decoding.step == 4, "a query of the decoder is a step, and the step is one for all pages"
    assert after.inspector.pinned is not None
    assert after.inspector.pinned.places == (("head", 0), ("query", 3))
    same = looked_state(STATE, Looked("tensor", {"head": 0, "query": 2}), shown)
    assert (same.look.head, same.decoding.step) == (None, None), "what is shown anyway is no choice"


# ---- around the view ----------------------------------------------------------------------------------------------


def test_the_parts_of_a_comparison_have_figures(tiny):
    a = slice_of(tensor_of(tiny, WEIGHTS), Cut())
    b = slice_of_pinned(Pinned(WEIGHTS, "copy", "cat", places=(("head", 1),)), tiny, a)
    assert list(parts_of(a)) == ["shown", "whole tensor"]
    table = statistics_table(parts_of(a, b))
    assert list(table) == ["figure", "shown", "whole tensor", "B shown", "A − B"]
    assert [column[0] for column in list(table.values())[1:]] == ["5×7", "4×5×7", "5×7", "5×7"]


def test_the_slice_is_written_with_its_tokens(tiny):
    text = csv_of(slice_of(tensor_of(tiny, WEIGHTS), Cut())).decode().splitlines()
    assert len(set(tiny.source)) < len(tiny.source), "the names are numbered, since two are the same"
    assert text[0] == '"query / key",' + ",".join(f'"{at} {token}"' for at, token in enumerate(tiny.source))
    assert len(text) == 6
    vector = csv_of(slice_of(tensor_of(tiny, "encoder.layers.0.self_attn.b_q"), Cut())).decode().splitlines()
    assert (len(vector), vector[0].split(",")[:3]) == (2, ['"output"', "0", "1"])
    masked = csv_of(slice_of(tensor_of(tiny, "decoder.layers.0.self_attn.weights"), Cut())).decode()
    assert masked.count('"masked"') == 10


def test_what_is_pinned_is_said_as_far_as_it_is_another():
    runs = shipped_runs()
    pinned = Pinned("decoder.output", "copy", "cat")
    assert pinned_words(pinned, STATE, runs) == "B is decoder.output."
    assert pinned_words(replace(pinned, sentence="=<b>"), STATE, runs) == "B is decoder.output for “=<b>”."
    assert "of the model" in pinned_words(pinned, replace(STATE, run="reverse"), runs)
