"""The navigation bar: brand, places, each with a menu of links to its pages, and search.

A link opens its page as Back and Forward do, by the address alone, and nothing is loaded anew. It is a real link: it
can be opened in another tab, and copied with all that the visitor has chosen.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from explorer.browser.assets import script, view_path
from explorer.browser.message import pack_json
from explorer.look.brand import BRAND, PRODUCT

KEY = "navigation"
"""Key of the component in the session."""
PATH = view_path(__file__, "bar")
"""Path of the TypeScript module, among the views of the bundle."""
_HTML = (
    '<nav aria-label="Pages"><button class="skip" type="button">Skip to the page</button>'
    f'<a class="brand" href="./" aria-label="{PRODUCT}">{BRAND.read_text(encoding="utf-8")}<span>{PRODUCT}</span></a>'
    "</nav>"
)
# Without a shadow root, so that the page's style sheet applies to the bar.
_component = st.components.v2.component(KEY, html=_HTML, js=script(__file__, "bar"), isolate_styles=False)


class PageLink(NamedTuple):
    """A link in a menu: title and address of its page, and what the menu says of it."""

    title: str
    address: str
    line: str


def pack_bar(
    places: Mapping[str, Sequence[PageLink]],
    queries: Mapping[str, str],
    *,
    here: str,
    home: str,
    route: str,
    share: str = "",
) -> bytes:
    """Return the message of the component.

    Args:
        places: The links by the name of their place.
        queries: What each link takes along, by the address.
        here: The address of the page that is open.
        home: The address of the first page.
        route: Address of the route that answers the search.
        share: Address for others, seen from any page; empty if it is that of the window.
    """
    # Most of them take the same along.
    distinct = list(dict.fromkeys(queries.values()))
    menus = [
        [place, [[*link, distinct.index(queries[link.address])] for link in links]]
        for place, links in places.items()
    ]
    return pack_json(
        {"here": here, "home": home, "queries": distinct, "places": menus, "route": route, "share": share}
    )


def draw_bar(message: bytes) -> None:
    """Draw the bar that a message describes; once in a run."""
    _component(data=message, key=KEY)
