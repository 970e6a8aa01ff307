"""What is said of one update at each depth: the idea, its own numbers, the formulas, and the code that ran."""

from __future__ import annotations

import math
from collections.abc import Callable

from torch import Tensor

from core.explanation.update_sites import PREFIX, update_values
from core.training.loss import label_smoothed_cross_entropy
from core.training.schedule import learning_rate
from core.training.trainer import Trainer
from explorer.explaining.code import Source, read_source
from explorer.explaining.formula import Formula
from explorer.explaining.latex import tex
from explorer.explaining.snippets import update_snippet
from explorer.look.theme import format_count, format_log_prob, format_signed
from explorer.views.update.scene import UpdateScene

IDEA = (
    "The loss says how wrong the model was on one batch, and its gradient says of each weight which way makes it "
    "worse: so every weight moves a little the other way. Adam makes the length of that step depend on how steadily "
    "the gradient has pointed one way, and hardly on how large it is."
)


def numbers_sentence(scene: UpdateScene) -> str:
    """The update in its own numbers."""
    update, step = scene.update, scene.update.step
    factor, clip = float(update_values(update, f"{PREFIX}clip_factor")), update.training.clip_norm
    weights, changes = (
        math.sqrt(
            math.fsum(float(_values(scene, part, name).double().square().sum()) for name in update.parameters)
        )
        for part in ("weight_before", "change")
    )
    n_weights = sum(_values(scene, "weight", name).numel() for name in update.parameters)
    clipped = (
        f"longer than {clip:g}, so all of it is multiplied by {format_signed(factor)}"
        if factor < 1
        else f"no longer than {clip:g}, so nothing is clipped"
    )
    return (
        f"{format_count(update.batch.n_tokens)} labels in {scene.n_pairs} pairs have a mean loss of "
        f"{format_log_prob(step.loss, total=True)}. The gradient of all {format_count(n_weights)} weights has the "
        f"length {format_signed(step.grad_norm)}, {clipped}. With a learning rate of "
        f"{format_signed(step.learning_rate)} the weights, whose length is {format_signed(weights)}, move by "
        f"{format_signed(changes)} together."
    )


def update_formula(scene: UpdateScene) -> Formula:
    """Loss, gradient, clipping and Adam, in letters and with the numbers of this update."""
    update, training, step = scene.update, scene.update.training, scene.update.step
    first, second, count = training.adam_beta1, training.adam_beta2, step.index + 1
    letters = (
        r"L = -\frac{1}{N} \sum_{n} \sum_v y'_{n,v} \log P_{n,v}",
        r"g = \frac{\partial L}{\partial w}",
        r"\tilde{g} = g \cdot \min\left(1, \frac{c}{\lVert g \rVert + 10^{-6}}\right)",
        r"m' = \beta_1 m + (1 - \beta_1)\, \tilde{g}",
        r"v' = \beta_2 v + (1 - \beta_2)\, \tilde{g}^2",
        r"w' = w - \eta\, \frac{m' / (1 - \beta_1^t)}{\sqrt{v' / (1 - \beta_2^t)} + \varepsilon}",
    )
    clip = rf"\frac{{{tex(training.clip_norm)}}}{{{tex(step.grad_norm)} + 10^{{-6}}}}"
    sizes = (
        rf"{tex(step.loss)} = -\frac{{1}}{{{update.batch.n_tokens}}} \sum_{{n}} \sum_v y'_{{n,v}} \log P_{{n,v}}",
        rf"\tilde{{g}} = g \cdot \min\left(1, {clip}\right)",
        rf"m' = {first:g}\, m + {1 - first:.3g}\, \tilde{{g}}",
        rf"v' = {second:g}\, v + {1 - second:.3g}\, \tilde{{g}}^2",
        rf"w' = w - {tex(step.learning_rate)}\, \frac{{m' / (1 - {first:g}^{{{count}}})}}"
        rf"{{\sqrt{{v' / (1 - {second:g}^{{{count}}})}} + {tex(training.adam_eps)}}}",
    )
    symbols = (
        ("N", "labels of the batch that are not padding"),
        ("y'", "smoothed labels"),
        ("P", "probabilities that the model gives"),
        ("w", "a weight"),
        ("c", "largest norm of the whole gradient"),
        ("m", "first moment, a running mean of the gradients"),
        ("v", "second moment, a running mean of their squares"),
        ("t", "number of the update, counted from 1"),
        (r"\eta", "learning rate"),
    )
    return Formula("Sections 5.3 and 5.4; clipping is not in the paper", letters, sizes, symbols)


def update_sources() -> tuple[Source, ...]:
    """The code that made the update."""
    functions: tuple[Callable[..., object], ...] = (
        Trainer.update,
        Trainer._loss,
        label_smoothed_cross_entropy,
        learning_rate,
    )
    return tuple(map(read_source, functions))


def norm_snippet(scene: UpdateScene, run_name: str) -> str:
    """Python that makes the update again and prints the gradient's norm."""
    return update_snippet(run_name, scene.choice.update, scene.choice.checkpoint, f"{PREFIX}grad_norm", ())


def _values(scene: UpdateScene, part: str, name: str) -> Tensor:
    return update_values(scene.update, f"{PREFIX}{part}.{name}")
