"""What could not be used of the link that was opened, or of what was shown before, drawn at the top of a page."""

import streamlit as st

from explorer.look.markdown_text import plain
from explorer.visitor.session import notices


def draw_notices() -> None:
    """Draw the sentences, if there are any; they repeat what the link said, which anybody may have written."""
    if told := notices():
        st.info("\n\n".join(map(plain, told)), icon=":material/link_off:")
