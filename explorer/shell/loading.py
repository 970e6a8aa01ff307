"""What stands in a view's place while it is computed, and the sentence that does when it cannot be."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import ExplorerError
from explorer.look.markdown_text import plain
from explorer.visitor.values import is_drawn


class PageEnded(Exception):
    """A page has said why it cannot go on; what surrounds it is still to be drawn, which `st.stop` would prevent."""


@contextmanager
def loading(key: str, *, height: int) -> Iterator[None]:
    """Compute what a view shows inside the block; draw the view after it.

    A skeleton of the view's height stands there the first time only. Later the old view stays until the new one
    takes its place: were anything else drawn there, even for a moment, the browser would build the view anew,
    and a key pressed meanwhile would be lost together with the focus. An error of ours becomes a sentence, and
    the page ends with it.

    Raises:
        PageEnded: after such an error.

    Args:
        key: Of the view, in the session.
        height: Of the view, in pixels.
    """
    place = st.empty()
    if not is_drawn(key):
        place.skeleton(height=height)
    try:
        yield
    except ExplorerError as error:
        place.error(plain(error.sentence))
        raise PageEnded from None
    place.empty()
