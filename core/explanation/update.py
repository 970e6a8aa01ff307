r"""How the numbers of one update came about: loss, gradient, clipping, Adam's moments, the new weights.

Everything is computed from what `core.training.captured` has kept of the trainer's own update, and compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from core.explanation import update_gradient
from core.explanation.explain import checked_index
from core.explanation.explanation import Explanation, Operand, Term
from core.explanation.update_number import Number, multiplied
from core.explanation.update_sites import PREFIX, split_site, update_values
from core.training.captured import CapturedUpdate
from core.training.norms import CLIPPING_EPSILON


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
    terms = []
    for name in number.captured.parameters:
        square = float(number.captured.of("gradient", name).double().square().sum())
        terms.append(Term(name, (Operand(r"\lVert g \rVert", math.sqrt(square)),), square))
    result = math.sqrt(math.fsum(term.value for term in terms))
    formula = r"\lVert g \rVert = \sqrt{\sum_{\theta} \lVert g_\theta \rVert^2}"
    return number.explained("function", formula, tuple(terms), result, result, ("clip_factor",))


def _clip_factor(number: Number) -> Explanation:
    norm = number.at(r"\lVert g \rVert", f"{PREFIX}grad_norm")
    limit = Operand("c", number.training.clip_norm)
    ratio = limit.value / (norm.value + CLIPPING_EPSILON)
    below = (norm, Operand("10^{-6}", CLIPPING_EPSILON))
    terms = (Term("above", (limit,), limit.value), Term("below", below, norm.value + CLIPPING_EPSILON))
    formula = r"f = \min\left(1, \frac{c}{\lVert g \rVert + 10^{-6}}\right)"
    return number.explained("ratio", formula, terms, min(1.0, ratio), min(1.0, ratio))


def _clipped(number: Number) -> Explanation:
    operands = (number.same_cell("g", "gradient"), number.at("f", f"{PREFIX}clip_factor"))
    value = operands[0].value * operands[1].value
    formula = r"\tilde{g} = f \cdot g"
    uses = (f"first_moment.{number.parameter}", f"second_moment.{number.parameter}")
    return number.explained("product", formula, (Term("product", operands, value),), value, abs(value), uses)


def _first_moment(number: Number) -> Explanation:
    beta = number.training.adam_beta1
    kept = multiplied("kept", Operand(r"\beta_1", beta), number.same_cell("m", "first_moment_before"))
    new = multiplied("new", Operand(r"1-\beta_1", 1 - beta), number.same_cell(r"\tilde{g}", "clipped"))
    formula = r"m' = \beta_1 m + (1-\beta_1)\, \tilde{g}"
    return number.summed(formula, (kept, new), (f"corrected_first.{number.parameter}",))


def _second_moment(number: Number) -> Explanation:
    beta = number.training.adam_beta2
    kept = multiplied("kept", Operand(r"\beta_2", beta), number.same_cell("v", "second_moment_before"))
    gradient = number.same_cell(r"\tilde{g}", "clipped")
    new = multiplied("new", Operand(r"1-\beta_2", 1 - beta), gradient, gradient)
    formula = r"v' = \beta_2 v + (1-\beta_2)\, \tilde{g}^2"
    return number.summed(formula, (kept, new), (f"corrected_second.{number.parameter}",))


def _corrected(number: Number) -> Explanation:
    first = number.part == "corrected_first"
    letter, place = ("m", 1) if first else ("v", 2)
    beta = number.training.adam_beta1 if first else number.training.adam_beta2
    moment = number.same_cell(f"{letter}'", "first_moment" if first else "second_moment")
    correction = 1 - beta**number.count
    below = Term("below", (Operand(rf"1-\beta_{place}^t", correction),), correction)
    formula = rf"\hat{{{letter}}} = \frac{{{letter}'}}{{1 - \beta_{place}^t}}"
    result = moment.value / correction
    terms = (Term("above", (moment,), moment.value), below)
    return number.explained("ratio", formula, terms, result, abs(result), (f"change.{number.parameter}",))


def _change(number: Number) -> Explanation:
    rate = number.at(r"\eta", f"{PREFIX}learning_rate")
    mean, square = (
        number.same_cell(r"\hat{m}", "corrected_first"),
        number.same_cell(r"\hat{v}", "corrected_second"),
    )
    eps = Operand(r"\varepsilon", number.training.adam_eps)
    above, below = -rate.value * mean.value, math.sqrt(square.value) + eps.value
    terms = (Term("above", (rate, mean), above), Term("below", (square, eps), below))
    result = above / below
    before, after = (
        float(number.captured.of(part, number.parameter)[number.index]) for part in ("before", "after")
    )
    # It is read off as a difference of two weights, and carries the rounding of both.
    magnitude = abs(result) + abs(before) + abs(after)
    formula = r"\Delta = -\eta\, \frac{\hat{m}}{\sqrt{\hat{v}} + \varepsilon}"
    return number.explained("ratio", formula, terms, result, magnitude, (f"weight.{number.parameter}",))


def _weight(number: Number) -> Explanation:
    before = number.same_cell("w", "weight_before")
    site = f"{PREFIX}change.{number.parameter}"
    # By the formula, and not as the difference of the two weights.
    change = explain_update(number.captured, site, number.index).result
    terms = (
        multiplied("before", before),
        multiplied("change", Operand(r"\Delta", change, site, number.index)),
    )
    return number.summed(r"w' = w + \Delta", terms)


def _learning_rate(number: Number) -> Explanation:
    training, count = number.training, number.count
    peak, warmup = Operand(r"\eta_{max}", training.peak_learning_rate), training.warmup_steps
    if training.schedule == "paper":
        width = Operand("d_{model}^{-0.5}", number.config.d_model**-0.5)
        shares: tuple[Operand, ...] = (width, Operand(r"\min", min(count**-0.5, count * warmup**-1.5)))
        formula = r"\eta = d_{model}^{-0.5} \min(n^{-0.5},\, n \cdot warmup^{-1.5})"
    elif count <= warmup:
        shares = (peak, Operand("n/warmup", count / warmup))
        formula = r"\eta = \eta_{max}\, \frac{n}{warmup}"
    elif training.schedule == "constant":
        shares, formula = (peak,), r"\eta = \eta_{max}"
    else:
        left = (training.steps - number.captured.step.index) / (training.steps - warmup)
        shares = (peak, Operand("left", left))
        formula = r"\eta = \eta_{max}\, \frac{steps - n + 1}{steps - warmup}"
    value = math.prod(share.value for share in shares)
    return number.explained("product", formula, (Term("product", shares, value),), value, abs(value))


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
