"""Attention by hand through the entry script: what is typed, what is computed of it, and what is said of answers."""

import json
import struct

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.opening import header_of, message_of, open_page, query_of, said, title_of

PAGE, VIEW = "pages/learn/by_hand.py", "by_hand"


def type_in(app: AppTest, *cells: tuple[str, int, int, str], report: int = 7) -> AppTest:
    """The browser reports what was written into cells."""
    told = {"key": header_of(app, VIEW)["key"], "cells": [list(cell) for cell in cells], "report": report}
    app.session_state[VIEW] = {"type": told}
    return app.run()


def ask(app: AppTest, tensor: str, *index: int, report: int = 9) -> AppTest:
    """The browser reports that a number was clicked."""
    told = {
        "key": header_of(app, VIEW)["key"], "tensor": tensor, "layer": None, "index": list(index), "report": report,
    }  # fmt: skip
    app.session_state[VIEW] = {"ask": told}
    return app.run()


def shown(app: AppTest, tensor: str) -> np.ndarray:
    """The numbers that a matrix of the picture was fed."""
    header, message = header_of(app, VIEW), message_of(app, VIEW)
    (length,) = struct.unpack("<I", message[:4])
    numbers = message[4 + -(-length // 4) * 4 :]
    at = 0
    for name, shape in header["arrays"]:
        count = int(np.prod(shape))
        if name == f"tensors.{tensor}.values":
            return np.frombuffer(numbers, np.float32, count, at).reshape(shape)
        at += 4 * count
    raise AssertionError(tensor)


def cells_of(app: AppTest, kind: str) -> dict[str, dict]:
    """The cells that something can be written in, by what they are called."""
    return {each["label"]: each for each in header_of(app, VIEW)["entries"] if each["kind"] == kind}


def sentence(app: AppTest) -> str:
    assert not app.exception
    return app.text[0].value


def test_the_first_visit_shows_the_first_example_computed_to_its_end():
    app = open_page(PAGE)
    assert title_of(app) == "Attention by hand"
    assert [name["text"] for name in cells_of(app, "name").values()] == ["I", "love", "transformers"]
    scores = np.array([[1, 0, 2], [1, 0, 1], [3, 0, 4]])
    np.testing.assert_array_equal(shown(app, "scores"), scores)
    exps = np.exp(scores)
    np.testing.assert_allclose(shown(app, "exps"), exps, rtol=1e-6)
    np.testing.assert_allclose(shown(app, "total"), exps.sum(axis=1), rtol=1e-6)
    weights = exps / exps.sum(axis=1, keepdims=True)
    values = np.array([[2, 4, 9, 0], [1, 3, 3, 1], [4, 2, 4, 2]])
    np.testing.assert_allclose(shown(app, "context"), weights @ values, rtol=1e-6)
    assert "2.72" in sentence(app)
    assert f"{exps[0].sum():.2f}" in sentence(app)


def test_a_number_that_is_typed_reaches_the_output_and_the_link():
    app = open_page(PAGE)
    before = shown(app, "context")
    app = type_in(app, ("w_v", 0, 0, "−9"), ("x", 1, -1, "adore"))
    assert shown(app, "w_v")[0, 0] == -9
    assert not np.allclose(shown(app, "context"), before)
    assert cells_of(app, "name")["Name of token 2"]["text"] == "adore"
    again = open_page(PAGE, **query_of(app))
    np.testing.assert_array_equal(shown(again, "context"), shown(app, "context"))


@pytest.mark.sweep
@pytest.mark.parametrize("text", ["abc", "", "1e99", "10", "-10", "2.5", "９", "--1", "nan", "9" * 40])
def test_what_is_no_small_whole_number_changes_nothing(text):
    app = open_page(PAGE)
    before = shown(app, "w_q")
    app = type_in(app, ("w_q", 0, 0, text), ("w_k", 0, 0, "7"))
    np.testing.assert_array_equal(shown(app, "w_q"), before)
    assert shown(app, "w_k")[0, 0] == 7, "what stands beside it counts"


@pytest.mark.sweep
@pytest.mark.parametrize(
    "cells",
    [
        [],
        "x",
        [["x", 0]],
        [["x", 99, 0, "1"]],
        [["none", 0, 0, "1"]],
        [["x", True, 0, "1"]],
        [["x", 0, 0, 1]],
    ],
)
def test_a_report_that_is_none_is_left(cells):
    app = open_page(PAGE)
    app.session_state[VIEW] = {"type": {"key": header_of(app, VIEW)["key"], "cells": cells, "report": 7}}
    app = app.run()
    assert not app.exception
    assert query_of(app) == {}


def test_sizes_switches_and_examples_lose_no_number():
    app = type_in(open_page(PAGE), ("w_q", 3, 3, "5"))
    app = app.button_group(key="by_hand_d_model").set_value(2).run()
    assert shown(app, "w_q").shape == (2, 4)
    app = app.button_group(key="by_hand_d_model").set_value(4).run()
    assert shown(app, "w_q")[3, 3] == 5
    app = app.toggle(key="by_hand_causal").set_value(True).run()
    assert shown(app, "weights")[0].tolist() == [1, 0, 0]
    app = app.button(key="by_hand_example_1").click().run()
    weights = shown(app, "weights")
    assert shown(app, "q")[1].tolist() == [0, 0]
    assert weights[0, 1] > 0.9
    np.testing.assert_allclose(weights[1], 0.5)


def test_dividing_by_the_root_of_d_k_spreads_the_weights_of_its_example():
    app = open_page(PAGE).button(key="by_hand_example_2").click().run()
    undivided = shown(app, "weights").max(axis=1)
    app = app.toggle(key="by_hand_scaled").set_value(True).run()
    assert (undivided > 0.95).any()
    assert (shown(app, "weights").max(axis=1) < undivided).all()


@pytest.mark.parametrize(
    ("name", "text"),
    [("hand_x", "zz"), ("hand_q", "1" * 17), ("hand_size", "9x9x9"), ("hand_blank", "nothing")],
)
def test_a_link_that_is_nonsense_says_one_sentence_and_opens_the_first_example(name, text):
    app = open_page(PAGE, **{name: text})
    assert len(said(app)) == 1
    assert shown(app, "scores")[2, 2] == 4


def test_a_clicked_number_explains_itself_with_its_terms():
    app = ask(open_page(PAGE), "q", 0, 2)
    panel = header_of_panel(app)
    assert [float(term[3]) for term in panel["terms"]] == [0, 0, 2, 0]
    assert "".join(each["text"] for each in panel["words"]) == "The query of I, place 3."
    assert panel["agrees"]


def header_of_panel(app: AppTest) -> dict:
    """What the panel shows."""
    assert not app.exception
    return json.loads(app.get_by_key("explain_panel").proto.bytes)


def test_answers_are_confirmed_or_led_to_their_terms_and_what_follows_waits():
    app = open_page(PAGE, hand_blank="q-weights")
    assert "within 0.01" in sentence(app)
    assert np.isnan(shown(app, "q")).all(), "what is to be computed is not in the page"
    assert np.isnan(shown(app, "context")).all()
    assert "weights" not in {each["tensor"] for each in cells_of(app, "answer").values()}
    app = type_in(app, ("q", 0, 2, "3"))
    assert (
        sentence(app)
        == "Q row 1 column 3 is not 3. It comes from 0 · 0 + 1 · 0 + 2 · 1 + 2 · 0. Work it out once more."
    )
    assert cells_of(app, "answer")["Q row 1 column 3"]["state"] == "wrong"
    app = type_in(app, ("q", 0, 2, "2"), report=8)
    assert sentence(app).startswith("Right: Q row 1 column 3 is 0 · 0 + 1 · 0 + 2 · 1 + 2 · 0 = 2.")
    assert shown(app, "q")[0, 2] == 2
    rows = [[0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 2, 0]]
    app = type_in(
        app, *(("q", i, j, str(n)) for i, row in enumerate(rows) for j, n in enumerate(row)), report=9
    )
    assert not np.isnan(shown(app, "scores")).any()
    app = type_in(app, ("weights", 0, 2, "0,67"), ("weights", 0, 1, "0.2"), report=10)
    answers = cells_of(app, "answer")
    assert answers["Weights row 1 column 3"]["state"] == "right"
    assert answers["Weights row 1 column 2"]["state"] == "wrong"
    assert "1 ÷ (2.718 + 1 + 7.389)" in sentence(app)


def test_a_number_that_is_still_to_be_computed_is_not_explained():
    app = open_page(PAGE, hand_blank="q", explain="by_hand.q-0-0-0-2")
    assert header_of_panel(app)["problem"] == "This number is still to be computed by hand."
