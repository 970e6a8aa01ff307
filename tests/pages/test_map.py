"""The map through the entry script: what it is fed, where its blocks lead, and the ways to it from other pages."""

import pytest
from streamlit.testing.v1 import AppTest

from core.model.shapes import expected_parameters
from explorer.models.known import loaded_run
from explorer.visitor.scope import DEFAULT_RUN
from tests.pages import opening
from tests.pages.opening import header_of

PAGE = "pages/model/map.py"


def open_page(page: str = PAGE, **query: str) -> AppTest:
    return opening.open_page(page, **query)


def fed(app: AppTest, view: str = "map_view") -> dict:
    return header_of(app, view)


def query_of(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def ask(app: AppTest, view: str = "map_view", **changes) -> AppTest:
    asked = {
        "key": fed(app, view)["key"],
        "step": 3,
        "chosen": "decoder.layers.0.cross_attn",
        "page": "cross-attention",
        "item": "",
        "report": 5,
    }
    app.session_state[view] = {"open": asked | changes}
    return app.run()


def test_the_first_visit_shows_the_telling_step_and_a_cross_attention():
    app = open_page()
    assert app.title[0].value == "Map"
    data = fed(app)
    assert (data["step"], data["chosen"]) == (4, "decoder.layers.1.cross_attn")
    assert data["unfolded"] == {"encoder": 1, "decoder": 1}
    assert sum(part["parameters"] for part in data["parts"]) == expected_parameters(
        loaded_run(DEFAULT_RUN).config
    )
    assert len(app.get_by_key("map_view").proto.bytes) < 300_000
    assert query_of(app) == {}


def test_a_link_opens_the_very_block_at_the_very_step():
    data = fed(open_page(step="2", stage="encoder-layers-0-feed_forward", sentence="the cats sleep"))
    assert (data["step"], data["chosen"]) == (2, "encoder.layers.0.feed_forward")
    assert data["unfolded"]["encoder"] == 0


@pytest.mark.parametrize("model", ["copy", "dates", "en-de-numbers", "reverse", "sort"])
def test_every_model_is_drawn(model):
    data = fed(open_page(model=model))
    assert data["probabilities"][-1] > 0
    assert {block["kind"] for block in data["blocks"]} >= {"attention", "add", "linear"}
    assert {block["title"] for block in data["blocks"]} >= {"Masked self-attention", "Add & norm", "Linear"}


def test_where_stepping_rests_is_mirrored_to_the_url():
    app = open_page()
    seen = {"key": fed(app)["key"], "step": 4, "chosen": "encoder.layers.0", "report": 5}
    app.session_state["map_view"] = {"view": seen}
    app.run()
    assert query_of(app) == {"step": "4", "layer": "0", "stage": "encoder-layers-0"}
    assert (fed(app)["step"], fed(app)["chosen"], fed(app)["report"]) == (4, "encoder.layers.0", 5)


def test_a_block_opens_its_page_at_its_layer():
    app = ask(open_page())
    assert not app.exception
    assert app.title[0].value == "Cross-attention"
    assert query_of(app) == {"step": "3", "layer": "0", "block": "decoder.cross_attn"}


def test_a_tensor_opens_the_inspector_or_while_there_is_none_the_page_of_its_block():
    app = ask(open_page(), page="", item="decoder.layers.0.cross_attn.w_q")
    assert not app.exception
    assert app.title[0].value != "Map"
    assert query_of(app)["site"] == "decoder.layers.0.cross_attn.w_q"


@pytest.mark.parametrize(
    "changes",
    [{"key": "another"}, {"step": 99}, {"chosen": "x"}, {"page": "masks2"}, {"item": "x"}, {"report": None}],
)
def test_a_request_that_does_not_fit_is_ignored(changes):
    app = ask(open_page(), **changes)
    assert app.title[0].value == "Map"
    assert query_of(app) == {}


def test_a_request_is_acted_on_once():
    app = ask(open_page())
    app.switch_page(PAGE)
    app.run()
    assert app.title[0].value == "Map"


def test_the_home_page_has_the_map_with_all_layers_folded():
    app = open_page("pages/home/translate.py", step="2")
    data = fed(app, "map_overview")
    assert (data["compact"], data["step"], data["unfolded"]) == (True, 2, {})
    assert data["outputs"] == fed(app, "decode_view")["output_tokens"]
    app = ask(app, "map_overview", chosen="encoder.layers.1.self_attn", page="map", step=2)
    assert app.title[0].value == "Map"
    assert fed(app)["chosen"] == "encoder.layers.1.self_attn"
    assert fed(app)["step"] == 2
