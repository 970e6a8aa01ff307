"""The page Add & norm through the entry script: what is chosen, shown, and kept in the address."""

import json

import pytest

from tests.pages.opening import header_of, open_page, words_of

PAGE, VIEW = "pages/model/add_norm.py", "add_norm"


def query(app) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def table(app, head: str):
    """The first table with such a column."""
    return next(each.value for each in app.dataframe if head in each.value.columns)


def test_the_page_opens_with_the_decoders_self_attention_and_all_its_numbers():
    app = open_page(PAGE)
    header = header_of(app, VIEW)
    assert app.title[0].value == "Add & norm"
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


def test_stack_and_sublayer_are_chosen_and_linked():
    app = open_page(PAGE)
    app.get_by_key("stack").set_value("encoder").run()
    assert header_of(app, VIEW)["tensors"]["added"]["site"] == "encoder.layers.1.self_attn.output"
    app.get_by_key("sublayer").set_value("feed_forward").run()
    assert query(app)["block"] == "encoder.feed_forward"
    again = open_page(PAGE, **query(app))
    assert header_of(again, VIEW)["tensors"]["added"]["site"] == "encoder.layers.1.feed_forward.output"
    app.get_by_key("stack").set_value("decoder").run()
    assert query(app)["block"] == "decoder.feed_forward", "the sub-layer stays where the other stack has it"


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
