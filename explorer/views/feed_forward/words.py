r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.config import TransformerConfig
from core.model.feed_forward import FeedForward
from explorer.explaining.formula import Formula, Sizes, space
from explorer.explaining.printing import (
    length_of,
    printed,
)
from explorer.explaining.scene import Numbers, Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_signed
from explorer.visitor.sublayers import chosen_stack

IDEA = (
    "Each position’s vector goes through the same small network: a wider vector, a non-linearity, and "
    "back. The values of attention only pass through W_V, a weighted mean and W_O, which are linear; this "
    "network can change what a position has gathered in ways that no linear map can."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """How many hidden units are silent, which is strongest, and how long the output is."""
    stack = chosen_stack(scene.state)
    layer, place = scene.layer(stack), scene.place(stack)
    config = scene.recorded.run.config
    path = f"{stack}.layers.{layer}.feed_forward"
    hidden = scene.recorded.values(f"{path}.hidden")[place]
    unit = int(np.abs(hidden).argmax())
    relu = config.activation == "relu"
    silent = int((hidden == 0 if relu else hidden < 0).sum())
    shown = format_signed(float(hidden[unit]))
    return Numbers(
        (
            *scene.where(stack),
            number(str(silent)),
            Piece(f" of {len(hidden)} hidden units of {stack} layer {layer} are "),
            Piece(f"{'exactly 0' if relu else 'below 0'}, a share of "),
            number(f"{silent / len(hidden):.3f}"),
            Piece(f". The strongest is unit {unit} with "),
            number(shown),
            Piece(f". With the bias the network adds a vector of {config.d_model} numbers, of length "),
            number(f"{length_of(scene.recorded.values(f'{path}.output')[place]):.3f}"),
            Piece("."),
        ),
        printed(shown, f"{path}.hidden", (0, place, unit), float(hidden[unit])),
    )


def formula(sizes: Sizes) -> Formula:
    """Two linear maps with a non-linearity between."""
    config = sizes.config
    inner = "x W_1 + b_1"
    hidden = {
        "relu": rf"\max(0,\; {inner})",
        "gelu": rf"\text{{GELU}}\left({inner}\right)",
        "silu": rf"\text{{SiLU}}\left({inner}\right)",
    }[config.activation]
    extra = {
        "relu": (),
        "gelu": (
            (r"\text{GELU}(z) = z\,\Phi(z)", "with the normal distribution’s Φ; the paper has max(0, z)"),
        ),
        "silu": ((r"\text{SiLU}(z) = z / (1 + e^{-z})", "the paper has max(0, z)"),),
    }[config.activation]
    formula = rf"\text{{FFN}}(x) = {hidden}\, W_2 + b_2"
    d, inner_size = config.d_model, config.d_ff
    return Formula(
        "Equation 2" if config.activation == "relu" else "Equation 2, with another non-linearity",
        (formula,),
        (formula, rf"W_1 \in {space(d, inner_size)}, \quad W_2 \in {space(inner_size, d)}"),
        (
            ("x", "one position’s vector"),
            ("W_1, W_2", "learned matrices, the same at every position"),
            ("b_1, b_2", "learned biases"),
            *extra,
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    return (FeedForward.forward,)
