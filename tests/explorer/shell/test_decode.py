"""Answers to requests of the pages of decoding equal the messages of each page opened at the same address."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import pytest

from explorer.app import REGISTRY
from explorer.browser import navigation, note
from explorer.browser.sentence_bar import sentence_bar
from explorer.models.known import known_runs
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import SLOW, Answer, Query, answer
from explorer.views.beam_search.component import beam_view
from explorer.views.decoding.component import decode_view
from explorer.views.sampling.component import sampling_view
from explorer.views.vary.component import vary_view
from tests.pages.opening import asked, header_of, message_of, open_page
from tests.unpacked import assert_same_message, unpacked

PAGE = "step-by-step"
ADDRESS = "sentence=the+small+cats+do+not+sleep&step=4"


def told(query: Query) -> Answer:
    return answer(query, SCREENS, known_runs(), REGISTRY)


def header(found: Answer, part: str) -> dict[str, Any]:
    return unpacked(found.messages[part])[0]


def forced(word: str, address: str = ADDRESS) -> Answer:
    shown = header(told(asked(address, page=PAGE)), decode_view.path)
    token_id = shown["what_if"]["first_id"] + shown["what_if"]["words"].index(word)
    what = {"trace": shown["key"], "kind": "force", "step": 4, "token_id": token_id, "report": 5}
    return told(asked(address, decode_view.path, "action", what, page=PAGE, last={"views": 5, "box": 0}))


def test_answers_equal_messages_of_page():
    found = forced("chantent")
    assert found.is_whole
    assert found.has_slow
    slow = told(asked(found.address, SLOW, page=PAGE, last={"views": 5, "box": 0}))
    assert not slow.has_slow
    page = open_page(REGISTRY[PAGE].page, **dict(parse_qsl(found.address)))
    for path, key in ((decode_view.path, "step_by_step"), (vary_view.path, "vary_token")):
        assert_same_message({**found.messages, **slow.messages}[path], message_of(page, key), report=5)
    assert found.messages[note.PATH] == page.get_by_key("note").proto.bytes
    assert found.messages[navigation.PATH] == page.get_by_key("navigation").proto.bytes


def test_slow_component_is_left_out_of_other_answers():
    found = forced("chantent")
    assert vary_view.path not in found.messages
    assert list(told(asked(found.address, SLOW, page=PAGE)).messages) == [vary_view.path]


def test_slow_component_answers_its_own_report():
    before = header(told(asked(ADDRESS, SLOW, page=PAGE)), vary_view.path)
    what = {"key": before["key"], "position": 2, "report": 5}
    found = told(asked(ADDRESS, vary_view.path, "varied", what, page=PAGE))
    assert not found.has_slow
    assert header(found, vary_view.path)["position"] == 2
    assert found.address.endswith("vary=2")


def test_another_sentence_changes_the_chart_of_costs():
    query = asked(
        ADDRESS, sentence_bar.path, "submission", {"text": "the cats sleep", "report": 7}, page=PAGE
    )
    assert not told(query).is_whole


@pytest.mark.parametrize("page", ["", "cross-attention"])
def test_page_without_slow_components_has_none(page):
    assert not told(asked("", page=page)).has_slow
    assert not told(asked("", SLOW, page=page)).messages


def test_settings_of_sampling_reach_its_view():
    before = header(told(asked(ADDRESS, page="sampling-lab")), sampling_view.path)
    settings = {"step": 2, "temperature": 0.7, "top_k": 5, "top_p": 0.9, "seed": 3}
    what = {"trace": before["key"], **settings, "report": 5}
    query = asked(ADDRESS, sampling_view.path, "choice", what, page="sampling-lab")
    found = told(replace(query, last={"views": 5, "box": 0}))
    assert not found.is_whole  # Whole outputs are drawn with these settings.
    page = open_page(REGISTRY["sampling-lab"].page, **dict(parse_qsl(found.address)))
    assert header(found, sampling_view.path) == {**header_of(page, "sampling_view"), "report": 5}
    assert found.messages[note.PATH] == page.get_by_key("note").proto.bytes


def test_step_of_sampling_changes_nothing_else():
    before = header(told(asked(ADDRESS, page="sampling-lab")), sampling_view.path)
    what = {name: before[name] for name in ("temperature", "top_k", "top_p", "seed")}
    what |= {"trace": before["key"], "step": 1, "report": 5}
    found = told(asked(ADDRESS, sampling_view.path, "choice", what, page="sampling-lab"))
    assert found.is_whole
    assert "step=1" in found.address


def test_hypothesis_opens_step_by_step():
    tree = header(told(asked(ADDRESS, page="beams")), beam_view.path)
    what = {"trace": tree["key"], "node": tree["n_best"][0], "report": 5}
    found = told(asked(ADDRESS, beam_view.path, "opened", what, page="beams"))
    assert found.opens.startswith("step-by-step?sentence=")
    assert not found.messages


def test_beam_search_of_another_sentence_equals_its_page():
    query = asked(
        ADDRESS, sentence_bar.path, "submission", {"text": "the cats sleep", "report": 7}, page="beams"
    )
    found = told(query)
    page = open_page(REGISTRY["beams"].page, **dict(parse_qsl(found.address)))
    assert found.messages[beam_view.path] == message_of(page, "beam_view")
    assert not found.is_whole
