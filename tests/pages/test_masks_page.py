"""The page of the masks through the entry script: the batch, the switch, and what is said of them."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.view import STOP
from tests.pages.opening import header_of, light_row, open_page, query_of, said, title_of

PAGE = "pages/model/masks.py"
VIEW, BATCH = STOP, "masked_batch"


def view_of(app: AppTest) -> dict:
    return header_of(app, BATCH)


def texts(app: AppTest) -> list[str]:
    return [text.value for text in app.text]


def switch(app: AppTest, name: str) -> AppTest:
    return app.button_group(key="masks_switch").set_value(name).run()


def test_a_link_says_which_mask_is_off():
    app = open_page(PAGE, mask_off="causal")
    assert app.button_group(key="masks_switch").value == "causal"
    assert "Now a position reads the future" in texts(app)[0]
    app = switch(app, "padding")
    assert app.query_params["mask_off"] == "padding"
    app = switch(app, "")
    assert "mask_off" not in app.query_params


def test_a_mask_that_is_none_is_refused():
    app = open_page(PAGE, mask_off="sideways")
    assert said(app) == ["The link's mask_off cannot be used here; it was left out."]
    assert app.button_group(key="masks_switch").value == ""


def sentences(app: AppTest) -> list[str]:
    return next(c["options"] for c in view_of(app)["choosers"] if c["axis"] == "sentence")


def test_the_first_visit_shows_a_padded_batch_with_all_masks():
    app = open_page(PAGE)
    view = view_of(app)
    assert title_of(app) == "Masks"
    assert sentences(app) == ["0 Yours", "1 Agreement", "2 Adjective order"]
    assert [stage["key"] for stage in view["stages"]] == [
        "batch",
        "padding",
        "causal",
        "combined",
        "weights",
        "memory",
    ]
    assert view["stage"] == "", "nothing of it is pointed out"
    assert view["rail"] == []
    assert texts(app)[0] == "“Yours” has 4 source positions and 2 target positions of padding."
    assert "gets the answer that it gets alone" in texts(app)[1]
    assert not any(tensor["askable"] for tensor in view["tensors"].values())


def test_each_mask_can_be_switched_off_and_on_again():
    app = switch(open_page(PAGE), "padding")
    assert "Now <pad> gets weight" in texts(app)[0]
    assert "change" in [stage["key"] for stage in view_of(app)["stages"]]
    app = switch(app, "causal")
    assert "Now a position reads the future" in texts(app)[0]
    assert "another token becomes the most probable" in texts(app)[1]
    app = switch(app, "")
    assert "change" not in [stage["key"] for stage in view_of(app)["stages"]]


def test_other_sentences_can_be_picked():
    app = open_page(PAGE)
    app.multiselect[0].set_value(["Elision"]).run()
    assert sentences(app) == ["0 Yours", "1 Elision"]
    app.multiselect[0].set_value([]).run()
    assert sentences(app) == ["0 Yours"]
    assert "no padding" in texts(app)[0]


def test_another_sentence_of_the_batch_can_be_looked_at():
    app = open_page(PAGE)
    view = view_of(app)
    choices = {"sentence": 2, "layer": 0, "head": 3}
    app.session_state[BATCH] = {
        "view": {"key": view["key"], "stage": "weights", "choices": choices, "report": 5}
    }
    app.run()
    assert texts(app)[0].startswith("“Adjective order” is the longest row")
    values = {chooser["axis"]: chooser["value"] for chooser in view_of(app)["choosers"]}
    assert values == choices
    app = switch(app, "causal")
    assert "in layer 0, head 3" in texts(app)[0]
    assert {chooser["axis"]: chooser["value"] for chooser in view_of(app)["choosers"]} == choices


def test_a_typed_sentence_leads_the_batch_and_all_examples_can_join_it():
    app = open_page(PAGE, sentence="the cats sleep")
    assert len(app.multiselect[0].options) == 6
    labels = next(a["labels"] for a in view_of(app)["tensors"]["cross_weights"]["axes"] if a["name"] == "key")
    assert labels[:4] == ["the", "cats", "sleep", "</s>"]
    assert set(labels[4:]) == {"<pad>"}


def test_a_number_that_is_explained_is_marked_in_the_attention_and_not_in_the_batch():
    app = open_page(PAGE, explain="decoder.layers.1.self_attn.scores-0-0-1-1")
    assert header_of(app, VIEW)["cell"]["index"] == [0, 0, 1, 1]
    assert not any(tensor["askable"] for tensor in view_of(app)["tensors"].values())


ATTENTION = {"input", "queries", "keys", "values", "products", "scores", "masked", "softmax", "context"}
OFF = {"mask_off": "padding"}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("query", "above", "below"),
    [
        ({}, "masked", ""),
        ({"stage": "whole"}, "", ""),
        ({"stage": "softmax"}, "softmax", ""),
        ({"stage": "nowhere"}, "masked", ""),
        *(
            ({"stage": stage}, "masked", stage)
            for stage in ("batch", "padding", "combined", "causal", "weights", "memory")
        ),
        *(({"stage": stage, **OFF}, "masked", stage) for stage in ("without", "memory-without", "change")),
        ({"stage": "change"}, "masked", ""),
    ],
)
def test_every_address_opens_the_attention_at_a_stage_and_points_out_what_it_names_in_the_batch(
    query, above, below
):
    app = open_page(PAGE, **query)
    shown = header_of(app, VIEW)
    assert {stage["key"] for stage in shown["stages"]} >= ATTENTION
    assert (shown["picture"], shown["here"]) == ("attention", "decoder.layers.1.self_attn")
    assert shown["stage"] == above
    assert view_of(app)["stage"] == below
    assert query_of(app) == query, "nothing is written that Back would have to pass"


def test_the_whole_attention_can_be_chosen_and_is_in_the_link_and_the_pause_is_in_none():
    app = open_page(PAGE)
    shown = header_of(app, VIEW)
    choices = {each["axis"]: each["value"] for each in shown["choosers"]}
    for report, (chosen, linked) in enumerate((("", "whole"), ("softmax", "softmax"), ("masked", None)), 5):
        app.session_state[VIEW] = {
            "view": {"key": shown["key"], "stage": chosen, "choices": choices, "row": 4, "report": report}
        }
        app.run()
        assert header_of(app, VIEW)["stage"] == chosen
        assert query_of(app).get("stage") == linked


def test_head_and_layer_of_the_attention_are_those_of_the_batch_and_a_look_at_the_batch_keeps_the_stage():
    app = open_page(PAGE, stage="softmax", head="2", layer="0")
    for view in (VIEW, BATCH):
        values = {each["axis"]: each["value"] for each in header_of(app, view)["choosers"]}
        assert (values["layer"], values["head"]) == (0, 2)
    app = light_row(app, BATCH, 1)
    assert header_of(app, VIEW)["row"] == 1
    assert header_of(app, VIEW)["stage"] == "softmax"


@pytest.mark.proof
def test_every_shipped_model_has_its_batch():
    for model in ("copy", "dates", "en-de-numbers"):
        app = open_page(PAGE, model=model)
        assert len(sentences(app)) >= 2, model
        assert switch(app, "causal").text[0].value.startswith("Now a position reads the future"), model
