"""A state as the address of its view, and back.

A link reopens the same view; a value in it that cannot be used falls back to the default, with a sentence that says
so. The names, the forms and the defaults are those that the fields of `ExplorerState` declare.
"""

import re
from collections.abc import Mapping

from explorer.trainings.run_folders import SAFE_NAME
from explorer.visitor.declared import link_names, read_record, write_record
from explorer.visitor.learning import Learning
from explorer.visitor.scope import Runs, default_scope
from explorer.visitor.state import ExplorerState

_MODEL, _RUN = "model", "run"
"""Names in a link of the model that is looked at, and of the training that is watched."""
VIEW_NAMES = link_names(ExplorerState) - link_names(Learning)
"""Names in a link that say what is looked at."""


def state_from_query(query: Mapping[str, str], runs: Runs) -> tuple[ExplorerState, tuple[str, ...]]:
    """The state that a URL describes, and a sentence for each part of it that could not be used."""
    notices: list[str] = []
    state = read_record(ExplorerState, query, default_scope(runs), notices.append)
    return state, tuple(notices)


def with_one_run(
    query: Mapping[str, str], runs: Runs, *, trains: bool
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Let a link that names a run name it as the open page does, and return a sentence where that cannot be.

    The page Train calls the run that it shows ``run``, and every other page its model ``model``. People write either.

    Args:
        query: Parts of the link.
        runs: All models.
        trains: Whether the open page is Train.
    """
    model, run = query.get(_MODEL, ""), query.get(_RUN, "")
    if trains:
        if run or not re.fullmatch(SAFE_NAME, model):
            return query, ()
        # A training that has no weights yet is no model.
        kept = query if model in runs else {name: text for name, text in query.items() if name != _MODEL}
        return {**kept, _RUN: model}, ()
    # Text that no run can be called is refused by its form.
    if not re.fullmatch(SAFE_NAME, run):
        return query, ()
    rest = {name: text for name, text in query.items() if name != _RUN}
    if model and model != run:
        return rest, (
            f"The link names two runs: this page shows the model “{model}”, and Train shows “{run}”.",
        )
    if run in runs or model:
        return {_MODEL: run, **rest}, ()
    return rest, (
        f"The link names the run “{run}”, which cannot be opened here: it has been deleted, has no weights yet or is "
        "too old for the list of models; see the page Runs.",
    )


def query_of(state: ExplorerState, runs: Runs) -> dict[str, str]:
    """The URL of a state; what equals the default is left out."""
    return write_record(state, default_scope(runs))
