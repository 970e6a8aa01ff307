"""The screens of decoding: *Step by step*, *Sampling lab* and *Beam search*."""

from __future__ import annotations

from collections.abc import Callable

from core.run import Run
from explorer.browser.note import Note
from explorer.models.beam_trees import BeamTree
from explorer.models.decodings import beam_of, recorded_of
from explorer.shell.blocks import AtPage
from explorer.shell.depth import note_of
from explorer.shell.screen import Part, Screen, stays
from explorer.view import Registry, View
from explorer.views import beam_search, sampling
from explorer.views.beam_search.component import OPENED, Opened, beam_view
from explorer.views.decoding import STEP_BY_STEP
from explorer.views.decoding.component import decode_view
from explorer.views.decoding.component.reports import EVENTS
from explorer.views.decoding.followed import decoding_after, decoding_data
from explorer.views.sampling.cached import sampled_data, sampled_state
from explorer.views.sampling.component import CHOICE, sampling_view
from explorer.views.vary.component import EVENTS as VARY_EVENTS
from explorer.views.vary.component import vary_view
from explorer.views.vary.followed import varied_after, varied_data
from explorer.visitor.state import ExplorerState, choose_branch


def _note_of(view: View) -> Callable[[Run, ExplorerState], Note]:
    return lambda run, state: note_of(view, recorded_of(run, state.sentence, state.decoding.prefix), state)


STEP_BY_STEP_SCREEN = Screen(
    view=STEP_BY_STEP.key,
    parts=(
        Part(
            component=decode_view,
            events=EVENTS,
            show=lambda run, state, views: decoding_data(run, state),
            after=stays(STEP_BY_STEP, decoding_after),
        ),
        Part(
            component=vary_view,
            events=VARY_EVENTS,
            show=lambda run, state, views: varied_data(run, state),
            after=stays(STEP_BY_STEP, varied_after),
            is_slow=True,
        ),
    ),
    note=_note_of(STEP_BY_STEP),
    # What a longer text costs.
    rest=lambda state: state.sentence,
)


SAMPLING_SCREEN = Screen(
    view=sampling.VIEW.key,
    parts=(
        Part(
            component=sampling_view,
            events=(CHOICE,),
            show=lambda run, state, views: sampled_data(run, state),
            after=stays(sampling.VIEW, lambda run, state, choice: sampled_state(state, choice)),
        ),
    ),
    note=_note_of(sampling.VIEW),
    # Whole outputs, and the remark about forced tokens.
    rest=lambda state: (state.sentence, state.changes, state.decoding.prefix, state.sampling),
)


def _tree(run: Run, state: ExplorerState) -> BeamTree:
    return beam_of(run, state.sentence, state.beam.width, state.beam.length_penalty)


def _after_beam(
    run: Run, state: ExplorerState, report: Opened, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    tree = _tree(run, state)
    branch = choose_branch(state, tree.words(report.node), tree.nodes[report.node].step)
    return STEP_BY_STEP, at(branch, STEP_BY_STEP.address)


BEAM_SCREEN = Screen(
    view=beam_search.VIEW.key,
    parts=(
        Part(
            component=beam_view,
            events=(OPENED,),
            show=lambda run, state, views: _tree(run, state),
            after=_after_beam,
            numbered=lambda tree, report: tree,
        ),
    ),
    note=lambda run, state: note_of(beam_search.VIEW, recorded_of(run, state.sentence), state),
    # The verdict, and the settings of the search.
    rest=lambda state: (state.sentence, state.changes, state.beam),
)
SCREENS = (STEP_BY_STEP_SCREEN, SAMPLING_SCREEN, BEAM_SCREEN)
