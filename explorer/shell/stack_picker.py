"""The choice of a row, as a page of the model draws it."""

from __future__ import annotations

import streamlit as st

from core.activations.location import Stack
from explorer.look.rows import row_text
from explorer.tensors import Axis
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import Runs, choose_row
from explorer.visitor.sublayers import SIDES
from explorer.visitor.values import SessionValue

TOKEN = SessionValue("token", 0)


def pick_row(rows: Axis, place: int, stack: Stack, runs: Runs, *, label: str) -> None:
    """Draw the choice of a row: on the encoder's side a position, on the decoder's a step.

    Args:
        rows: All of the stack.
        place: The one that is chosen.
        stack: Whose rows they are.
        runs: All models.
        label: Of the control.
    """

    def take_token() -> None:
        store_state(choose_row(visitor_state(runs), SIDES[stack], TOKEN.value), runs)

    TOKEN.set(place)
    st.selectbox(
        label,
        range(rows.size),
        format_func=lambda at: f"{at}  {row_text(rows, at)}",
        key=TOKEN.key,
        on_change=take_token,
        width=240,
    )
