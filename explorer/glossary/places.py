"""Where a term can be seen: the state with which its page opens."""

from __future__ import annotations

from explorer.glossary.terms import Term
from explorer.visitor.links import query_of, state_from_query
from explorer.visitor.scope import Runs
from explorer.visitor.state import ExplorerState


def seen_at(term: Term, state: ExplorerState, runs: Runs) -> ExplorerState:
    """The visitor's state with what the term's page is to show; a view that names a model brings its own sentence."""
    held = {} if "model" in term.view else query_of(state, runs)
    there, _ = state_from_query({**held, **term.view}, runs)
    return there
