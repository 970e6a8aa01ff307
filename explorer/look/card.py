"""A framed part of a page with a title, as they stand under its view."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def card(title: str, *, key: str) -> Iterator[None]:
    """Draw a frame with a title; what is drawn inside the block stands below it.

    Args:
        title: Of this part of the page.
        key: Of the frame, by which lessons light it and styles find it.
    """
    with st.container(border=True, key=key):
        st.subheader(title, anchor=False)
        yield
