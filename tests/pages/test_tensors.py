"""The tensor inspector through the entry script: every name opens, layouts, windows, comparison and export."""

import pytest
from streamlit.testing.v1 import AppTest

from core.interventions.intervention import ZeroAblation
from core.interventions.links import write_link
from core.model.parameters import named_parameters
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run
from explorer.models.recorded import in_dtype
from explorer.views.inspector.component import CHOSEN, ChosenSite
from explorer.views.inspector.sites import IDS
from explorer.views.inspector.tables import dtype_words
from explorer.visitor.scope import DEFAULT_RUN
from tests.pages.opening import header_of, open_page, said, title_of

PAGE = "pages/model/tensors.py"
VIEW = "tensors"
WEIGHTS = "decoder.layers.1.cross_attn.weights"


def tensors(app: AppTest) -> dict[str, dict]:
    return header_of(app, VIEW)["tensors"]


def infos(app: AppTest) -> list[str]:
    return [each.value for each in app.info]


def report(app: AppTest, **said: object) -> AppTest:
    app.session_state[VIEW] = said
    return app.run()


def test_the_first_visit_shows_what_the_last_layer_reads():
    app = open_page(PAGE)
    assert title_of(app) == "Tensor inspector"
    assert tensors(app)["a"]["site"] == WEIGHTS
    assert [select.value for select in app.selectbox if select.label in ("Rows", "Columns")] == [
        "query",
        "key",
    ]
    assert {button.label for button in app.button} == {"Pin as B"}
    assert {"npy", "csv"} <= {button.key for button in app.get("download_button")}


@pytest.mark.proof
def test_every_name_opens_from_a_link():
    # Their numbers are compared in tests/explorer/views/inspector, for more models; here the page draws each.
    run = loaded_run("copy")
    app = open_page(PAGE, model="copy")
    for name in (*IDS, *(site.name for site in run.model.sites()), *named_parameters(run.model)):
        app.query_params["model"], app.query_params["site"] = "copy", name
        app.run()
        assert tensors(app)["a"]["site"] == name
        assert not infos(app), name


def dtype_controls(app: AppTest) -> list[object]:
    return [group.value for group in app.button_group if group.key == "tensor_dtype"]


def test_tensor_is_compared_with_its_bfloat16_twin():
    app = open_page(PAGE)
    assert dtype_controls(app) == ["float32"]
    assert set(tensors(app)) == {"a"}
    app.button_group(key="tensor_dtype").set_value("bfloat16").run()
    found = tensors(app)
    assert {name: found[name]["dtype"] for name in ("a", "b")} == {"a": "float32", "b": "bfloat16"}
    assert "difference" in found
    recorded = recorded_of(loaded_run(DEFAULT_RUN), app.session_state["explorer"].sentence)
    twin = in_dtype(recorded, "bfloat16")
    assert any(dtype_words(recorded, twin) == text.value for text in app.text)
    # A pinned tensor takes the place of the twin.
    app.button(key="pin").click().run()
    assert dtype_controls(app) == []
    assert tensors(app)["b"]["dtype"] == "float32"


def test_changed_model_is_recorded_in_its_own_dtype():
    change = ZeroAblation("decoder.layers.1.cross_attn.context", head=1)
    app = open_page(PAGE, changes=write_link((change,)))
    assert not app.exception
    assert dtype_controls(app) == []


def test_an_unknown_name_says_so_and_shows_the_default():
    app = open_page(PAGE, site="decoder.layers.7.cross_attn.weights")
    assert tensors(app)["a"]["site"] == WEIGHTS
    assert infos(app) == ["This model has no tensor of that name; this is the default one."]


def test_a_chosen_tensor_is_shown_and_stands_in_the_address():
    app = open_page(PAGE)
    app.session_state["site_tree"] = {"chosen": {"site": "encoder.output", "report": 7}}
    app.run()
    assert tensors(app)["a"]["site"] == "encoder.output"
    assert app.query_params["site"] == "encoder.output"


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "src",
        {},
        {"site": "src"},
        {"site": "nothing", "report": 1},
        {"site": "src", "report": -1},
        {"site": ["src"], "report": 1},
        {"site": "src", "report": True},
    ],
)
def test_an_impossible_choice_is_no_choice(raw):
    assert CHOSEN.parse(raw, ("src",)) is None
    assert CHOSEN.parse({"site": "src", "report": 1}, ("src",)) == ChosenSite("src")


def test_rows_and_columns_can_be_chosen():
    app = open_page(PAGE)
    app.selectbox(key="tensor_rows").set_value("none").run()
    view = header_of(app, VIEW)
    assert view["stages"][0]["panels"][0]["rows"] == []
    assert [chooser["axis"] for chooser in view["choosers"]] == ["head", "query"]
    app.selectbox(key="tensor_columns").set_value("head").run()
    assert header_of(app, VIEW)["stages"][0]["panels"][0]["columns"] == ["head"]
    assert app.query_params["rows"] == "none"
    assert app.query_params["columns"] == "head"


