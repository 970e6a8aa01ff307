"""What a marked term means, in a box beside it, wherever on the page a link to the glossary is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import streamlit as st

from explorer.browser.assets import script
from explorer.browser.message import pack_json
from explorer.glossary.marking import ADDRESS
from explorer.glossary.terms import glossary
from explorer.visitor.reports import handlers

# In the page itself, not in a shadow of it: so a term's link can name the box as its description, and one style sheet
# reaches the links of every text.
_component = st.components.v2.component(
    "term_tips",
    html='<div class="term-tips"></div>',
    js=script(__file__, "tips"),
    isolate_styles=False,
)


@cache
def _message() -> bytes:
    terms = {term.key: [term.name, term.text] for term in glossary().values()}
    return pack_json({"address": ADDRESS, "terms": terms})


def term_tips(*, key: str) -> str:
    """Listen to the page's marked terms; return the key of the one whose entry was just asked for, or nothing."""
    return parse_term(_component(data=_message(), key=key, **handlers("asked")).get("asked"), glossary())


def parse_term(raw: object, terms: Mapping[str, object]) -> str:
    """The reported term, or nothing unless it is one of them."""
    return raw if isinstance(raw, str) and raw in terms else ""
