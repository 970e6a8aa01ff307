"""A number that a change has set: its explanation says so, by what, and what would have been there."""

import pytest

from core.explanation.explain import explain
from core.interventions.intervention import AttentionRow, Patch, Scaling, Unmask, ZeroAblation
from core.run import load_run

SENTENCE = "the small cat does not sleep"
WORD = Patch("src_embed.output", "the small cat do not sleep", positions=(3,))
HEAD = ZeroAblation("decoder.layers.1.cross_attn.context", head=1)
ROW = AttentionRow("decoder.layers.0.self_attn.weights", (1.0,), head=2, positions=(3,))
UNIT = Scaling("encoder.layers.0.feed_forward.hidden", 2.0, unit=7)


@pytest.fixture(scope="module")
def run():
    return load_run("checkpoints/en-fr")


CASES = [
    (WORD, (0, 3, 5), (0, 2, 5)),
    (HEAD, (0, 1, 2, 3), (0, 0, 2, 3)),
    (ROW, (0, 2, 3, 1), (0, 2, 4, 1)),
    (UNIT, (0, 1, 7), (0, 1, 8)),
]


@pytest.mark.parametrize(("change", "inside", "outside"), CASES, ids=lambda case: type(case).__name__)
def test_what_a_change_has_set_is_said_and_nothing_else(run, change, inside, outside):
    changed = run.intervene(change)
    seen = changed.trace(SENTENCE)
    here, there = (explain(changed, seen, change.site, index) for index in (inside, outside))
    assert here.set_by == (change,)
    assert (here.terms, here.result) == ((), here.recorded)
    assert there.set_by == ()
    assert there.agrees
    assert there.computed is None


def test_it_says_what_the_formula_gives_without_the_change(run):
    changed = run.intervene(WORD)
    seen, before = changed.trace(SENTENCE), run.trace(SENTENCE)
    here = explain(changed, seen, WORD.site, (0, 3, 5))
    # What stands before the embedding is the same, so its formula gives what the trained model has there.
    assert here.computed == pytest.approx(float(before.activations[WORD.site][0, 3, 5]), abs=1e-6)
    assert here.recorded != pytest.approx(here.computed, abs=1e-3)


def test_a_mask_that_is_off_has_set_its_numbers(run):
    changed = run.intervene(Unmask("causal"))
    seen = changed.trace(SENTENCE)
    assert explain(changed, seen, "decoder.layers.0.self_attn.mask", (0, 1, 3)).set_by == (Unmask("causal"),)
    assert explain(changed, seen, "encoder.layers.0.self_attn.mask", (0, 1, 3)).set_by == ()


def test_as_it_was_trained_nothing_is_set(run):
    seen = run.trace(SENTENCE)
    assert explain(run, seen, WORD.site, (0, 3, 5)).set_by == ()
