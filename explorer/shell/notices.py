"""What is to be said at the top of a page: what could not be used of a link, or why one stands here."""

import streamlit as st

from explorer.look.markdown_text import plain
from explorer.visitor.session import NOTICES

NOTICES_KEY = "notices"
"""Key of the container above a page's picture; it is there only where something is to be said."""


def draw_notices() -> None:
    """Draw the sentences, if there are any; they repeat what somebody has written."""
    if problems := NOTICES.value:
        with st.container(key=NOTICES_KEY):
            st.info("\n\n".join(map(plain, problems)), icon=":material/info:")
