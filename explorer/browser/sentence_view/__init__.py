"""Sentences with numbers, tokens and terms in them: numbers stand out, tokens have their side's colour, terms link."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json
from explorer.glossary.marking import address_of, parts_of
from explorer.look.pieces import Piece

_component = st.components.v2.component(
    "sentence_view",
    html='<p class="sentence-view" data-look="light"></p>',
    js=script(__file__),
)


def packed(pieces: Sequence[Piece]) -> list[list[str]]:
    """Return the kind and the text of each piece.

    Of plain words the first place of each term of the glossary is a piece of its own, whose kind has its address.
    """
    message: list[list[str]] = []
    seen: set[str] = set()
    for piece in pieces:
        if piece.kind:
            message.append([piece.kind, piece.text])
            continue
        for part in parts_of(piece.text, but=seen):
            message.append([f"term {address_of(part.term)}" if part.term else "", part.text])
            seen.add(part.term)
    return message


def sentence_view(pieces: Sequence[Piece], *, key: str) -> None:
    """Show the sentences. Tokens are untrusted and reach the page as text only."""
    _component(data=pack_json(packed(pieces)), key=key)
