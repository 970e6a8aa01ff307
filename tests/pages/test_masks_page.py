"""The page of the masks through the entry script: the batch, the switch, and what is said of them."""

from streamlit.testing.v1 import AppTest

from tests.pages.opening import header_of, open_page, said

PAGE = "pages/model/masks.py"
VIEW = "masks"


def view_of(app: AppTest) -> dict:
    return header_of(app, VIEW)


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
    assert app.title[0].value == "Masks"
    assert sentences(app) == ["0 Yours", "1 Agreement", "2 Adjective order"]
    assert [stage["key"] for stage in view["stages"]] == [
        "batch",
        "padding",
        "causal",
        "combined",
        "weights",
        "memory",
    ]
    assert view["stage"] == "combined"
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
    app.session_state[VIEW] = {
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


def test_a_number_that_is_explained_elsewhere_is_not_marked_here():
    app = open_page(PAGE, explain="decoder.layers.1.self_attn.scores-0-0-1-1")
    assert view_of(app)["cell"] is None


def test_every_shipped_model_has_its_batch():
    for model in ("copy", "dates", "en-de-numbers"):
        app = open_page(PAGE, model=model)
        assert len(sentences(app)) >= 2, model
        assert switch(app, "causal").text[0].value.startswith("Now a position reads the future"), model
