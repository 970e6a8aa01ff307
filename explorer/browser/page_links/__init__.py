"""The links to all pages, as one element: one of Streamlit's own for each would be half of what a page consists of.

A link leads to its page as Back and Forward do, by the address alone, and nothing is loaded anew. It is a real one: it
can be opened in another tab, and copied with all that the visitor has chosen.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from explorer.browser.assets import script, view_path
from explorer.browser.message import pack_json

KEY = "page_links"
"""Key of the component in the session."""
PATH = view_path(__file__, "links")
"""Path of the TypeScript module, among the views of the bundle."""
# In the page's own tree, where the style of the frame and whoever looks for a link find them.
_component = st.components.v2.component(
    KEY, html='<nav aria-label="Pages"></nav>', js=script(__file__, "links"), isolate_styles=False
)


def pack_links(
    sections: Mapping[str, Sequence[tuple[str, str]]], queries: Mapping[str, str], *, here: str
) -> bytes:
    """Return the message of the component.

    Args:
        sections: Titles and addresses of pages, by the section's title; "" for pages before the first section.
        queries: What each link takes along, by the address.
        here: The address of the page that is open.
    """
    # Most of them take the same along.
    distinct = list(dict.fromkeys(queries.values()))
    links = [
        [title, [[name, address, distinct.index(queries[address])] for name, address in pages]]
        for title, pages in sections.items()
    ]
    return pack_json({"here": here, "queries": distinct, "sections": links})


def draw_links(message: bytes) -> None:
    """Draw the links of a message; once in a run."""
    _component(data=message, key=KEY)
