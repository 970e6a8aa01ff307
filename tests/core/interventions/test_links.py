"""Interventions as text: what is written is read again as the same, and what a stranger writes is refused."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import CaptureError, UnknownSite
from core.interventions.changes import bind
from core.interventions.intervention import (
    AttentionRow,
    MeanAblation,
    Patch,
    Scaling,
    Steering,
    Unmask,
    ZeroAblation,
)
from core.interventions.links import from_json, read_link, to_json, write_link
from tests.another_python import said_by
from tests.core.interventions.donors import bound

CROSS = "decoder.layers.1.cross_attn"
HIDDEN = "encoder.layers.0.feed_forward.hidden"

WRITTEN = {
    f"off:{CROSS}.output": ZeroAblation(f"{CROSS}.output"),
    f"off:{CROSS}.context:1": ZeroAblation(f"{CROSS}.context", head=1),
    f"off:{CROSS}.context:/4": ZeroAblation(f"{CROSS}.context", unit=4),
    f"off:{CROSS}.context:1/4@2,3": ZeroAblation(f"{CROSS}.context", head=1, unit=4, positions=(2, 3)),
    f"off:{HIDDEN}:17": ZeroAblation(HIDDEN, unit=17),
    "off:src_embed.output:@2": ZeroAblation("src_embed.output", positions=(2,)),
    "off:decoder.layers.*.context:3": ZeroAblation("decoder.layers.*.context", head=3),
    "off:decoder.layers.1.*:3/": ZeroAblation("decoder.layers.1.*", head=3),
    "borrow:src_embed.output:3:the+small+cat+do": Patch(
        "src_embed.output", "the small cat do", positions=(3,)
    ),
    "borrow:src_embed.output::a%3Bb%3Ac%7Cd%2Be": Patch("src_embed.output", "a;b:c|d+e"),
    f"borrow:{CROSS}.v:2@3~5,4~6:x": Patch(
        f"{CROSS}.v", "x", head=2, positions=(3, 4), donor_positions=(5, 6)
    ),
    f"row:{CROSS}.weights:1:4:0.5,0,0.25": AttentionRow(
        f"{CROSS}.weights", (0.5, 0.0, 0.25), head=1, positions=(4,)
    ),
    f"row:{CROSS}.weights::0:1": AttentionRow(f"{CROSS}.weights", (1.0,), positions=(0,)),
    f"scale:{CROSS}.q:1:-2.5": Scaling(f"{CROSS}.q", -2.5, head=1),
    "add:decoder.output:@2:1:1,-2,0.1": Steering("decoder.output", (1.0, -2.0, 0.1), positions=(2,)),
    "mean:decoder.output::a+b|c": MeanAblation("decoder.output", ("a b", "c")),
    "unmask:causal": Unmask("causal"),
}


@pytest.mark.parametrize("link", WRITTEN)
def test_a_link_and_what_it_stands_for(link):
    assert read_link(link) == (WRITTEN[link],)
    assert write_link([WRITTEN[link]]) == link
    assert from_json(to_json([WRITTEN[link]])) == (WRITTEN[link],)


def test_several_keep_their_order_and_none_is_the_empty_text():
    several = tuple(WRITTEN.values())[2:10]
    assert read_link(write_link(several)) == several
    assert from_json(to_json(WRITTEN.values())) == tuple(WRITTEN.values())
    assert (write_link(()), read_link(""), from_json("[]")) == ("", (), ())
    assert len({*WRITTEN.values(), *several}) == len(WRITTEN)  # They are values: equal ones are one.


def test_reading_a_link_needs_no_torch():
    program = "import sys; from core.interventions.links import read_link; print(read_link(sys.stdin.read()))"
    told = said_by(f"{program}; assert 'torch' not in sys.modules", told=next(iter(WRITTEN)))
    assert told.strip() == repr((next(iter(WRITTEN.values())),))


def test_what_a_link_cannot_carry_is_not_written():
    for changes, sentence in (
        ([Unmask("causal")] * 9, "8 changes at most, not 9"),
        ([MeanAblation("decoder.output", tuple(f"s{n}" for n in range(51)))], "50 sentences at most, not 51"),
        ([Steering("decoder.output", (0.123456789,) * 2_000)], "keep them as JSON"),
    ):
        with pytest.raises(CaptureError, match=sentence):
            write_link(changes)
        assert from_json(to_json(changes)) == tuple(changes)


index = st.none() | st.integers(0, 999)
places = st.lists(st.integers(0, 99), unique=True, max_size=4).map(tuple)
numbers = st.floats(-1e6, 1e6, allow_nan=False)
at_sites = st.fixed_dictionaries(
    {"site": st.sampled_from([f"{CROSS}.v", HIDDEN, "*.context", "odd:si;te|"])},  # codespell:ignore te
    optional={"positions": places},
)
texts = st.text(min_size=1, max_size=30).filter(lambda text: text.strip() and text.isprintable())
changes = st.one_of(
    st.builds(lambda at, head, unit: ZeroAblation(**at, head=head, unit=unit), at_sites, index, index),
    st.builds(lambda at, unit, by: Scaling(**at, unit=unit, factor=by), at_sites, index, numbers),
    st.builds(
        lambda at, to, by: Steering(**at, direction=tuple(to), factor=by),
        at_sites,
        st.lists(numbers, min_size=1, max_size=5),
        numbers,
    ),
    st.builds(lambda at, head, text: Patch(**at, head=head, sentence=text), at_sites, index, texts),
    st.builds(
        lambda at, several: MeanAblation(**at, sentences=tuple(several)),
        at_sites,
        st.lists(texts, min_size=1),
    ),
)


@settings(deadline=None)
@given(st.lists(changes, max_size=4))
def test_whatever_is_written_is_read_again(several):
    assert read_link(write_link(several)) == from_json(to_json(several)) == tuple(several)


HOSTILE_LINKS = {
    ";".join(["off:decoder.output"] * 10_000): "8 changes at most, not 10,000; leave some out",
    ";".join(["off:decoder.output"] * 9): "8 changes at most, not 9",
    f"add:decoder.output::1:{','.join(['1'] * 20_000)}": "20,000 letters at most",
    "explode:decoder.output": "begins with one of off, mean, scale, add, borrow, row, unmask, not 'explode'",
    "off": "has 0 fields after off",
    "off:decoder.output:1:2:3": "has 4 fields after off in place of 2",
    "off::1": "name the site",
    "off:decoder.output:x": "something else where a number should be",
    "off:decoder.output:-3": "count each unit from 0; -3 is below it",
    "off:decoder.output:@1,1": "each position once",
    "off:decoder.output:" + "9" * 6_000: "something else where a number should be",
    "scale:decoder.output::nan": "the factor must be a finite number",
    "scale:decoder.output::1e300": "the factor must be a finite number up to 1,000,000",
    "add:decoder.output::1:1,inf": "direction must be finite numbers",
    f"row:{CROSS}.weights:0:1:0,0": "at least one of them above 0",
    f"row:{CROSS}.weights:0:1:1,-1": "from 0 up",
    f"row:{CROSS}.weights:0::1": "something else where a number should be",
    "borrow:decoder.output:1:": "name a sentence as text",
    f"borrow:decoder.output:1:{'a' * 3_000}": "2,000 letters at most",
    "borrow:decoder.output:1~2,3:x": "one position of the donor for each patched one: 2, not 1",
    "mean:decoder.output::": "name a sentence as text",
    f"mean:decoder.output::{'|'.join(f's{n}' for n in range(51))}": "50 sentences at most, not 51; leave some out",
    "unmask:both": "the mask padding or causal, not 'both'",
    ";": "begins with one of",
}


@pytest.mark.parametrize("link", HOSTILE_LINKS)
def test_a_strangers_link_is_refused_with_one_sentence(link):
    with pytest.raises(CaptureError) as refused:
        read_link(link)
    assert HOSTILE_LINKS[link] in str(refused.value)
    assert len(str(refused.value)) < 250
    assert "\n" not in str(refused.value)


HOSTILE_JSON = {
    "{": "are not JSON",
    "[" * 200_000: "are not JSON",
    "{}": "must be a JSON list",
    "[3]": "must be an object with one of the kinds",
    '[{"kind": ["zero"]}]': "must be an object with one of the kinds",
    '[{"kind": "zero"}]': "needs its site",
    '[{"kind": "zero", "site": 3}]': "name the site",
    '[{"kind": "zero", "site": "a", "head": true}]': "each head is a whole number, not True",
    '[{"kind": "zero", "site": "a", "head": 1.5}]': "each head is a whole number",
    '[{"kind": "zero", "site": "a", "positions": 3}]': "one after the other",
    '[{"kind": "zero", "site": "a", "colour": 3}]': "has no colour; leave it out",
    '[{"kind": "scale", "site": "a", "factor": NaN}]': "the factor must be a finite number",
    '[{"kind": "scale", "site": "a", "factor": "2"}]': "the factor must be a finite number",
    '[{"kind": "patch", "site": "a", "sentence": {}}]': "name a sentence as text",
    '[{"kind": "mean", "site": "a", "sentences": "abc"}]': "one after the other",
    '[{"kind": "mean", "site": "a", "sentences": []}]': "at least one sentence",
    '[{"kind": "unmask", "mask": []}]': "the mask padding or causal",
    json.dumps([{"kind": "unmask", "mask": "causal"}] * 1_001): "1,000 changes at most, not 1,001",
    json.dumps([{"kind": "add", "site": "a", "direction": [0] * 5_000}]): "4,096 at most, not 5,000",
}


@pytest.mark.parametrize("text", HOSTILE_JSON)
def test_a_strangers_json_is_refused_with_one_sentence(text):
    with pytest.raises(CaptureError) as refused:
        from_json(text)
    assert HOSTILE_JSON[text] in str(refused.value)
    assert len(str(refused.value)) < 250


IMPOSSIBLE = {
    "a site that cannot be edited": (
        ZeroAblation("generator.log_probs"),
        "is derived, nothing reads it; edit 'generator.logits' instead",
    ),
    "a patched site that cannot be edited": (Patch(f"{CROSS}.products", "donor"), "edit .*q' instead"),
    "a mask": (Scaling(f"{CROSS}.mask", 2.0), "switch a whole mask off instead"),
    "a head that is not there": (
        ZeroAblation(f"{CROSS}.context", head=4),
        "head 4 is outside of .*which has 4",
    ),
    "a unit that is not there": (ZeroAblation(HIDDEN, unit=36), "unit 36 is outside of .*which has 36"),
    "a head of what has none": (ZeroAblation(HIDDEN, head=0), "has no heads; leave the head out"),
    "a unit of a key": (ZeroAblation(f"{CROSS}.weights", unit=0), "has keys in place of units"),
    "a donor's position that is not there": (
        Patch("src_embed.output", "short", positions=(3,)),
        "position 3 is not there in “short”, which has 3 source tokens",
    ),
    "a direction of another size": (
        Steering("decoder.output", (1.0, 2.0)),
        "a direction of 24 numbers, not 2",
    ),
    "a row of no attention": (
        AttentionRow("decoder.output", (1.0,), positions=(0,)),
        "has no rows of attention; name a site of weights",
    ),
    "a row that looks ahead": (
        AttentionRow("decoder.layers.0.self_attn.weights", (0.0, 0.0, 1.0), positions=(1,)),
        "position 1 cannot look at later ones; give weights for keys 0 to 1",
    ),
    "a mean of rows of attention": (
        MeanAblation(f"{CROSS}.weights", ("own",)),
        "a mean over sentences has none",
    ),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_a_model_cannot_do_is_refused_with_one_sentence(what, tiny_model):
    change, sentence = IMPOSSIBLE[what]
    with pytest.raises(CaptureError, match=sentence):
        bound(tiny_model, change)


def test_a_site_that_the_model_lacks_is_refused(tiny_model):
    for change in (ZeroAblation("decoder.layers.7.cross_attn.context"), Patch("nothing", "donor")):
        with pytest.raises(UnknownSite, match="no site of this model matches"):
            bound(tiny_model, change)
    with pytest.raises(CaptureError, match="say where the traces of these come from"):
        bind(tiny_model, [Patch("decoder.output", "donor")])


def test_a_sentence_must_have_what_a_change_asks_for(tiny_model):
    for change, sentence in (
        (
            ZeroAblation("src_embed.output", positions=(6,)),
            "position 6 of .* at least 7 source tokens; this has 6",
        ),
        (
            ZeroAblation("tgt_embed.output", positions=(5,)),
            "position 5 of .* at least 6 target tokens; this has 5",
        ),
        (
            Patch("src_embed.output", "short", positions=(1,)),
            "from “short” needs 3 source tokens; this has 6",
        ),
        (Patch("decoder.output", "short"), "from “short” needs 2 target tokens; this has 5"),
        (
            Patch(f"{CROSS}.weights", "short", positions=(1,)),
            "from “short” needs 3 source tokens; this has 6",
        ),
        (
            AttentionRow(f"{CROSS}.weights", (1.0,) * 7, positions=(0,)),
            "7 weights needs at least 7 source tokens",
        ),
    ):
        changes = bound(tiny_model, change)
        with pytest.raises(CaptureError, match=sentence):
            changes.check(6, 5)
    aligned = bound(tiny_model, Patch("src_embed.output", "short", positions=(4,), donor_positions=(0,)))
    aligned.check(6)


def test_numbers_that_are_none_are_refused_where_they_are_given():
    for factor in (math.nan, math.inf, -math.inf, True, "2", None):
        with pytest.raises(CaptureError, match="the factor must be a finite number"):
            Scaling("decoder.output", factor)  # type: ignore[arg-type]
