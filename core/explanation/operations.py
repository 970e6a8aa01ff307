"""How each operation of the catalogue computes a cell: its formula, and what stands for the letters."""

import math
from collections.abc import Callable
from dataclasses import replace

from core.activations.sites import Operation
from core.explanation.attention_operations import (
    apply_mask,
    dot_product,
    exponential,
    join_heads,
    mask,
    project_to_heads,
    scaled_dot_product,
    softmax,
    total,
    weighted_sum,
)
from core.explanation.cell import Cell, epsilon
from core.explanation.derivation import Derivation, as_one, derive, given
from core.explanation.formula import (
    Call,
    Equation,
    Expression,
    Fraction,
    Number,
    Root,
    Silent,
    Sum,
    Symbol,
    exp,
    log,
)
from core.explanation.letters import D_MODEL, EPSILON, LARGEST, LOGIT, OTHER_V, D, I, P, T, U, V, X, Y
from core.explanation.linear import linear
from core.explanation.operand import Operand

MEAN, VARIANCE, NORMALIZED = Symbol("μ")[P], Symbol("σ²")[P], Symbol("n")[P, D]


def embed(cell: Cell) -> Derivation:
    """A row of the table, picked by the token's id, times √d_model (section 3.4)."""
    batch, p, d = cell.index
    token = cell.recorded(T[P], cell.site.inputs[0], batch, p)
    row = int(token.value)
    entry = Symbol("E")[T[P], D]
    size = Operand(D_MODEL, cell.config.d_model)
    right = Root(D_MODEL) * entry
    return derive(
        Equation(X[P, D], right),
        as_one(Root(D_MODEL), size),
        cell.learned(entry, f"{cell.site.path}.weight", row, d),
        places={T[P]: row, P: p, D: d},
        labels=("row times scale",),
        selected_by=token,
    )


