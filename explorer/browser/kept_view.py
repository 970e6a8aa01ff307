"""A view whose numbers the browser keeps: they are not sent again with each of the view's messages.

The server spares itself a message only when it is the same, byte for byte, as one that the browser still has; so the
numbers get messages of their own, and another choice of the visitor's changes only the small one that is left.
"""

import struct
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Generic, TypeVar

import streamlit as st

from explorer.browser.assets import script, view_path
from explorer.visitor.reports import Event, handlers

D = TypeVar("D", contravariant=True)

NAME_BYTES = 16
LEAST_KEPT = 2**14
"""Bytes of numbers from which on they travel by themselves; Streamlit keeps no message below 10,000."""


class KeptView(Generic[D]):
    """A component that shows what its messages say, and reports what is done in it.

    Args:
        module: ``__file__`` of the module beside which the TypeScript module lies.
        name: Of the component; with hyphens it is the class of its root.
        pack: Makes the message, as `pack_message` and `pack_json` do, of what the view shows.
        events: What it reports; `pending` has them at the next run.
        source: Name of the TypeScript module, whose default export draws the view.
        html: The root, where it is another element.

    Attributes:
        path: Of the TypeScript module, among the views of the bundle.
        pack: Function that packs the message.
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
    ) -> None:
        html = html or f'<div class="{name.replace("_", "-")}" data-look="light"></div>'
        self.path, self.pack = view_path(module, source), pack
        self._handlers = handlers(*(event.name for event in events))
        self._view = st.components.v2.component(name, html=html, js=script(module, source, is_kept=True))

    def __call__(self, data: D, *, key: str) -> None:
        """Draw the view, as a component of `st.components.v2`, and its numbers, which the frame's style hides.

        Tokens and texts reach the page as text only.

        Args:
            data: What it shows.
            key: Of the view in the session.
        """
        message, numbers = parted(self.pack(data))
        if numbers:
            _numbers(data=numbers, key=f"script_{key}_numbers")
        self._view(data=message, key=key, **self._handlers)


def parted(message: bytes) -> tuple[bytes, bytes]:
    """Split a message into one with the name of its numbers in place of them, and the numbers after their name.

    A message with few numbers stays whole, and the second part is empty.
    """
    head, numbers = _split(message)
    if len(numbers) < LEAST_KEPT:
        return message, b""
    name = sha256(numbers).digest()[:NAME_BYTES]
    return head + name, name + numbers


def _split(message: bytes) -> tuple[bytes, bytes]:
    """A message's header, with what fills it up to a multiple of 4, and its numbers; JSON is all header."""
    if len(message) < 4:
        return message, b""
    (length,) = struct.unpack_from("<I", message)
    start = 4 + -(-length // 4) * 4
    return message[:start], message[start:]


_numbers = st.components.v2.component("numbers", js=script(__file__, "kept/numbers"))
