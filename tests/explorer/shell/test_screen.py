"""Answers to requests of the first page equal the messages of a page opened at the same address."""

import json
import struct
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.app import REGISTRY
from explorer.browser.explain_panel import PATH as PANEL
from explorer.browser.navigation import PATH as LINKS
from explorer.browser.note import PATH as NOTE
from explorer.browser.sentence_bar import sentence_bar
from explorer.models.known import known_runs
from explorer.server.query import BadQuery
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import WORKSHEET, Answer, Query, answer, answer_body
from explorer.views.living_map.component import living_map
from explorer.visitor.state import ENCODER_MS, STEP_MS
from tests.addresses import HOME
from tests.pages.opening import asked, message_of, open_page
from tests.unpacked import assert_same_message, unpacked

MAP, BAR = living_map.path, sentence_bar.path
PARTS = [MAP, BAR, LINKS, PANEL, NOTE]
OTHER = 210
"""A token that the model does not write at step 4."""


TWO_CHANGES = "off:decoder.layers.1.cross_attn.context:2;unmask:causal"


def told(query: Query) -> Answer:
    return answer(query, SCREENS, known_runs(), REGISTRY)


def header(found: Answer, part: str) -> dict:
    return unpacked(found.messages[part])[0]


def key_at(address: str = "") -> str:
    return header(told(asked(address)), MAP)["key"]


def report(address: str = "", event: str = "act", **what: object) -> Query:
    return asked(
        address, MAP, event, {"report": 5, "key": key_at(address), **what}, last={"views": 5, "box": 0}
    )


FORCE: dict[str, Any] = {"kind": "force", "step": 4, "token_id": OTHER}
DONE = [
    ("", "view", {"step": 3, "moment": None}),
    ("step=2", "view", {"step": 3, "moment": ENCODER_MS + 3 * STEP_MS + 900}),
    ("step=4", "act", FORCE),
    ("step=4&sentence=the+cats+do+not+sleep", "act", FORCE),
    (f"step=4&prefix=266-305-192-285-{OTHER}", "act", {"kind": "release"}),
    (f"step=2&changes={TWO_CHANGES}", "view", {"step": 3, "moment": None}),
]


@pytest.mark.parametrize(("address", "event", "what"), DONE)
def test_answer_equals_messages_of_page(address, event, what):
    found = told(report(address, event, **what))
    assert found.is_whole
    page = open_page(HOME, **dict(parse_qsl(found.address)))
    assert_same_message(found.messages[MAP], message_of(page, "living_map"), report=5)
    bar = {**unpacked(message_of(page, "sentence_bar"))[0], "value_id": "", "report": 5}
    assert header(found, BAR) == bar
    links = json.loads(found.messages[LINKS])
    assert links["here"] == ""
    assert {dict(parse_qsl(each)).get("step") for each in links["queries"]} == {
        dict(parse_qsl(found.address)).get("step")
    }


def test_force_changes_address():
    found = told(report("step=4", **FORCE))
    assert found.address == f"step=4&prefix=266-305-192-285-{OTHER}"
    assert header(found, MAP)["forced"][4] is True


def test_typed_sentence_keeps_field():
    query = asked("step=4", BAR, "submission", {"text": "The cats don't sleep.", "report": 7})
    found = told(replace(query, last={"views": 0, "box": 7}))
    bar = header(found, BAR)
    assert (bar["value"], bar["value_id"], bar["submitted"]) == ("The cats don't sleep.", "", 7)
    assert header(found, MAP)["outputs"][0] == "les"


def test_unreadable_sentence_is_refused():
    found = told(asked("step=4", BAR, "submission", {"text": "the dragon sleeps", "report": 7}))
    assert found.address == "step=4"
    assert header(found, BAR)["message"] == "The model does not know “dragon”; use other words."
    assert header(found, MAP)["outputs"][0] == "le"


def test_bar_chooses_step_of_map():
    bar = header(told(asked()), BAR)
    found = told(asked("", BAR, "view", {"key": bar["key"], "step": 2, "report": 6}))
    assert found.address == "step=2"
    assert header(found, MAP)["step"] == 2


def pressed(act: object, address: str, page: str = "") -> Answer:
    """Return the answer to a button of the strip about a changed model."""
    query = asked(address, BAR, "changes", {"act": act, "report": 6}, page=page)
    return told(replace(query, last={"views": 6, "box": 0}))


@pytest.mark.parametrize(
    ("act", "address"),
    [("undo", "step=3&changes=off:decoder.layers.1.cross_attn.context:2"), ("undo_all", "step=3")],
)
def test_undo_equals_page_without_the_change(act, address):
    found = pressed(act, f"step=3&changes={TWO_CHANGES}")
    assert found.is_whole
    assert dict(parse_qsl(found.address)) == dict(parse_qsl(address))
    page = open_page(HOME, **dict(parse_qsl(address)))
    assert_same_message(found.messages[MAP], message_of(page, "living_map"), report=6)
    bar = {**unpacked(message_of(page, "sentence_bar"))[0], "value_id": "", "report": 6}
    assert header(found, BAR) == bar


