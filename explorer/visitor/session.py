"""A visitor's session: the one place that reads and writes Streamlit's session state and the page's address."""

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.reports import answers_report
from explorer.visitor.state import ExplorerState, Runs, default_state

_STATE, _WRITTEN, _NOTICES, _REFUSAL = "explorer", "explorer_url", "explorer_notices", "explorer_refusal"
_BEGUN = "explorer_begun"
_LEFT = "explorer_left_addresses"
_MOST_LEFT = 3
"""Addresses that a report may still carry though they have been left: it takes the browser a moment to hear of it."""
_STAGES = "explorer_stages"
_KEY, _IS_ADMIN = "explorer_visitor_key", "explorer_is_admin"


@dataclass(frozen=True)
class Refusal:
    """A sentence that could not be taken: what was typed, and why not."""

    text: str
    reason: str


def visitor_state(runs: Runs) -> ExplorerState:
    """This session's state; read from the URL at first, and again whenever the visitor changes the URL."""
    query = st.query_params.to_dict()
    if _is_late(query):
        query = st.session_state[_WRITTEN]
        st.query_params.from_dict(query)
    if _STATE not in st.session_state or query != st.session_state[_WRITTEN]:
        previous = st.session_state.get(_STATE)
        opened, notices = state_from_query(query, runs)
        moved = previous.sentence_id + 1 if previous else 0
        st.session_state[_STATE] = replace(opened, sentence_id=moved)
        st.session_state[_NOTICES] = notices
        _write(query)
        st.session_state[_REFUSAL] = None
        if previous:
            # A link to the page that is open leaves the browser's address as it is; this puts the new one there.
            st.query_params.from_dict(query)
    state: ExplorerState = st.session_state[_STATE]
    pinned = state.inspector.pinned
    if pinned is not None and pinned.run not in runs:
        gone = "The model of the pinned tensor has been deleted; nothing is pinned any more."
        state = store_state(
            replace(state, inspector=replace(state.inspector, pinned=None)), runs, notices=(gone,)
        )
    if state.run in runs:
        return state
    gone = "The model that was shown here has been deleted; this is the default one."
    moved = replace(
        default_state(runs), depth=state.depth, learning=state.learning, sentence_id=state.sentence_id + 1
    )
    return store_state(moved, runs, notices=(gone,))


def store_state(
    state: ExplorerState, runs: Runs, *, notices: tuple[str, ...] = (), in_address: bool = True
) -> ExplorerState:
    """Keep a state for this session; notices are shown with it until it changes.

    Args:
        state: To keep.
        runs: All models.
        notices: Sentences.
        in_address: Whether the URL follows, and with it the browser's history; False while something plays.
    """
    query = query_of(state, runs)
    st.session_state[_STATE] = state
    st.session_state[_NOTICES] = notices
    st.session_state[_REFUSAL] = None
    if in_address and query != st.session_state.get(_WRITTEN):
        _write(query)
        st.query_params.from_dict(query)
    return state


def keep_stage(page: str, state: ExplorerState) -> None:
    """Remember which stage is open on a page, so that a link leads back to it; with another model all begin anew.

    Args:
        page: Address of the page.
        state: With which it is shown.
    """
    run, stages = st.session_state.get(_STAGES, (state.run, {}))
    kept = stages if run == state.run else {}
    st.session_state[_STAGES] = (state.run, {**kept, page: state.look.stage})


def at_page(state: ExplorerState, page: str) -> ExplorerState:
    """The state for a link to a page: the stage is the one that was open there, for a stage belongs to its page.

    Args:
        state: The visitor's choices.
        page: Address of the page.
    """
    run, stages = st.session_state.get(_STAGES, (state.run, {}))
    return replace(state, look=replace(state.look, stage=stages.get(page, "") if run == state.run else ""))


def _is_late(query: dict[str, str]) -> bool:
    """Whether a report was sent before the browser had heard that its page has another address now."""
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


def store_refusal(text: str, reason: str) -> None:
    """Remember that a sentence could not be taken; the state stays as it is."""
    st.session_state[_REFUSAL] = Refusal(text, reason)


def is_first_run() -> bool:
    """Whether this session has shown nothing yet; asked once in a run."""
    first = _BEGUN not in st.session_state
    st.session_state[_BEGUN] = True
    return first


def refusal() -> Refusal | None:
    """The last sentence that could not be taken, if none was taken since."""
    return st.session_state.get(_REFUSAL)


def notices() -> tuple[str, ...]:
    """What could not be used of the link that was opened, or of what was shown before."""
    return st.session_state.get(_NOTICES, ())


def visitor_key() -> str:
    """The secret of this visitor's browser, as far as it has told; kept for the session, never in an address."""
    return st.session_state.get(_KEY, "")


def keep_visitor_key(key: str) -> None:
    """Remember the secret of this visitor's browser."""
    st.session_state[_KEY] = key


def is_admin() -> bool:
    """Whether the admin token was given in this session."""
    return st.session_state.get(_IS_ADMIN, False)


def keep_admin(admin: bool) -> None:
    """Remember for this session whether the admin token was given; the token itself is not kept."""
    st.session_state[_IS_ADMIN] = admin
