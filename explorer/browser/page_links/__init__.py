"""The links to all pages, as one element: one of Streamlit's own for each would be half of what a page consists of.

A link leads to its page as Back and Forward do, by the address alone, and nothing is loaded anew. It is a real one: it
can be opened in another tab, and copied with all that the visitor has chosen.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json

KEY = "page_links"
"""Key of the component in the session."""
SCRIPT = script(__file__, "links")
# In the page's own tree, where the style of the frame and whoever looks for a link find them.
_component = st.components.v2.component(
    KEY, html='<nav aria-label="Pages"></nav>', js=SCRIPT, isolate_styles=False
)


def draw_links(
    sections: Mapping[str, Sequence[tuple[str, str]]], queries: Mapping[str, str], *, here: str
) -> None:
    """Draw the links; once in a run.

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
    _component(data=pack_json({"here": here, "queries": distinct, "sections": links}), key=KEY)
