"""What a visitor is asked to find in the picture with a click: which cell that is, and what is said to one."""

from __future__ import annotations

from explorer.lessons.findings import FactError, Finding
from explorer.lessons.lesson import Fact
from explorer.lessons.places import find_tensor, place_on
from explorer.models.recorded import Recorded
from explorer.tensors import CellPlace


def cell_of(fact: Fact, found: Finding, recorded: Recorded) -> CellPlace:
    """The number of the model that a fact is about.

    Raises:
        FactError: when it is about none, or about several.
    """
    site = fact.options.get("site")
    if not isinstance(site, str):
        raise FactError("a cell to click is one of a site; the fact asks no site.")
    searched = dict(zip((axis.name for axis in found.axes), found.place, strict=True))
    index = []
    tensor = find_tensor(site, recorded)
    for axis in tensor.axes:
        place = searched.get(axis.name)
        if place is None and axis.name in fact.options:
            place = place_on(axis, fact.options[axis.name])
        if place is None:
            raise FactError(f"a cell to click has one place on the axis {axis.name!r}.")
        index.append(place)
    return CellPlace(site, (*tensor.lead, *index))