def position(cell: Cell) -> Derivation:
    """A sine or cosine of the position (section 3.5), or a learned vector."""
    _, p, d = cell.index
    learned = f"{cell.site.path}.positional.weight"
    if cell.has(learned):
        return _same(cell, cell.learned(Symbol("P")[P, D], learned, p, d))
    size, pair = Operand(D_MODEL, cell.config.d_model), Operand(I, d // 2)
    divisor = as_one(Number(10000) ** Fraction(2 * I, D_MODEL, slash=True), pair, size)
    angle = Fraction(P, divisor.symbol, slash=True)
    place = 2 * I + 1 if d % 2 else 2 * I
    return derive(
        Equation(Symbol("PE")[P, place], Call("cos" if d % 2 else "sin", (angle,))),
        Operand(P, p),
        divisor,
        places={P: p, I: d // 2, D_MODEL: cell.config.d_model},
        rows=(angle,),
        labels=("angle",),
        magnitude=1.0,
    )


def add(cell: Cell) -> Derivation:
    """Two vectors added, place by place."""
    _, p, d = cell.index
    summands = [
        cell.recorded(letter[P, D], name, *cell.index)
        for letter, name in zip((X, Y), cell.site.inputs, strict=False)
    ]
    first, *others = (summand.symbol for summand in summands)
    right = first + others[0] if others else first
    return derive(Equation(Symbol("s")[P, D], right), *summands, labels=cell.site.inputs, places={P: p, D: d})


def mean(cell: Cell) -> Derivation:
    """μ over d_model."""
    batch, p = cell.index
    (x,) = cell.site.inputs
    size = cell.config.d_model
    return derive(
        Equation(MEAN, Sum(D, X[P, D]) / D_MODEL),
        cell.all_recorded(X[P, D], x, [(batch, p, d) for d in range(size)]),
        Operand(D_MODEL, size),
        places={P: p},
    )


def variance(cell: Cell) -> Derivation:
    """σ² over d_model, biased: divided by d_model and not by one less."""
    batch, p = cell.index
    (x,) = cell.site.inputs
    size = cell.config.d_model
    centre = cell.recorded(MEAN, f"{cell.site.path}.mean", batch, p)
    values = cell.all_recorded(X[P, D], x, [(batch, p, d) for d in range(size)])
    derivation = derive(
        Equation(VARIANCE, Sum(D, (X[P, D] - MEAN) ** 2) / D_MODEL),
        values,
        centre,
        Operand(D_MODEL, size),
        places={P: p},
    )
    # The recorded mean is rounded, and its distance to the exact one enters squared.
    slack = (centre.value - math.fsum(value.value for value in values) / size) ** 2
    return replace(derivation, magnitude=derivation.magnitude + slack / (8 * epsilon(cell.config)))


def normalize(cell: Cell) -> Derivation:
    """(x - μ)/√(σ² + ε)."""
    batch, p, d = cell.index
    (x_site,) = cell.site.inputs
    x = cell.recorded(X[P, D], x_site, batch, p, d)
    mu = cell.recorded(MEAN, f"{cell.site.path}.mean", batch, p)
    above, below = X[P, D] - MEAN, Root(VARIANCE + EPSILON)
    derivation = derive(
        Equation(NORMALIZED, above / below),
        x,
        mu,
        cell.recorded(VARIANCE, f"{cell.site.path}.variance", batch, p),
        Operand(EPSILON, cell.config.norm_eps),
        places={P: p, D: d},
        rows=(above, below),
        labels=("above", "below"),
    )
    spread = derivation.terms[1].value
    return replace(derivation, magnitude=(abs(x.value) + abs(mu.value)) / spread)


def scale_and_shift(cell: Cell) -> Derivation:
    """γ·n + β."""
    _, p, d = cell.index
    (normalized,) = cell.site.inputs
    gamma = cell.learned(Symbol("γ")[D], f"{cell.site.path}.weight", d)
    beta = cell.learned(Symbol("β")[D], f"{cell.site.path}.bias", d)
    n = cell.recorded(NORMALIZED, normalized, *cell.index)
    derivation = derive(
        Equation(Y[P, D], gamma.symbol * NORMALIZED + beta.symbol),
        gamma,
        n,
        beta,
        places={P: p, D: d},
        labels=("scaled", "shift"),
    )
    # n is itself a difference, x - μ, and carries the rounding of both.
    behind = normalize(replace(cell, site=cell.trace.activations.site(normalized)))
    return replace(derivation, magnitude=derivation.magnitude + abs(gamma.value) * behind.magnitude)


def activation(cell: Cell) -> Derivation:
    """ReLU, GELU (with the exact error function) or SiLU of one number."""
    _, p, u = cell.index
    f = Symbol("f")[P, U]
    functions: dict[str, Expression] = {
        "relu": Call("max", (Number(0), f)),
        "gelu": f * Call("Φ", (f,)),
        "silu": Fraction(f, 1 + exp(-f), slash=True),
    }
    x = cell.recorded(f, cell.site.inputs[0], *cell.index)
    return derive(
        Equation(Symbol("g")[P, U], functions[cell.config.activation]),
        x,
        places={P: p, U: u},
        rows=(f,),
        labels=("argument",),
        magnitude=abs(x.value),
    )


def copy(cell: Cell) -> Derivation:
    """The same number under the name that the next part reads it by."""
    return _same(cell, cell.recorded(X[P, D], cell.site.inputs[0], *cell.index))


def log_softmax(cell: Cell) -> Derivation:
    """z - log Σ exp(z): the logit, less what makes all probabilities sum to 1."""
    batch, p, token = cell.index
    (logits,) = cell.site.inputs
    row = cell.values(logits)[batch, p].tolist()
    total = Sum(OTHER_V, exp(LOGIT[P, OTHER_V] - Silent(LARGEST)))
    derivation = derive(
        Equation(Symbol("log P", lower=(P,), of=(V,)), LOGIT[P, V] - (Silent(LARGEST) + log(total))),
        cell.recorded(LOGIT[P, V], logits, *cell.index),
        cell.all_recorded(LOGIT[P, OTHER_V], logits, [(batch, p, v) for v in range(len(row))]),
        Operand(LARGEST, max(row)),
        places={P: p, V: token},
        rows=(total,),
    )
    subtracted = row[token] - derivation.result
    return replace(derivation, magnitude=abs(row[token]) + abs(subtracted) + 1)


def _same(cell: Cell, operand: Operand) -> Derivation:
    _, p, d = cell.index
    return derive(
        Equation(Y, operand.symbol),
        operand,
        places={P: p, D: d},
        labels=("the same number",),
        kind="look-up",
    )


OPERATIONS: dict[Operation, Callable[[Cell], Derivation]] = {
    "embed": embed,
    "position": position,
    "add": add,
    "project_to_heads": project_to_heads,
    "dot_product": dot_product,
    "scaled_dot_product": scaled_dot_product,
    "mask": mask,
    "apply_mask": apply_mask,
    "exponential": exponential,
    "total": total,
    "softmax": softmax,
    "weighted_sum": weighted_sum,
    "join_heads": join_heads,
    "mean": mean,
    "variance": variance,
    "normalize": normalize,
    "scale_and_shift": scale_and_shift,
    "linear": linear,
    "activation": activation,
    "copy": copy,
    "log_softmax": log_softmax,
    "given": lambda cell: given(float(cell.values(cell.site.name)[cell.index])),
}
