"""What a view that shows tensors is fed as one binary message, and what it reports: a place, a cell that is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.browser.message import pack_message
from explorer.tensors import CellPlace, TensorViewData, check
from explorer.visitor.reports import Event, Explain, Payload, Refused, is_index
from explorer.visitor.state import MAX_STEPS


@dataclass(frozen=True)
class Looked:
    """What a visitor looks at.

    Attributes:
        stage: The open one; empty for all of them.
        choices: The chosen place of each chooser's axis.
        row: The lit row; None where the view has none to choose.
    """

    stage: str
    choices: Mapping[str, int] = field(default_factory=dict)
    row: int | None = None


def pack(data: TensorViewData) -> bytes:
    """The message: header with everything but the numbers, then values and masks as float32.

    Raises:
        ValueError: an axis, a panel, a stage or a choice does not fit the others; the sentence says which.
    """
    return pack_message(fields_of(data))


def fields_of(data: TensorViewData) -> dict[str, Any]:
    """The fields of that message.

    Raises:
        ValueError: as `pack`.
    """
    check(data)
    tensors = {name: {**vars(tensor), "index": tensor.index_axes} for name, tensor in data.tensors.items()}
    return {**vars(data), "stage": data.stage or data.stages[0].key, "tensors": tensors}


def _read_look(payload: Payload, data: TensorViewData) -> Looked:
    choices = payload["choices"]
    row = payload["row"].value
    return Looked(
        stage=payload["stage"].one_of(("", *(stage.key for stage in data.stages))),
        choices={each.axis: choices[each.axis].index(len(each.options)) for each in data.choosers},
        row=row if is_index(row, MAX_STEPS) else None,
    )


def _read_ask(payload: Payload, data: TensorViewData) -> Explain:
    tensor = data.tensors[payload["tensor"].one_of(data.tensors)]
    parts, shape = payload["index"].items(), tensor.index_shape
    if not tensor.askable or len(parts) != len(shape):
        raise Refused
    index = (*tensor.lead, *(part.index(length) for part, length in zip(parts, shape, strict=True)))
    layers = next((axis.size for axis in tensor.axes if axis.name == "layer"), None)
    site = tensor.site if layers is None else tensor.site_of(payload["layer"].index(layers))
    return Explain(CellPlace(site, index))


LOOK: Event[Looked, TensorViewData] = Event("view", _read_look)
"""The visitor rests on something."""
ASK: Event[Explain, TensorViewData] = Event("ask", _read_ask)
"""The visitor wants one of the numbers explained."""
EVENTS: tuple[Event[Looked | Explain, TensorViewData], ...] = (LOOK, ASK)
