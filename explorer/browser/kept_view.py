"""A view whose script and numbers the browser keeps: neither is sent again with each of the view's messages.

Streamlit sends a component's script, its style and its data as one message. The server spares itself a message only
when it is the same, byte for byte, as one that the browser still has; so script and numbers get messages of their own,
and another choice of the visitor's changes only the small one that is left.
"""

import json
import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import streamlit as st

from explorer.browser.assets import script
from explorer.visitor.reports import Event, handlers
from explorer.visitor.values import SessionValue

LEAST_KEPT = 2**14
"""Bytes of numbers from which on they travel by themselves; Streamlit keeps no message below 10,000."""

_WANTED = SessionValue[tuple["KeptView", ...]]("explorer_scripts", ())
"""Views that were drawn, and whose scripts were not yet."""
_EXPORT = "export default "


class KeptView:
    """A component whose script and style stand in an element beside it, which never changes.

    Args:
        name: Of the component.
        html: The view's root.
        css: Its style, in the component's own tree.
        js: Its script, with the function that draws the view as its default export.

    Raises:
        ValueError: when the script exports nothing.
    """

    def __init__(self, name: str, *, html: str, css: str, js: str) -> None:
        if js.count(_EXPORT) != 1:
            raise ValueError(f"the script of {name} must have one default export, a function")
        # A server with another script, as after an update, must not be served by the one from before.
        version = f"{name}-{sha256((js + css).encode()).hexdigest()[:16]}"
        self._name = name
        self._script = st.components.v2.component(f"{name}_script", js=shelved(js, version, css))
        self._view = st.components.v2.component(name, html=html, js=taking(version))

    def draw_script(self) -> None:
        """Send script and style, which the browser may have already."""
        self._script(key=f"script_{self._name}")

    def __call__(self, *, data: bytes, key: str, events: Sequence[Event[Any, Any]] = ()) -> Any:
        """Draw the view, as a component of `st.components.v2`, and its numbers, which the frame's style hides.

        The view waits for its script, which `draw_scripts` draws.

        Args:
            data: A message, as of `pack_message`, or JSON.
            key: Of the view in the session.
            events: What it reports; `pending` has them at the next run.
        """
        _WANTED.set((*(each for each in _WANTED.value if each is not self), self))
        head, numbers = _split(data)
        if len(numbers) >= LEAST_KEPT:
            name = sha256(numbers).digest()[:16]
            _numbers(data=name + numbers, key=f"script_{key}_numbers")
            data = head + name
        return self._view(data=data, key=key, **handlers(*(event.name for event in events)))


def draw_scripts() -> None:
    """Draw the scripts of the views that were drawn since the last call in this run; for the frame.

    A page's own elements have names that no other page's have. Drawn by the frame, a view's script is one and the
    same message on every page that shows the view.
    """
    for view in _WANTED.take():
        view.draw_script()


def _split(message: bytes) -> tuple[bytes, bytes]:
    """A message's header, with what fills it up to a multiple of 4, and its numbers; JSON is all header."""
    if len(message) < 4:
        return message, b""
    (length,) = struct.unpack_from("<I", message)
    start = 4 + -(-length // 4) * 4
    return message[:start], message[start:]


def shelved(js: str, version: str, css: str) -> str:
    """A script that leaves a view's script and style under a name, and draws nothing."""
    shelving = script(__file__, "kept/shelve").replace('"NAME"', json.dumps(version))
    shelving = shelving.replace("(STYLE)", f"({json.dumps(css)})")
    return f"{js.replace(_EXPORT, 'const view = ')}\n{shelving}\nexport default function () {{}}"


def taking(version: str) -> str:
    """A script that gives each message to the view whose script lies under a name."""
    return script(__file__, "kept/take").replace('"NAME"', json.dumps(version))


_numbers = st.components.v2.component("numbers", js=script(__file__, "kept/numbers"))
