"""How the loss of a batch, its gradient by the logits, and the gradient of each parameter came about."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from core.activations.derived import log_probs, normalized
from core.explanation.explanation import Explanation, Operand, Term
from core.explanation.update_number import Number, multiplied
from core.explanation.update_sites import PREFIX, smoothed_labels, token_loss_values
from core.training.captured import CapturedUpdate
from core.training.watch import Use

_GRADIENTS = {
    "linear": r"\frac{\partial L}{\partial W_{i,j}} = \sum_t \frac{\partial L}{\partial y_{t,i}}\, x_{t,j}",
    "bias": r"\frac{\partial L}{\partial b_i} = \sum_t \frac{\partial L}{\partial y_{t,i}}",
    "scale": r"\frac{\partial L}{\partial \gamma_d} = \sum_t \frac{\partial L}{\partial y_{t,d}}\, n_{t,d}",
    "table": r"\frac{\partial L}{\partial E_{v,d}} = "
    r"\sum_{t:\, id_t = v} \frac{\partial L}{\partial x_{t,d}} \sqrt{d_{model}}",
    "position": r"\frac{\partial L}{\partial P_{p,d}} = \sum_{b} \frac{\partial L}{\partial x_{b,p,d}}",
}


def loss(number: Number) -> Explanation:
    """The mean of the labels' losses."""
    losses, labels = token_loss_values(number.captured), number.captured.batch.tgt_out
    site = f"{PREFIX}token_loss"
    terms = tuple(
        multiplied(f"target {row}, {t}", Operand("L", float(losses[row, t]), site, (row, t)))
        for row, t in (labels != number.config.pad_id).nonzero().tolist()
    )
    mean, dtype = Operand("1/N", 1 / len(terms)), _training_dtype(number)
    return number.summed(r"L = \frac{1}{N} \sum_{b,t} L_{b,t}", terms, factor=mean, dtype=dtype)


def token_loss(number: Number) -> Explanation:
    """-Σ y'·log P of one label."""
    if _is_padding(number):
        return number.given(("loss",))
    row, t = number.index
    labels = smoothed_labels(number.captured)[row, t].tolist()
    log_p = log_probs(number.captured.tensors["logits"][row, t]).tolist()
    site = f"{PREFIX}label"
    terms = tuple(
        Term(
            f"v = {v}",
            (Operand("y'", share, site, (row, t, v)), Operand(r"\log P", log_p[v])),
            -share * log_p[v],
        )
        for v, share in enumerate(labels)
    )
    return number.summed(r"L_{b,t} = -\sum_v y'_v \log P_v", terms, ("loss",))


def prob(number: Number) -> Explanation:
    """The softmax of the logits at one position."""
    row, t, token = number.index
    logits = number.captured.tensors["logits"][row, t].tolist()
    largest = max(logits)
    terms = tuple(
        Term(f"v = {v}", (Operand("l", logit),), math.exp(logit - largest)) for v, logit in enumerate(logits)
    )
    result = terms[token].value / math.fsum(term.value for term in terms)
    # A rounding of a logit moves its exponential by as much, relatively.
    magnitude = result * (1 + largest - min(logits) + abs(logits[token] - largest))
    formula = r"P_v = \frac{e^{l_v}}{\sum_{v'} e^{l_{v'}}}"
    return number.explained("ratio", formula, terms, result, magnitude, ("logit_gradient",))


def label(number: Number) -> Explanation:
    """y' = (1-α)·y + α/V."""
    if _is_padding(number):
        return number.given(("logit_gradient",))
    row, t, token = number.index
    alpha, size = number.training.label_smoothing, number.config.tgt_vocab_size
    is_label = float(int(number.captured.batch.tgt_out[row, t]) == token)
    own = multiplied("the label's own", Operand(r"1-\alpha", 1 - alpha), Operand("[v = y]", is_label))
    rest = multiplied("each token's", Operand(r"\alpha/V", alpha / size))
    formula = r"y'_v = (1-\alpha)\,[v = y] + \frac{\alpha}{V}"
    return number.summed(formula, (own, rest), ("logit_gradient",))


