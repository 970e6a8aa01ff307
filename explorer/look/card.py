"""What stands under a page's view: parts of it with a frame and a title, and the sentence where one cannot be drawn."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import ExplorerError
from explorer.look.markdown_text import plain


@contextmanager
def under_the_view() -> Iterator[None]:
    """Compute and draw inside the block what stands under a view: the view is on its way to the screen by then.

    An error of ours becomes a sentence in its place; the view stays.
    """
    try:
        yield
    except ExplorerError as error:
        st.error(plain(error.sentence))


@contextmanager
def card(title: str, *, key: str) -> Iterator[None]:
    """Draw a frame with a title; what is drawn inside the block stands below it.

    An error of ours becomes a sentence in its place, as it does `under_the_view`.

    Args:
        title: Of this part of the page.
        key: Of the frame, by which lessons light it and styles find it.
    """
    with st.container(border=True, key=key), under_the_view():
        st.subheader(title, anchor=False)
        yield
