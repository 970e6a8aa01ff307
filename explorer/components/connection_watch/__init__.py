"""Watches the connection to the server: a page that a cut has emptied opens anew by its address."""

import streamlit as st

from explorer.components.assets import beside, script

SCRIPTS = beside(__file__, "watch")

_component = st.components.v2.component("connection_watch", js=script(*SCRIPTS))


def connection_watch() -> None:
    """Draw the component, which shows nothing; once in a run."""
    _component(key="script_connection")
