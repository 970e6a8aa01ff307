"""On paper."""

from __future__ import annotations

from explorer.views.by_hand.data import computed, view_of
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import Sheet, html_of
from explorer.worksheets.stages import stop_blocks


def document(title: str, state: ExplorerState, address: str) -> str:
    """The HTML of the worksheet."""
    return html_of(Sheet(title, (), stop_blocks(view_of(computed(state.by_hand)), ""), address))
