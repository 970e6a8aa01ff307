r"""The formula of an explanation with the recorded numbers put in, as LaTeX for Streamlit's `st.latex`.

Every piece is written from floats by :func:`tex`; no text of a visitor ever stands in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.explanation.explanation import Explanation, Operand, Term

_FEW = 3
"""Up to as many terms are all written out."""


def numbers_put_in(explanation: Explanation, operation: str) -> str:
    """The numbers of a computed cell in its formula; empty for one that is only looked up.

    Args:
        explanation: Of the cell.
        operation: Of the catalogue, or the name of a site of the whole hypothesis.
    """
    if not explanation.terms or explanation.kind in ("look-up", "masked"):
        return ""
    writers: dict[str, Callable[[Explanation], list[str]]] = {
        "softmax": _softmax,
        "log_softmax": _log_softmax,
        "normalize": _normalize,
        "hypothesis.score": _fraction,
        "hypothesis.prob": lambda e: [rf"e^{{{tex(e.terms[0].value)}}}"],
        "position": _wave,
        "activation": _activation,
        "update.logit_gradient": _less_the_label,
        "update.grad_norm": lambda e: [rf"\sqrt{{{tex(math.fsum(term.value for term in e.terms))}}}"],
        "update.clip_factor": _clipping,
        "update.corrected_first": _fraction,
        "update.corrected_second": _fraction,
        "update.change": _adam,
        "mask": lambda e: [r" \cdot ".join(f"[{tex(term.value)}]" for term in e.terms)],
    }
    if operation in writers:
        lines = writers[operation](explanation)
    elif explanation.kind == "sum":
        lines = _sum(explanation, operation)
    else:
        lines = [_product(explanation.terms[0])]
    lines[-1] += f" = {tex(explanation.result)}"
    if len(lines) == 1:
        return lines[0]
    # In braces, or a line that begins with a minus would get the space of a difference.
    rows = r" \\ ".join(f"& {{{line}}}" for line in lines)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


def in_rows(formula: str) -> str:
    r"""A formula with side conditions after \qquad, each on a line of its own: the panel is narrow."""
    parts = [part.strip().rstrip(",") for part in formula.split(r"\qquad")]
    return parts[0] if len(parts) == 1 else r"\begin{aligned} & " + r" \\ & ".join(parts) + r" \end{aligned}"


def tex(value: float) -> str:
    """A number in LaTeX: three decimals, or two significant digits and a power of ten."""
    if math.isnan(value):
        return r"\text{NaN}"
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value == round(value) and abs(value) < 1e6:
        return str(int(value))
    if 0.001 <= abs(value) <= 9999:
        return f"{value:.3f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def _factor(value: float) -> str:
    return rf"({tex(value)})" if value < 0 else tex(value)


def _product(term: Term) -> str:
    first, *others = (operand.value for operand in term.operands)
    return r" \cdot ".join((tex(first), *map(_factor, others)))


def _summands(explanation: Explanation, operation: str) -> list[str]:
    """What each term is, as it is written in a sum: only the first may begin with a minus."""
    if operation == "variance":
        return [rf"({tex(x.value)} - {_factor(mu.value)})^2" for x, mu in _pairs(explanation)]
    if operation == "hypothesis.token_loss":
        return [
            rf"({tex(-share.value)}) \cdot {_factor(log_p.value)}" for share, log_p in _pairs(explanation)
        ]
    first, *others = explanation.terms
    return [_product(first), *(_later(term) for term in others)]


def _pairs(explanation: Explanation) -> Iterator[tuple[Operand, Operand]]:
    for term in explanation.terms:
        one, other = term.operands
        yield one, other


def _later(term: Term) -> str:
    return r" \cdot ".join(_factor(operand.value) for operand in term.operands)


def _sum(explanation: Explanation, operation: str) -> list[str]:
    summands = _summands(explanation, operation)
    if len(summands) > _FEW:
        first, second, last = summands[0], summands[1], summands[-1]
        lines = [f"{first} + {second}", rf"{{}} + \cdots + {last}"]
    else:
        lines = [" + ".join(summands)]
    factor = explanation.factor
    if factor is None:
        return lines
    total = math.fsum(term.value for term in explanation.terms)
    lines[-1] += f" = {tex(total)}"
    if factor.symbol.startswith("1/"):
        return [*lines, f"{tex(total)} / {_root(factor)}"]
    return [*lines, rf"{tex(factor.value)} \cdot {_factor(total)}"]


def _root(factor: Operand) -> str:
    """A divisor as it is meant: √16 rather than 4."""
    divisor = 1 / factor.value
    return rf"\sqrt{{{round(divisor**2)}}}" if "sqrt" in factor.symbol else tex(round(divisor, 6))


def _own(explanation: Explanation) -> Term:
    return explanation.terms[explanation.index[-1]]


def _softmax(explanation: Explanation) -> list[str]:
    own, total = _own(explanation), math.fsum(term.value for term in explanation.terms)
    if not total:
        return ["0"]
    largest = max(term.operands[0].value for term in explanation.terms)
    above = rf"e^{{{tex(own.operands[0].value)} - {_factor(largest)}}}"
    return [rf"\frac{{{above}}}{{{tex(total)}}} = \frac{{{tex(own.value)}}}{{{tex(total)}}}"]


def _log_softmax(explanation: Explanation) -> list[str]:
    logit, total = _own(explanation).operands[0].value, math.fsum(term.value for term in explanation.terms)
    largest = max(term.operands[0].value for term in explanation.terms)
    return [rf"{tex(logit)} - ({tex(largest)} + \log {tex(total)})"]


def _normalize(explanation: Explanation) -> list[str]:
    above, below = explanation.terms
    (x, mu), (variance, eps) = above.operands, below.operands
    return [
        rf"\frac{{{tex(x.value)} - {_factor(mu.value)}}}{{\sqrt{{{tex(variance.value)} + {tex(eps.value)}}}}}"
        rf" = \frac{{{tex(above.value)}}}{{{tex(below.value)}}}"
    ]


def _fraction(explanation: Explanation) -> list[str]:
    above, below = explanation.terms
    return [rf"\frac{{{tex(above.value)}}}{{{tex(below.value)}}}"]


def _less_the_label(explanation: Explanation) -> list[str]:
    prob, label = (term.operands[0].value for term in explanation.terms)
    assert explanation.factor is not None
    return [rf"\frac{{{tex(prob)} - {tex(label)}}}{{{tex(round(1 / explanation.factor.value))}}}"]


def _clipping(explanation: Explanation) -> list[str]:
    return [rf"\min\left(1, {_fraction(explanation)[0]}\right)"]


def _adam(explanation: Explanation) -> list[str]:
    above, below = explanation.terms
    (rate, mean), (square, eps) = above.operands, below.operands
    return [
        rf"-{tex(rate.value)} \cdot \frac{{{tex(mean.value)}}}{{\sqrt{{{tex(square.value)}}} + {tex(eps.value)}}}"
    ]


def _wave(explanation: Explanation) -> list[str]:
    (term,) = explanation.terms
    place, divisor = (operand.value for operand in term.operands)
    name = r"\cos" if explanation.index[-1] % 2 else r"\sin"
    return [rf"{name}({tex(place)} / {tex(divisor)}) = {name}({tex(term.value)})"]


def _activation(explanation: Explanation) -> list[str]:
    x = explanation.terms[0].value
    if r"\max" in explanation.formula:
        return [rf"\max(0, {tex(x)})"]
    if r"\Phi" in explanation.formula:
        return [rf"{tex(x)} \cdot \Phi({tex(x)})"]
    return [rf"{tex(x)} / (1 + e^{{{tex(-x)}}})"]
