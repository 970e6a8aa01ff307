"""The page on which a decoding is watched and tokens are forced: what was done in its view, and what it shows next."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import translation_of
from explorer.models.translation import Translation
from explorer.views.decoding.branches import reported_state, what_if
from explorer.views.decoding.cached import internals_of
from explorer.views.decoding.component import DecodeViewData
from explorer.views.decoding.component.reports import EVENTS
from explorer.views.decoding.data import view_data
from explorer.views.decoding.internals import Internals
from explorer.visitor.reports import last_report, pending
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state
from explorer.visitor.state import ExplorerState


def followed_decoding(
    run: Run, state: ExplorerState, runs: Runs, *, key: str
) -> tuple[ExplorerState, DecodeViewData]:
    """Do what the visitor asked for in the view of a page: their choices after it, and what the view is fed.

    Args:
        run: The model.
        state: The visitor's choices, whose branches can all be shown.
        runs: All models.
        key: Of the view, in the session.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """

    def decoded(prefix: tuple[int, ...]) -> Translation:
        """The translation of the sentence after a forced prefix."""
        return translation_of(run, state.sentence, prefix)

    def fed(report: int = 0, internals: Internals | None = None) -> DecodeViewData:
        return view_data(
            run,
            decoded(state.decoding.prefix),
            state,
            report,
            what_if=what_if(run, state, decoded),
            internals=internals,
        )

    shown = fed()
    for report in pending(key, shown, EVENTS):
        state = store_state(reported_state(state, report, decoded), runs)
    return state, fed(last_report(), internals_of(run, state.sentence, state.decoding.prefix))
