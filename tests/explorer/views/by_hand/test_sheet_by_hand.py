"""The worksheet of an attention by hand: room for what is to be computed, and the answers on a page of their own."""

from dataclasses import replace
from typing import Any

from explorer.models.known import known_runs
from explorer.views.by_hand.sheet import document
from explorer.visitor.state import default_state

ROOM = "________"


def pages(**changes: Any) -> list[str]:
    """The questions and the answers."""
    state = default_state(known_runs())
    hand = replace(state.by_hand, **changes)
    return document("Attention by hand", replace(state, by_hand=hand), "").split('<div class="break">')


def test_the_answers_are_not_on_the_page_of_the_questions():
    questions, answers = pages()
    assert "7.389" not in questions
    assert "0.665" not in questions
    # Q, K, V and the output have 12 numbers, dot products, scores, exponentials and weights 9, the sums 3.
    assert questions.count(f"<td>{ROOM}</td>") == 4 * 12 + 4 * 9 + 3
    assert ROOM not in answers
    assert "<td>7.389</td>" in answers
    assert "<td>0.665</td>" in answers


def test_only_what_is_left_blank_is_blank_and_what_is_masked_says_so():
    questions, answers = pages(blanks=("weights",), causal=True)
    assert questions.count(f"<td>{ROOM}</td>") == 9 + 9 + 3
    assert answers.count("<td>masked</td>") == 3
