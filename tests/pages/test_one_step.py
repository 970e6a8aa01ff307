"""One step of the decoding for the whole app: where every page rests, and what is chosen on one is shown on all."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.app import REGISTRY
from explorer.view import STOP
from explorer.views.decoding.component import decode_view
from tests.pages.opening import after_report, follow, go_to_block, header_of, open_page, query_of

VIEWS = {
    "home": ("living_map", "step"),
    "step-by-step": ("step_by_step", "step"),
    "sampling-lab": ("sampling_view", "step"),
    "masked-self-attention": (STOP, "row"),
    "cross-attention": (STOP, "row"),
    "masks": (STOP, "row"),
    "add-norm": (STOP, "row"),
    "feed-forward": (STOP, "row"),
    "output": (STOP, "row"),
}
"""The pages that mark a step: key of their view, and what says the step in its message."""


def step_on(page: str, **query: str) -> int:
    """The step that a page marks."""
    view, name = VIEWS[page]
    return header_of(open_page(REGISTRY[page].page, **query), view)[name]


@pytest.mark.sweep
@pytest.mark.parametrize("page", VIEWS)
def test_a_page_that_is_opened_directly_rests_where_dort_is_written_and_not_on_the_end(page):
    assert step_on(page) == 4


@pytest.mark.sweep
@pytest.mark.parametrize("page", VIEWS)
def test_the_step_of_a_link_is_the_step_of_the_page(page):
    assert step_on(page, step="2") == 2


def asked(app: AppTest, view: str, tensor: str, index: tuple[int, ...], layer: int = 1) -> AppTest:
    """The browser reports that a cell was clicked."""
    told = {
        "key": header_of(app, view)["key"],
        "tensor": tensor,
        "index": list(index),
        "layer": layer,
        "report": 5,
    }
    app.session_state[view] = {"ask": told}
    return app.run()


def marked(app: AppTest, view: str) -> tuple[int | None, str]:
    """The row that a view of matrices marks, and whose tokens its rows are."""
    header = header_of(app, view)
    return header["row"], header["row_side"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("page", "view", "tensor", "index", "query"),
    [
        ("cross-attention", STOP, "scores", (0, 2, 5), {}),
        ("masked-self-attention", STOP, "q", (0, 2, 7), {"stage": "queries"}),
        ("feed-forward", STOP, "hidden", (2, 9), {"stage": "hidden"}),
        ("add-norm", STOP, "output", (2, 9), {"stage": "output"}),
        ("output", STOP, "logits", (2, 45), {}),
        ("tokens", STOP, "output", (2, 9), {"stage": "target-sum"}),
        ("tensors", "tensors", "a", (0, 2, 5), {}),
    ],
)
def test_who_clicks_in_a_row_of_the_decoder_goes_to_that_step_on_every_page(page, view, tensor, index, query):
    app = open_page(REGISTRY[page].page, **query)
    assert marked(app, view) == (4, "target")
    app = asked(app, view, tensor, index)
    assert "explain" in query_of(app), "it is a number that was clicked"
    assert marked(app, view) == (2, "target")
    assert query_of(app)["step"] == "2"
    assert header_of(follow(app, "step-by-step"), "step_by_step")["step"] == 2


def test_a_row_that_is_shown_anyway_is_no_choice_and_neither_is_a_key():
    app = asked(open_page(REGISTRY["cross-attention"].page), STOP, "scores", (0, 4, 5))
    assert set(query_of(app)) == {"explain"}
    keys = open_page(REGISTRY["masked-self-attention"].page, stage="keys")
    app = asked(keys, STOP, "k", (0, 2, 7))
    assert set(query_of(app)) == {"explain", "stage"}


def test_who_clicks_in_a_row_of_the_encoder_looks_at_that_source_token_and_leaves_the_step():
    app = open_page(REGISTRY["self-attention"].page)
    assert marked(app, STOP) == (0, "source")
    assert "position" not in query_of(app), "the first row is lit without a choice"
    app = asked(app, STOP, "scores", (0, 5, 2))
    assert marked(app, STOP) == (5, "source")
    assert set(query_of(app)) == {"explain", "position"}
    assert marked(follow(app, "cross-attention"), STOP) == (4, "target")


def test_the_step_of_the_lab_or_the_decoding_is_the_row_of_the_next_page():
    app = open_page(REGISTRY["step-by-step"].page)
    told = {"trace": header_of(app, "step_by_step")["key"], "step": 1, "attention": "cross"}
    told |= {"layer": 1, "head": None, "overlay": False}
    app = after_report(app, "view", told, page="step-by-step", part=decode_view.path)
    assert query_of(app) == {"step": "1"}, "the layer was shown anyway"
    for page in ("cross-attention", "output", "masks"):
        assert marked(follow(app, page), VIEWS[page][0]) == (1, "target"), page


@pytest.mark.sweep
@pytest.mark.parametrize("page", ["cross-attention", "masked-self-attention", "feed-forward", "output"])
def test_an_old_link_with_a_position_opens_that_row_of_the_decoder(page):
    app = open_page(REGISTRY[page].page, position="2")
    assert marked(app, VIEWS[page][0]) == (2, "target")
    assert query_of(app) == {"position": "2"}, "nothing is written that Back would have to pass"
    app.run()
    assert marked(app, VIEWS[page][0]) == (2, "target")
    assert marked(follow(app, "add-norm"), STOP) == (2, "target")
    assert marked(open_page(REGISTRY[page].page, position="2", step="1"), VIEWS[page][0]) == (1, "target")


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("self-attention", {}),
        ("feed-forward", {"block": "encoder"}),
        ("add-norm", {"block": "encoder.self_attn"}),
        ("tokens", {"stage": "source-sum"}),
        ("positions", {}),
    ],
)
def test_a_position_of_the_source_stays_one(page, query):
    app = open_page(REGISTRY[page].page, position="2", **query)
    assert marked(app, STOP) == (2, "source")


def test_who_goes_from_the_encoder_to_the_decoder_finds_the_step_and_not_the_position():
    app = open_page(REGISTRY["feed-forward"].page, block="encoder", position="2")
    go_to_block(app, STOP, "decoder.layers.1.feed_forward")
    assert marked(app, STOP) == (4, "target")
    assert "step" not in query_of(app)
    tokens = open_page(REGISTRY["tokens"].page, stage="source-sum", position="2")
    assert marked(go_to_block(tokens, STOP, "tgt_embed"), STOP) == (4, "target")
