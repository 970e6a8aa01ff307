"""What a view that shows tensors is fed as one binary message, and what it reports: a place, a cell that is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorer.browser.message import pack_message
from explorer.tensors import CellPlace, TensorViewData, check
from explorer.visitor.reports import Event, Payload, is_index
from explorer.visitor.state import MAX_STEPS


@dataclass(frozen=True)
class Looked:
    """What a visitor looks at.

    Attributes:
        stage: The open one; empty for all of them.
        choices: The chosen place of each chooser's axis.
        report: Its number.
        row: The lit row; None where the view has none to choose.
    """

    stage: str
    choices: Mapping[str, int] = field(default_factory=dict)
    report: int = 0
    row: int | None = None


@dataclass(frozen=True)
class Asked:
    """A visitor wants to know how this number was computed."""

    cell: CellPlace
    report: int


def pack(data: TensorViewData) -> bytes:
    """The message: header with everything but the numbers, then values and masks as float32.

    Raises:
        ValueError: an axis, a panel, a stage or a choice does not fit the others; the sentence says which.
    """
    return pack_message(*parts_of(data))


def parts_of(data: TensorViewData) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The same as a header and its arrays.

    Raises:
        ValueError: as `pack`.
    """
    check(data)
    arrays: dict[str, np.ndarray] = {}
    tensors = {}
    for name, tensor in data.tensors.items():
        arrays[f"{name}/values"] = tensor.values
        if tensor.hidden is not None:
            arrays[f"{name}/hidden"] = tensor.hidden
        if tensor.covered is not None:
            arrays[f"{name}/covered"] = tensor.covered
        tensors[name] = {
            "site": tensor.site,
            "sites": tensor.sites,
            "axes": tensor.axes,
            "index": tensor.index_axes,
            "lead": tensor.lead,
            "scale": tensor.scale,
            "letter": tensor.letter,
            "dtype": tensor.dtype,
            "askable": tensor.askable,
        }
    header = {
        "key": data.key,
        "tensors": tensors,
        "stages": data.stages,
        "choosers": data.choosers,
        "stage": data.stage or data.stages[0].key,
        "cell": data.cell,
        "row": data.row,
        "row_side": data.row_side,
        "report": data.report,
    }
    return header, arrays


def _read_look(payload: Payload, report: int, data: TensorViewData) -> Looked | None:
    stage, choices = payload.get("stage"), payload.get("choices")
    if not isinstance(stage, str) or not isinstance(choices, Mapping):
        return None
    if stage and stage not in {each.key for each in data.stages}:
        return None
    taken: dict[str, int] = {}
    for chooser in data.choosers:
        place = choices.get(chooser.axis)
        if not is_index(place, len(chooser.options)):
            return None
        taken[chooser.axis] = place
    row = payload.get("row")
    return Looked(stage, taken, report, row if is_index(row, MAX_STEPS) else None)


def _read_ask(payload: Payload, report: int, data: TensorViewData) -> Asked | None:
    tensor = data.tensors.get(str(payload.get("tensor")))
    index, layer = payload.get("index"), payload.get("layer")
    if tensor is None or not tensor.askable or not isinstance(index, list | tuple):
        return None
    shape = tensor.index_shape
    if len(index) != len(shape) or not all(is_index(i, n) for i, n in zip(index, shape, strict=True)):
        return None
    layers = next((axis.size for axis in tensor.axes if axis.name == "layer"), None)
    if layers is None:
        return Asked(CellPlace(tensor.site, (*tensor.lead, *index)), report)
    if not is_index(layer, layers):
        return None
    return Asked(CellPlace(tensor.site_of(layer), (*tensor.lead, *index)), report)


LOOK: Event[Looked, TensorViewData] = Event("view", _read_look)
"""The visitor rests on something."""
ASK: Event[Asked, TensorViewData] = Event("ask", _read_ask)
"""The visitor wants one of the numbers explained."""
EVENTS: tuple[Event[Looked | Asked, TensorViewData], ...] = (LOOK, ASK)
