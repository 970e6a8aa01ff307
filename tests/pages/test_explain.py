"""“Explain this number” through the entry script: the panel of a link, the way from number to number, the way out."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.decoding.component import decode_view
from tests.conftest import PATIENCE
from tests.pages.opening import APP, after_report, header_of, title_of

SENTENCE = "the small cats do not sleep"
SCORE = "decoder.layers.1.cross_attn.scores-0-2-4-5"
PAGE = "pages/generation/step_by_step.py"


def open_explained(trail: str, **query: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    for name, value in {"sentence": SENTENCE, "explain": trail, **query}.items():
        app.query_params[name] = value
    return app.run().switch_page(PAGE).run()


def panel(app: AppTest) -> dict:
    assert not app.exception
    return json.loads(app.get_by_key("explain_panel").proto.bytes)


def trail(app: AppTest) -> str:
    value = app.query_params.get("explain", "")
    return value if isinstance(value, str) else value[0]


def tell(app: AppTest, report: int, **what) -> AppTest:
    app.session_state["explain_panel"] = {"report": {"key": panel(app)["key"], "report": report, **what}}
    return app.run()


def test_panel_is_closed_without_a_number():
    assert panel(AppTest.from_file(APP, default_timeout=PATIENCE).run()) == {}


def test_a_link_opens_the_panel_with_words_formula_and_numbers():
    app = open_explained(SCORE)
    shown = panel(app)
    assert "".join(words["text"] for words in shown["words"]) == "The query of ne meets the key of sleep."
    assert (shown["site"], shown["index"]) == ("decoder.layers.1.cross_attn.scores", "[0, 2, 4, 5]")
    assert (shown["n_terms"], shown["factor"], shown["agrees"]) == (16, "÷ √16", True)
    assert "<msqrt><mrow><msub><mi>d</mi>" in shown["formula"]
    assert "<msqrt><mrow><mn>16</mn>" in shown["numbers"]
    assert f"<mn>{shown['value'].strip('−')}</mn>" in shown["numbers"]


def test_an_operand_is_followed_and_the_breadcrumb_leads_back():
    app = open_explained(SCORE)
    site, *index = panel(app)["terms"][3][2][0][4]
    app = tell(app, 1, kind="follow", site=site, index=index)
    assert panel(app)["site"] == site == "decoder.layers.1.cross_attn.q"
    assert [crumb["text"] for crumb in panel(app)["crumbs"]] == ["score", "query"]
    assert trail(app) == f"{SCORE};{site}-0-2-4-3"
    app = tell(app, 2, kind="back", place=0)
    assert (panel(app)["site"], trail(app)) == ("decoder.layers.1.cross_attn.scores", SCORE)
    app = tell(app, 3, kind="back", place=-1)
    assert trail(app) == ""
    assert panel(app) == {}


@pytest.mark.sweep
@pytest.mark.parametrize(
    "what",
    [
        {"kind": "follow", "site": "decoder.layers.1.cross_attn.q", "index": [0, 2, 3, 3]},
        {"kind": "follow", "site": "decoder.layers.1.cross_attn.q", "index": "0"},
        {"kind": "follow", "site": "decoder.layers.1.cross_attn.q", "index": [0, 2, 4, True]},
        {"kind": "follow", "site": ["x"], "index": [0]},
        {"kind": "back", "place": 0},
        {"kind": "back", "place": False},
        {"kind": "open", "site": "train"},
        {"kind": "drop"},
        {},
    ],
)
def test_what_the_shown_number_does_not_link_to_is_not_followed(what):
    app = open_explained(SCORE)
    assert trail(tell(app, 1, **what)) == SCORE


def test_a_report_is_followed_once_and_only_for_the_number_that_was_shown():
    app = open_explained(SCORE)
    old = panel(app)["key"]
    site, *index = panel(app)["terms"][0][2][0][4]
    follow = {"kind": "follow", "site": site, "index": index}
    app = tell(app, 1, **follow)
    before = trail(app)
    app.session_state["explain_panel"] = {"report": {"key": old, "report": 2, **follow}}
    assert trail(app.run()) == before


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("decoder.layers.1.cross_attn.scores-0-2-99-5", "is outside of decoder.layers.1.cross_attn.scores"),
        ("decoder.layers.1.cross_attn.scores-0-2", "give 4 numbers, not 2"),
        (
            "decoder.layers.9.nothing.here-0",
            "This model has no numbers called decoder.layers.9.nothing.here.",
        ),
        (f"{SCORE};hypothesis.prob-50-3", "outside of the 7 steps"),
    ],
)
def test_a_number_that_is_not_there_is_one_sentence_and_can_be_closed(link, problem):
    app = open_explained(link)
    shown = panel(app)
    assert problem in shown["problem"]
    assert shown["formula"] == ""
    assert trail(tell(app, 1, kind="back", place=-1)) == ""


def test_the_page_of_the_block_opens_at_the_layer_and_the_head():
    app = open_explained(SCORE)
    assert (panel(app)["page"], panel(app)["page_title"]) == ("cross-attention", "Cross-attention")
    app = tell(app, 1, kind="open", site="decoder.layers.1.cross_attn.scores")
    assert not app.exception
    assert title_of(app) == "Cross-attention"
    assert (app.query_params["layer"], app.query_params["head"]) in ((["1"], ["2"]), ("1", "2"))
    assert trail(app) == SCORE, "the panel stays open"


def test_weights_and_probabilities_of_the_decoding_view_are_explained():
    key = "step_by_step"
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    app.query_params["sentence"] = SENTENCE
    app = app.run().switch_page(PAGE).run()

    def ask(**what):
        told = {"trace": header_of(app, key)["key"], "kind": "explain", **what}
        return after_report(app, "action", told, page="step-by-step", part=decode_view.path)

    app = ask(what="weight", attention="cross", layer=1, head=2, row=4, column=5)
    assert trail(app) == "decoder.layers.1.cross_attn.weights-0-2-4-5"
    assert "".join(words["text"] for words in panel(app)["words"]) == "ne reads sleep with this weight."
    token = header_of(app, key)["candidate_ids"][4][1]
    assert trail(ask(what="prob", step=4, token_id=token)) == f"hypothesis.prob-4-{token}"
    assert trail(ask(what="log_prob")) == "hypothesis.log_prob"
    assert (
        trail(ask(what="weight", attention="cross", layer=1, head=None, row=4, column=5))
        == "hypothesis.log_prob"
    )


def test_weights_and_probabilities_of_the_living_map_are_explained():
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    app.query_params["sentence"] = SENTENCE
    app.run()

    def ask(**what):
        return after_report(app, "act", {"key": header_of(app, "living_map")["key"], **what})

    weights = "decoder.layers.1.cross_attn.weights"
    assert trail(ask(kind="weight", site=weights, head=2, row=4, column=5)) == f"{weights}-0-2-4-5"
    token = header_of(app, "living_map")["candidates"]["ids"][4][1]
    assert trail(ask(kind="probability", step=4, token_id=token)) == f"hypothesis.prob-4-{token}"


def test_a_page_without_numbers_is_not_covered_and_the_panel_comes_back_after_it():
    app = open_explained(SCORE)
    app.switch_page("pages/training/runs.py").run()
    assert not app.exception
    with pytest.raises(KeyError):
        app.get_by_key("explain_panel")
    assert app.query_params["explain"]
    assert panel(app.switch_page(PAGE).run())["formula"]
