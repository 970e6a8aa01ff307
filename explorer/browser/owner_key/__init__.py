"""The secret by which a browser shows that it has begun a run: made up there, kept there, told to the server alone.

It lies in the browser's localStorage, which no other site and no link can read, and which outlives a reload.
"""

from __future__ import annotations

import re

import streamlit as st

from explorer.browser.assets import script
from explorer.visitor.reports import handlers

_SECRET = re.compile("[0-9a-f]{64}")


_component = st.components.v2.component("owner_key", html="<span hidden></span>", js=script(__file__, "key"))


def owner_key(*, key: str) -> str:
    """Ask the browser for its secret; empty until it has answered, and for whatever else a browser may send.

    Args:
        key: Of the component in the session.
    """
    raw = _component(data=b"", key=key, **handlers("secret")).get("secret")
    return raw if isinstance(raw, str) and _SECRET.fullmatch(raw) else ""
