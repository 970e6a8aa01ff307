"""How the loss of a batch, its gradient by the logits, and the gradient of each parameter came about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.activations.derived import log_probs, normalized
from core.explanation.derivation import as_one, derive
from core.explanation.explanation import Explanation
from core.explanation.formula import (
    Compare,
    Equation,
    Expression,
    Formula,
    Fraction,
    Product,
    Root,
    Sum,
    Symbol,
    children,
)
from core.explanation.letters import D_MODEL, LOGIT, OTHER_V, SMOOTHING, B, D, I, J, P, T, V, X, Y
from core.explanation.operand import Operand, TokenPlace
from core.explanation.softmax import derive_softmax
from core.explanation.update_number import Number
from core.explanation.update_sites import PREFIX, smoothed_labels, token_loss_values
from core.training.captured import CapturedUpdate
from core.training.watch import Use

LOSS, PROB, LABEL = Symbol("L"), Symbol("P")[V], Symbol("y", accent="prime")[V]
N_LABELS, SIZE = Symbol("N"), Symbol("V")


def _slope(of: Symbol) -> Fraction:
    """∂L/∂ of a letter."""
    return Fraction(Symbol("∂L"), replace(of, letter=f"∂{of.letter}"))


_GRADIENTS: dict[str, tuple[Symbol, Expression, Compare | None]] = {
    "linear": (Symbol("W")[J, I], _slope(Y[T, I]) * X[T, J], None),
    "bias": (Symbol("b")[I], _slope(Y[T, I]), None),
    "scale": (Symbol("γ")[D], _slope(Y[T, D]) * Symbol("n")[T, D], None),
    "table": (Symbol("E")[V, D], _slope(X[T, D]) * Root(D_MODEL), Compare(Symbol("id")[T], "=", V)),
    "position": (Symbol("P")[P, D], _slope(X[B, P, D]), None),
}
"""A parameter's letter, what each token adds to its gradient, and which tokens do, by the way that it is used."""


def loss(number: Number) -> Explanation:
    """The mean of the labels' losses."""
    losses, labels = token_loss_values(number.captured), number.captured.batch.tgt_out
    cells = [(row, t) for row, t in (labels != number.config.pad_id).nonzero().tolist()]
    derivation = derive(
        Equation(LOSS, Sum((B, T), LOSS[B, T]) / N_LABELS),
        [Operand(LOSS[B, T], float(losses[cell]), f"{PREFIX}token_loss", cell) for cell in cells],
        Operand(N_LABELS, len(cells)),
        counted=[TokenPlace("target", *cell) for cell in cells],
    )
    return number.explained(derivation, dtype=_training_dtype(number))


def token_loss(number: Number) -> Explanation:
    """-Σ y'·log P of one label."""
    if _is_padding(number):
        return number.given(("loss",))
    row, t = number.index
    labels = smoothed_labels(number.captured)[row, t].tolist()
    log_p, site = log_probs(number.captured.tensors["logits"][row, t]).tolist(), f"{PREFIX}label"
    symbol = Symbol("log P")[V]
    derivation = derive(
        Equation(LOSS[B, T], Sum(V, -LABEL * symbol)),
        [Operand(LABEL, share, site, (row, t, v)) for v, share in enumerate(labels)],
        [Operand(symbol, value) for value in log_p],
    )
    return number.explained(derivation, ("loss",))


def prob(number: Number) -> Explanation:
    """The softmax of the logits at one position."""
    row, t, token = number.index
    logits = number.captured.tensors["logits"][row, t].tolist()
    derivation = derive_softmax(
        PROB, Operand(LOGIT[V], logits[token]), [Operand(LOGIT[OTHER_V], logit) for logit in logits], OTHER_V
    )
    return number.explained(derivation, ("logit_gradient",))


def label(number: Number) -> Explanation:
    """y' = (1 - ε_ls)·y + ε_ls/V."""
    if _is_padding(number):
        return number.given(("logit_gradient",))
    row, t, token = number.index
    smoothing = Operand(SMOOTHING, number.training.label_smoothing)
    is_label = Compare(V, "=", Y)
    derivation = derive(
        Equation(LABEL, (1 - SMOOTHING) * is_label + SMOOTHING / SIZE),
        as_one(1 - SMOOTHING, smoothing),
        as_one(is_label, Operand(V, token), Operand(Y, int(number.captured.batch.tgt_out[row, t]))),
        as_one(SMOOTHING / SIZE, smoothing, Operand(SIZE, number.config.tgt_vocab_size)),
        labels=("the label's own", "each token's"),
    )
    return number.explained(derivation, ("logit_gradient",))


