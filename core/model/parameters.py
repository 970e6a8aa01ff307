"""The learned numbers: counted, and by the names that the formulas use: W_Q, W_K and W_V apart, shared matrices by
each name.
"""

from __future__ import annotations

from torch import Tensor, nn

from core.activations.location import locate
from core.model.transformer import Transformer

_PACKED = {"in_proj.weight": ("w_q", "w_k", "w_v"), "in_proj.bias": ("b_q", "b_k", "b_v")}
"""The parts of the packed projection, in their order."""
_UNPACKED = {part: packed for packed, parts in _PACKED.items() for part in parts}


def find_parameter(model: nn.Module, name: str) -> Tensor | None:
    """A parameter by its module path, or None where the model has no such parameter.

    ``encoder.layers.0.self_attn.w_q`` is [d_model, d_model] with one row per output, ``….b_q`` its bias; the
    packed ``….in_proj`` itself has no name here.
    """
    where = locate(name)
    packed = _UNPACKED.get(where.value)
    if where.value in _PACKED:
        return None
    try:
        parameter = model.get_parameter(where.beside(packed) if packed else name)
    except AttributeError:
        return None
    return unpacked(where.beside(packed), parameter.detach())[name] if packed else parameter.detach()


def named_parameters(model: Transformer) -> dict[str, Tensor]:
    """Every parameter by the name that `find_parameter` knows it by; a shared one by each of its names."""
    found: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        found |= unpacked(name, parameter.detach())
    return found


def unpacked(name: str, tensor: Tensor) -> dict[str, Tensor]:
    """A parameter, or something of its shape, under the names of the formulas: a packed projection as its three parts.

    Args:
        name: As torch has it: ``….in_proj.weight``.
        tensor: Of the parameter's shape, such as its gradient.
    """
    where = locate(name)
    if where.value not in _PACKED:
        return {name: tensor}
    parts = _PACKED[where.value]
    return {where.beside(part): each for part, each in zip(parts, tensor.chunk(3), strict=True)}


def count_parameters(model: nn.Module) -> int:
    """Learned numbers of the model; a matrix that is shared counts once."""
    return sum(parameter.numel() for parameter in model.parameters())


def parameters_by_block(model: Transformer) -> dict[str, int]:
    """Learned numbers of each block of the paper's figure, by module path; together they are all of them.

    Blocks are the embeddings, each sub-layer and each norm of each layer, and the generator. A shared matrix
    counts where it comes first, so the tied target embedding and generator count 0.
    """
    counted: set[int] = set()
    blocks: dict[str, int] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        block = locate(name).path
        new = id(parameter) not in counted
        counted.add(id(parameter))
        blocks[block] = blocks.get(block, 0) + (parameter.numel() if new else 0)
    return blocks
