"""Links from anybody: each gives a view or says what of it cannot be used, and the link of a view reopens it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from explorer.tensors import CellPlace
from explorer.visitor.by_hand import ByHand
from explorer.visitor.declared import link_names
from explorer.visitor.forms import MAX_BRANCHES, MAX_INDEX, MAX_NAME, MAX_TRAIL, Branch
from explorer.visitor.learning import Learning
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.state import (
    ENCODER_MS,
    JUST_SEE,
    MAX_BEAM_WIDTH,
    MAX_STEPS,
    STEP_MS,
    Beam,
    Cut,
    Decoding,
    ExperimentChoice,
    ExplorerState,
    Inspector,
    Look,
    Pinned,
    Sampling,
    UpdateChoice,
    default_state,
)
from tests.explorer.visitor.test_state import FIRST, RUNS
from tests.hostile import TEXTS
from tests.states import with_choices

NAMES = sorted(link_names(ExplorerState))
"""Every part that an address may have."""
SINCE_THE_BEGINNING = (
    "answers arms at at_update attention beam block branches columns demo depth experiment explain first_column "
    "first_row free gold head layer lesson mask_off model pair penalty pinned pinned_at pinned_model pinned_prefix "
    "pinned_sentence pinned_update position predicted prefix reached rows run seed sentence site stage step stop "
    "temperature term top_k top_p update"
)
"""Parts of addresses that people have; none may be forgotten."""
SENTENCES = {"copy": ["hello", "abc"], "en-fr": [FIRST, "the cats sleep", "the small cat does not sleep"]}

plain = st.integers(0, 999).map(str) | st.from_regex(r"[a-z_]{1,20}-[0-9]{1,6}", fullmatch=True)
anything = st.text(max_size=60) | st.sampled_from([*TEXTS.values()]) | plain


def test_every_name_that_an_address_ever_had_is_known():
    assert set(SINCE_THE_BEGINNING.split()) <= set(NAMES)


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), anything))
def test_any_address_gives_a_view_whose_own_link_reopens_it(query):
    state, notices = state_from_query(query, RUNS)
    assert state.run in RUNS
    RUNS[state.run].source_ids(state.sentence)
    assert all(isinstance(notice, str) and 0 < len(notice) < 400 for notice in notices)
    assert state_from_query(query_of(state, RUNS), RUNS) == (state, ())


@pytest.mark.sweep
@pytest.mark.parametrize("name", NAMES)
def test_each_part_may_be_each_hostile_text(name):
    for text in TEXTS.values():
        is_left_out_or_harmless(name, text)


def is_left_out_or_harmless(name: str, text: str) -> None:
    state, notices = state_from_query({"pinned": "encoder.output", name: text}, RUNS)
    expected = with_choices(default_state(RUNS), pinned=state.inspector.pinned)
    if name == "branches" and state != expected:
        assert all(len(branch.name) <= MAX_NAME for branch in state.decoding.branches)
        return
    # A word that is harmless as a name of a site, an axis, a run … is taken for one; it is looked up later.
    taken = (
        state.inspector.site, state.look.stage, state.inspector.cut.rows, state.inspector.cut.columns,
        state.training, state.term, state.experiment.key, state.learning.lesson,
        state.mistakes.kind, state.mistakes.search, *state.experiment.arms,
        *(cell.site for cell in state.look.trail), *state.by_hand.tokens,
    )  # fmt: skip
    if not notices:
        assert name == "pinned" or text in taken
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
runs = st.sampled_from(["", "abcdefgh", "01234567"])
sites = st.sampled_from(
    ["encoder.output", "generator.logits", "hypothesis.score", "decoder.layers.1.cross_attn.w_q"]
)
cuts = st.builds(
    Cut,
    st.sampled_from(["", "none", "query"]),
    st.sampled_from(["", "key"]),
    places,
    st.integers(0, MAX_INDEX - 1),
    st.integers(0, MAX_INDEX - 1),
)


stops = st.integers(1, 99)
lessons = st.sampled_from(["one-query", "heads", "masks"])
reached = st.dictionaries(lessons, stops).map(lambda found: tuple(found.items()))
answers = st.dictionaries(stops, st.sampled_from(["shown", "-3", "0.5", "1,5"]), max_size=5)
learnings = st.builds(Learning, reached=reached) | st.builds(
    Learning,
    lessons,
    stops,
    answers.map(lambda found: tuple(found.items())),
    answers.map(lambda found: tuple(found.items())),
    reached,
    st.booleans(),
    st.booleans(),
)


digits = st.integers(-9, 9)
by_hands = st.builds(
    ByHand,
    size=st.tuples(st.integers(2, 3), st.integers(2, 4), st.integers(2, 4)),
    tokens=st.lists(st.sampled_from(["I", "chère amie", "<pad>"]), min_size=1, max_size=3).map(tuple),
    x=st.tuples(*[digits] * 12),
    w_q=st.tuples(*[digits] * 16),
    causal=st.booleans(),
    scaled=st.booleans(),
    blanks=st.sampled_from([(), ("q", "weights")]),
    answers=st.sampled_from([(), (("q-0-1", "−3"), ("weights-2-2", "0,5"))]),
)


def hundredths(least, most):
    return st.integers(least, most).map(lambda hundred: hundred / 100)


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
        st.none() | st.integers(0, MAX_INDEX - 1),
    )  # fmt: skip
    return ExplorerState(
        run=run,
        sentence=draw(st.sampled_from(SENTENCES[run])),
        updates=maybe(st.integers(0, MAX_INDEX - 1)),
        decoding=Decoding(
            step=maybe(st.integers(0, MAX_STEPS - 1)),
            moment=maybe(st.integers(0, ENCODER_MS + STEP_MS * MAX_STEPS - 1)),
            prefix=draw(prefixes),
            branches=tuple(branches),
            varied=maybe(st.integers(0, MAX_STEPS - 1)),
        ),
        look=Look(
            layer=maybe(st.integers(0, 1)),
            head=maybe(st.integers(0, 3)),
            gold=draw(st.booleans()),
            position=maybe(st.integers(0, MAX_STEPS - 1)),
            stage=draw(st.sampled_from(["", "scores", "decoder-layers-1-cross_attn"])),
            block=draw(st.sampled_from(["", "encoder", "decoder.cross_attn", "encoder.final_norm"])),
            mask_off=draw(st.sampled_from(["", "padding", "causal"])),
            attention=draw(st.sampled_from(["cross", "self", "encoder"])),
            trail=draw(lists(st.builds(CellPlace, sites, lists(indices, 5)), MAX_TRAIL)),
        ),
        sampling=Sampling(
            draw(hundredths(0, 500)), maybe(st.integers(1, 20)), draw(hundredths(1, 100)), draw(indices)
        ),
        beam=Beam(draw(st.integers(1, MAX_BEAM_WIDTH)), draw(hundredths(0, 200))),
        depth=draw(st.sampled_from(["idea", "numbers", "formula", "code"])),
        inspector=Inspector(draw(st.just("") | sites), draw(cuts), maybe(pinned)),
        update=UpdateChoice(draw(st.sampled_from(["", "seed-10"])), maybe(st.integers(0, MAX_STEPS - 1))),
        training=draw(runs),
        term=draw(st.sampled_from(["", "cross-attention"])),
        experiment=ExperimentChoice(
            draw(st.sampled_from(["", "no-mask"])),
            draw(st.sampled_from(["", "0", JUST_SEE])),
            draw(lists(st.sampled_from(["abcd0123", "00000000"]), 8)),
        ),
        learning=draw(learnings),
        by_hand=draw(by_hands),
    )


@pytest.mark.proof
@settings(max_examples=50)
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
