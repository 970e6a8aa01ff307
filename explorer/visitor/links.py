"""A state as the address of its view, and back.

A link reopens the same view; a value in it that cannot be used falls back to the default, with a sentence that says
so. The names, the forms and the defaults are those that the fields of `ExplorerState` declare.
"""

from collections.abc import Mapping

from explorer.visitor.declared import link_names, read_record, write_record
from explorer.visitor.learning import Learning
from explorer.visitor.scope import Runs, default_scope
from explorer.visitor.state import ExplorerState

VIEW_NAMES = link_names(ExplorerState) - link_names(Learning)
"""Names in a link that say what is looked at."""


def state_from_query(query: Mapping[str, str], runs: Runs) -> tuple[ExplorerState, tuple[str, ...]]:
    """The state that a URL describes, and a sentence for each part of it that could not be used."""
    notices: list[str] = []
    state = read_record(ExplorerState, query, default_scope(runs), notices.append)
    return state, tuple(notices)


def query_of(state: ExplorerState, runs: Runs) -> dict[str, str]:
    """The URL of a state; what equals the default is left out."""
    return write_record(state, default_scope(runs))
