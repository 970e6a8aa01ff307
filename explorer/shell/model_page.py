"""What the pages share: the head of each, the recorded run, and what the visitor chose or asked in a tensor view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from explorer.browser import page_head as head
from explorer.browser import stop, tensors
from explorer.browser.stop import Gone, Typed
from explorer.browser.tensors import Looked
from explorer.explaining.marked import row_of
from explorer.shell.depth import IN_MENU, LEAD
from explorer.shell.frame import head_message
from explorer.shell.notices import draw_notices
from explorer.tensors import TensorViewData
from explorer.view import View
from explorer.visitor.reports import Explain, last_report, pending
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state, visitor_state
from explorer.visitor.state import ExplorerState, choose_row, explain_cell

HEAD_KEY = "head"
"""Key of the title and the lead."""


def page_head(
    view: View,
    runs: Runs,
    *,
    title: str = "",
    lead: str | None = None,
    words: bool = True,
    words_in_menu: bool = False,
) -> ExplorerState:
    """Draw the line that every page begins with: its title, and what it shows in one sentence.

    Args:
        view: The view that is open.
        runs: All models.
        title: Title instead of the view's own.
        lead: Sentence instead of the view's own.
        words: Whether the page has words, for which room is kept beside its view.
        words_in_menu: Whether a menu at the right of the title holds them instead, and the view has all the room.

    Returns:
        The visitor's state.
    """
    kind = "menu" if words_in_menu else "note" if words else "alone"
    state = visitor_state(runs)
    lead = view.lead_for(runs[state.run].config) if lead is None else lead
    message = head_message(view, title=title, lead=lead)
    LEAD.set("" if kind == "alone" else lead)
    IN_MENU.set(words_in_menu)
    with st.container(key=f"page_head_{kind}"):
        head.page_head(message, key=HEAD_KEY)
    draw_notices()
    return state


def picture_head(runs: Runs) -> ExplorerState:
    """The same of a page whose view has a title of its own: its words are in the menu."""
    LEAD.set("")
    IN_MENU.set(True)
    draw_notices()
    return visitor_state(runs)


def take_reports(
    state: ExplorerState,
    runs: Runs,
    build: Callable[[ExplorerState], TensorViewData],
    look: Callable[[ExplorerState, Looked], ExplorerState],
    *,
    key: str,
    go: Callable[[ExplorerState, Gone], ExplorerState] | None = None,
    write: Callable[[ExplorerState, Typed], ExplorerState] | None = None,
) -> tuple[ExplorerState, TensorViewData]:
    """Act on what the tensor view has reported since the last run of the page; return what to show now.

    Args:
        state: The visitor's choices.
        runs: All models.
        build: What the view is fed for a state.
        look: What another choice in the view makes of the state.
        key: Of the view in the session.
        go: What the way to another block makes of it, where the view is a stop.
        write: What is made of what somebody writes into its cells, where it has such.
    """
    before, data = state, build(state)
    for report in pending(key, data, tensors.EVENTS if go is None and write is None else stop.EVENTS):
        if isinstance(report, stop.Gone):
            state = state if go is None else store_state(go(state, report), runs)
            continue
        if isinstance(report, stop.Typed):
            state = state if write is None else store_state(write(state, report), runs)
            continue
        state = store_state(
            asked_state(state, data, report) if isinstance(report, Explain) else look(state, report),
            runs,
        )
    if state != before:
        data = build(state)
    return state, replace(data, cell=state.look.cell, report=last_report())


def asked_state(state: ExplorerState, data: TensorViewData, report: Explain) -> ExplorerState:
    """Return the state after a number was asked about."""
    row = row_of(data, report.cell)
    # Where it is shown anyway nobody has chosen it.
    moved = state if row in (None, data.row) else choose_row(state, data.row_side, row)
    return explain_cell(moved, report.cell)
