"""The glossary's index: a field that searches names and meanings, the letters, and the list of the terms."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json
from explorer.glossary.terms import Term
from explorer.visitor.reports import Event, handlers


@dataclass(frozen=True)
class TermIndexData:
    """What can be chosen, and what is.

    Attributes:
        terms: In the order of the alphabet.
        chosen: Key of one of them; empty for none.
        report: Number of the last report that this message knows of.
    """

    terms: Sequence[Term]
    chosen: str = ""
    report: int = 0


@dataclass(frozen=True)
class ChosenTerm:
    """A visitor has chosen a term."""

    term: str


def pack(data: TermIndexData) -> bytes:
    """The message: each term's key, its name, and the words by which it is found besides."""
    terms = [[term.key, term.name, " ".join((*term.forms, term.text))] for term in data.terms]
    return pack_json({"terms": terms, "chosen": data.chosen, "report": data.report})


def term_index(data: TermIndexData, *, key: str) -> None:
    """Draw the index of all terms in the browser."""
    _component(data=pack(data), key=key, **handlers(CHOSEN.name))


CHOSEN: Event[ChosenTerm, Collection[str]] = Event(
    "chosen", lambda payload, terms: ChosenTerm(payload["term"].one_of(terms)), owner=""
)
"""The visitor has chosen one of the terms."""

_component = st.components.v2.component(
    "term_index",
    html='<div class="term-index" data-look="light"></div>',
    js=script(__file__),
)
