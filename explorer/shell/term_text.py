"""Texts whose terms open the glossary: dotted under the word, explained on focus and hover."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

from explorer.browser.term_tips import term_tips
from explorer.glossary.marking import ADDRESS, explain_terms
from explorer.view import Registry
from explorer.visitor.links import query_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import at_page, store_state
from explorer.visitor.state import ExplorerState

TIPS_KEY = "term_tips"


def term_text(text: str, *, but: Collection[str] = (), key: str | None = None) -> None:
    """Draw a Markdown text of ours with its terms marked.

    Args:
        text: What a person typed may be in it as far as `markdown_text.plain` has made it plain.
        but: Keys of terms that are not to be marked.
        key: Of a container around the text, for a style; None for none.
    """
    with nullcontext() if key is None else st.container(key=key):
        st.markdown(explain_terms(text, but=but))


def follow_terms(state: ExplorerState, runs: Runs, views: Registry) -> None:
    """Explain the page's marked terms beside them, and open the glossary where one was clicked; once in a run.

    Args:
        state: The visitor's choices.
        runs: All models.
        views: All of them.
    """
    with st.container(key=TIPS_KEY):
        asked = term_tips(key=f"{TIPS_KEY}_box")
    if asked:
        there = store_state(at_page(replace(state, term=asked), ADDRESS), runs)
        st.switch_page(views[ADDRESS].page, query_params=query_of(there, runs))
