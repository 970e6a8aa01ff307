"""The model that a visitor looks at: the one place where every view, explanation and worksheet gets it from."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import recorded_of
from explorer.models.known import loaded_run
from explorer.models.recorded import Recorded
from explorer.visitor.state import ExplorerState


def run_of(state: ExplorerState) -> Run:
    """The visitor's model, at the moment of its training and with the changes that they have chosen.

    Raises:
        ExplorerError: when it is gone, its files are damaged, or it cannot be changed so.
    """
    return loaded_run(state.run, state.updates, state.changes)


def recorded_run(state: ExplorerState) -> Recorded:
    """What the visitor's model computed for their sentence and branch.

    Raises:
        ExplorerError: as `run_of`, and when the sentence cannot be read or recorded.
    """
    return recorded_of(run_of(state), state.sentence, state.decoding.prefix)
