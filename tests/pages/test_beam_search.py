"""The beam search page through the entry script: settings, the sentence that compares, and the way to the debugger."""

import pytest
from streamlit.testing.v1 import AppTest

from core.data.tasks import get_task
from explorer.models.beam_trees import BEAM_EXAMPLES, EXAMPLE_PENALTY, EXAMPLE_WIDTH, search, verdict
from explorer.models.known import RECORDED, loaded_run
from explorer.views.beam_search.component import beam_view
from explorer.visitor.scope import DEFAULT_RUN
from explorer.visitor.state import MAX_BEAM_WIDTH
from tests.pages import opening
from tests.pages.opening import after_report, header_of, submit, title_of

PAGE = "pages/generation/beam_search.py"
FIRST = get_task("en_fr").examples[0].source
WON = BEAM_EXAMPLES["en_fr"].source
"""Where greedy decoding loses."""


def open_page(**query: str) -> AppTest:
    return opening.open_page(PAGE, **query)


def verdict_of(sentence: str, *, width: int = 4, length_penalty: float = 0.6) -> str:
    """What the page should say of a search."""
    tree = search(loaded_run(DEFAULT_RUN), sentence, width=width, length_penalty=length_penalty)
    return f"**{verdict(tree)}**"


def fed(app: AppTest) -> dict:
    return header_of(app, "beam_view")


def query_of(app: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def said(app: AppTest) -> list[str]:
    return [markdown.value for markdown in app.markdown]


def report(app: AppTest, **changes) -> AppTest:
    opened = {"trace": fed(app)["key"], "node": fed(app)["n_best"][0]} | changes
    return after_report(app, "opened", opened, page="beams", part=beam_view.path)


def test_the_first_visit_searches_with_the_settings_of_the_paper():
    app = open_page()
    assert title_of(app) == "Beam search"
    tree = fed(app)
    assert (tree["width"], tree["length_penalty"], len(tree["n_best"])) == (4, 0.6, 4)
    assert verdict_of(FIRST) in said(app)
    assert "Greedy finds the same output" in verdict_of(FIRST)
    assert query_of(app) == {}


def test_the_controls_change_the_search_and_the_url():
    app = open_page()
    app.slider(key="beam_width").set_value(2).run()
    app.slider(key="length_penalty").set_value(1.3).run()
    assert (fed(app)["width"], fed(app)["length_penalty"]) == (2, 1.3)
    assert query_of(app) == {"beam": "2", "penalty": "1.3"}


def test_a_link_sets_the_controls():
    app = open_page(beam="7", penalty="0.25", sentence=WON)
    assert (app.slider(key="beam_width").value, app.slider(key="length_penalty").value) == (7, 0.25)
    assert (fed(app)["width"], fed(app)["length_penalty"]) == (7, 0.25)


@pytest.mark.parametrize("width", [1, MAX_BEAM_WIDTH])
def test_the_narrowest_and_the_widest_beam_are_drawn(width):
    app = open_page(beam=str(width))
    assert app.slider(key="beam_width").max == MAX_BEAM_WIDTH
    assert len(fed(app)["n_best"]) == width


def test_the_button_shows_a_source_where_beam_search_wins():
    app = open_page(beam="1", penalty="2.0")
    app.button(key="beam_example").click().run()
    assert verdict_of(WON) in said(app)
    assert "Beam search found" in verdict_of(WON)
    assert BEAM_EXAMPLES["en_fr"].why in [caption.value for caption in app.caption]
    assert query_of(app) == {"sentence": WON}
    assert "beam_example" not in [button.key for button in app.button]


@pytest.mark.parametrize(("run", "finds_more"), [("reverse", True), (RECORDED, False)])
def test_a_source_is_offered_only_where_beam_search_wins_with_the_model_that_is_shown(run, finds_more):
    example = BEAM_EXAMPLES["reverse"].source
    tree = search(loaded_run(run), example, width=EXAMPLE_WIDTH, length_penalty=EXAMPLE_PENALTY)
    assert tree.beats_greedy == finds_more, "two models of one task, which differ in this"
    app = open_page(model=run)
    assert ("beam_example" in [button.key for button in app.button]) == finds_more


@pytest.mark.proof
def test_an_opened_node_becomes_the_branch_that_the_debugger_looks_at():
    app = open_page(sentence=WON)
    tree = fed(app)
    path: list[str] = []
    node = tree["n_best"][0]
    report(app, node=node)
    while node >= 0:
        path.insert(0, tree["tokens"][tree["token"][node]])
        node = tree["parent"][node]
    query = query_of(app)
    assert (query["sentence"], query["step"]) == (WON, str(len(path) - 1))
    # The link forces only tokens that greedy decoding would not write itself.
    assert query["prefix"]
    assert header_of(app, "step_by_step")["output_tokens"] == path


@pytest.mark.parametrize(
    "changes",
    [{"trace": "another"}, {"node": 10**6}, {"node": -1}, {"node": "0"}, {"node": True}, {"report": None}],
)
def test_a_report_that_does_not_fit_is_ignored(changes):
    app = report(open_page(), **changes)
    assert title_of(app) == "Beam search"
    assert query_of(app) == {}


def test_a_sentence_that_cannot_be_read_leaves_the_tree():
    app = open_page()
    before = fed(app)["key"]
    submit(app, "the dragon sleeps")
    assert fed(app)["key"] == before


def test_a_search_that_fails_is_a_sentence(monkeypatch):
    from core.errors import InputError

    def fail(*args, **settings):
        raise InputError("the model gives no token a probability")

    monkeypatch.setattr("explorer.models.decodings.search", fail)
    app = open_page(sentence="the girls sleep", beam="5", penalty="0.33")
    assert not app.exception
    assert [error.value for error in app.error] == ["The model gives no token a probability\\."]


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["copy", "dates", "en-de-numbers", "reverse", "sort"])
def test_every_model_is_searched(model):
    assert len(fed(open_page(model=model))["n_best"]) == 4
