"""Watches the page: drawn again after a cut, in new colours; long pastes cut, history kept short; lessons get keys."""

import streamlit as st

from explorer.browser.assets import script
from explorer.server.limits import MOST_HANDED_OVER
from explorer.visitor.reports import handlers

SCRIPT = script(__file__, "watch")
_component = st.components.v2.component(
    "page_watch",
    html="<span hidden></span>",
    js=SCRIPT.replace('"MOST_AT_ONCE"', str(MOST_HANDED_OVER)),
)


def page_watch() -> None:
    """Draw the component, which shows nothing; once in a run."""
    drawn_for = st.context.theme.type or ""
    _component(data=drawn_for.encode(), key="script_page", **handlers("colours", "again"))
