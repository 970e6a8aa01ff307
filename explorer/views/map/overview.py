"""The overview of the map under the translation: the figure with its layers folded, every block a way to the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from explorer.view import Registry
from explorer.visitor.links import query_of
from explorer.visitor.reports import pending
from explorer.visitor.session import store_state
from explorer.visitor.state import ExplorerState, Runs

if TYPE_CHECKING:
    from explorer.views.map.component import MapData

OVERVIEW_KEY = "map_overview"


def map_overview(figure: MapData, state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Draw the overview of a map, and go to the map itself where that was asked for."""
    from explorer.views.map.component import OPEN, map_view
    from explorer.views.map.map_choices import opened_state, overview, page_of, seen_state, with_pages

    data = overview(with_pages(figure, views), state)
    for asked in pending(OVERVIEW_KEY, data, (OPEN,)):
        state = store_state(opened_state(seen_state(state, data, asked), data, asked), runs)
        st.switch_page(page_of(data, asked, views), query_params=query_of(state, runs))
    map_view(data, key=OVERVIEW_KEY)
