"""Links from anybody: each gives a view or says what of it cannot be used, and the link of a view reopens it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from explorer.tensors import CellPlace
from explorer.visitor import links
from explorer.visitor.links import MAX_FIRST, MAX_STEPS, MAX_UPDATES, query_of, state_from_query
from explorer.visitor.state import (
    MAX_BEAM_WIDTH,
    MAX_BRANCHES,
    MAX_NAME,
    MAX_TRAIL,
    Branch,
    Cut,
    ExplorerState,
    Pinned,
    default_state,
)
from tests.explorer.test_state import FIRST, RUNS
from tests.hostile import TEXTS

NAMES = sorted(
    {
        *re.findall(r'read\(\s*"(\w+)"', source := Path(links.__file__).read_text()),
        *re.findall(r'query(?:\.get\(|\[)"(\w+)"', source),
        *re.findall(r'"(\w+)" in query', source),
    }
)
"""Every part that an address may have."""
SENTENCES = {"copy": ["hello", "abc"], "en-fr": [FIRST, "the cats sleep", "the small cat does not sleep"]}

plain = st.integers(0, 999).map(str) | st.from_regex(r"[a-z_]{1,20}-[0-9]{1,6}", fullmatch=True)
anything = st.text(max_size=60) | st.sampled_from([*TEXTS.values()]) | plain


def test_every_name_is_tried():
    assert len(NAMES) > 30
    assert {"model", "sentence", "pinned_prefix", "branches", "explain", "run", "at_update"} <= set(NAMES)


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), anything))
def test_any_address_gives_a_view_whose_own_link_reopens_it(query):
    state, notices = state_from_query(query, RUNS)
    assert state.run in RUNS
    RUNS[state.run].source_ids(state.sentence)
    assert all(isinstance(notice, str) and 0 < len(notice) < 400 for notice in notices)
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


@pytest.mark.parametrize("name", NAMES)
def test_each_part_may_be_each_hostile_text(name):
    for text in TEXTS.values():
        is_left_out_or_harmless(name, text)


def is_left_out_or_harmless(name: str, text: str) -> None:
    state, notices = state_from_query({"pinned": "encoder.output", name: text}, RUNS)
    expected = replace(default_state(RUNS), pinned=state.pinned)
    if name == "branches" and state != expected:
        assert all(len(branch.name) <= MAX_NAME for branch in state.branches)
        return
    # A word that is harmless as a name of a site, an axis, a run … is taken for one; it is looked up later.
    taken = (
        state.site, state.stage, state.cut.rows, state.cut.columns, state.training, state.term, state.experiment,
        *(cell.site for cell in state.trail),
    )  # fmt: skip
    if not notices:
        assert name in ("gold", "pinned") or text in taken
    else:
        assert state == expected


def lists(of, most):
    return st.lists(of, max_size=most).map(tuple)


words = st.integers(4, 25)
prefixes = st.builds(
    lambda ids, ended: (*ids, 2) if ended else tuple(ids), st.lists(words, max_size=5), st.booleans()
)
names = st.text(st.characters(exclude_characters=":;", exclude_categories=["Cs"]), max_size=MAX_NAME).map(
    str.strip
)
places = st.dictionaries(st.sampled_from(["head", "layer", "query"]), st.integers(0, 99), max_size=3).map(
    lambda found: tuple(sorted(found.items()))
)
indices = st.integers(0, 999_999)
sites = st.sampled_from(
    ["encoder.output", "generator.logits", "hypothesis.score", "decoder.layers.1.cross_attn.w_q"]
)
cuts = st.builds(
    Cut,
    st.sampled_from(["", "none", "query"]),
    st.sampled_from(["", "key"]),
    places,
    st.integers(0, MAX_FIRST - 1),
    st.integers(0, MAX_FIRST - 1),
)


@st.composite
def views(draw) -> ExplorerState:
    """Any view that a visitor can have chosen."""
    run, other = draw(st.sampled_from([*SENTENCES])), draw(st.sampled_from([*SENTENCES]))

    def maybe(some):
        return draw(st.none() | some)

    branches = draw(
        st.lists(
            st.builds(Branch, prefixes.filter(bool), names),
            max_size=MAX_BRANCHES,
            unique_by=lambda b: b.prefix,
        )
    )
    pinned = st.builds(
        Pinned, sites, st.just(other), st.sampled_from(SENTENCES[other]), prefixes, places,
        st.none() | st.integers(0, MAX_UPDATES - 1),
    )  # fmt: skip
    return ExplorerState(
        run=run,
        sentence=draw(st.sampled_from(SENTENCES[run])),
        updates=maybe(st.integers(0, MAX_UPDATES - 1)),
        decode_step=maybe(st.integers(0, MAX_STEPS - 1)),
        layer=maybe(st.integers(0, 1)),
        head=maybe(st.integers(0, 3)),
        position=maybe(st.integers(0, MAX_STEPS - 1)),
        stage=draw(st.sampled_from(["", "scores", "decoder-layers-1-cross_attn"])),
        block=draw(st.sampled_from(["", "encoder", "decoder.cross_attn", "encoder.final_norm"])),
        gold=draw(st.booleans()),
        attention=draw(st.sampled_from(["cross", "self", "encoder"])),
        prefix=draw(prefixes),
        branches=tuple(branches),
        temperature=draw(st.integers(0, 500)) / 100,
        top_k=maybe(st.integers(1, 20)),
        top_p=draw(st.integers(1, 100)) / 100,
        seed=draw(indices),
        beam_width=draw(st.integers(1, MAX_BEAM_WIDTH)),
        length_penalty=draw(st.integers(0, 200)) / 100,
        depth=draw(st.sampled_from(["idea", "numbers", "formula", "code"])),
        trail=draw(lists(st.builds(CellPlace, sites, lists(indices, 5)), MAX_TRAIL)),
        site=draw(st.just("") | sites),
        cut=draw(cuts),
        pinned=maybe(pinned),
        training=draw(st.sampled_from(["", "abcdefgh", "01234567"])),
    )  # fmt: skip


@settings(max_examples=150)
@given(views())
def test_the_link_of_any_view_reopens_it(view):
    query = query_of(view, RUNS)
    assert set(query) <= set(NAMES)
    assert all(value and isinstance(value, str) for value in query.values())
    assert state_from_query(query, RUNS) == (view, ())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_sentence_is_read_or_refused_with_a_sentence(text):
    for run in RUNS.values():
        said, ids = "", []
        try:
            ids = run.source_ids(text)
        except InputError as error:
            said = str(error)
        assert 0 < len(said) < 400 or 1 < len(ids) <= run.max_source_tokens + 1
