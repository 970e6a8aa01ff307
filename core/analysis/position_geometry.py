"""The geometry of the sinusoids: shifting a position is a rotation, and products depend on the distance alone.

All of it is read off the sinusoidal table itself (section 3.5), whose dimensions 2i and 2i + 1 are the sine and the
cosine of one angle, p·ω_i.
"""

import math
from dataclasses import replace

import torch
from torch import Tensor

from core.config import TransformerConfig
from core.errors import InputError
from core.model.embedding import Embedding
from core.model.encoder import Encoder
from core.model.positional_encoding import sinusoidal_table
from core.model.random_numbers import DrawnFrom
from core.model.shapes import expected_parameters

MAX_ORDERED_TOKENS = 8


def rotation(offset: int, d_model: int) -> Tensor:
    """The matrices that turn PE(p) into PE(p + offset), one a pair of dimensions: [pair, to, from], float64.

    By the addition theorems sin(a + b) = cos(b)·sin(a) + sin(b)·cos(a) and cos(a + b) = −sin(b)·sin(a) +
    cos(b)·cos(a). The sines and cosines in them are PE(offset), so p occurs nowhere.

    Raises:
        InputError: when d_model is odd, or below 2.
    """
    sine, cosine = _pairs(sinusoidal_table(offset, 1, _even(d_model))[0]).unbind(-1)  # [pair] each
    rows = (torch.stack((cosine, sine), dim=-1), torch.stack((-sine, cosine), dim=-1))
    return torch.stack(rows, dim=-2)


def rotate(matrices: Tensor, vectors: Tensor) -> Tensor:
    """Each pair of dimensions turned by its matrix.

    Args:
        matrices: [pair, to, from], as from `rotation`.
        vectors: [..., d_model], in the matrices' dtype.
    """
    return torch.einsum("itf,...if->...it", matrices, _pairs(vectors)).flatten(-2)


def wavelengths(d_model: int) -> Tensor:
    """Positions after which each pair of dimensions repeats, 2π/ω_i = 2π·10000^(2i/d_model): [pair], float64.

    Raises:
        InputError: when d_model is odd, or below 2.
    """
    sine, cosine = _pairs(sinusoidal_table(1, 1, _even(d_model))[0]).unbind(-1)
    return 2 * math.pi / torch.atan2(sine, cosine)


def similarity(rows: Tensor) -> Tensor:
    """The product of every position's vector with every other's: from [position, d_model] to [position, position]."""
    return rows @ rows.mT


def similarity_by_distance(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and spread (largest less smallest) of the products of two positions, by how far apart they stand.

    Args:
        rows: [position, d_model].

    Returns:
        Two tensors [distance], from 0 to the longest.
    """
    products = similarity(rows)
    diagonals = [products.diagonal(distance) for distance in range(len(rows))]
    means = torch.stack([diagonal.mean() for diagonal in diagonals])
    return means, torch.stack([diagonal.max() - diagonal.min() for diagonal in diagonals])


def learned_position_parameters(config: TransformerConfig) -> int:
    """How many learned numbers the model's two tables of learned positions have, or would have."""
    with_tables = expected_parameters(replace(config, positional="learned"))
    return with_tables - expected_parameters(replace(config, positional="none"))


@torch.no_grad()
def order_difference(config: TransformerConfig, *, seed: int = 0) -> float:
    """What the order of the tokens means to a freshly initialised encoder of this configuration.

    Some tokens are read once forward and once backward; this is the largest difference between the two vectors of
    the same token, 0 but for rounding where the order means nothing.

    Args:
        config: Its ``positional`` decides the answer; computed in float64.
        seed: Of the first weights.
    """
    n_tokens = min(MAX_ORDERED_TOKENS, config.max_len)
    first_weights = replace(config, dtype="float32")
    with DrawnFrom(torch.Generator().manual_seed(seed)):
        embedding = Embedding(first_weights, config.pad_id + n_tokens + 1).double().eval()
        encoder = Encoder(first_weights).double().eval()
    ids = torch.arange(n_tokens)[None] + config.pad_id + 1  # none of them is padding
    forward, backward = (encoder(embedding(order), None) for order in (ids, ids.flip(1)))
    return float((forward - backward.flip(1)).abs().max())


def _pairs(vectors: Tensor) -> Tensor:
    """From [..., d_model] to [..., pair, 2]: a sine and a cosine."""
    pairs: Tensor = vectors.unflatten(-1, (-1, 2))
    return pairs


def _even(d_model: int) -> int:
    if d_model < 2 or d_model % 2:
        raise InputError(
            f"d_model {d_model} must be even and at least 2: sinusoids pair a sine with a cosine"
        )
    return d_model