def test_changed_model_is_compared_with_its_step():
    found = pressed("compare", f"step=3&changes={TWO_CHANGES}")
    page, _, address = found.opens.partition("?")
    assert (page, dict(parse_qsl(address))) == ("what-if", {"step": "3", "changes": TWO_CHANGES})


def test_impossible_change_can_be_undone():
    one, other = "off:decoder.layers.7.cross_attn.output", "off:src_embed.output:@99"
    first = pressed("undo", f"step=3&changes={one};{other}")
    assert dict(parse_qsl(first.address)) == {"step": "3", "changes": one}
    assert not first.is_whole
    last = pressed("undo", first.address)
    assert last.address == "step=3"
    assert not last.is_whole, "Streamlit shows an error, which is to go"
    assert pressed("compare", first.address).opens.startswith("what-if?")


@pytest.mark.parametrize(
    ("page", "is_whole"), [("step-by-step", True), ("sampling-lab", False), ("beams", False)]
)
def test_undo_leaves_rest_of_page_to_streamlit(page, is_whole):
    assert pressed("undo", f"step=3&changes={TWO_CHANGES}", page).is_whole is is_whole


@pytest.mark.parametrize("act", ["", "redo", None, 1, ["undo"]])
def test_forged_request_about_changes_is_refused(act):
    with pytest.raises(BadQuery):
        pressed(act, f"step=3&changes={TWO_CHANGES}")


@pytest.mark.parametrize(
    ("what", "opens"),
    [
        ({"kind": "open", "block": "decoder.layers.0.cross_attn"}, "cross-attention?step=3&layer=0&head=2"),
        (
            {"kind": "inspect", "block": "decoder.layers.0.cross_attn", "name": "scores"},
            "tensors?step=3&site=decoder.layers.0.cross_attn.scores",
        ),
        ({"kind": "what-if"}, "what-if?step=3"),
    ],
)
def test_block_opens_page_with_earlier_choices(what, opens):
    links = {"cross-attention": "step=1&layer=1&head=2"}
    assert told(replace(report("step=3", **what), links=links)).opens == opens


@pytest.mark.parametrize(
    "address",
    [
        "step=4&changes=off:decoder.layers.7.cross_attn.output",
        "lesson=one-query&stop=1&step=4",
        "model=%3Cscript%3E",
        "sentence=the+dragon+sleeps",
        "prefix=9999",
    ],
)
def test_answer_leaves_streamlit_parts_to_streamlit(address):
    assert not told(asked(address)).is_whole


def test_damaged_model_is_left_to_streamlit(monkeypatch):
    from core.errors import RunError

    def damaged(*given):
        raise RunError("The weights are damaged.")

    monkeypatch.setattr("explorer.shell.screen.run_of", damaged)
    assert told(asked("step=4")) == Answer("step=4", {}, is_whole=False)


@pytest.mark.parametrize(
    "what",
    [
        {"kind": "inspect", "block": "decoder.layers.0.cross_attn", "name": "gradient"},
        {"kind": "inspect", "block": "decoder.layers.0.cross_attn", "name": None},
        {"kind": "inspect", "block": None, "name": "scores"},
        {"kind": "open", "block": "decoder.layers.9.cross_attn"},
        {"kind": "open", "block": None},
        {"kind": "force", "step": 4, "token_id": 0},
        {"kind": "force", "step": 99, "token_id": 20},
        {"kind": "weight", "site": "decoder.layers.1.cross_attn.weights", "head": 9, "row": 4, "column": 5},
        {"kind": "leave"},
        {"kind": "release", "report": None},
    ],
)
def test_impossible_act_is_refused(what):
    with pytest.raises(BadQuery):
        told(report("step=4", **what))


def test_late_report_changes_nothing():
    late = report("step=4", kind="force", step=4, token_id=OTHER, key="another")
    found = told(late)
    assert found.address == "step=4"
    assert header(found, MAP)["key"] == key_at("step=4")
    assert header(found, MAP)["report"] == late.last["views"] - 1, "the map knows that it was not acted on"


@pytest.mark.parametrize("changes", [{"step": 99}, {"step": None}, {"moment": -1}, {"moment": 10**9}])
def test_impossible_rest_is_refused(changes):
    with pytest.raises(BadQuery):
        told(report("", "view", **{"step": 4, "moment": None} | changes))


@pytest.mark.parametrize("changes", [{"page": "runs"}, {"page": "../etc"}, {"part": "browser/stop/view"}])
def test_unknown_page_or_part_is_refused(changes):
    with pytest.raises(BadQuery):
        told(replace(asked(), **changes))


VALID = {
    "page": "",
    "address": "step=4",
    "part": "",
    "event": "",
    "report": {},
    "links": {},
    "last": {"views": 0, "box": 0},
    "has": [],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.sampled_from(sorted(VALID)), JSON)
