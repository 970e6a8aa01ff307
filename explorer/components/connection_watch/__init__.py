"""Watches the connection to the server: a page that a cut has emptied opens anew by its address."""

from pathlib import Path

import streamlit as st

from explorer.components.assets import script

_component = st.components.v2.component("connection_watch", js=script(Path(__file__).parent / "watch.js"))


def connection_watch() -> None:
    """Draw the component, which shows nothing; once in a run."""
    _component(key="script_connection")
