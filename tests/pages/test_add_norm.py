"""The page Add & norm through the entry script: what is chosen, shown, and kept in the address."""

import json
from dataclasses import replace

import pytest

from core.run import save_run
from explorer.view import STOP
from tests.core.conftest import TINY
from tests.explorer.random_recording import random_run
from tests.pages.opening import go_to_block, header_of, open_page, title_of, words_of

PAGE, VIEW = "pages/model/add_norm.py", STOP


def query(app) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def table(app, head: str):
    """The first table with such a column."""
    return next(each.value for each in app.dataframe if head in each.value.columns)


def test_the_page_opens_with_the_decoders_self_attention_and_all_its_numbers():
    app = open_page(PAGE)
    header = header_of(app, VIEW)
    assert title_of(app) == "Add & norm"
    assert [stage["key"] for stage in header["stages"]] == ["sum", "statistics", "normalized", "output"]
    assert header["tensors"]["added"]["site"] == "decoder.layers.1.self_attn.output"
    axis = header["tensors"]["x"]["axes"][0]
    rows = [
        f"reads {reads} → writes {writes}"
        for reads, writes in zip(axis["labels"], axis["writes"], strict=True)
    ]
    assert list(table(app, "σ² before")["row"]) == rows
    assert table(app, "mean ‖sum‖")["after"].tolist()[0] == "embedding"
    assert "final norm" in table(app, "pre-norm: mean ‖x‖")["after"].tolist()
    assert "both untrained with the same first weights (seed 0)" in words_of(app)


def test_the_lines_are_the_numbers_of_the_table():
    app = open_page(PAGE, block="encoder.feed_forward")
    figure = json.loads(app.get_by_key("stream_figure").proto.spec)
    names = [trace.get("name") for trace in figure["data"]]
    assert "mean ‖x‖" in names
    assert "mean ‖sub-layer(x)‖" in names
    first = next(trace for trace in figure["data"] if trace.get("name") == "mean ‖x‖")
    assert list(first["x"]) == table(app, "mean ‖sum‖")["after"].tolist()


def test_every_sum_is_reached_from_every_other_by_the_rail_and_linked():
    app = open_page(PAGE)
    assert header_of(app, VIEW)["here"] == "decoder.layers.1.self_attn_add_norm"
    go_to_block(app, VIEW, "encoder.layers.0.feed_forward_add_norm")
    header = header_of(app, VIEW)
    assert header["tensors"]["added"]["site"] == "encoder.layers.0.feed_forward.output"
    assert (header["here"], header["row_side"]) == ("encoder.layers.0.feed_forward_add_norm", "source")
    assert query(app) == {"block": "encoder.feed_forward", "layer": "0"}
    again = open_page(PAGE, **query(app))
    assert header_of(again, VIEW)["tensors"]["added"]["site"] == "encoder.layers.0.feed_forward.output"
    go_to_block(app, VIEW, "decoder.layers.0.cross_attn_add_norm", report=10)
    assert header_of(app, VIEW)["tensors"]["added"]["site"] == "decoder.layers.0.cross_attn.output"


@pytest.fixture
def pre_norm(tmp_path, monkeypatch) -> str:
    """An own run whose norms stand before their sub-layers, with one after each stack."""
    root = tmp_path / "runs"
    save_run(random_run(replace(TINY, norm_position="pre", final_norm=True)), root / "tiny0001")
    (root / "tiny0001" / "app.json").write_text(json.dumps({"title": "Before", "created": 1.0}))
    monkeypatch.setenv("EXPLORER_RUNS", str(root))
    return "tiny0001"


@pytest.mark.proof
def test_a_norm_before_its_sub_layer_is_the_picture_of_its_sum_as_far_as_the_norm(pre_norm):
    app = open_page(PAGE, model=pre_norm, sentence="w4 w5", block="encoder.self_attn", layer="0")
    header = header_of(app, VIEW)
    assert [stage["key"] for stage in header["stages"]] == ["statistics", "normalized", "output", "sum"]
    assert (header["here"], header["stage"]) == ("encoder.layers.0.self_attn_add", "")
    go_to_block(app, VIEW, "encoder.layers.0.feed_forward_norm")
    header = header_of(app, VIEW)
    assert (header["here"], header["stage"]) == ("encoder.layers.0.feed_forward_norm", "output")
    go_to_block(app, VIEW, "encoder.layers.0.feed_forward_add", report=10)
    header = header_of(app, VIEW)
    assert (header["here"], header["stage"]) == ("encoder.layers.0.feed_forward_add", "")
    go_to_block(app, VIEW, "decoder.final_norm", report=11)
    header = header_of(app, VIEW)
    assert [stage["key"] for stage in header["stages"]] == ["statistics", "normalized", "output"]
    assert header["here"] == "decoder.final_norm"


def test_another_layer_is_fed_when_the_view_asks_for_it():
    app = open_page(PAGE, stage="normalized")
    header = header_of(app, VIEW)
    assert header["choosers"][0]["local"] is False
    looked = {"key": header["key"], "stage": "normalized", "choices": {"layer": 0}, "report": 3}
    app.session_state[VIEW] = {"view": looked}
    app.run()
    header = header_of(app, VIEW)
    assert header["tensors"]["stream"]["site"] == "tgt_embed.output"
    assert (header["stage"], header["choosers"][0]["value"]) == ("normalized", 0)
    assert query(app)["layer"] == "0"


def test_a_cell_that_is_asked_for_is_explained():
    app = open_page(PAGE)
    header = header_of(app, VIEW)
    asked = {"key": header["key"], "tensor": "gamma", "index": [5], "layer": None, "report": 4}
    app.session_state[VIEW] = {"ask": asked}
    app.run()
    assert header_of(app, VIEW)["cell"] == {
        "site": "decoder.layers.1.self_attn_add_norm.weight",
        "index": [5],
    }


@pytest.mark.parametrize("block", ["encoder.cross_attn", "x", "decoder.final_norm"])
def test_a_block_that_this_model_lacks_falls_back(block):
    app = open_page(PAGE, block=block)
    assert header_of(app, VIEW)["stages"][0]["key"] == "sum"
