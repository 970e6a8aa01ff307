"""The note beside a picture: sentences, a formula or code about it, and the tabs that choose between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from explorer.browser import sentence_view
from explorer.browser.assets import script, view_path
from explorer.browser.message import pack_json
from explorer.browser.page_head import packed_lead
from explorer.look.formula import mathml, mathml_pieces
from explorer.look.pieces import Piece
from explorer.visitor.reports import Event, handlers
from explorer.visitor.state import Depth

PATH = view_path(__file__, "note")
"""Path of the TypeScript module among the views of the bundle."""
DEPTHS: tuple[Depth, ...] = get_args(Depth)

Said = Mapping[str, object]
"""What a note says, as its message has it."""


def sentences(pieces: Sequence[Piece]) -> Said:
    """Say sentences."""
    return {"kind": "sentences", "pieces": sentence_view.packed(pieces)}


def formula(
    reference: str,
    letters: Sequence[str],
    sizes: Sequence[str],
    symbols: Sequence[tuple[str, str]],
    *,
    sized_by: str = "With the sizes of this model and sentence",
) -> Said:
    """Say a formula.

    Args:
        reference: Equation or section of the paper.
        letters: Its lines in LaTeX.
        sizes: The same with numbers in place of letters.
        symbols: Each symbol in LaTeX, with what it is.
        sized_by: What the numbers are.
    """
    return {
        "kind": "formula",
        "reference": reference,
        "sized_by": sized_by,
        "letters": [mathml_pieces(line) for line in letters],
        "sizes": [mathml_pieces(line) for line in sizes],
        "symbols": [[mathml(symbol), meaning] for symbol, meaning in symbols],
    }


def code(sources: Sequence[object], printed: str, snippet: str) -> Said:
    """Say functions of the project, and a few lines that run them.

    Args:
        sources: The functions, each with its name, path, first and last line, and text.
        printed: What the lines print.
        snippet: The lines.
    """
    return {"kind": "code", "sources": list(sources), "printed": printed, "snippet": snippet}


@dataclass(frozen=True)
class Note:
    """The words of a page at a depth."""

    depth: Depth
    said: Said


def pack(note: Note, lead: str) -> bytes:
    """Return the message.

    Args:
        note: What is said.
        lead: What the page shows, in one sentence of ours, for windows that have no room for it elsewhere.
    """
    return pack_json({"depth": note.depth, "depths": DEPTHS, "lead": packed_lead(lead), "said": note.said})


CHOSEN: Event[Depth, None] = Event("depth", lambda payload, data: payload["depth"].one_of(DEPTHS), owner="")
"""The visitor chooses another depth."""

_component = st.components.v2.component(
    "note", html='<div class="note" data-look="light"></div>', js=script(__file__, "note")
)


def draw_note(note: Note, lead: str, *, key: str) -> None:
    """Draw the note; the arguments are those of `pack`, and the key of the component in the session."""
    _component(data=pack(note, lead), key=key, **handlers(CHOSEN.name))
