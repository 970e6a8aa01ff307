"""The search of the navigation bar: what is found, in which order, and where each hit leads."""

import json
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

from explorer.app import REGISTRY
from explorer.models.known import loaded_run, shipped_runs
from explorer.server.query import BadQuery
from explorer.shell.page_run import SCREENS
from explorer.shell.screen import SEARCH, Query, answer
from explorer.shell.search import LONGEST_TEXT, MOST_HITS, found
from explorer.visitor.learning import Learning
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.reports import Payload
from explorer.visitor.state import ExplorerState, default_state

RUNS = shipped_runs()
STATE = default_state(RUNS)


def search(
    text: str, state: ExplorerState = STATE, *, here: str = "home"
) -> dict[str, list[tuple[str, str, str, dict[str, list[str]]]]]:
    message = found(
        text, loaded_run("en-fr"), state, RUNS, REGISTRY, here=REGISTRY[here], at=lambda state, _: state
    )
    return {
        group: [(title, note, address, parse_qs(query)) for title, note, address, query in hits]
        for group, hits in json.loads(message)
    }


@pytest.mark.parametrize(
    ("sought", "term", "other"),
    [
        ("kv cache", "cache", "KV cache"),
        ("skip connection", "residual", "skip connection"),
        ("look-ahead", "causal-mask", "look-ahead mask"),
    ],
)
def test_search_finds_terms_by_their_other_names(sought: str, term: str, other: str):
    _, note, address, query = search(sought)["Terms"][0]
    assert (note, address, query["term"]) == (f"also: {other}", "glossary", [term])


def test_search_order_begins_with_titles():
    titles = [title for title, *_ in search("mask")["Terms"]]
    assert titles[0] == "Mask"
    assert len(search("attention")["Terms"]) == MOST_HITS
    assert search("  MASK ") == search("mask")
    assert all("beam" in f"{title} {note}".casefold() for title, note, *_ in search("beam")["Terms"])


def test_search_without_text_shows_some_of_each_group():
    groups = search("")
    assert list(groups) == ["Terms", "Blocks", "Lessons", "Examples", "Values"]
    assert {len(hits) for hits in groups.values()} == {2}
    assert groups["Terms"][0][0] == "Attention"


def test_search_missing_word_finds_nothing():
    assert search("attention qwertz") == {}


def test_search_opens_a_block_at_its_layer():
    hits = search("cross-attention decoder")["Blocks"]
    assert [(title, note) for title, note, *_ in hits if not title.startswith("Add")] == [
        ("Cross-attention", "decoder, layer 0"),
        ("Cross-attention", "decoder, layer 1"),
    ]
    there = {note: (address, query["layer"]) for title, note, address, query in hits if title[0] == "C"}
    assert there["decoder, layer 0"] == ("cross-attention", ["0"])


def test_search_finds_values_by_name_and_meaning():
    name = "decoder.layers.1.cross_attn.weights"
    (hit,) = search(name)["Values"]
    assert hit[0] == name
    assert hit[2:] == ("tensors", {"site": [name]})
    assert any(title.endswith("cross_attn.weights") for title, *_ in search("softmax cross_attn")["Values"])


@pytest.mark.parametrize(("here", "address"), [("output", "output"), ("runs", "")])
def test_search_example_on_open_page(here: str, address: str):
    state = replace(STATE, decoding=replace(STATE.decoding, step=2))
    title, _, page, query = search("mice", state, here=here)["Examples"][0]
    assert page == address
    assert query["sentence"] == [title]
    assert "step" not in query


def test_search_lesson_at_last_stop():
    (hit, *_) = search("one query")["Lessons"]
    assert (hit[3]["lesson"], hit[3]["stop"]) == (["one-query"], ["1"])
    reached = replace(STATE, learning=Learning(reached=(("one-query", 3),)))
    assert search("one query", reached)["Lessons"][0][3]["stop"] == ["3"]


def ask(text: object, page: str = "runs") -> bytes:
    query = Query(page, "", SEARCH, "typed", Payload({"text": text}), links={}, last={"views": 0, "box": 0})
    return answer(query, SCREENS, RUNS, REGISTRY).messages[SEARCH]


@pytest.mark.parametrize("page", ["", "translate", "runs", "train", "what-if"])
def test_every_page_may_search(page: str):
    groups = dict(json.loads(ask("attention", page)))
    assert groups["Lessons"]
    for _, _, address, query in (hit for hits in groups.values() for hit in hits):
        assert REGISTRY.at(address)
        state, problems = state_from_query({name: value for name, (value,) in parse_qs(query).items()}, RUNS)
        assert not problems
        assert query_of(state, RUNS) == {name: value for name, (value,) in parse_qs(query).items()}


@pytest.mark.parametrize("text", ["a" * (LONGEST_TEXT + 1), 7, None, ["a"], "\ud800"])
def test_forged_texts_are_refused(text: object):
    with pytest.raises(BadQuery):
        ask(text)


def test_unknown_pages_are_refused():
    with pytest.raises(BadQuery):
        ask("copy", "nowhere")
