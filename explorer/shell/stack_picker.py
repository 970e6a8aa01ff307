"""The choice of stack, sub-layer and token, as the pages of the model draw it above their view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.activations.location import Stack, locate
from core.config import TransformerConfig
from explorer.look.token_text import visible
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, Runs, choose_block
from explorer.visitor.sublayers import (
    STACKS,
    SUBLAYERS,
    chosen_stack,
    chosen_sublayer,
    sublayer_names,
)

STACK_KEY, SUBLAYER_KEY, TOKEN_KEY = "stack", "sublayer", "token"


def pick_stack(state: ExplorerState, runs: Runs) -> None:
    """Draw the choice between encoder and decoder."""

    def take_stack() -> None:
        held = visitor_state(runs)
        _store_block(st.session_state[STACK_KEY], locate(held.look.block).part, runs)

    st.session_state[STACK_KEY] = chosen_stack(state)
    st.segmented_control(
        "Stack",
        tuple(STACKS),
        required=True,
        format_func=STACKS.__getitem__,
        key=STACK_KEY,
        on_change=take_stack,
    )


def pick_sublayer(state: ExplorerState, runs: Runs, config: TransformerConfig) -> None:
    """Draw the choice of a sub-layer of the chosen stack."""

    def take_sublayer() -> None:
        _store_block(chosen_stack(visitor_state(runs)), st.session_state[SUBLAYER_KEY], runs)

    st.session_state[SUBLAYER_KEY] = chosen_sublayer(state, config)
    st.segmented_control(
        "Around",
        sublayer_names(chosen_stack(state), config),
        required=True,
        format_func=SUBLAYERS.__getitem__,
        key=SUBLAYER_KEY,
        on_change=take_sublayer,
    )


def pick_token(tokens: Sequence[str], place: int, stack: Stack, runs: Runs, *, label: str = "Token") -> None:
    """Draw the choice of a token: on the encoder's side a position, on the decoder's a step.

    Args:
        tokens: Of the source, or of the output.
        place: The one that is chosen.
        stack: Whose tokens they are.
        runs: All models.
        label: Of the control.
    """

    def take_token() -> None:
        held = visitor_state(runs)
        chosen: int = st.session_state[TOKEN_KEY]
        if stack == "decoder":
            store_state(replace(held, decoding=replace(held.decoding, step=chosen)), runs)
            return
        store_state(replace(held, look=replace(held.look, position=chosen)), runs)

    st.session_state[TOKEN_KEY] = place
    st.selectbox(
        label,
        range(len(tokens)),
        format_func=lambda at: f"{at}  {visible(tokens[at])}",
        key=TOKEN_KEY,
        on_change=take_token,
        width=240,
    )


def _store_block(stack: Stack, sublayer: str, runs: Runs) -> None:
    held = visitor_state(runs)
    names = sublayer_names(stack, runs[held.run].config)
    block = f"{stack}.{sublayer}" if sublayer in names else stack
    store_state(choose_block(held, block), runs)
