"""Norms of the weights and of the gradients, block by block: what grows, what stands still, what explodes."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from core.activations.location import locate
from core.model.transformer import Transformer
from core.training.records import BlockNorm

CLIPPING_EPSILON = 1e-6
"""What torch's clip_grad_norm_ adds to the norm that it divides by."""


def clip_factor(grad_norm: float, clip_norm: float) -> float:
    """What clipping multiplies a gradient of this norm by, as torch computes it; 1 where it is short enough."""
    return min(1.0, clip_norm / (grad_norm + CLIPPING_EPSILON))


def block_norms(model: Transformer, updates: int, *, grad_norm: float, clip_norm: float) -> list[BlockNorm]:
    """Every block's norms, in the order of the computation; the weights are only read.

    Args:
        model: In training; its gradients, if it has any, are those of the last update, clipped.
        updates: That were made.
        grad_norm: Norm of the whole gradient before it was clipped.
        clip_norm: That it was clipped to.
    """
    parameters = dict(model.named_parameters())
    weights = _by_block({name: parameter.detach() for name, parameter in parameters.items()})
    gradients = _by_block({name: each.grad for name, each in parameters.items() if each.grad is not None})
    scale = clip_factor(grad_norm, clip_norm)
    return [
        BlockNorm(updates, block, weight, gradients[block] / scale if block in gradients else None)
        for block, weight in weights.items()
    ]


def _by_block(tensors: dict[str, Tensor]) -> dict[str, float]:
    if not tensors:
        return {}
    norms = torch.stack(torch._foreach_norm(list(tensors.values()))).tolist()
    squares: dict[str, float] = {}
    for name, norm in zip(tensors, norms, strict=True):
        block = locate(name).path
        squares[block] = squares.get(block, 0.0) + norm**2
    return {block: math.sqrt(square) for block, square in squares.items()}
