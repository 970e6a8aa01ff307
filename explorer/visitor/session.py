"""A visitor's session: the one place that reads and writes Streamlit's session state and the page's address."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.reporting import MAX_REPORT, is_index
from explorer.visitor.state import ExplorerState, Runs, default_state

_STATE, _WRITTEN, _NOTICES, _REFUSAL = "explorer", "explorer_url", "explorer_notices", "explorer_refusal"
_SUBMISSION, _VIEW_REPORT = "explorer_submission", "explorer_view_report"
_BEGUN = "explorer_begun"
_PANEL_REPORT = "explorer_panel_report"
_REPORTED, _LEFT = "explorer_reported", "explorer_left_addresses"
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


def heard(on_change: Callable[[], None]) -> Callable[[], None]:
    """What a view calls when it reports: the same, and a note that what follows answers a report and no link."""

    def note() -> None:
        st.session_state[_REPORTED] = True
        on_change()

    return note


def _is_late(query: dict[str, str]) -> bool:
    """Whether a report was sent before the browser had heard that its page has another address now."""
    answers_report = st.session_state.get(_REPORTED, False)
    st.session_state[_REPORTED] = False
    was_left = query in st.session_state.get(_LEFT, ()) and query != st.session_state[_WRITTEN]
    # Back and forward lead to addresses that were left, and mean to.
    context = get_script_run_ctx(suppress_warning=True)
    return answers_report and was_left and not (context and context.is_history_navigation)


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


def is_new_submission(sequence: int) -> bool:
    """Whether a submission was not acted on yet; from now on it was."""
    new = st.session_state.get(_SUBMISSION) != sequence
    st.session_state[_SUBMISSION] = sequence
    return new


def is_new_view_report(number: int) -> bool:
    """Whether a report of the decoding view was not acted on yet; from now on it was."""
    new = number > view_report()
    if new:
        st.session_state[_VIEW_REPORT] = number
    return new


def view_report() -> int:
    """Number of the last report of the decoding view that was acted on; 0 before the first."""
    return st.session_state.get(_VIEW_REPORT, 0)


def is_new_panel_report(number: object) -> bool:
    """Whether a report of the panel that explains a number was not looked at yet; from now on it was."""
    new = is_index(number, MAX_REPORT) and number > st.session_state.get(_PANEL_REPORT, 0)
    if new:
        st.session_state[_PANEL_REPORT] = number
    return new


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
