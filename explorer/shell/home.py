"""The screen of the first page: the data of its living map, and the state after each report."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import recorded_of, translation_of
from explorer.shell.blocks import AtPage, block_page, inspector_page
from explorer.shell.depth import note_of
from explorer.shell.screen import Part, Screen
from explorer.view import HOME, WHAT_IF, Registry, View
from explorer.views.living_map import VIEW
from explorer.views.living_map.cached import living_map_of
from explorer.views.living_map.choices import done_state, looked_at
from explorer.views.living_map.component import (
    EVENTS,
    Act,
    Inspected,
    Opened,
    Rested,
    WhatIfRequest,
    living_map,
)
from explorer.views.living_map.component.data import LivingMapData
from explorer.visitor.state import ExplorerState


def living_map_data(run: Run, state: ExplorerState, views: Registry) -> LivingMapData:
    """Return the data of the map.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    written = translation_of(run, state.sentence, state.decoding.prefix)
    return looked_at(living_map_of(run, state, views), written, state)


def after(
    run: Run, state: ExplorerState, report: Rested | Act, views: Registry, at: AtPage
) -> tuple[View, ExplorerState]:
    """Return the page that is open after a report, and the state.

    Raises:
        InputError: when the token cannot be forced.
    """
    match report:
        case Inspected(name):
            return inspector_page(name, state, views, at)
        case Opened(block):
            return block_page(block, state, views, at)
        case WhatIfRequest():
            return views[WHAT_IF], at(state, views[WHAT_IF].address)
    return views[HOME], done_state(run, state, report)


SCREEN = Screen(
    view=HOME,
    parts=(
        Part(
            component=living_map,
            events=EVENTS,
            show=living_map_data,
            after=after,
        ),
    ),
    note=lambda run, state: note_of(VIEW, recorded_of(run, state.sentence, state.decoding.prefix), state),
)
