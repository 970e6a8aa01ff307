"""Attention by hand: type two or three tokens and small matrices, and every stage of attention is computed."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from explorer.browser.stop import StopData, Typed, stop
from explorer.models.known import known_runs
from explorer.shell.loading import loading
from explorer.shell.model_page import page_head, take_reports
from explorer.views.by_hand import VIEW
from explorer.views.by_hand.checking import remark
from explorer.views.by_hand.data import by_hand_view, computed, entries_of
from explorer.views.by_hand.examples import EXAMPLES, example_of, opened
from explorer.views.by_hand.writing import last_answer, written
from explorer.visitor.by_hand import ByHand, Computed, with_blanks
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState
from explorer.visitor.values import SessionValue

VIEW_KEY = "by_hand"
TOKENS, D_MODEL, D_K = (SessionValue(f"by_hand_{name}", 0) for name in ("tokens", "d_model", "d_k"))
SIZES = ((TOKENS, "Tokens", (2, 3)), (D_MODEL, "d_model", (2, 3, 4)), (D_K, "d_k", (2, 3, 4)))
CAUSAL, SCALED = SessionValue("by_hand_causal", False), SessionValue("by_hand_scaled", True)
CHECKED = SessionValue("by_hand_checked", "")
"""The cell that was answered last."""
OWN = "These are your own numbers; the link of this page has them."
BLANKS = SessionValue[list[Computed]]("by_hand_blanks", [])
BLANK_NAMES: dict[Computed, str] = {
    "q": "Q",
    "k": "K",
    "v": "V",
    "products": "QKᵀ",
    "scores": "÷√d_k",
    "weights": "weights",
    "context": "output",
}

runs = known_runs()


def keep(hand: ByHand) -> None:
    """What is written down now."""
    store_state(replace(visitor_state(runs), by_hand=hand), runs)


def take_example(place: int) -> None:
    """The visitor wants an example."""
    keep(opened(EXAMPLES[place], visitor_state(runs).by_hand))


def take_settings() -> None:
    """The visitor has changed a size or a switch; a size that nobody has chosen anew stays."""
    hand = visitor_state(runs).by_hand
    size = (TOKENS.value or hand.size[0], D_MODEL.value or hand.size[1], D_K.value or hand.size[2])
    keep(with_blanks(replace(hand, size=size, causal=CAUSAL.value, scaled=SCALED.value), tuple(BLANKS.value)))


state = page_head(VIEW, runs, words=False)
head = st.container(key="by_hand_head", gap="xsmall")
with loading(VIEW_KEY, height=560):

    def write(state: ExplorerState, typed: Typed) -> ExplorerState:
        """What was written counts, and the last answer is spoken of."""
        CHECKED.set(last_answer(typed) or CHECKED.value)
        return written(state, typed)

    state, data = take_reports(
        state, runs, by_hand_view, lambda state, looked: state, key=VIEW_KEY, write=write
    )
hand = state.by_hand
found = computed(hand)
with head:
    with st.container(key="by_hand_examples", horizontal=True, gap="small"):
        for place, example in enumerate(EXAMPLES):
            st.button(
                example.title,
                key=f"by_hand_example_{place}",
                type="primary" if example is example_of(hand) else "secondary",
                on_click=take_example,
                args=(place,),
            )
    with st.container(key="by_hand_settings", horizontal=True, gap="small", vertical_alignment="center"):
        for (value, name, options), now in zip(SIZES, hand.size, strict=True):
            value.set(now)
            st.segmented_control(name, options, key=value.key, required=True, on_change=take_settings)
        CAUSAL.set(hand.causal)
        st.toggle("Causal mask", key=CAUSAL.key, on_change=take_settings)
        SCALED.set(hand.scaled)
        st.toggle("÷√d_k", key=SCALED.key, on_change=take_settings)
        BLANKS.set(list(hand.blanks))
        st.pills(
            "Check my answers: leave blank",
            list(BLANK_NAMES),
            selection_mode="multi",
            format_func=BLANK_NAMES.__getitem__,
            key=BLANKS.key,
            on_change=take_settings,
        )
    shown = example_of(hand)
    see = shown.see if shown else OWN
    # Plain text: what somebody has typed is in it.
    st.text(remark(found, CHECKED.value) if hand.blanks else see)
stop(
    StopData(data, "by-hand", (), "", "", 0, False, hand.names, (), entries_of(found)),
    key=VIEW_KEY,
)
