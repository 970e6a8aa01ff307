"""The view on its page: what was done in it, what that makes of the visitor's choices, and what it shows next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import CaptureError, InputError
from core.interventions.patching import PatchingMap, patched_sites
from core.interventions.sweep import Progress
from explorer.models.background import passes_of
from explorer.models.patching_maps import map_is_kept, map_of
from explorer.view import HOME
from explorer.views.what_if.borrowing import patch_at
from explorer.views.what_if.cached import (
    MOST_AT_ONCE,
    board_is_kept,
    board_of,
)
from explorer.views.what_if.component import (
    EVENTS,
    Attended,
    Borrowed,
    ChosenWay,
    Report,
    Second,
    Switched,
    Undone,
    Weighted,
    Went,
    WhatIfData,
)
from explorer.views.what_if.data import Scenery, changed_cell, scenery, second_of, what_if_data
from explorer.views.what_if.rows import edited_row, is_set, row_change
from explorer.views.what_if.switching import Priced, parts_of
from explorer.visitor.reports import pending
from explorer.visitor.running import run_of
from explorer.visitor.scope import Runs
from explorer.visitor.session import store_state
from explorer.visitor.state import (
    ExplorerState,
    choose_row,
    explain_cell,
    toggle_change,
    undo_change,
)
from explorer.visitor.values import SessionValue

WANTED = SessionValue[object]("what_if_wanted", None)
"""The large sweep that was asked for."""
PAGES = {"map": HOME, "steps": "step-by-step"}
"""Ways out of the view, by the key of the view that they lead to."""


def followed(state: ExplorerState, runs: Runs, *, key: str) -> tuple[ExplorerState, str]:
    """Act on what the view has reported.

    Args:
        state: The visitor's choices.
        runs: All models.
        key: Of the view in the session.

    Returns:
        The choices now, and the key of the view that is opened instead; empty for none.

    Raises:
        ExplorerError: as `scenery`.
    """
    seen, data = _shown(state)
    gone = ""
    for report in pending(key, data, EVENTS):
        if isinstance(report, Went) and report.to in PAGES:
            gone = PAGES[report.to]
            continue
        try:
            moved = _done(state, seen, report)
            scenery(run_of(moved), moved)
        except (CaptureError, InputError) as error:
            # The changes stay as they were; what could not be done is said above the view.
            store_state(state, runs, notices=(f"This change was not made. {error.sentence}",))
            st.rerun()
        state = store_state(moved, runs)
        seen, data = _shown(state)
    return state, gone


def fed(state: ExplorerState, place: DeltaGenerator) -> tuple[Scenery, WhatIfData]:
    """What the view shows; a large sweep is asked for first, shows how far it is, and ends with the next click.

    Args:
        state: The visitor's choices.
        place: Where it is asked for.

    Raises:
        ExplorerError: as `scenery`.
    """
    seen, data = _shown(state)
    sweep = _sweep_of(seen, state)
    if sweep is None or sweep.is_there:
        return seen, data
    with place:
        _ask(sweep)
    return _shown(state) if sweep.is_there else (seen, data)


@dataclass(frozen=True)
class _Sweep:
    """Many passes, of which the view shows what they found.

    Attributes:
        key: Names it.
        passes: How many.
        work: Multiplications.
        is_kept: Whether somebody has had it computed.
        compute: Does it, and keeps it.
    """

    key: tuple[object, ...]
    passes: int
    work: float
    is_kept: Callable[[], bool]
    compute: Callable[[Progress | None], object]

    @property
    def is_there(self) -> bool:
        """Whether it need not be asked for."""
        return self.work <= MOST_AT_ONCE or self.is_kept()


def _sweep_of(seen: Scenery, state: ExplorerState) -> _Sweep | None:
    """What the way of changing the model computes beforehand; None where it needs nothing."""
    run, trained = seen.changed.run, seen.trained
    n_tokens = len(trained.source) + len(trained.outputs)
    if state.what_if.way == "borrow" and seen.deciding is not None:
        asked = (trained.run, trained.sentence, seen.donor, seen.deciding)
        sides = {"source": len(trained.source), "target": len(trained.outputs)}
        n_passes = sum(sides[site.rows_side] for site in patched_sites(run.model.sites()))
        key = (trained.run.fingerprint, *asked[1:])
        work = passes_of(run, n_passes, n_tokens)
        return _Sweep(key, n_passes, work, partial(map_is_kept, *asked), partial(map_of, *asked))
    if state.what_if.way == "off":
        n_passes = len(parts_of(run, trained))
        work = passes_of(run, n_passes, n_tokens)
        board = partial(board_of, run, trained)
        return _Sweep(
            (run.fingerprint, trained.key), n_passes, work, partial(board_is_kept, run, trained), board
        )
    return None


def _ask(sweep: _Sweep) -> None:
    if sweep.key != WANTED.value:
        st.button(
            f"Compute it: {sweep.passes:,} passes of this model",
            key="compute_sweep",
            on_click=WANTED.set,
            args=(sweep.key,),
        )
        return
    bar = st.progress(0.0, "Computing")
    st.button("Stop", key="stop_sweep", on_click=WANTED.set, args=(None,))

    def show(done: int, of: int) -> None:
        # Where somebody has pressed Stop, or anything else, this line ends the run of the page.
        bar.progress(done / of, f"Computing: {done:,} of {of:,}")

    sweep.compute(show)


def _shown(state: ExplorerState) -> tuple[Scenery, WhatIfData]:
    """What is shown with the map or the board that is there."""
    seen = scenery(run_of(state), state)
    sweep = _sweep_of(seen, state)
    found = sweep.compute(None) if sweep is not None and sweep.is_there else None
    if isinstance(found, PatchingMap):
        return seen, what_if_data(seen, state, found=found)
    return seen, what_if_data(seen, state, board=cast("tuple[Priced, ...] | None", found))


def _done(state: ExplorerState, seen: Scenery, report: Report) -> ExplorerState:
    """The choices after one report.

    Raises:
        CaptureError: when there are as many changes already as a link can carry.
        InputError: when the second sentence cannot be read.
    """
    match report:
        case ChosenWay(way):
            return replace(state, what_if=replace(state.what_if, way=way))
        case Second(text):
            second_of(seen.trained, text)
            return replace(state, what_if=replace(state.what_if, donor=text))
        case Borrowed(site, position):
            return toggle_change(state, patch_at(site, position, seen.donor))
        case Switched(part):
            board = board_of(seen.changed.run, seen.trained)
            return toggle_change(state, board[part].part.change)
        case Weighted():
            return _weighted(state, seen, report)
        case Attended(attention, layer, head, query):
            look = replace(state.look, attention=attention, layer=layer, head=head)
            moved = replace(state, look=look)
            return choose_row(moved, "source" if attention == "encoder" else "target", query)
        case Went():
            cell = changed_cell(state, seen.changed)
            return state if cell is None else explain_cell(state, cell)
        case Undone():
            return undo_change(state)


def _weighted(state: ExplorerState, seen: Scenery, report: Weighted) -> ExplorerState:
    """With a row's weights set, in place of those that were set before; none for the row as it was trained."""
    row = edited_row(seen.trained, seen.changed, state, report.query)
    kept = tuple(each for each in state.changes if not is_set(each, row.site, row.head, row.query))
    without = replace(state, changes=kept)
    if not report.weights:
        return without
    return toggle_change(without, row_change(row, report.weights))
