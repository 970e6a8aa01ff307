"""The navigation bar: brand, places, each with a menu of links to its pages, and search.

A link opens its page as Back and Forward do, by the address alone, and nothing is loaded anew. It is a real link: it
can be opened in another tab, and copied with all that the visitor has chosen.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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


class PageLink(NamedTuple):
    """A link in a menu: title and address of its page, and what the menu says of it."""

    title: str
    address: str
    line: str


def pack_links(
    places: Mapping[str, Sequence[PageLink]],
    queries: Mapping[str, str],
    *,
    here: str,
    home: str,
    product: str,
    route: str,
) -> bytes:
    """Return the message of the component.

    Args:
        places: The links by the name of their place.
        queries: What each link takes along, by the address.
        here: The address of the page that is open.
        home: The address of the first page.
        product: Name of the product.
        route: Address of the route that answers the search.
    """
    # Most of them take the same along.
    distinct = list(dict.fromkeys(queries.values()))
    menus = [
        [place, [[*link, distinct.index(queries[link.address])] for link in links]]
        for place, links in places.items()
    ]
    return pack_json(
        {"here": here, "home": home, "product": product, "queries": distinct, "places": menus, "route": route}
    )


def draw_links(message: bytes) -> None:
    """Draw the links of a message; once in a run."""
    _component(data=message, key=KEY)
