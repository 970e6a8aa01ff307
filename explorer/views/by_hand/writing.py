"""What becomes of what somebody writes into the cells of the picture."""

from __future__ import annotations

from dataclasses import replace

from explorer.browser.stop import Typed
from explorer.views.by_hand.data import asked, cell_key, computed
from explorer.visitor.by_hand import COMPUTED, GIVEN, ByHand, number_of, with_answer, with_number, with_token
from explorer.visitor.state import ExplorerState


def written(state: ExplorerState, typed: Typed) -> ExplorerState:
    """The state with what was written; what cannot stand in a cell changes nothing."""
    hand = state.by_hand
    for name, row, column, text in typed.cells:
        hand = _with_cell(hand, name, row, column, text)
    return replace(state, by_hand=hand)


def last_answer(typed: Typed) -> str:
    """The last cell of a computed matrix that was written in; empty where there is none."""
    cells = [cell_key(name, row, column) for name, row, column, _ in typed.cells if name in COMPUTED]
    return cells[-1] if cells else ""


def _with_cell(hand: ByHand, name: str, row: int, column: int, text: str) -> ByHand:
    if column < 0:
        return with_token(hand, row, text) if name == "x" else hand
    if name in GIVEN:
        number = number_of(text)
        return hand if number is None else with_number(hand, name, row, column, number)
    if name in asked(hand) and computed(hand).is_known(name):
        return with_answer(hand, cell_key(name, row, column), text)
    return hand