def test_the_window_on_a_long_table_moves():
    app, n_rows = open_page(PAGE, site="src_embed.weight"), loaded_run(DEFAULT_RUN).config.src_vocab_size
    assert tensors(app)["a"]["axes"][0]["window"] == f"Rows 0 to 63 of {n_rows}."
    app.number_input(key="tensor_first_row").set_value(128).run()
    assert tensors(app)["a"]["axes"][0]["window"] == f"Rows 128 to 191 of {n_rows}."
    assert app.query_params["first_row"] == "128"
    app.number_input(key="tensor_first_row").set_value(n_rows - 64).run()
    assert tensors(app)["a"]["axes"][0]["window"] == f"Rows {n_rows - 64} to {n_rows - 1} of {n_rows}."


def test_a_place_that_is_chosen_in_the_view_is_kept():
    app = open_page(PAGE, rows="none")
    view = header_of(app, VIEW)
    choices = {"head": 2, "query": 5}
    report(app, view={"key": view["key"], "stage": "tensor", "choices": choices, "report": 5})
    assert {chooser["axis"]: chooser["value"] for chooser in header_of(app, VIEW)["choosers"]} == choices
    assert app.query_params["head"] == "2"
    assert app.query_params["step"] == "5", (
        "a query of the decoder is a step, and the step is one for all pages"
    )
    assert "at" not in app.query_params


def test_a_cell_is_explained():
    app = open_page(PAGE)
    view = header_of(app, VIEW)
    report(app, ask={"key": view["key"], "tensor": "a", "layer": None, "index": [2, 3, 4], "report": 5})
    assert app.query_params["explain"] == f"{WEIGHTS}-0-2-3-4"
    assert header_of(app, VIEW)["cell"] == {"site": WEIGHTS, "index": [0, 2, 3, 4]}


def test_a_and_b_have_their_own_heads_and_b_ends_when_it_is_unpinned():
    app = open_page(PAGE, head="1")
    app.button(key="pin").click().run()
    view = header_of(app, VIEW)
    choices = {"head": 3, "B head": 1}
    assert {chooser["axis"]: chooser["value"] for chooser in view["choosers"]} == {"head": 1, "B head": 1}
    report(app, view={"key": view["key"], "stage": "compare", "choices": choices, "report": 9})
    view = header_of(app, VIEW)
    assert {chooser["axis"]: chooser["value"] for chooser in view["choosers"]} == choices
    assert [panel["title"] for panel in view["stages"][0]["panels"]] == ["A weights", "B weights", "A − B"]
    assert (app.query_params["pinned"], app.query_params["pinned_at"]) == (WEIGHTS, "head-1")
    # Nobody can ask for a number that the model has not.
    report(
        app, ask={"key": view["key"], "tensor": "difference", "layer": None, "index": [1, 1], "report": 12}
    )
    assert "explain" not in app.query_params
    app.button(key="unpin").click().run()
    assert list(tensors(app)) == ["a"]
    assert "pinned" not in app.query_params


def test_two_models_of_one_architecture_are_compared():
    app = open_page(
        PAGE, model="reverse", site="generator.weight", pinned="generator.weight", pinned_model="copy"
    )
    assert set(tensors(app)) == {"a", "b", "difference"}
    assert "of the model Copy letters" in app.text[0].value


def test_a_typed_sentence_is_compared_with_another():
    app = open_page(PAGE, sentence="the cats sleep", pinned=WEIGHTS, pinned_sentence="the cat sleeps")
    assert app.text[0].value == f"B is {WEIGHTS} for “the cat sleeps”."
    # One has four output tokens, the other as many, or there is a sentence about it.
    assert "difference" in tensors(app)
    longer = open_page(
        PAGE, sentence="the cats sleep", pinned=WEIGHTS, pinned_sentence="the small cat does not sleep"
    )
    assert "difference" not in tensors(longer)
    assert header_of(longer, VIEW)["stages"][0]["note"] == "There is no A − B: A is 4×4 and B is 7×7."


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"pinned": "nothing.here"}, "The model of B has no tensor of the pinned name."),
        (
            {"pinned": WEIGHTS, "pinned_prefix": "2-5"},
            "The link's pinned tensor cannot be used here; it was left out.",
        ),
    ],
)
def test_what_cannot_be_pinned_is_said_and_a_is_shown(query, says):
    app = open_page(PAGE, **query)
    assert says in " ".join(said(app))
    assert list(tensors(app)) == ["a"]


def test_every_model_has_its_inspector():
    for model in ("copy", "sort", "en-de-numbers"):
        app = open_page(PAGE, model=model)
        recorded = recorded_of(loaded_run(model), app.session_state["explorer"].sentence)
        size = [axis["size"] for axis in tensors(app)["a"]["axes"]]
        assert size == [4, len(recorded.outputs), len(recorded.source)], model
