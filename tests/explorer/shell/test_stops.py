"""Answers to requests of stops equal the messages of a page opened at the same address."""

import json
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from explorer.app import REGISTRY
from explorer.browser import navigation, note, page_head
from explorer.browser.explain_panel import PATH as PANEL
from explorer.browser.sentence_bar import sentence_bar
from explorer.browser.stop import stop
from explorer.models.known import known_runs
from explorer.server.query import BadQuery
from explorer.shell import stops
from explorer.shell.model_page import HEAD_KEY
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import Answer, Query, answer
from explorer.view import View
from tests.pages.opening import asked, message_of, open_page
from tests.unpacked import assert_same_message, unpacked

ALL = {screen.view: REGISTRY[screen.view] for screen in stops.SCREENS}
SENTENCE = "sentence=the+cats+sleep"


def told(query: Query) -> Answer:
    return answer(query, SCREENS, known_runs(), REGISTRY)


def header(found: Answer, part: str = stop.path) -> dict:
    return unpacked(found.messages[part])[0]


def report(view: str, address: str, event: str, **what: object) -> Query:
    shown = header(told(asked(address, page=view)))
    looked = {
        "key": shown["key"],
        "stage": shown["stage"],
        "choices": {each["axis"]: each["value"] for each in shown["choosers"]},
        "row": shown["row"],
        "report": 5,
    }
    return asked(address, stop.path, event, looked | what, page=view, last={"views": 5, "box": 0})


def key_of(view: View) -> str:
    return view.parts["view"]


def asked_cell(shown: dict, choices: dict[str, int]) -> dict[str, object]:
    """Return the report that asks for the first cell of a picture's first tensor."""
    name, tensor = next((name, each) for name, each in shown["tensors"].items() if each["askable"])
    return {"tensor": name, "index": [0] * len(tensor["index"]), "layer": choices.get("layer")}


@pytest.mark.parametrize("view", ALL.values(), ids=ALL)
def test_answer_equals_messages_of_page(view):
    found = told(report(view.key, SENTENCE, "view", row=1))
    assert found.address != SENTENCE
    page = open_page(view.page, **dict(parse_qsl(found.address)))
    assert_same_message(found.messages[stop.path], message_of(page, key_of(view)), report=5)
    for path, key in ((note.PATH, "note"), (navigation.PATH, "navigation"), (page_head.HEAD, HEAD_KEY)):
        assert found.messages[path] == page.get_by_key(key).proto.bytes
    bar = {**unpacked(message_of(page, "sentence_bar"))[0], "value_id": "", "report": 5}
    assert header(found, sentence_bar.path) == bar


