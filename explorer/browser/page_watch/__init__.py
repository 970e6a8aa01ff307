"""Watches the page: drawn again after a cut, in new colours; long pastes cut, history kept short; lessons get keys."""

from collections.abc import Mapping

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json
from explorer.server.limits import MOST_HANDED_OVER
from explorer.visitor.reports import handlers

_component = st.components.v2.component(
    "page_watch",
    html="<span hidden></span>",
    js=script(__file__, "watch"),
)


def page_watch(page: str, screen: Mapping[str, object] | None) -> None:
    """Draw the component, which shows nothing; once in a run.

    Args:
        page: Address of the page.
        screen: Description of the page if it updates by requests (`Screen`); None for other pages.
    """
    watched = {
        "drawn_for": st.context.theme.type or "",
        "longest_paste": MOST_HANDED_OVER,
        "page": page,
        "screen": screen,
    }
    _component(data=pack_json(watched), key="script_page", **handlers("colours", "again"))
