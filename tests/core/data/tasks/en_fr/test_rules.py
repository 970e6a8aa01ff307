"""Laws of the rules that are shown: each is one sentence, and true of its own example."""

import pytest

from core.data.tasks import get_task
from core.data.tasks.en_fr import RULES

TASK = get_task("en_fr")


@pytest.mark.parametrize("rule", RULES, ids=[rule.title for rule in RULES])
def test_every_example_is_the_grammars_own_translation(rule):
    pair = TASK.reference(rule.source)
    assert pair is not None
    assert (pair.source, pair.target) == (rule.source, rule.target)


@pytest.mark.parametrize("rule", RULES, ids=[rule.title for rule in RULES])
def test_every_rule_is_one_sentence_under_a_short_title(rule):
    assert 0 < len(rule.title) <= 30
    assert 20 < len(rule.rule) <= 140
    assert rule.rule[0].isupper()
    assert rule.rule.endswith(".")


def test_no_rule_and_no_example_comes_twice():
    for part in ("title", "rule", "source"):
        assert len({getattr(rule, part) for rule in RULES}) == len(RULES)
