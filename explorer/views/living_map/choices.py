"""What a visitor has chosen on the living map: read from the state, written to it, and the page that it leads to."""

from __future__ import annotations

from dataclasses import replace

from core.activations.location import locate
from core.run import Run
from explorer.models.decodings import translation_of
from explorer.view import Registry
from explorer.views.living_map.component import (
    Act,
    Beside,
    Forced,
    Inspected,
    Opened,
    Released,
    Rested,
    WhatIfRequest,
)
from explorer.views.living_map.component.data import Block, LivingMapData
from explorer.visitor.reports import Explain
from explorer.visitor.state import ExplorerState, choose_branch, explain_cell
from explorer.visitor.step import Decoded, shown_step


def looked_at(data: LivingMapData, written: Decoded, state: ExplorerState) -> LivingMapData:
    """The map at the moment that a visitor's state names."""
    is_first = state.decoding.step is None and not state.decoding.prefix
    return replace(data, step=shown_step(state, written), moment=state.decoding.moment, is_first=is_first)


def with_pages(data: LivingMapData, views: Registry) -> LivingMapData:
    """The map with the title of the page that shows each block."""
    return replace(data, blocks=tuple(replace(block, page=_title(block, views)) for block in data.blocks))


def _title(block: Block, views: Registry) -> str:
    view = views.showing(locate(block.id))
    return view.title if view else ""


def done_state(run: Run, state: ExplorerState, report: Rested | Act) -> ExplorerState:
    """The state after what a visitor looked at or did.

    Raises:
        InputError: when the token cannot be forced.
    """
    match report:
        case Rested(step, moment):
            return replace(state, decoding=replace(state.decoding, step=step, moment=moment))
        case Forced(step, token_id):
            before = translation_of(run, state.sentence, state.decoding.prefix).output_ids[:step]
            branch = translation_of(run, state.sentence, (*before, token_id)).branch
            return choose_branch(state, branch, step)
        case Released():
            return choose_branch(state, ())
        case Explain(cell):
            return explain_cell(state, cell)
        case Beside(compared, at):
            return replace(done_state(run, state, at), look=replace(state.look, compared=compared))
        case Opened() | Inspected() | WhatIfRequest():
            return state
