"""The head of a page: its title, the pages of its place, and its lead, which a phone shows in the note."""

from __future__ import annotations

import streamlit as st

from explorer.browser.assets import script, view_path
from explorer.browser.message import pack_json
from explorer.glossary.marking import address_of, parts_of

HEAD, LEAD = view_path(__file__, "head"), view_path(__file__, "lead")
"""Paths of the TypeScript modules of the line, and of the lead in the note."""
LEAD_KEY = "page_lead"
"""Key of the lead in the note."""

# Without a shadow root, so that the page's style sheet applies.
_head = st.components.v2.component(
    "page_head",
    html="<h1></h1><nav hidden></nav><p hidden></p>",
    js=script(__file__, "head"),
    isolate_styles=False,
)
_lead = st.components.v2.component(
    "page_lead", html="<p></p>", js=script(__file__, "lead"), isolate_styles=False
)


def pack(page: str, title: str, lead: str, tab: str) -> bytes:
    """Return the message of both components.

    Args:
        page: Address of the page.
        title: Title of the page.
        lead: What it shows, in one sentence of ours, whose terms are marked; empty for none.
        tab: Title of the tab in the browser.
    """
    parts = [[address_of(part.term) if part.term else "", part.text] for part in parts_of(lead)]
    return pack_json({"page": page, "title": title, "lead": parts, "tab": tab})


def page_head(message: bytes, *, key: str) -> None:
    """Draw the line; a lead that does not fit is whole in its tip."""
    _head(data=message, key=key)


def page_lead(message: bytes) -> None:
    """Draw the lead in the note."""
    _lead(data=message, key=LEAD_KEY)
