"""States for tests, from choices by their own names, wherever in the record of a state they belong."""

from dataclasses import fields, replace
from typing import Any

from explorer.visitor.state import ExplorerState

GROUPS = ("decoding", "look", "sampling", "beam", "inspector")
"""Records of choices whose names are all different."""


def with_choices(state: ExplorerState, **choices) -> ExplorerState:
    """A state with other choices."""
    changed: dict[str, Any] = {}
    for group in GROUPS:
        record = getattr(state, group)
        own = {each.name: choices.pop(each.name) for each in fields(record) if each.name in choices}
        changed |= {group: replace(record, **own)} if own else {}
    return replace(state, **changed, **choices)


def state_of(run: str, sentence: str, **choices) -> ExplorerState:
    """The state of somebody who has made these choices alone."""
    return with_choices(ExplorerState(run=run, sentence=sentence), **choices)
