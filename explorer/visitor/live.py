"""Views that are drawn again by themselves, without swallowing what is chosen beside them."""

from collections.abc import Callable
from typing import TypeVarTuple

import streamlit as st

Args = TypeVarTuple("Args")


def draw_live(draw: Callable[[*Args], None], *args: *Args, run_every: float | None) -> None:
    """Draw in a fragment: again after some time, or whenever a view in it reports.

    The browser makes one message of all that happens within a moment. Where a part of it happened in a fragment, only
    the fragment is run, with the values of all: what was chosen elsewhere on the page just then would be known, and
    nothing be drawn of it. So the fragment begins the page anew when it finds another choice than the page did.
    Buttons beside it and in it must act by their callbacks, which are called in any case.

    Args:
        draw: What is drawn.
        args: Handed to it.
        run_every: Seconds between two runs; None where nothing comes by itself.
    """
    # None until the page's own run of the fragment is over, which draws fields as well.
    chosen: dict[str, object] | None = None

    def again() -> None:
        nonlocal chosen
        if chosen is not None and _choices() != chosen:
            st.rerun()
        draw(*args)
        chosen = chosen or _choices()

    st.fragment(again, run_every=run_every)()


def _choices() -> dict[str, object]:
    """Every plain value of the session: of fields, switches and what callbacks keep; not what views report."""
    return {
        key: value
        for key, value in st.session_state.items()
        if isinstance(key, str) and (value is None or isinstance(value, str | int | float))
    }
