"""The axes of learned matrices and vectors."""

from __future__ import annotations

from core.activations.location import Location, locate
from core.run_description import RunDescription
from explorer.tensors import Axis


def parameter_axes(name: str, shape: tuple[int, ...], run: RunDescription) -> tuple[Axis, ...]:
    """Axes of a learned matrix or vector by what its module does; tokens label the rows of a vocabulary."""
    where = locate(name)
    names = _axis_names(where)
    tokenizer = run.src_tokenizer if where.side == "source" else run.tgt_tokenizer
    return tuple(
        Axis(axis, size, tuple(tokenizer.vocabulary.tokens), where.side)
        if axis == "vocab"
        else Axis(axis, size)
        for axis, size in zip(names[: len(shape)], shape, strict=True)
    )


_AXES = {
    "positional.weight": ("position", "d_model"),
    "linear1.weight": ("d_ff", "d_model"),
    "linear1.bias": ("d_ff",),
    "linear2.weight": ("d_model", "d_ff"),
    "linear2.bias": ("d_model",),
}


def _axis_names(where: Location) -> tuple[str, ...]:
    if where.value in _AXES:
        return _AXES[where.value]
    if where.normalizes:
        return ("d_model",)
    # Both sides of W_Q, W_K, W_V and W_O have the size of d_model; one name cannot stand for two axes.
    return ("output", "input") if where.kind == "attention" else ("vocab", "d_model")
