"""Choices made on one page stay there, whether a menu, a link in a view, or Back leads to another."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from explorer.app import REGISTRY
from explorer.view import HOME_ADDRESSES, STOP
from tests.pages.opening import follow, header_of, links_of, open_page, query_of, submit

WEIGHT = "decoder.layers.1.cross_attn.weights-0-2-4-5"
EVERYWHERE = ("model", "sentence", "step", "layer", "depth", "prefix", "branches")
"""What an address takes along to every page, of what these tests choose."""


def opened(page: str, **query: str) -> AppTest:
    return open_page(REGISTRY[page].page, **query)


def looked(app: AppTest, view: str, stage: str, **choices: int) -> AppTest:
    """The browser reports what is looked at in a view of matrices."""
    key = header_of(app, view)["key"]
    app.session_state[view] = {"view": {"key": key, "stage": stage, "choices": choices, "report": 5}}
    return app.run()


def has_panel(app: AppTest) -> bool:
    """Whether a number is explained beside the page."""
    assert not app.exception
    return bool(json.loads(app.get_by_key("explain_panel").proto.bytes))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("page", "chosen"),
    [
        (
            "cross-attention",
            {"stage": "softmax", "layer": "0", "head": "3", "explain": WEIGHT, "step": "2"},
        ),
        ("step-by-step", {"attention": "self", "head": "2", "layer": "0", "step": "2"}),
        ("home", {"moment": "17000", "step": "2"}),
        ("feed-forward", {"block": "encoder", "position": "3", "stage": "hidden"}),
        ("masks", {"mask_off": "causal", "stage": "weights"}),
        ("tensors", {"site": "encoder.output", "rows": "d_model", "head": "1"}),
    ],
)
def test_what_is_chosen_on_a_page_is_in_no_link_to_another_and_in_the_one_back(page, chosen):
    links = links_of(opened(page, **chosen))
    shared = {name: [value] for name, value in chosen.items() if name in EVERYWHERE}
    address = REGISTRY[page].address or ({"", *HOME_ADDRESSES} & links.keys()).pop()
    assert links.pop(address) == {name: [value] for name, value in chosen.items()}
    assert len(links) > 15
    for other, query in links.items():
        assert query == shared, other


def test_another_page_begins_as_its_own_and_the_one_before_is_found_as_it_was_left():
    app = looked(opened("self-attention"), STOP, "output", layer=0, head=3)
    add_norm = follow(app, "add-norm")
    assert header_of(add_norm, STOP)["stage"] == "", "all stages in one picture"
    assert header_of(add_norm, STOP)["choosers"][0]["value"] == 0, "the layer is one of the whole model"
    crossing = follow(add_norm, "cross-attention")
    assert [each["value"] for each in header_of(crossing, STOP)["choosers"]] == [0, 0]
    back = follow(crossing, "self-attention")
    assert header_of(back, STOP)["stage"] == "output"
    assert [each["value"] for each in header_of(back, STOP)["choosers"]] == [0, 3]


def test_the_layer_that_was_shown_anyway_is_not_chosen_by_looking_at_another_stage():
    app = looked(opened("self-attention"), STOP, "values", layer=1, head=0)
    assert query_of(app) == {"stage": "values"}
    app = looked(opened("self-attention", layer="0", head="2"), STOP, "values", layer=0, head=0)
    assert query_of(app) == {"stage": "values", "layer": "0", "head": "0"}


def test_a_number_is_explained_on_its_own_page_alone():
    app = opened("cross-attention", stage="softmax", explain=WEIGHT)
    assert has_panel(app)
    assert not has_panel(follow(app, "feed-forward"))
    assert has_panel(follow(app, "cross-attention"))


def test_the_encoder_that_was_chosen_on_one_page_is_not_chosen_on_the_next():
    app = opened("feed-forward", block="encoder", position="3")
    assert header_of(app, STOP)["row"] == 3
    add_norm = follow(app, "add-norm")
    assert header_of(add_norm, STOP)["row_side"] == "target"
    assert header_of(follow(add_norm, "self-attention"), STOP)["row"] == 0
    assert header_of(follow(add_norm, "feed-forward"), STOP)["row"] == 3


def test_a_mask_that_is_off_is_off_on_the_page_of_the_masks_alone():
    app = opened("masks", mask_off="causal")
    assert "mask_off" not in follow(app, "masked-self-attention").query_params
    assert query_of(follow(app, "masks"))["mask_off"] == "causal"


def test_of_another_sentence_no_number_is_explained_on_the_page_that_was_left():
    app = follow(opened("cross-attention", stage="softmax", explain=WEIGHT), "step-by-step")
    app = submit(app, "the cat sleeps", 9)
    query = links_of(app)["cross-attention"]
    assert query == {"sentence": ["the cat sleeps"], "stage": ["softmax"]}


def test_another_model_finds_every_page_as_new():
    app = follow(opened("cross-attention", stage="softmax", head="2"), "step-by-step")
    app.radio(key="model").set_value("copy").run()
    assert links_of(app)["cross-attention"] == {"model": ["copy"]}


def test_the_browsers_back_finds_the_page_as_its_address_says():
    app = opened("cross-attention", stage="softmax", head="2")
    app = follow(app, "feed-forward")
    app.query_params.clear()
    app.query_params["stage"] = "keys"
    app.switch_page(REGISTRY["cross-attention"].page).run()
    header = header_of(app, STOP)
    assert (header["stage"], header["choosers"][1]["value"]) == ("keys", 0)


def test_the_page_of_a_number_opens_with_the_number_and_without_what_else_was_chosen():
    app = opened("step-by-step", explain=WEIGHT, attention="self", gold="1", head="1", block="encoder")
    panel = json.loads(app.get_by_key("explain_panel").proto.bytes)
    told = {"key": panel["key"], "report": 1, "kind": "open", "site": panel["site"]}
    app.session_state["explain_panel"] = {"report": told}
    app.run()
    assert query_of(app) == {
        "explain": WEIGHT,
        "stage": "softmax",
        "layer": "1",
        "head": "2",
        "block": "decoder.cross_attn",
    }
