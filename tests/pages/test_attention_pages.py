"""The three attention pages through the entry script: what the view is fed, links, reports and refusals."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.view import STOP
from tests.pages.opening import header_of, open_page, query_of, said, title_of

PAGES = ("self_attention", "masked_self_attention", "cross_attention")
TITLES = {
    "self_attention": "Self-attention",
    "masked_self_attention": "Masked self-attention",
    "cross_attention": "Cross-attention",
}
STAGES = [
    *("input", "queries", "keys", "values", "products", "scores", "masked", "softmax", "context"),
    *("joined", "output"),
]


def opened(page: str, **query: str) -> AppTest:
    return open_page(f"pages/model/{page}.py", **query)


def chosen(app: AppTest) -> dict[str, int]:
    return {chooser["axis"]: chooser["value"] for chooser in header_of(app, STOP)["choosers"]}


def report(app: AppTest, *, number: int = 5, **told) -> AppTest:
    """The browser tells what is looked at."""
    view = {
        "key": header_of(app, STOP)["key"],
        "stage": "scores",
        "choices": chosen(app),
        "report": number,
    }
    app.session_state[STOP] = {"view": view | told}
    return app.run()


@pytest.mark.parametrize("page", PAGES)
def test_the_first_visit_shows_the_scores_of_the_last_layer(page):
    app = opened(page)
    view = header_of(app, STOP)
    assert title_of(app) == TITLES[page]
    assert [stage["key"] for stage in view["stages"]] == STAGES
    assert view["stage"] == "", "all stages in one picture"
    assert chosen(app) == {"layer": 1, "head": 0}
    assert query_of(app) == {}


@pytest.mark.parametrize("page", PAGES)
def test_a_link_opens_the_very_view(page):
    app = opened(page, sentence="the cats sleep", stage="softmax", layer="0", head="2", step="1")
    view = header_of(app, STOP)
    assert view["stage"] == "softmax"
    assert chosen(app) == {"layer": 0, "head": 2}
    assert view["row"] == (0 if page == "self_attention" else 1)
    axes = {axis["name"]: axis["labels"] for axis in view["tensors"]["weights"]["axes"]}
    source, read = ["the", "cats", "sleep", "</s>"], ["<s>", "les", "chats", "dorment"]
    expected = {
        "self_attention": (source, source),
        "masked_self_attention": (read, read),
        "cross_attention": (read, source),
    }
    assert (axes["query"], axes["key"]) == expected[page]
    writes = {axis["name"]: axis["writes"] for axis in view["tensors"]["weights"]["axes"]}
    assert writes["query"] == ([] if page == "self_attention" else ["les", "chats", "dorment", "</s>"])
    assert writes["key"] == []


@pytest.mark.parametrize("page", PAGES)
def test_what_the_visitor_looks_at_reaches_the_address(page):
    app = report(opened(page), stage="context", choices={"layer": 0, "head": 3})
    assert query_of(app) == {"stage": "context", "layer": "0", "head": "3"}
    view = header_of(app, STOP)
    assert (view["stage"], chosen(app), view["report"]) == ("context", {"layer": 0, "head": 3}, 5)
    assert view["tensors"]["q"]["site"].format(layer=0).split(".")[2] == "0"


@pytest.mark.parametrize(
    "told", [{"key": "another"}, {"stage": "logits"}, {"choices": {"layer": 2, "head": 0}}, {"choices": None}]
)
def test_an_impossible_report_changes_nothing(told):
    app = report(opened("cross_attention"), **told)
    assert not app.exception
    assert query_of(app) == {}


def test_an_asked_number_is_explained_and_marked():
    app = opened("cross_attention")
    key = header_of(app, STOP)["key"]
    ask = {"key": key, "tensor": "w_v", "index": [17, 3], "layer": 1, "report": 7}
    app.session_state[STOP] = {"ask": ask}
    app.run()
    assert query_of(app) == {"explain": "decoder.layers.1.cross_attn.w_v-17-3"}
    cell = header_of(app, STOP)["cell"]
    assert cell == {"site": "decoder.layers.1.cross_attn.w_v", "index": [17, 3]}


def test_a_forced_branch_is_what_is_shown():
    app = opened("masked_self_attention")
    free = header_of(app, STOP)
    app = opened("masked_self_attention", prefix="9")
    forced = header_of(app, STOP)
    assert forced["key"] != free["key"]
    writes = next(axis["writes"] for axis in forced["tensors"]["q"]["axes"] if axis["name"] == "query")
    free_writes = next(axis["writes"] for axis in free["tensors"]["q"]["axes"] if axis["name"] == "query")
    assert writes[0] != free_writes[0]


def test_a_prefix_that_cannot_be_forced_is_a_sentence_and_no_blank_page():
    app = opened("cross_attention", prefix="-".join(["9"] * 60))
    assert not app.exception
    assert said(app) == ["The link's prefix cannot be used here; it was left out."]
    assert header_of(app, STOP)["tensors"]
