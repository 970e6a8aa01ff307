"""Glossary: every term of the field that the app uses, its formula, and where it can be seen."""

from dataclasses import replace

import streamlit as st

from explorer.app import REGISTRY
from explorer.glossary.places import seen_at
from explorer.glossary.terms import OPENS_ON, Term, glossary
from explorer.models.known import known_runs
from explorer.shell.model_page import page_head
from explorer.shell.term_text import term_text
from explorer.views.glossary import VIEW
from explorer.views.glossary.component import CHOSEN, TermIndexData, term_index
from explorer.visitor.links import query_of
from explorer.visitor.reports import last_report, pending
from explorer.visitor.session import at_page, store_state
from explorer.visitor.state import ExplorerState

INDEX_KEY = "term_index"

runs, terms = known_runs(), glossary()
state = page_head(VIEW, runs, words=False)
for chosen in pending(INDEX_KEY, terms, (CHOSEN,)):
    state = store_state(replace(state, term=chosen.term), runs)


def show(term: Term, state: ExplorerState) -> None:
    """Draw what a term means and the link to where it can be seen."""
    st.subheader(term.name, anchor=False)
    term_text(term.text, but=(term.key,))
    if term.formula:
        st.latex(term.formula)
    if term.more:
        term_text(term.more, but=(term.key,))
    others = [form for form in term.forms if form.casefold() != term.name.casefold()]
    if others:
        st.caption(f"In texts: {', '.join(others)}")
    view = REGISTRY.at(term.page)
    there = seen_at(term, at_page(state, term.page), runs)
    st.page_link(
        view.page,
        label=f"See it: {view.title}",
        icon=":material/visibility:",
        query_params=query_of(there, runs),
    )


opened = state.term or OPENS_ON
# On a narrow screen the entry stands above the index: a link leads to it.
entry, index = st.columns((3, 2), gap="medium")
with index:
    term_index(
        TermIndexData(tuple(terms.values()), opened if opened in terms else "", last_report()),
        key=INDEX_KEY,
    )
with entry, st.container(border=True, key="term"):
    if opened in terms:
        show(terms[opened], state)
    else:
        st.markdown("The glossary has no such term. Choose one from the list.")
