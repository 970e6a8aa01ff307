"""A view whose script and numbers the browser keeps: neither is sent again with each of the view's messages.

Streamlit sends a component's script, its style and its data as one message. The server spares itself a message only
when it is the same, byte for byte, as one that the browser still has; so script and numbers get messages of their own,
and another choice of the visitor's changes only the small one that is left.
"""

import json
import struct
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

import streamlit as st

from explorer.browser.assets import script, view_style
from explorer.visitor.reports import Event, handlers
from explorer.visitor.values import SessionValue

D = TypeVar("D", contravariant=True)

LEAST_KEPT = 2**14
"""Bytes of numbers from which on they travel by themselves; Streamlit keeps no message below 10,000."""

_WANTED = SessionValue[tuple["KeptView[Any]", ...]]("explorer_scripts", ())
"""Views that were drawn, and whose scripts were not yet."""
_EXPORT = "export default "


class KeptView(Generic[D]):
    """A component whose script and style stand in an element beside it, which never changes.

    Args:
        module: ``__file__`` of the module beside which the script and the style lie.
        name: Of the component; with hyphens it is the class of its root.
        pack: Makes the message, as `pack_message` and `pack_json` do, of what the view shows.
        events: What it reports; `pending` has them at the next run.
        source: Name of the script, whose default export is the function that draws the view.
        html: The root, where it is another element.
        css: The style in the component's own tree, where it is not ``view.css`` after what every view begins with.

    Attributes:
        js: The script.
        pack: As given.

    Raises:
        ValueError: when the script exports nothing.
    """

    def __init__(
        self,
        module: str,
        name: str,
        pack: Callable[[D], bytes],
        events: Sequence[Event[Any, Any]] = (),
        *,
        source: str = "view",
        html: str = "",
        css: str = "",
    ) -> None:
        self.js = script(module, source)
        if self.js.count(_EXPORT) != 1:
            raise ValueError(f"the script of {name} must have one default export, a function")
        css = css or view_style(Path(module).parent / "view.css")
        html = html or f'<div class="{name.replace("_", "-")}" data-look="light"></div>'
        # A server with another script, as after an update, must not be served by the one from before.
        version = f"{name}-{sha256((self.js + css).encode()).hexdigest()[:16]}"
        self._name, self.pack = name, pack
        self._handlers = handlers(*(event.name for event in events))
        self._script = st.components.v2.component(f"{name}_script", js=shelved(self.js, version, css))
        self._view = st.components.v2.component(name, html=html, js=taking(version))

    def draw_script(self) -> None:
        """Send script and style, which the browser may have already."""
        self._script(key=f"script_{self._name}")

    def __call__(self, data: D, *, key: str) -> None:
        """Draw the view, as a component of `st.components.v2`, and its numbers, which the frame's style hides.

        The view waits for its script, which `draw_scripts` draws. Tokens and texts reach the page as text only.

        Args:
            data: What it shows.
            key: Of the view in the session.
        """
        _WANTED.set((*(each for each in _WANTED.value if each is not self), self))
        message = self.pack(data)
        head, numbers = _split(message)
        if len(numbers) >= LEAST_KEPT:
            name = sha256(numbers).digest()[:16]
            _numbers(data=name + numbers, key=f"script_{key}_numbers")
            message = head + name
        self._view(data=message, key=key, **self._handlers)


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
