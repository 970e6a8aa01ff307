"""The card that tells a newcomer in a few lines what they look at; once dismissed it never comes back in that browser.

It lies over the page, so that nothing moves when it appears or goes, and the browser alone remembers that it was
dismissed: the server is neither asked nor told.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json

_component = st.components.v2.component(
    "first_visit",
    html='<aside class="first-visit" aria-label="What you are looking at" hidden></aside>',
    js=script(__file__, "card"),
)


def first_visit(lines: Sequence[str]) -> None:
    """Draw the card, which only a browser that has not dismissed it shows; once in a run.

    Args:
        lines: The sentences, each on a line of its own; none where the page must not show the card.
    """
    _component(data=pack_json(lines), key="script_first_visit")
