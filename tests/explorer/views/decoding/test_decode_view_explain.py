"""What the decoding view asks to have explained: weights of one head, probabilities, log P of the output."""

import pytest

from explorer.tensors import CellPlace
from explorer.views.decoding.branches import reported_state
from explorer.views.decoding.component.reports import ACTION
from explorer.visitor.reports import Explain
from explorer.visitor.state import ExplorerState, Look
from tests.explorer.views.decoding.test_decode_view import view_data

TRACE = {"trace": "trace-1", "kind": "explain", "report": 7}
WEIGHT = {"what": "weight", "attention": "cross", "layer": 1, "head": 1, "row": 2, "column": 3}


@pytest.mark.parametrize(
    ("asked", "site", "index"),
    [
        (WEIGHT, "decoder.layers.1.cross_attn.weights", (0, 1, 2, 3)),
        (
            {**WEIGHT, "attention": "self", "row": 1, "column": 0},
            "decoder.layers.1.self_attn.weights",
            (0, 1, 1, 0),
        ),
        (
            {**WEIGHT, "attention": "encoder", "layer": 0, "row": 4, "column": 4},
            "encoder.layers.0.self_attn.weights",
            (0, 1, 4, 4),
        ),
        ({"what": "prob", "step": 3, "token_id": 155}, "hypothesis.prob", (3, 155)),
        ({"what": "log_prob"}, "hypothesis.log_prob", ()),
    ],
)
def test_numbers_of_the_view_are_asked_for_by_their_sites(asked, site, index):
    data = view_data()
    assert data.what_if is None, "a view that only looks can be asked too"
    action = ACTION.parse({**TRACE, **asked}, data)
    assert action == Explain(CellPlace(site, index))
    state = ExplorerState(run="r", sentence="s", look=Look(trail=(CellPlace("src", (0, 0)),)))
    assert reported_state(state, action, lambda prefix: pytest.fail("nothing is decoded")).look.trail == (
        CellPlace(site, index),
    )


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"what": "weights"},
        {**WEIGHT, "head": None},
        {**WEIGHT, "head": 99},
        {**WEIGHT, "layer": -1},
        {**WEIGHT, "row": True},
        {**WEIGHT, "column": 1.0},
        {**WEIGHT, "attention": ["cross"]},
        {**WEIGHT, "attention": "other"},
        {**WEIGHT, "trace": "another"},
        {**WEIGHT, "report": "7"},
        {"what": "prob", "step": 4, "token_id": 0},
        {"what": "prob", "step": 0, "token_id": 156},
        {"what": "prob", "step": 0},
    ],
)
def test_what_the_view_does_not_show_is_not_explained(asked):
    assert ACTION.parse({**TRACE, **asked}, view_data()) is None


def asked(page) -> dict:
    name, what = page.evaluate("reports.at(-1)")
    assert name == "action"
    return {key: value for key, value in what.items() if key not in ("trace", "report")}


@pytest.mark.browser
def test_enter_on_a_cell_and_the_button_ask_for_its_weight(mounted):
    page = mounted(view_data(head=1))
    page.locator("canvas.cells").focus()
    for key in ("Home", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    weight = {"what": "weight", "attention": "cross", "layer": 1, "head": 1, "row": 2, "column": 1}
    assert asked(page) == {"kind": "explain", **weight}
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Explain this number", exact=True).first.click()
    assert asked(page) == {"kind": "explain", **weight, "row": 1}
    assert page.evaluate("document.querySelector('#host').shadowRoot.activeElement.className") == "cells"


@pytest.mark.browser
def test_a_mean_over_heads_cannot_be_explained_and_says_why(mounted):
    page = mounted(view_data(head=None))
    readout = page.locator(".readout")
    button = readout.get_by_role("button", name="Explain this number")
    assert not button.is_visible()
    assert "Choose one head to have a number explained." in readout.inner_text()
    page.locator("canvas.cells").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("reports.filter(([name]) => name === 'action')") == []
    page.keyboard.press(".")
    assert button.is_visible()
    assert "Choose one head" not in readout.inner_text()


@pytest.mark.browser
def test_a_candidates_probability_can_be_asked_for(mounted):
    data = view_data(step=1)
    page = mounted(data)
    page.locator("table.candidates tbody tr").nth(2).get_by_role("button", name="Explain").click()
    assert asked(page) == {"kind": "explain", "what": "prob", "step": 1, "token_id": data.candidate_ids[1][2]}
