"""All that the inspector can show of a model: every recorded site, the ids, and every parameter, in groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.activations.location import Location, locate
from core.activations.sites import axis_sizes
from core.errors import UnknownSite
from core.model.parameters import find_parameter, named_parameters
from explorer.models.parameter_axes import parameter_axes
from explorer.models.recorded import Recorded
from explorer.tensors import Axis, TensorData

Kind = Literal["id", "recorded", "learned"]

IDS: Mapping[str, str] = {
    "src": "The source as token ids, with EOS.",
    "tgt_in": "What the decoder reads as token ids: BOS, then the output without its last token.",
}
"""Whole numbers that go into the model, and what they are."""


@dataclass(frozen=True)
class Entry:
    """One tensor that can be chosen.

    Attributes:
        name: As `core.explain` takes it.
        kind: Ids, a recorded value, or a learned parameter.
        path: Groups that it is in, the outermost first.
        label: What is left of the name inside of them.
        shape: Without the batch.
    """

    name: str
    kind: Kind
    path: tuple[str, ...]
    label: str
    shape: tuple[int, ...]


def entries(recorded: Recorded) -> tuple[Entry, ...]:
    """Everything, group by group in the order of the computation, learned numbers after recorded ones."""
    model, config = recorded.run.model, recorded.run.config
    sizes = axis_sizes(config, batch=1, src_length=len(recorded.source), tgt_length=len(recorded.inputs))
    found = [_entry(name, "id", (len(_ids(recorded, name)),)) for name in IDS]
    found += [_entry(site.name, "recorded", site.shape(sizes)[1:]) for site in model.sites()]
    for name, parameter in named_parameters(model).items():
        found.append(_entry(name, "learned", tuple(parameter.shape)))
    order = {path: at for at, path in enumerate(dict.fromkeys(entry.path for entry in found))}
    # A stack's own output belongs after its layers, where the computation has it.
    return tuple(sorted(found, key=lambda entry: (_place(entry.path), order[entry.path])))


def tensor_of(recorded: Recorded, name: str) -> TensorData:
    """One of the entries with all its values, its axes named and labelled.

    Raises:
        UnknownSite: when there is nothing of that name.
    """
    if name in IDS:
        return _id_tensor(recorded, name)
    if name in recorded.trace.activations:
        tensor = recorded.tensor(name)
        return replace(tensor, dtype="bool") if tensor.scale == "mask" else tensor
    parameter = find_parameter(recorded.run.model, name)
    if parameter is None:
        raise UnknownSite(f"{name!r} is neither a site nor a parameter of this model")
    return recorded.parameter(name, *parameter_axes(name, tuple(parameter.shape), recorded.run))


def is_known(recorded: Recorded, name: str) -> bool:
    """Whether the inspector can show a tensor of this name."""
    known = name in IDS or name in recorded.trace.activations
    return known or find_parameter(recorded.run.model, name) is not None


def split_name(name: str) -> tuple[tuple[str, ...], str]:
    """The groups of a site or a parameter, the outermost first, and what is left of its name inside of them."""
    where = locate(name)
    if where.kind in ("ids", "embedding"):
        return (f"{where.side.capitalize()} embedding",), where.value
    if where.kind == "generator":
        return ("Generator",), where.value
    stack = where.stack.capitalize()
    if where.sublayer:
        return (stack, f"Layer {where.layer}", _group(where)), where.value
    return ((stack, "Final norm") if where.kind == "final_norm" else (stack,)), where.value


def _entry(name: str, kind: Kind, shape: tuple[int, ...]) -> Entry:
    path, label = split_name(name)
    return Entry(name, kind, path, label, shape)


def _group(where: Location) -> str:
    title = where.sublayer_title
    if where.path == where.sublayer_path:
        return title
    return f"{where.title} {'after' if where.joins else 'before'} {title.lower()}"


def _place(path: tuple[str, ...]) -> tuple[int, int]:
    """Where a group stands: the parts of the model in order, then layers, then what follows them."""
    parts = ("Source embedding", "Encoder", "Target embedding", "Decoder", "Generator")
    if len(path) == 3:
        return parts.index(path[0]), int(path[1].removeprefix("Layer "))
    # No model has so many layers.
    return parts.index(path[0]), 0 if path[0] not in ("Encoder", "Decoder") else 10**6 + (len(path) == 1)


def _ids(recorded: Recorded, name: str) -> tuple[int, ...]:
    return tuple((recorded.trace.src if name == "src" else recorded.trace.tgt_in).tolist())


def _id_tensor(recorded: Recorded, name: str) -> TensorData:
    source = name == "src"
    tokens = recorded.source if source else recorded.inputs
    axis = Axis("position", len(tokens), tokens, "source" if source else "target")
    values = np.array(_ids(recorded, name), dtype=np.float32)
    return TensorData(name, values, (axis,), dtype="int64")
