"""“Explain this number”: the panel in the page beside its picture, drawn from the state, and what is done in it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.activations.location import locate
from explorer.browser.explain_panel import (
    DONE,
    Back,
    OpenPage,
    explain_panel,
)
from explorer.explaining.explained import shown_explanation
from explorer.shell.page_style import EXPLAIN_KEY
from explorer.view import Registry, View
from explorer.visitor.links import query_of
from explorer.visitor.reports import Explain, take
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page, store_state, visitor_state
from explorer.visitor.state import ExplorerState, back_on_trail, follow_operand

PANEL_KEY = "explain_panel"
"""Key of the component in the session."""

_OF_HEADS = frozenset({"q", "k", "v", "products", "scores", "masked_scores", "weights", "context"})
_STAGES = {
    "q": "queries",
    "w_q": "queries",
    "b_q": "queries",
    "w_k": "keys",
    "b_k": "keys",
    "w_v": "values",
    "b_v": "values",
    "k": "keys",
    "v": "values",
    "masked_scores": "masked",
    "weights": "softmax",
    "log_probs": "softmax",
    "mean": "statistics",
    "variance": "statistics",
}
"""Stages of the pages where a site is what comes out; others are called as the site. A page drops one it lacks."""


def take_panel_report(runs: Runs, views: Registry) -> None:
    """Act on what the visitor did in the panel since the last run. Call it before anything is drawn."""
    state = visitor_state(runs)
    # Only then is it worth while to make the explanation that says what the report may name.
    raw = take(PANEL_KEY, DONE) if state.look.trail else None
    if raw is None:
        return
    match DONE.parse(raw, shown_explanation(state, views)):
        case Explain(cell):
            store_state(follow_operand(state, cell), runs)
        case Back(place):
            store_state(back_on_trail(state, place), runs)
        case OpenPage(site, block):
            shown = state.look.trail[-1]
            there = at_page(state, views[block].address)
            there = replace(there, look=replace(there.look, trail=state.look.trail))
            there = store_state(at_site(there, site, shown.index if site == shown.site else ()), runs)
            st.switch_page(views[block].page, query_params=query_of(there, runs))


def draw_explain_panel(view: View, runs: Runs, views: Registry) -> None:
    """Explain the last number of the visitor's way, if there is one. Call it after the page was drawn, in its body.

    Args:
        view: That is open; where it explains no numbers the panel waits for the next one that does.
        runs: All models.
        views: All of them.
    """
    state = visitor_state(runs)
    if not state.look.trail or not view.explains:
        return
    data = shown_explanation(state, views)
    with st.container(key=EXPLAIN_KEY, gap=None):
        explain_panel(data, key=PANEL_KEY)
        # The style puts one above and one below the terms, which the component draws.
        if data.formula:
            st.latex(data.formula)
        if data.numbers:
            st.latex(data.numbers)


def at_site(state: ExplorerState, site: str, index: tuple[int, ...]) -> ExplorerState:
    """The state whose pages show a site: its stage, layer, sub-layer and, where there is an index, its head."""
    where = locate(site)
    of_head = where.kind == "attention" and where.value in _OF_HEADS
    # γ and β of a norm are called as any weight and bias are.
    scales = where.normalizes and where.value in ("weight", "bias")
    block = f"{where.stack}.{where.part}" if where.part else where.stack if where.kind == "stack" else ""
    look = replace(
        state.look,
        stage="output" if scales else _STAGES.get(where.value, "" if where.learned else where.value),
        layer=state.look.layer if where.layer is None else where.layer,
        head=index[1] if of_head and len(index) == 4 else state.look.head,
        block=block,
    )
    return replace(state, look=look)
