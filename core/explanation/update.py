r"""How the numbers of one update came about: loss, gradient, clipping, Adam's moments, the new weights.

Everything is computed from what `core.training.captured` has kept of the trainer's own update, and compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from core.explanation import update_gradient
from core.explanation.derivation import as_one, derive
from core.explanation.explain import checked_index
from core.explanation.explanation import Explanation
from core.explanation.formula import Call, Equation, Named, Product, Root, Sum, Symbol, expression
from core.explanation.letters import D_MODEL, EPSILON, T
from core.explanation.operand import Operand
from core.explanation.update_number import Number
from core.explanation.update_sites import PREFIX, split_site, update_values
from core.training.captured import CapturedUpdate
from core.training.norms import CLIPPING_EPSILON

GRADIENT, WEIGHT, CHANGE = Symbol("g"), Symbol("w"), Symbol("Δ")
THETA = Symbol("θ")
NORM, FACTOR, LIMIT = Call("norm", (GRADIENT,)), Symbol("f"), Symbol("c")
CLIPPED = Named(Symbol("g", accent="tilde"), "g clipped")
FIRST, FIRST_NOW, FIRST_CORRECTED = Symbol("m"), Symbol("m", accent="prime"), Symbol("m", accent="hat")
SECOND, SECOND_NOW, SECOND_CORRECTED = Symbol("v"), Symbol("v", accent="prime"), Symbol("v", accent="hat")
RATE, PEAK = Symbol("η"), Named(Symbol("η")[Symbol("max"),], "η peak")


def explain_update(captured: CapturedUpdate, site: str, index: tuple[int, ...] = ()) -> Explanation:
    """The formula, operands and terms of one number of an update; each operand names its own site and index.

    Args:
        captured: The update.
        site: ``update.<part>.<parameter>`` with one of `PARTS`, or ``update.`` and one of `SCALARS` or `OF_TOKENS`.
        index: One number for each axis: the parameter's own; or row of the batch, position, and perhaps token.

    Raises:
        UnknownSite: when there is nothing of that name.
        InputError: when the index does not fit the shape.
    """
    part, parameter = split_site(captured, site)
    values = update_values(captured, site)
    index = checked_index(site, values, index)
    return _EXPLAINED[part](Number(captured, site, parameter, index, float(values[index])))


def _grad_norm(number: Number) -> Explanation:
    squares = [
        float(number.captured.of("gradient", name).double().square().sum())
        for name in number.captured.parameters
    ]
    total = Sum(THETA, Call("norm", (GRADIENT[THETA],)) ** 2)
    derivation = derive(
        Equation(NORM, Root(total)),
        [Operand(Call("norm", (GRADIENT[THETA],)), math.sqrt(square)) for square in squares],
        rows=(total,),
        counted=number.captured.parameters,
        magnitude=math.sqrt(math.fsum(squares)),
    )
    return number.explained(derivation, ("clip_factor",))


def _clip_factor(number: Number) -> Explanation:
    small = expression(10) ** -6
    below = NORM + small
    derivation = derive(
        Equation(FACTOR, Call("min", (expression(1), LIMIT / below))),
        Operand(LIMIT, number.training.clip_norm),
        number.at(NORM, f"{PREFIX}grad_norm"),
        Operand(small, CLIPPING_EPSILON),
        rows=(LIMIT, below),
        labels=("above", "below"),
    )
    return number.explained(replace(derivation, magnitude=derivation.result))


def _clipped(number: Number) -> Explanation:
    derivation = derive(
        Equation(CLIPPED, Product((FACTOR, GRADIENT), dot=True)),
        number.at(FACTOR, f"{PREFIX}clip_factor"),
        number.same_cell(GRADIENT, "gradient"),
        labels=("product",),
    )
    uses = (f"first_moment.{number.parameter}", f"second_moment.{number.parameter}")
    return number.explained(derivation, uses)


def _first_moment(number: Number) -> Explanation:
    beta = Operand(Symbol("β₁"), number.training.adam_beta1)
    derivation = derive(
        Equation(FIRST_NOW, beta.symbol * FIRST + (1 - beta.symbol) * CLIPPED),
        beta,
        as_one(1 - beta.symbol, beta),
        number.same_cell(FIRST, "first_moment_before"),
        number.same_cell(CLIPPED, "clipped"),
        labels=("kept", "new"),
    )
    return number.explained(derivation, (f"corrected_first.{number.parameter}",))


def _second_moment(number: Number) -> Explanation:
    beta = Operand(Symbol("β₂"), number.training.adam_beta2)
    derivation = derive(
        Equation(SECOND_NOW, beta.symbol * SECOND + (1 - beta.symbol) * CLIPPED * CLIPPED),
        beta,
        as_one(1 - beta.symbol, beta),
        number.same_cell(SECOND, "second_moment_before"),
        number.same_cell(CLIPPED, "clipped"),
        labels=("kept", "new"),
    )
    return number.explained(derivation, (f"corrected_second.{number.parameter}",))


def _corrected(number: Number) -> Explanation:
    if number.part == "corrected_first":
        left, moment = FIRST_CORRECTED, number.same_cell(FIRST_NOW, "first_moment")
        beta = Operand(Symbol("β₁"), number.training.adam_beta1)
    else:
        left, moment = SECOND_CORRECTED, number.same_cell(SECOND_NOW, "second_moment")
        beta = Operand(Symbol("β₂"), number.training.adam_beta2)
    correction = as_one(1 - beta.symbol**T, beta, Operand(T, number.count))
    derivation = derive(
        Equation(left, moment.symbol / correction.symbol),
        moment,
        correction,
        rows=(moment.symbol, correction.symbol),
        labels=("above", "below"),
    )
    derivation = replace(derivation, magnitude=abs(derivation.result))
    return number.explained(derivation, (f"change.{number.parameter}",))


def _change(number: Number) -> Explanation:
    below = Root(SECOND_CORRECTED) + EPSILON
    derivation = derive(
        Equation(CHANGE, -RATE * (FIRST_CORRECTED / below)),
        number.at(RATE, f"{PREFIX}learning_rate"),
        number.same_cell(FIRST_CORRECTED, "corrected_first"),
        number.same_cell(SECOND_CORRECTED, "corrected_second"),
        Operand(EPSILON, number.training.adam_eps),
        rows=(-RATE * FIRST_CORRECTED, below),
        labels=("above", "below"),
    )
    before, after = (
        float(number.captured.of(part, number.parameter)[number.index]) for part in ("before", "after")
    )
    # It is read off as a difference of two weights, and carries the rounding of both.
    derivation = replace(derivation, magnitude=abs(derivation.result) + abs(before) + abs(after))
    return number.explained(derivation, (f"weight.{number.parameter}",))


def _weight(number: Number) -> Explanation:
    site = f"{PREFIX}change.{number.parameter}"
    # By the formula, and not as the difference of the two weights.
    change = explain_update(number.captured, site, number.index).result
    derivation = derive(
        Equation(Symbol("w", accent="prime"), WEIGHT + CHANGE),
        number.same_cell(WEIGHT, "weight_before"),
        Operand(CHANGE, change, site, number.index),
        labels=("before", "change"),
    )
    return number.explained(derivation)


def _learning_rate(number: Number) -> Explanation:
    training, step, count = number.training, Symbol("n"), number.count
    warmup, steps = Symbol("warmup"), Symbol("steps")
    known = [Operand(step, count), Operand(warmup, training.warmup_steps), Operand(steps, training.steps)]
    peak = Operand(PEAK, training.peak_learning_rate)
    if training.schedule == "paper":
        width = Named(D_MODEL**-0.5, "1/√d")
        growth = Product((step, warmup**-1.5), dot=True)
        least = Named(Call("min", (step**-0.5, growth)), "min")
        shares = [as_one(width, Operand(D_MODEL, number.config.d_model)), as_one(least, *known)]
    elif count <= training.warmup_steps:
        shares = [peak, as_one(step / warmup, *known)]
    elif training.schedule == "constant":
        shares = [peak]
    elif training.schedule == "inverse_sqrt":
        shares = [peak, as_one(Named((warmup / step) ** 0.5, "decay"), *known)]
    else:
        shares = [peak, as_one(Named((steps - step + 1) / (steps - warmup), "left"), *known)]
    symbols = tuple(share.symbol for share in shares)
    right = symbols[0] if len(symbols) == 1 else Product(symbols)
    return number.explained(derive(Equation(RATE, right), *shares, labels=("product",)))


_EXPLAINED: Mapping[str, Callable[[Number], Explanation]] = {
    "loss": update_gradient.loss,
    "token_loss": update_gradient.token_loss,
    "prob": update_gradient.prob,
    "label": update_gradient.label,
    "logit_gradient": update_gradient.logit_gradient,
    "gradient": update_gradient.gradient,
    "grad_norm": _grad_norm,
    "clip_factor": _clip_factor,
    "clipped": _clipped,
    "first_moment_before": lambda number: number.given((f"first_moment.{number.parameter}",)),
    "second_moment_before": lambda number: number.given((f"second_moment.{number.parameter}",)),
    "first_moment": _first_moment,
    "second_moment": _second_moment,
    "corrected_first": _corrected,
    "corrected_second": _corrected,
    "change": _change,
    "weight_before": lambda number: number.given((f"weight.{number.parameter}",)),
    "weight": _weight,
    "learning_rate": _learning_rate,
}
