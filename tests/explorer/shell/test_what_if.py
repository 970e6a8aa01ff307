"""Answers to requests of What if equal the messages of the page opened at the same address."""

import json
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import pytest

from core.interventions.findings import read_findings
from explorer.app import REGISTRY
from explorer.browser import navigation, note
from explorer.browser.sentence_bar import sentence_bar
from explorer.models.known import known_runs
from explorer.server.query import BadQuery
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import Answer, Query, answer
from explorer.views.what_if.component import what_if_view
from tests.pages.opening import asked, header_of, open_page
from tests.unpacked import unpacked

PAGE, VIEW, BAR = "what-if", what_if_view.path, sentence_bar.path
DONOR = read_findings()["donor"]
BORROWED = f"borrow:src_embed.output:3:{DONOR.replace(' ', '+')}"
CHANGED = f"step=4&changes={BORROWED.replace('+', '%2B')}"
ROW = "step=4&way=row&head=1"
WEIGHTS = [0, 0, 1, 0, 0, 0, 0]


def told(query: Query) -> Answer:
    return answer(query, SCREENS, known_runs(), REGISTRY)


def shown(found: Answer) -> dict[str, Any]:
    return json.loads(found.messages[VIEW])


def report(address: str, event: str, **what: object) -> Query:
    key = shown(told(asked(address, page=PAGE)))["key"]
    return asked(
        address, VIEW, event, {"key": key, "report": 5, **what}, page=PAGE, last={"views": 5, "box": 0}
    )


DONE: list[tuple[str, str, dict[str, object]]] = [
    ("step=4", "way", {"way": "off"}),
    ("step=4", "second", {"text": "the small dogs do not sing"}),
    ("step=4", "borrowed", {"row": 0, "position": 3}),
    (CHANGED, "borrowed", {"row": 0, "position": 3}),
    ("step=4&way=off", "switched", {"part": 3}),
    (ROW, "weighted", {"query": 4, "weights": WEIGHTS}),
    (ROW, "attended", {"attention": "encoder", "layer": 0, "head": 2, "query": 5}),
    (f"{CHANGED};unmask:causal", "undone", {}),
    (CHANGED, "went", {"to": "explain"}),
]


@pytest.mark.parametrize(("address", "event", "what"), DONE)
def test_answer_equals_messages_of_page(address, event, what):
    found = told(report(address, event, **what))
    assert found.address != address
    assert found.is_whole
    page = open_page(REGISTRY[PAGE].page, **dict(parse_qsl(found.address)))
    assert shown(found) == {**json.loads(page.get_by_key("what_if").proto.bytes), "report": 5}
    assert unpacked(found.messages[BAR])[0] == {
        **header_of(page, "sentence_bar"),
        "value_id": "",
        "report": 5,
    }
    assert found.messages[note.PATH] == page.get_by_key("note").proto.bytes
    assert found.messages[navigation.PATH] == page.get_by_key("navigation").proto.bytes


@pytest.mark.parametrize(("to", "page"), [("map", ""), ("steps", "step-by-step")])
def test_changed_run_opens_on_another_page(to, page):
    found = told(report(CHANGED, "went", to=to))
    opened, _, address = found.opens.partition("?")
    assert (opened, dict(parse_qsl(address))) == (page, {"step": "4", "changes": BORROWED})


@pytest.mark.parametrize(
    ("address", "event", "what", "said"),
    [
        ("step=4", "second", {"text": "the cats sleep"}, "The second sentence needs 7 tokens; this has 4."),
        ("step=4", "second", {"text": "the small zebra does not sleep"}, "zebra"),
        (ROW, "weighted", {"query": 4, "weights": [0] * 7}, "needs weights from 0 up, at least one"),
    ],
)
def test_impossible_change_is_refused_with_a_sentence(address, event, what, said):
    before, found = told(asked(address, page=PAGE)), told(report(address, event, **what))
    assert found.address == before.address
    refusal = shown(found)["refusal"]
    assert refusal.startswith("This change was not made.")
    assert said in refusal
    assert shown(found) == {**shown(before), "report": 5, "refusal": refusal}
    assert unpacked(found.messages[BAR])[0]["message"] == ""


def test_refused_sentence_is_no_refused_change():
    query = asked("", BAR, "submission", {"text": "the dragon sleeps", "report": 7}, page=PAGE)
    found = told(query)
    assert "dragon" in unpacked(found.messages[BAR])[0]["message"]
    assert shown(found)["refusal"] == ""


def test_row_keeps_its_query_after_a_step_of_the_bar():
    late = report(ROW, "weighted", query=4, weights=WEIGHTS)
    found = told(replace(late, address=ROW.replace("step=4", "step=2")))
    query = dict(parse_qsl(found.address))
    assert query["changes"] == "row:decoder.layers.1.cross_attn.weights:1:4:0,0,1,0,0,0,0"
    assert query["step"] == "2"


def test_large_sweep_is_left_to_streamlit(monkeypatch):
    query = report(ROW, "way", way="off")
    monkeypatch.setattr("explorer.views.what_if.followed.MOST_AT_ONCE", 0)
    monkeypatch.setattr("explorer.views.what_if.followed.board_is_kept", lambda run, recorded: False)
    found = told(query)
    assert "way=off" in found.address
    assert not found.is_whole
    assert shown(found)["off"] == {"rows": [], "computed": False}
    # Streamlit computes it for what has been chosen meanwhile, and takes its button away.
    assert not told(report(found.address, "second", text=DONOR)).is_whole
    assert not told(report(found.address, "way", way="row")).is_whole


@pytest.mark.parametrize(
    ("address", "event", "what"),
    [
        ("", "way", {"way": "on"}),
        ("", "second", {"text": " "}),
        ("", "second", {"text": "half \ud800"}),
        ("", "borrowed", {"row": 99, "position": 0}),
        ("", "borrowed", {"row": "0", "position": 0}),
        ("way=off", "switched", {"part": 999}),
        ("", "switched", {"part": 0}),
        (ROW, "weighted", {"query": 4, "weights": [1.0]}),
        (ROW, "attended", {"attention": "cross", "layer": 9, "head": 0, "query": 0}),
        ("", "went", {"to": "explain"}),
        ("", "went", {"to": "train"}),
        ("", "undone", {"report": None}),
    ],
)
def test_forged_report_is_refused(address, event, what):
    with pytest.raises(BadQuery):
        told(report(address, event, **what))


def test_late_change_is_not_made():
    found = told(report("step=4&way=off", "switched", part=3, key="another"))
    assert found.address == "step=4&way=off"
    assert (shown(found)["n_changes"], shown(found)["report"]) == (0, 4)
