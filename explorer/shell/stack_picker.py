"""The choice of stack, sub-layer and token, as the pages of the model draw it above their view."""

from __future__ import annotations

import streamlit as st

from core.activations.location import Stack, locate
from core.config import TransformerConfig
from explorer.look.rows import row_text
from explorer.tensors import Axis
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, Runs, choose_block, choose_row
from explorer.visitor.sublayers import (
    DEFAULT_STACK,
    SIDES,
    STACKS,
    SUBLAYERS,
    chosen_stack,
    chosen_sublayer,
    sublayer_names,
)
from explorer.visitor.values import SessionValue

STACK = SessionValue[Stack]("stack", DEFAULT_STACK)
SUBLAYER, TOKEN = SessionValue("sublayer", ""), SessionValue("token", 0)


def pick_stack(state: ExplorerState, runs: Runs) -> None:
    """Draw the choice between encoder and decoder."""

    def take_stack() -> None:
        held = visitor_state(runs)
        _store_block(STACK.value, locate(held.look.block).part, runs)

    STACK.set(chosen_stack(state))
    st.segmented_control(
        "Stack",
        tuple(STACKS),
        required=True,
        format_func=STACKS.__getitem__,
        key=STACK.key,
        on_change=take_stack,
    )


def pick_sublayer(state: ExplorerState, runs: Runs, config: TransformerConfig) -> None:
    """Draw the choice of a sub-layer of the chosen stack."""

    def take_sublayer() -> None:
        _store_block(chosen_stack(visitor_state(runs)), SUBLAYER.value, runs)

    SUBLAYER.set(chosen_sublayer(state, config))
    st.segmented_control(
        "Around",
        sublayer_names(chosen_stack(state), config),
        required=True,
        format_func=SUBLAYERS.__getitem__,
        key=SUBLAYER.key,
        on_change=take_sublayer,
    )


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


def _store_block(stack: Stack, sublayer: str, runs: Runs) -> None:
    held = visitor_state(runs)
    names = sublayer_names(stack, runs[held.run].config)
    block = f"{stack}.{sublayer}" if sublayer in names else stack
    store_state(choose_block(held, block), runs)