def logit_gradient(number: Number) -> Explanation:
    """(P - y')/N."""
    uses = ("gradient.generator.weight",) if "generator.weight" in number.captured.parameters else ()
    if _is_padding(number):
        return number.given(uses)
    derivation = derive(
        Equation(_slope(LOGIT[V]), (PROB - LABEL) / N_LABELS),
        number.at(PROB, f"{PREFIX}prob", number.index),
        number.at(LABEL, f"{PREFIX}label", number.index),
        Operand(N_LABELS, number.captured.batch.n_tokens),
        labels=("probability", "less the label"),
    )
    return number.explained(derivation, uses, _training_dtype(number))


def _is_padding(number: Number) -> bool:
    """Whether the label does not count."""
    row, t = number.index[:2]
    return int(number.captured.batch.tgt_out[row, t]) == number.config.pad_id


def _training_dtype(number: Number) -> torch.dtype:
    return torch.bfloat16 if number.training.dtype == "bfloat16" else torch.float32


def gradient(number: Number) -> Explanation:
    """A sum over the tokens of the batch, of every place where the parameter is used."""
    shares: dict[str, list[_Share]] = {}
    for use in number.captured.uses_of(number.parameter):
        shares.setdefault("bias" if number.parameter == use.bias else use.kind, []).extend(
            _shares(number, use)
        )
    equations, operands = [], []
    for kind, found in shares.items():
        letter, summand, such_that = _GRADIENTS[kind]
        index = B if kind == "position" else T
        equations.append(Equation(_slope(letter), Sum(index, summand, such_that)))
        operands += [[share.slope for share in found], [share.factor for share in found if share.factor]]
    every = [share for found in shares.values() for share in found]
    derivation = derive(
        Formula(tuple(equations)),
        *operands,
        counted=[share.token for share in every],
        magnitude=math.fsum(share.size for share in every),
    )
    used_by = (f"clipped.{number.parameter}", "grad_norm")
    return number.explained(derivation, used_by, _training_dtype(number))


@dataclass(frozen=True)
class _Share:
    """What one token adds to the gradient of a parameter.

    Attributes:
        token: Where it stands.
        slope: The gradient by what the parameter gave there.
        factor: What that is multiplied by; None for a bias and a position.
        size: Of what is added, with what rounds it.
    """

    token: TokenPlace
    slope: Operand
    factor: Operand | None
    size: float


def _shares(number: Number, use: Use) -> Iterator[_Share]:
    """One for each token that came by; padding is left out, its share is 0."""
    captured, index = number.captured, number.index
    dy = captured.tensors[f"dy/{use.key}"]
    ids = captured.batch.src if use.side == "source" else captured.batch.tgt_in
    counts = ids != captured.config.pad_id
    if use.kind == "table":
        counts &= ids == index[0]
    if use.kind == "position":
        if index[0] >= ids.shape[1]:
            return
        counts &= torch.arange(ids.shape[1]) == index[0]
    column = index[-1] if use.kind in ("table", "position") else index[0]
    is_bias = number.parameter == use.bias
    _, summand, _ = _GRADIENTS["bias" if is_bias else use.kind]
    slope_symbol, *factor_symbol = children(summand) if isinstance(summand, Product) else (summand,)
    factors, slack = (None, None) if is_bias else _factors(captured, use, index)
    site = f"{PREFIX}logit_gradient" if use.key == "generator" else ""
    for row, t in counts.nonzero().tolist():
        slope = Operand(slope_symbol, float(dy[row, t, column]), site, (row, t, column) if site else ())
        value = use.scale if factors is None else float(factors[row, t])
        factor = Operand(factor_symbol[0], value) if factor_symbol else None
        size = abs(slope.value) * (
            float(slack[row, t]) if slack is not None else 1.0 if factor is None else abs(factor.value)
        )
        yield _Share(TokenPlace(use.side, row, t), slope, factor, size)


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
