"""What of a recorded run is in the light at a stop: rows of numbers, for the picture and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.activations.location import locate
from core.errors import ExplorerError
from explorer.lessons.findings import FactError, label, measured
from explorer.lessons.lesson import LessonError, Target
from explorer.lessons.places import axis_names, find_tensor, place_on
from explorer.models.recorded import Recorded
from explorer.tensors import Axis
from explorer.visitor.running import recorded_run
from explorer.visitor.state import ExplorerState

MOST_SAID = 4
"""Numbers of a row that are said where none of them is framed: the largest."""


@dataclass(frozen=True, eq=False)
class LightRow:
    """A row of recorded or learned numbers that a stop speaks of.

    Attributes:
        site: Its name.
        index: Of its first number, as `core.explain` takes it; None on an axis that is averaged.
        values: Its numbers.
        axis: Along which they stand.
        name: What the row is called; empty where there is only one.
        side: Whose token it is called by.
        columns: Places of the numbers that are framed.
        matrix: The values of all rows beside it, with this one among them; one row where there is only one.
        row: Its place in there.
        names: What all these rows are called.
    """

    site: str
    index: tuple[int | None, ...]
    values: np.ndarray
    axis: Axis
    name: str
    side: str
    columns: tuple[int, ...]
    matrix: np.ndarray
    row: int
    names: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What is recorded there: ``weights``."""
        return locate(self.site).value

    def text(self, place: int) -> str:
        """A number as it is written."""
        return measured(float(self.values[place]), self.kind).text

    @property
    def said(self) -> str:
        """The numbers in the light in words."""
        places = self.columns or tuple(np.argsort(-np.abs(self.values), kind="stable")[:MOST_SAID].tolist())
        numbers = ", ".join(f"{label(self.axis, place)} {self.text(place)}" for place in places)
        return (
            f"{self.kind.replace('_', ' ')}, {self.name}: {numbers}."
            if self.name
            else f"{self.kind}: {numbers}."
        )


def light_of(file: str, target: Target, state: ExplorerState) -> tuple[LightRow, ...]:
    """The rows in the light of a target.

    Raises:
        LessonError: when the run has no such numbers; the sentence names file and line.
    """
    if not target.sites:
        return ()
    try:
        recorded = recorded_run(state)
        return tuple(light_row(site, target.places, recorded) for site in target.sites)
    except ExplorerError as error:
        raise LessonError(f"{file}, line {target.line}: the target: {error}") from error


def light_row(site: str, places: Mapping[str, object], recorded: Recorded) -> LightRow:
    """One row of a site at some places on its axes.

    Raises:
        FactError: when the run has no such numbers, or the places do not leave one row.
    """
    tensor = find_tensor(site, recorded)
    *before, axis = tensor.axes
    if unknown := set(places) - {each.name for each in tensor.axes}:
        raise FactError(f"{site} has no axis {min(unknown)!r}; it has {axis_names(tensor.axes)}.")
    if missing := [each.name for each in before if each.name not in places]:
        raise FactError(f"{site} needs a place on {', '.join(missing)}, so that one row is left.")
    index: list[int | None] = [*tensor.lead]
    matrix, row_at = tensor.values, 0
    for at, each in enumerate(before):
        place = place_on(each, _single(each, places[each.name]))
        index.append(place)
        if at == len(before) - 1:
            row_at = _whole(each, place)
        else:
            matrix = matrix.mean(axis=0) if place is None else matrix[place]
    if not before:
        matrix = matrix[None]
    row_axis = before[-1] if before else None
    names = tuple(label(row_axis, at) for at in range(len(matrix))) if row_axis else ("",)
    return LightRow(
        site,
        (*index, 0),
        matrix[row_at],
        axis,
        names[row_at]
        if row_axis and row_axis.labels
        else ""
        if row_axis is None
        else f"{row_axis.name} {row_at}",
        row_axis.side if row_axis else "",
        _columns(axis, places.get(axis.name)),
        matrix,
        row_at,
        names,
    )


def _whole(axis: Axis, place: int | None) -> int:
    if place is None:
        raise FactError(f"a row is one place of {axis.name!r}, not the mean over all.")
    return place


def _single(axis: Axis, wanted: object) -> object:
    if isinstance(wanted, list):
        raise FactError(f"one place of {axis.name!r} is lit, not a list; only the last axis has several.")
    return wanted


def _columns(axis: Axis, wanted: object) -> tuple[int, ...]:
    each: Sequence[object] = wanted if isinstance(wanted, list) else [] if wanted is None else [wanted]
    return tuple(_whole(axis, place_on(axis, one)) for one in each)
