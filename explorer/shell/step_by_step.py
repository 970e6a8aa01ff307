"""The screen of *Step by step*: the decoding in which tokens are forced, and the picture of one varied token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.run import Run
from explorer.look.pieces import Piece
from explorer.models.decodings import recorded_of
from explorer.shell.blocks import AtPage
from explorer.shell.depth import note_pieces
from explorer.shell.screen import Part, Screen
from explorer.view import Registry, View
from explorer.views.decoding import STEP_BY_STEP
from explorer.views.decoding.component import decode_view
from explorer.views.decoding.component.reports import EVENTS, Action, ViewState
from explorer.views.decoding.followed import decoding_after, decoding_data
from explorer.views.vary.component import EVENTS as VARY_EVENTS
from explorer.views.vary.component import Used, Varied, vary_view
from explorer.views.vary.followed import varied_after, varied_data
from explorer.visitor.state import ExplorerState


def _after_decoding(
    run: Run, state: ExplorerState, report: ViewState | Action, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    return STEP_BY_STEP, decoding_after(run, state, report)


def _after_varied(
    run: Run, state: ExplorerState, report: Varied | Used, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    return STEP_BY_STEP, varied_after(run, state, report)


def _note(run: Run, state: ExplorerState) -> Sequence[Piece] | None:
    return note_pieces(STEP_BY_STEP, recorded_of(run, state.sentence, state.decoding.prefix), state)


SCREEN = Screen(
    view=STEP_BY_STEP.key,
    parts=(
        Part(
            component=decode_view,
            events=EVENTS,
            show=lambda run, state, views: decoding_data(run, state),
            after=_after_decoding,
            numbered=lambda data, report: replace(data, report=report),
        ),
        Part(
            component=vary_view,
            events=VARY_EVENTS,
            show=lambda run, state, views: varied_data(run, state),
            after=_after_varied,
            numbered=lambda data, report: replace(data, report=report),
            is_slow=True,
        ),
    ),
    note=_note,
    # What a longer text costs.
    rest=lambda state: state.sentence,
)
