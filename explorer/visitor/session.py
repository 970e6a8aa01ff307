"""A visitor's session: where the state stands between two runs, and how it and the page's address follow each other."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.tensors import Side
from explorer.visitor.declared import PAGE, cleared
from explorer.visitor.links import query_of, state_from_query, with_one_run
from explorer.visitor.reports import answers_report
from explorer.visitor.scope import Runs, default_scope
from explorer.visitor.state import ExplorerState, choose_run, with_row_of_link
from explorer.visitor.values import SessionValue

_STATE, _WRITTEN = "explorer", "explorer_url"
_BEGUN = "explorer_begun"
_LEFT = "explorer_left_addresses"
_MOST_LEFT = 3
"""Addresses that a report may still carry though they have been left: the browser knows of it a moment later."""
_PAGE, _PAGES = "explorer_page", "explorer_pages"

NOTICES = SessionValue[tuple[str, ...]]("explorer_notices", ())
"""What could not be used of the link that was opened, or of what was shown before."""
REFUSAL = SessionValue("explorer_refusal", "")
"""Why the last sentence could not be taken; empty if one was taken since. The state stays as it is."""
VISITOR_KEY = SessionValue("explorer_visitor_key", "")
"""The secret of this visitor's browser, once it has reported it; never in an address."""
IS_ADMIN = SessionValue("explorer_is_admin", False)
"""Whether the admin token was given in this session; the token itself is not stored."""


def visitor_state(
    runs: Runs, row_side: Callable[[ExplorerState], Side] | None = None, *, trains: bool = False
) -> ExplorerState:
    """This session's state; read from the URL at first, and again whenever the visitor changes the URL.

    Args:
        runs: All models.
        row_side: Whose tokens the rows of the open page are; only the first call of a run has to say so.
        trains: Whether the open page is Train; likewise.
    """
    query, stays = st.query_params.to_dict(), _stays_on_page()
    if _is_late(query):
        query = st.session_state[_WRITTEN]
        st.query_params.from_dict(query)
    if _STATE not in st.session_state or query != st.session_state[_WRITTEN]:
        previous = st.session_state.get(_STATE)
        named, problems = with_one_run(query, runs, trains=trains)
        opened, notices = state_from_query(named, runs)
        opened = with_row_of_link(opened, row_side(opened)) if row_side else opened
        # A new id replaces the text in the field, so a link with the same sentence keeps the visitor's draft.
        same = previous and (opened.run, opened.sentence) == (previous.run, previous.sentence)
        sentence_id = previous.sentence_id + (not same) if previous else 0
        st.session_state[_STATE] = replace(opened, sentence_id=sentence_id)
        NOTICES.set((*problems, *notices, *_undone(previous, opened)))
        _write(query)
        REFUSAL.set("")
        context = get_script_run_ctx(suppress_warning=True)
        if previous and stays and not (context and context.is_history_navigation):
            # A link to the page that is open leaves the browser's address as it is; this puts the new one there.
            # With another page the browser has it, and would be given one more to go back through.
            st.query_params.from_dict(query)
    state: ExplorerState = st.session_state[_STATE]
    gone = []
    # A state whose model is gone has no address, so both are replaced before the state is stored.
    shown = state.run
    if shown not in runs:
        gone.append("The model that was shown here has been deleted; this is the default one.")
        state = choose_run(state, default_scope(runs).name, runs)
    pinned = state.inspector.pinned
    if pinned is not None and pinned.run not in runs:
        if pinned.run != shown:
            gone.append("The model of the pinned tensor has been deleted; nothing is pinned any more.")
        state = replace(state, inspector=replace(state.inspector, pinned=None))
    return store_state(state, runs, notices=tuple(gone)) if gone else state


def _undone(previous: ExplorerState | None, opened: ExplorerState) -> tuple[str, ...]:
    """What a lesson takes back that is entered with a changed model; a stop may have changes of its own."""
    enters = previous is not None and opened.learning.lesson and not previous.learning.lesson
    if not enters or previous is None or not previous.changes or opened.changes:
        return ()
    return (
        "A lesson shows the model as it was trained, so your changes were undone. "
        "The browser’s Back button brings them back.",
    )


def store_state(state: ExplorerState, runs: Runs, *, notices: tuple[str, ...] = ()) -> ExplorerState:
    """Keep a state for this session; notices are shown with it until it changes.

    Args:
        state: To keep.
        runs: All models.
        notices: Sentences.
    """
    query = query_of(state, runs)
    st.session_state[_STATE] = state
    NOTICES.set(notices)
    REFUSAL.set("")
    if query != st.session_state.get(_WRITTEN):
        _write(query)
        st.query_params.from_dict(query)
    return state


def keep_page(page: str, state: ExplorerState) -> None:
    """Remember what is chosen on a page, so that a link leads back to it.

    Args:
        page: Address of the page.
        state: With which it is shown.
    """
    pages = {other: left for other, left in st.session_state.get(_PAGES, {}).items() if other != page}
    st.session_state[_PAGES] = {**pages, page: state}


def last_page() -> tuple[str, ExplorerState] | None:
    """Return the address and the state of the page that was kept last; None before the first."""
    return next(reversed(st.session_state.get(_PAGES, {}).items()), None)


def at_page(state: ExplorerState, page: str) -> ExplorerState:
    """The state for a link to a page: what belongs to a page is as it was left there, or as nobody has chosen it.

    Args:
        state: The visitor's choices.
        page: Address of the page.
    """
    return like_left(state, st.session_state.get(_PAGES, {}).get(page))


def like_left(state: ExplorerState, left: ExplorerState | None) -> ExplorerState:
    """Return the state with the page's own choices taken from `left`, or cleared if the page was never opened."""
    if left is None:
        return cleared(state, PAGE)
    changed = (name for name in ("run", "sentence") if getattr(left, name) != getattr(state, name))
    return cleared(state, PAGE, like=cleared(left, *changed))


def _stays_on_page() -> bool:
    """Whether the page that is open was open when this was last asked."""
    context = get_script_run_ctx(suppress_warning=True)
    here = context.page_script_hash if context else ""
    before = st.session_state.get(_PAGE)
    st.session_state[_PAGE] = here
    return here == before


def _is_late(query: dict[str, str]) -> bool:
    """Whether a report was sent before the browser knew that its page has another address now."""
    is_answer = answers_report()
    was_left = query in st.session_state.get(_LEFT, ()) and query != st.session_state[_WRITTEN]
    # Back and forward lead to addresses that were left, and mean to.
    context = get_script_run_ctx(suppress_warning=True)
    return is_answer and was_left and not (context and context.is_history_navigation)


def _write(query: dict[str, str]) -> None:
    """Note that this is the address now."""
    if _WRITTEN in st.session_state:
        left = (*st.session_state.get(_LEFT, ()), st.session_state[_WRITTEN])
        st.session_state[_LEFT] = left[-_MOST_LEFT:]
    st.session_state[_WRITTEN] = query


def is_first_run() -> bool:
    """Whether this session has shown nothing yet; asked once in a run."""
    first = _BEGUN not in st.session_state
    st.session_state[_BEGUN] = True
    return first
