"""“Explain this number”: the panel beside a page's picture, drawn from the state, and the state after each report."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.activations.location import locate
from explorer.browser.explain_panel import (
    DONE,
    Back,
    ExplanationData,
    OpenPage,
    PanelReport,
    explain_panel,
)
from explorer.explaining.explained import shown_explanation
from explorer.shell.blocks import AtPage
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


def take_panel_report(view: View, runs: Runs, views: Registry) -> None:
    """Act on what the visitor did in the panel since the last run. Call it before anything is drawn."""
    state = visitor_state(runs)
    raw = take(PANEL_KEY, DONE)
    data = None if raw is None else panel_data(view, state, views)
    report = None if data is None else DONE.parse(raw, data)
    if report is None:
        return
    opened, state = after_panel(view, state, report, views, at_page)
    store_state(state, runs)
    if opened is not view:
        st.switch_page(opened.page, query_params=query_of(state, runs))


def after_panel(
    view: View, state: ExplorerState, report: PanelReport, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    """Return the page that is open after a report of the panel, and the state."""
    match report:
        case Explain(cell):
            return view, follow_operand(state, cell)
        case Back(place):
            return view, back_on_trail(state, place)
        case OpenPage(site, block):
            shown = state.look.trail[-1]
            there = at(state, views[block].address)
            there = replace(there, look=replace(there.look, trail=state.look.trail))
            return views[block], at_site(there, site, shown.index if site == shown.site else ())


def panel_data(view: View, state: ExplorerState, views: Registry) -> ExplanationData | None:
    """Return what the panel shows: the last number of the visitor's trail, on pages that explain numbers."""
    return shown_explanation(state, views) if state.look.trail and view.explains else None


def draw_explain_panel(view: View, runs: Runs, views: Registry) -> None:
    """Draw the panel, which is hidden while it is closed. Call it after the page was drawn, in its body."""
    if view.explains:
        with st.container(key=EXPLAIN_KEY, gap=None):
            explain_panel(panel_data(view, visitor_state(runs), views), key=PANEL_KEY)


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
