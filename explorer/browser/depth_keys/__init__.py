"""Keys 1 to 4 choose the depth of the words, wherever on the page the focus is but in a text field."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json
from explorer.visitor.reports import handlers, is_index, payload

PRESSED = "pressed"

_component = st.components.v2.component(
    "depth_keys",
    html='<p class="depth-keys" data-look="light"></p>',
    js=script(__file__, "keys"),
)


def depth_keys(n: int, *, key: str, on_press: Callable[[], None]) -> None:
    """Draw the line that names the keys.

    Args:
        n: How many depths there are.
        key: Of the component in the session.
        on_press: Called when one was pressed; `pressed_key` then says which.
    """
    _component(data=pack_json({"n": n}), key=key, **handlers(PRESSED, handler=on_press))


def pressed_key(n: int, *, key: str) -> int | None:
    """Which key was just pressed, from 0; None for none, and for whatever a browser sends that is not one of n."""
    raw = payload(key, PRESSED)
    return raw if is_index(raw, n) else None