def logit_gradient(number: Number) -> Explanation:
    """(P - y')/N."""
    uses = ("gradient.generator.weight",) if "generator.weight" in number.captured.parameters else ()
    if _is_padding(number):
        return number.given(uses)
    prob = number.at("P", f"{PREFIX}prob", number.index)
    label = number.at("y'", f"{PREFIX}label", number.index)
    terms = (Term("probability", (prob,), prob.value), Term("less the label", (label,), -label.value))
    n_labels = number.captured.batch.n_tokens
    formula = r"\frac{\partial L}{\partial l_v} = \frac{P_v - y'_v}{N}"
    return number.summed(formula, terms, uses, Operand("1/N", 1 / n_labels), _training_dtype(number))


def _is_padding(number: Number) -> bool:
    """Whether the label does not count."""
    row, t = number.index[:2]
    return int(number.captured.batch.tgt_out[row, t]) == number.config.pad_id


def _training_dtype(number: Number) -> torch.dtype:
    return torch.bfloat16 if number.training.dtype == "bfloat16" else torch.float32


def gradient(number: Number) -> Explanation:
    """A sum over the tokens of the batch, of every place where the parameter is used."""
    uses = number.captured.uses_of(number.parameter)
    made = [_terms_of(number, use) for use in uses]
    terms = tuple(term for found, _ in made for term in found)
    names = [_GRADIENTS["bias" if number.parameter == use.bias else use.kind] for use in uses]
    formula = r" \qquad ".join(dict.fromkeys(names))
    magnitude = math.fsum(size for _, size in made)
    used_by = (f"clipped.{number.parameter}", "grad_norm")
    return number.summed(formula, terms, used_by, None, _training_dtype(number), magnitude)


def _terms_of(number: Number, use: Use) -> tuple[list[Term], float]:
    """A term for each token that came by, and the size of all that is added up; padding is left out, its share is 0."""
    captured, index = number.captured, number.index
    dy = captured.tensors[f"dy/{use.key}"]
    ids = captured.batch.src if use.side == "source" else captured.batch.tgt_in
    counts = ids != captured.config.pad_id
    if use.kind == "table":
        counts &= ids == index[0]
    if use.kind == "position":
        if index[0] >= ids.shape[1]:
            return [], 0.0
        counts &= torch.arange(ids.shape[1]) == index[0]
    column = index[-1] if use.kind in ("table", "position") else index[0]
    is_bias = number.parameter == use.bias
    factors, slack = (None, None) if is_bias else _factors(captured, use, index)
    terms, sizes = [], []
    for row, t in counts.nonzero().tolist():
        operands = [_output_gradient(number, use, row, t, column, float(dy[row, t, column]))]
        if factors is not None:
            operands.append(Operand("n" if use.kind == "scale" else "x", float(factors[row, t])))
        elif use.kind == "table":
            operands.append(Operand(r"\sqrt{d_{model}}", use.scale))
        value = math.prod(operand.value for operand in operands)
        terms.append(Term(f"{use.side} {row}, {t}", tuple(operands), value))
        sizes.append(abs(value) if slack is None else abs(operands[0].value) * float(slack[row, t]))
    return terms, math.fsum(sizes)


def _output_gradient(number: Number, use: Use, row: int, t: int, column: int, value: float) -> Operand:
    letter = "x" if use.kind in ("table", "position") else "y"
    symbol = rf"\partial L/\partial {letter}"
    if use.key == "generator":
        return Operand(symbol, value, f"{PREFIX}logit_gradient", (row, t, column))
    return Operand(symbol, value)


def _factors(
    captured: CapturedUpdate, use: Use, index: tuple[int, ...]
) -> tuple[Tensor | None, Tensor | None]:
    """What each output's gradient is multiplied by [batch, position], and how large it is with its rounding."""
    if use.kind == "linear":
        return captured.tensors[f"x/{use.read}"][..., index[1]], None
    if use.kind == "scale":
        x = captured.tensors[f"x/{use.read}"].double()
        n = normalized(x, use.scale)[..., index[0]]
        # n is a difference, x - μ, and carries the rounding of both.
        deviation = torch.sqrt(x.var(dim=-1, unbiased=False) + use.scale)
        size = (x[..., index[0]].abs() + x.mean(dim=-1).abs()) / deviation
        return n, size
    return None, None