def test_any_body_is_answered_or_refused(name, value):
    try:
        found = answer_body(SCREENS, REGISTRY, json.dumps({**VALID, name: value}).encode())
    except BadQuery:
        return
    (length,) = struct.unpack_from("<I", found)
    parts = json.loads(found[4 : 4 + length])["parts"]
    assert len(found) == 4 + length + sum(n_bytes for _, n_bytes in parts)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 60_000, json.dumps({**VALID, "last": {}}).encode()]
)
def test_malformed_body_is_refused(body):
    with pytest.raises(BadQuery):
        answer_body(SCREENS, REGISTRY, body)


@pytest.mark.parametrize("page", ["masks", "cross-attention", "runs", ""])
def test_links_keep_choices_of_left_pages(page):
    left = {"feed-forward": "step=1&stage=output", "": "step=1"}
    found = told(asked("step=3", "links", page=page, links=left))
    assert list(found.messages) == [LINKS]
    assert (found.address, found.is_whole) == ("step=3", True)
    bar = json.loads(found.messages[LINKS])
    queries = {address: bar["queries"][query] for _, menu in bar["places"] for _, address, _, query in menu}
    assert bar["here"] == page
    assert queries["feed-forward"] == "step=3&stage=output"
    assert queries["add-norm"] == "step=3"


def test_links_of_unknown_page_are_refused():
    with pytest.raises(BadQuery):
        told(asked("", "links", page="nowhere"))


def sheet_at(address: str) -> str:
    found = told(asked(address, WORKSHEET, "download", {"page": "https://host/lab/"}))
    assert found.address == address
    [(name, content)] = found.messages.items()
    assert name == "home.html"
    return content.decode()


def test_worksheet_is_of_the_requested_address():
    sheet, other = sheet_at("step=3"), sheet_at("step=4")
    assert "Live at https://host/lab/?step=3<" in sheet
    assert sheet.replace("step=3", "step=4") != other


@pytest.mark.parametrize("page", [None, 3, "", "javascript:alert(1)", "x" * 70_000])
def test_worksheet_of_forged_address_is_refused(page):
    with pytest.raises(BadQuery):
        told(asked("step=3", WORKSHEET, "download", {"page": page}))


def parts_of(packed: bytes) -> list[tuple[str, bytes]]:
    (length,) = struct.unpack_from("<I", packed)
    start, found = 4 + length, []
    for path, size in json.loads(packed[4:start])["parts"]:
        found.append((path, packed[start : start + size]))
        start += size
    assert start == len(packed)
    return found


def test_answer_leaves_out_numbers_of_browser():
    found = told(asked("step=4"))
    (numbers,) = (part for path, part in parts_of(found.packed()) if not path)
    name = numbers[:16]
    assert dict(parts_of(found.packed()))[MAP].endswith(name)
    assert dict(parts_of(found.packed()))[MAP][:-16] + numbers[16:] == found.messages[MAP]
    assert [path for path, _ in parts_of(found.packed({name.hex()}))] == PARTS
    assert [path for path, _ in parts_of(found.packed({"00" * 16}))] == ["", *PARTS]


SCORE = "explain=decoder.layers.1.cross_attn.scores-0-2-4-5"


def in_panel(address: str, **what: object) -> Query:
    shown = json.loads(told(asked(address)).messages[PANEL])
    return asked(address, PANEL, "report", {"report": 5, "key": shown["key"], **what})


def test_explained_number_equals_panel_of_page():
    found = told(asked(f"step=4&{SCORE}"))
    assert found.is_whole
    page = open_page(HOME, step="4", **dict(parse_qsl(SCORE)))
    assert json.loads(found.messages[PANEL]) == json.loads(message_of(page, "explain_panel"))


def test_panel_follows_a_number_and_goes_back():
    shown = json.loads(told(asked(SCORE)).messages[PANEL])
    site, *index = shown["terms"][3][2][0][4]
    found = told(in_panel(SCORE, kind="follow", site=site, index=index))
    assert found.address == f"{SCORE}%3Bdecoder.layers.1.cross_attn.q-0-2-4-3"
    assert json.loads(found.messages[PANEL])["site"] == site
    assert told(in_panel(found.address, kind="back", place=0)).address == SCORE
    closed = told(in_panel(SCORE, kind="back", place=-1))
    assert (closed.address, json.loads(closed.messages[PANEL])) == ("", {})


def test_panel_opens_page_of_its_number():
    site = "decoder.layers.1.cross_attn.scores"
    found = told(in_panel(f"step=3&{SCORE}", kind="open", site=site))
    assert (
        found.opens == f"cross-attention?step=3&layer=1&head=2&stage=scores&block=decoder.cross_attn&{SCORE}"
    )


def test_unlinked_number_is_refused():
    with pytest.raises(BadQuery):
        told(in_panel(SCORE, kind="follow", site="decoder.layers.1.cross_attn.q", index=[0, 2, 3, 3]))


def test_report_of_closed_panel_changes_nothing():
    forged = asked("step=4", PANEL, "report", {"report": 5, "key": "", "kind": "back", "place": 0})
    assert told(forged).address == "step=4"
