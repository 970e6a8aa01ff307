"""Watches the page: one emptied by a cut connection opens anew, new colours are told, a lesson gets its keys."""

import streamlit as st

from explorer.browser.assets import beside, script, shared
from explorer.visitor.session import heard

SCRIPTS = (shared()[0], shared("lesson_keys")[-1], *beside(__file__, "connection", "watch"))

_component = st.components.v2.component("page_watch", html="<span hidden></span>", js=script(*SCRIPTS))


def page_watch() -> None:
    """Draw the component, which shows nothing; once in a run."""
    drawn_for = st.context.theme.type or ""
    _component(data=drawn_for.encode(), key="script_page", on_colours_change=heard(lambda: None))
