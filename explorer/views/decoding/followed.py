"""The view of a decoding in which tokens can be forced: its data, and the state after each report."""

from __future__ import annotations

from functools import partial

from core.run import Run
from explorer.models.decodings import translation_of
from explorer.views.decoding.branches import reported_state, what_if
from explorer.views.decoding.cached import internals_of
from explorer.views.decoding.component import DecodeViewData
from explorer.views.decoding.component.reports import Action, ViewState
from explorer.views.decoding.data import view_data
from explorer.visitor.state import ExplorerState


def decoding_data(run: Run, state: ExplorerState) -> DecodeViewData:
    """Return the data of the view.

    Args:
        run: The model.
        state: The visitor's choices; every branch of them can be shown.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    decoded = partial(translation_of, run, state.sentence)
    return view_data(
        run,
        decoded(state.decoding.prefix),
        state,
        what_if=what_if(run, state, decoded),
        internals=internals_of(run, state.sentence, state.decoding.prefix),
    )


def decoding_after(run: Run, state: ExplorerState, report: ViewState | Action) -> ExplorerState:
    """Return the state after a report.

    Raises:
        InputError: when the token cannot be forced.
    """
    return reported_state(state, report, partial(translation_of, run, state.sentence))
