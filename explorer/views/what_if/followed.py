"""The data of the view, and the visitor's choices after each report; pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from core.errors import CaptureError, InputError
from core.interventions.patching import PatchingMap, patched_sites
from core.interventions.sweep import Progress
from core.run import Run
from explorer.models.background import passes_of
from explorer.models.patching_maps import map_is_kept, map_of
from explorer.views.what_if.borrowing import patch_at
from explorer.views.what_if.cached import MOST_AT_ONCE, board_is_kept, board_of
from explorer.views.what_if.component import (
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
from explorer.visitor.running import run_of
from explorer.visitor.state import (
    ExplorerState,
    choose_row,
    explain_cell,
    toggle_change,
    undo_change,
)


def changing_data(seen: Scenery, state: ExplorerState) -> WhatIfData:
    """Return the data of the view, with the map or the board unless that is yet to be asked for."""
    sweep = sweep_of(seen, state)
    found = sweep.compute(None) if sweep is not None and sweep.is_there else None
    if isinstance(found, PatchingMap):
        return what_if_data(seen, state, found=found)
    return what_if_data(seen, state, board=cast("tuple[Priced, ...] | None", found))


def changing_after(run: Run, state: ExplorerState, report: Report) -> ExplorerState:
    """Return the state after a report.

    Args:
        run: The model with the visitor's changes.
        state: The visitor's choices.
        report: Anything but a way to another page.

    Raises:
        InputError: when the change cannot be made.
    """
    try:
        moved = _after(state, scenery(run, state), report)
        scenery(run_of(moved), moved)
    except (CaptureError, InputError) as error:
        raise InputError(f"This change was not made. {error.sentence}") from error
    return moved


@dataclass(frozen=True)
class Sweep:
    """Many passes of a model, whose results the view shows.

    Attributes:
        key: Name of the sweep.
        passes: Number of passes.
        work: Number of multiplications.
        is_kept: Returns whether it has been computed for any visitor.
        compute: Computes it and keeps the result.
    """

    key: tuple[object, ...]
    passes: int
    work: float
    is_kept: Callable[[], bool]
    compute: Callable[[Progress | None], object]

    @property
    def is_there(self) -> bool:
        """True if the view shows it without asking the visitor."""
        return self.work <= MOST_AT_ONCE or self.is_kept()


def sweep_of(seen: Scenery, state: ExplorerState) -> Sweep | None:
    """Return the sweep that the view shows for the chosen way of changing the model; None if there is none."""
    run, trained = seen.changed.run, seen.trained
    n_tokens = len(trained.source) + len(trained.outputs)
    if state.what_if.way == "borrow" and seen.deciding is not None:
        asked = (trained.run, trained.sentence, seen.donor, seen.deciding)
        sides = {"source": len(trained.source), "target": len(trained.outputs)}
        n_passes = sum(sides[site.rows_side] for site in patched_sites(run.model.sites()))
        key = (trained.run.fingerprint, *asked[1:])
        work = passes_of(run, n_passes, n_tokens)
        return Sweep(key, n_passes, work, partial(map_is_kept, *asked), partial(map_of, *asked))
    if state.what_if.way == "off":
        n_passes = len(parts_of(run, trained))
        work = passes_of(run, n_passes, n_tokens)
        board = partial(board_of, run, trained)
        return Sweep(
            (run.fingerprint, trained.key), n_passes, work, partial(board_is_kept, run, trained), board
        )
    return None


def _after(state: ExplorerState, seen: Scenery, report: Report) -> ExplorerState:
    """Return the state after a report, without trying its change.

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
