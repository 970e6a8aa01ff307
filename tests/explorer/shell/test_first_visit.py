"""The card of a first visit: which pages show it, and what it says there."""

from dataclasses import replace

import pytest

from explorer.app import REGISTRY
from explorer.models.known import known_runs
from explorer.shell.first_visit import visit_lines
from explorer.view import HOME
from explorer.visitor.state import default_state


@pytest.mark.parametrize("key", REGISTRY)
def test_every_page_has_three_short_lines(key):
    lines = visit_lines(REGISTRY[key], default_state(known_runs()), REGISTRY)
    assert len(lines) == 3
    assert all(len(line) <= 100 for line in lines)


def test_home_lists_actions_and_other_pages_link_home():
    state = default_state(known_runs())
    assert "Press play" in visit_lines(REGISTRY[HOME], state, REGISTRY)[-1]
    assert REGISTRY[HOME].title in visit_lines(REGISTRY["train"], state, REGISTRY)[-1]


@pytest.mark.parametrize("key", [HOME, "lessons", "self-attention"])
def test_lesson_has_no_lines(key):
    state = default_state(known_runs())
    in_lesson = replace(state, learning=replace(state.learning, lesson="one-query"))
    assert visit_lines(REGISTRY[key], in_lesson, REGISTRY) == ()
