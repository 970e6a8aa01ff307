"""The head of a page: its title, the pages of its place, and its lead."""

from __future__ import annotations

import streamlit as st

from explorer.browser.assets import script, view_path
from explorer.browser.message import pack_json
from explorer.glossary.marking import address_of, parts_of

HEAD = view_path(__file__, "head")
"""Path of the TypeScript module among the views of the bundle."""

# Without a shadow root, so that the page's style sheet applies.
_head = st.components.v2.component(
    "page_head",
    html="<h1></h1><nav hidden></nav><p hidden></p>",
    js=script(__file__, "head"),
    isolate_styles=False,
)


def pack(page: str, title: str, lead: str, tab: str) -> bytes:
    """Return the message.

    Args:
        page: Address of the page.
        title: Title of the page.
        lead: What it shows, in one sentence of ours, whose terms are marked; empty for none.
        tab: Title of the tab in the browser.
    """
    return pack_json({"page": page, "title": title, "lead": packed_lead(lead), "tab": tab})


def packed_lead(lead: str) -> list[list[str]]:
    """Return the parts of a lead: each with the address of the term that it is, or none, and its text."""
    return [[address_of(part.term) if part.term else "", part.text] for part in parts_of(lead)]


def page_head(message: bytes, *, key: str) -> None:
    """Draw the line; a lead that does not fit is whole in its tip."""
    _head(data=message, key=key)