def rest_of(app: AppTest, view: View) -> list[bytes]:
    """Return the messages that Streamlit sends beside those of the components that answers feed."""
    fed = {key_of(view), f"script_{key_of(view)}_numbers", "navigation", "sentence_bar", "note"}
    fed |= {HEAD_KEY, "explain_panel", "script_page"}
    fed.add("worksheet_view")  # A worksheet is asked for with the address.
    return [
        each.proto.SerializeToString()
        for each in app.main
        if isinstance(each, Element) and each.key not in fed
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("look", ["stage", "row", "layer", "head", "number"])
@pytest.mark.parametrize("view", ALL.values(), ids=ALL)
def test_answer_says_whether_rest_of_page_changes(view, look):
    shown = header(told(asked("", page=view.key)))
    choices = {each["axis"]: each["value"] for each in shown["choosers"]}
    if look in ("layer", "head") and look not in choices:
        return
    what: dict[str, dict[str, object]] = {
        "stage": {"stage": shown["stages"][-1]["key"]},
        "row": {"row": 1},
        "layer": {"choices": choices | {"layer": 0}},
        "head": {"choices": choices | {"head": 2}},
        "number": asked_cell(shown, choices),
    }
    found = told(report(view.key, "", "ask" if look == "number" else "view", **what[look]))
    assert found.address
    before, after = (open_page(view.page, **dict(parse_qsl(address))) for address in ("", found.address))
    assert found.is_whole is (rest_of(before, view) == rest_of(after, view))


@pytest.mark.parametrize("depth", ["idea", "formula", "code"])
def test_note_is_answered_at_every_depth(depth):
    query = asked("step=2", note.PATH, "depth", {"report": 5, "depth": depth}, page="cross-attention")
    found = told(query)
    assert found.is_whole
    assert found.address == f"step=2&depth={depth}"
    page = open_page(REGISTRY["cross-attention"].page, depth=depth, step="2")
    assert found.messages[note.PATH] == page.get_by_key("note").proto.bytes


@pytest.mark.parametrize("depth", [None, "poem", 1, ["idea"]])
def test_unknown_depth_is_refused(depth):
    with pytest.raises(BadQuery):
        told(asked("", note.PATH, "depth", {"report": 5, "depth": depth}, page="cross-attention"))


@pytest.mark.sweep
@pytest.mark.parametrize("view", ALL.values(), ids=ALL)
def test_undo_says_whether_rest_of_page_changes(view):
    changed = {"changes": "off:encoder.layers.0.self_attn.output;off:src_embed.output:@1", "step": "1"}
    query = asked(
        urlencode(changed), sentence_bar.path, "changes", {"act": "undo_all", "report": 5}, page=view.key
    )
    found = told(query)
    assert found.address == "step=1"
    before, after = (open_page(view.page, **query) for query in (changed, {"step": "1"}))
    assert found.is_whole is (rest_of(before, view) == rest_of(after, view))


def test_stops_without_rest_share_streamlit_elements():
    alike = [REGISTRY[screen.view] for screen in stops.SCREENS if screen.rest is None]
    first, *others = (rest_of(open_page(view.page), view) for view in alike)
    assert len(others) > 1
    assert all(other == first for other in others)


def test_stops_take_each_others_place():
    for screen in stops.SCREENS:
        kin = screen.described(SCREENS)["kin"]
        assert kin == {each.view: each.rest is not None for each in stops.SCREENS}
    assert next(screen for screen in SCREENS if screen.view == "home").described(SCREENS)["kin"] == {
        "": False,
        "translate": False,
        "map": False,
    }


def test_look_reaches_address():
    found = told(report("cross-attention", "", "view", stage="context", choices={"layer": 0, "head": 3}))
    assert found.address == "layer=0&head=3&stage=context"
    assert header(found)["stage"] == "context"


def test_asked_number_is_explained():
    found = told(
        report("cross-attention", "", "ask", tensor="w_v", index=[17, 3], layer=1),
    )
    assert found.address == "explain=decoder.layers.1.cross_attn.w_v-17-3"
    assert header(found)["cell"] == {"site": "decoder.layers.1.cross_attn.w_v", "index": [17, 3]}
    assert json.loads(found.messages[PANEL])["site"] == "decoder.layers.1.cross_attn.w_v"
    assert found.is_whole


@pytest.mark.parametrize(
    ("what", "opens"),
    [
        (
            {"block": "encoder.layers.0.feed_forward"},
            "feed-forward?step=1&layer=0&block=encoder.feed_forward",
        ),
        ({"block": "", "inspects": False}, "?step=1"),
        (
            {"block": "decoder.layers.0.cross_attn", "inspects": True},
            "tensors?step=1&site=decoder.layers.0.cross_attn.q",
        ),
    ],
)
def test_block_opens_its_page(what, opens):
    assert told(report("cross-attention", "step=1", "open", **what)).opens == opens


def test_block_of_same_page_opens_no_page():
    found = told(report("self-attention", "layer=1", "open", block="encoder.layers.0.self_attn"))
    assert (found.opens, found.address) == ("", "layer=0")
    assert header(found)["here"] == "encoder.layers.0.self_attn"


def test_unknown_block_changes_nothing():
    found = told(report("self-attention", "layer=0", "open", block="encoder.layers.9.self_attn"))
    assert (found.opens, found.address) == ("", "layer=0")


def test_submitted_sentence_reaches_picture_and_note():
    before = told(asked("", page="cross-attention"))
    query = asked(
        "", sentence_bar.path, "submission", {"text": "the cats sleep", "report": 7}, page="cross-attention"
    )
    found = told(replace(query, last={"views": 0, "box": 7}))
    assert found.address == SENTENCE
    assert header(found)["key"] != header(before)["key"]
    assert found.messages[note.PATH] != before.messages[note.PATH]


def test_old_position_of_target_is_step():
    found = told(asked("position=2", page="cross-attention"))
    assert found.address == "step=2"
    assert header(found)["row"] == 2


def test_lesson_leaves_picture_to_streamlit():
    lesson = {"lesson": "one-query", "stop": "1"}
    found = told(asked(urlencode(lesson), page="cross-attention"))
    assert not found.messages
    assert not found.is_whole
    page = REGISTRY["cross-attention"].page
    watched = [
        json.loads(open_page(page, **query).get_by_key("script_page").proto.bytes)["screen"]
        for query in ({}, lesson)
    ]
    assert watched[0]["pages"] == ["cross-attention"]
    assert watched[1] is None


@pytest.mark.parametrize(
    "what", [{"stage": "logits"}, {"choices": {"layer": 2, "head": 0}}, {"choices": None}]
)
def test_impossible_look_is_refused(what):
    with pytest.raises(BadQuery):
        told(report("cross-attention", "", "view", **what))


def test_late_look_changes_nothing():
    found = told(report("cross-attention", "", "view", key="another", row=1))
    assert found.address == ""
    assert header(found)["report"] == 4


def test_stops_share_no_page_with_another_screen():
    described = [screen.described(SCREENS)["pages"] for screen in SCREENS]
    assert len({json.dumps(pages) for pages in described}) == len(SCREENS)
