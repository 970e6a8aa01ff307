r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

from collections.abc import Callable

from core.activations.location import locate
from core.config import TransformerConfig
from core.model.add_norm import Add, AddNorm, LayerNorm
from explorer.explaining.formula import Formula, Sizes, power
from explorer.explaining.printing import (
    printed,
)
from explorer.explaining.scene import Numbers, Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_signed
from explorer.views.add_norm.data import norm_place, statistics

IDEA = (
    "A sub-layer’s output is added to the vector that went past it, and a norm brings vectors to mean 0 "
    "and variance 1 before a learned scale and shift. The sum lets a layer change a little and keep the "
    "rest; the norm keeps the size of the numbers in hand however many layers follow."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """Mean and variance of one vector before the norm, normalised, and after γ and β."""
    place = norm_place(scene.recorded, scene.state)
    token = scene.place(place.stack)
    row = statistics(scene.recorded, scene.state)[token]
    shown = format_signed(row.variance)
    name = locate(place.norm).sublayer_title.lower()
    which = f"the {place.stack}’s final norm"
    if place.layer is not None:
        which = (
            f"the norm {'after' if place.post else 'before'} the {name} of {place.stack} layer {place.layer}"
        )
    return Numbers(
        (
            *scene.where(place.stack),
            Piece(f"{which} reads a vector with mean "),
            number(format_signed(row.mean)),
            Piece(" and variance "),
            number(shown),
            Piece(". Normalised it has mean "),
            # What is left is rounding, of either sign.
            number(f"{abs(row.normalized_mean):.3f}"),
            Piece(" and variance "),
            number(f"{row.normalized_variance:.3f}"),
            Piece("; after γ and β mean "),
            number(format_signed(row.output_mean)),
            Piece(" and variance "),
            number(format_signed(row.output_variance)),
            Piece("."),
        ),
        printed(shown, f"{place.norm}.variance", (0, token), row.variance),
    )


def formula(sizes: Sizes) -> Formula:
    """The residual sum and the layer norm, in the order of the model."""
    config = sizes.config
    post = config.norm_position == "post"
    line = (
        r"y = \text{LayerNorm}\left(x + \text{sublayer}(x)\right)"
        if post
        else r"y = x + \text{sublayer}\left(\text{LayerNorm}(x)\right)"
    )
    norm = r"\text{LayerNorm}(s) = \gamma \odot \frac{s - \mu}{\sqrt{\sigma^2 + %s}} + \beta"
    mu, sigma = r"\mu = \frac{1}{%s} \sum_d s_d", r"\sigma^2 = \frac{1}{%s} \sum_d (s_d - \mu)^2"
    d, eps = config.d_model, power(config.norm_eps)
    letters, epsilon = r"d_{\text{model}}", r"\varepsilon"
    return Formula(
        "Section 3.1" if post else "Pre-norm, a later variant of section 3.1",
        (line, norm % epsilon, mu % letters, sigma % letters),
        (line, norm % eps, mu % d, sigma % d),
        (
            ("x", "what the sub-layer reads, one vector for each position"),
            ("s", "the vector that is normalised"),
            (r"\mu, \sigma^2", "mean and variance over the numbers of one vector"),
            (r"\gamma, \beta", "learned scale and shift, a number for each place"),
            (r"\varepsilon", "a small number against division by zero"),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    post = config.norm_position == "post"
    return (AddNorm.forward, LayerNorm.forward) if post else (LayerNorm.forward, Add.forward)
