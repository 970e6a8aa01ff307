"""A formula as LaTeX: with its letters, or with the recorded numbers.

One writer prints both; what differs is which letters it knows a number for. No text of a visitor stands in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.explanation.evaluation import Bound, evaluate, operand_of, places_of
from core.explanation.explanation import Explanation
from core.explanation.formula import (
    Call,
    Cases,
    Compare,
    Equation,
    Expression,
    Formula,
    Fraction,
    Named,
    Negative,
    Number,
    Plus,
    Power,
    Product,
    Root,
    Silent,
    Sum,
    Symbol,
    children,
    walk,
)
from core.explanation.operand import Operand

_FEW = 3
"""Up to as many summands are all written out."""
SUM, SUMMAND, FACTOR, BASE = range(4)
"""How closely a text holds together: as much as its place asks for, or it is put into brackets."""
_LETTERS = {
    "α": r"\alpha ",
    "β": r"\beta ",
    "γ": r"\gamma ",
    "ε": r"\varepsilon ",
    "η": r"\eta ",
    "θ": r"\theta ",
    "μ": r"\mu ",
    "σ": r"\sigma ",
    "Δ": r"\Delta ",
    "Φ": r"\Phi ",
    "∂": r"\partial ",
    "²": "^2",
    "₁": "_1",
    "₂": "_2",
    "=": "=",
    "≠": r"\neq",
    "≤": r"\le",
}
_ACCENTS = {"": "{}", "tilde": r"\tilde{{{}}}", "hat": r"\hat{{{}}}", "prime": "{}'"}


def letters(formula: Formula | None) -> str:
    """A formula in the paper's letters, with a line for each equation; empty where there is none."""
    return (
        ""
        if formula is None
        else _rows([_Writer().equation(each) for each in (*formula.equations, *formula.where)])
    )


def numbers(explanation: Explanation) -> str:
    """The recorded numbers in the formula; empty for a number that is only looked up."""
    if explanation.formula is None or explanation.kind != "computed" or not explanation.terms:
        return ""
    writer = _Writer(explanation.bound, numbers=True)
    lines = _reckoned(explanation.formula.right, writer)
    lines[-1] += f" = {tex(explanation.result)}"
    if len(lines) == 1:
        return lines[0]
    # In braces, or a line that begins with a minus would get the space of a difference.
    rows = r" \\ ".join(f"& {{{line}}}" for line in lines)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


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


def _rows(equations: Sequence[str]) -> str:
    """Equations under one another: the panel is narrow."""
    first, *others = equations or ("",)
    rows = r" \\ & ".join((first, *others))
    return rf"\begin{{aligned}} & {rows} \end{{aligned}}" if others else first


def _reckoned(whole: Expression, writer: _Writer) -> list[str]:
    """The lines that lead from the numbers to the result."""
    summed, divisor = whole, None
    match whole:
        case Fraction(below=below) if not evaluate(below, writer.bound):
            return ["0"]
        case Fraction(Sum() | Plus() as above, below) if any(isinstance(part, Sum) for part in walk(above)):
            summed, divisor = above, below
    if not isinstance(summed, Sum | Plus):
        written, shorter = writer.write(whole), writer.halfway(whole)
        return [written if shorter in ("", written) else f"{written} = {shorter}"]
    lines = writer.summed(summed)
    if divisor is None:
        return lines
    total = tex(evaluate(summed, writer.bound))
    lines[-1] += f" = {total}"
    return [*lines, f"{total} / {writer.write(divisor, FACTOR)}"]


def _number(value: float, text: str = "") -> tuple[str, int]:
    """A number, and how closely its text holds together."""
    text = text or tex(value)
    return text, SUM if value < 0 and text != "0" else FACTOR if r"\cdot" in text else BASE


@dataclass(frozen=True)
class _Writer:
    """Writes expressions, with numbers for what is bound.

    Attributes:
        bound: What there are numbers for.
        place: In the sum whose summand is written.
        numbers: Whether all is bound: then a sum is written as its value, and all products with a dot.
    """

    bound: Bound = field(default_factory=dict)
    place: int = 0
    numbers: bool = False

    def equation(self, equation: Equation) -> str:
        """Both sides of an equation."""
        return f"{self.write(equation.left)} = {self.write(equation.right)}"

    def write(self, whole: Expression, level: int = SUM) -> str:
        """An expression, in brackets where its place asks for them."""
        text, own = self._written(whole, level)
        return text if own >= level else f"({text})"

    def halfway(self, whole: Expression) -> str:
        """A fraction or a wave with what stands in it reckoned; empty for anything else."""

        def value(part: Expression) -> Operand:
            return Operand(part, evaluate(part, self.bound))

        match whole:
            case Fraction(above, below, False):
                reckoned = {above: value(above), below: value(below)}
            case Call("sin" | "cos", arguments):
                reckoned = {argument: value(argument) for argument in arguments}
            case _:
                return ""
        return _Writer(reckoned, numbers=True).write(whole)

    def summed(self, whole: Sum | Plus) -> list[str]:
        """What is added up: all of a few summands, else the first two and the last."""
        summands = [
            (part.summand if isinstance(part, Sum) else part, place)
            for part in (whole.parts if isinstance(whole, Plus) else (whole,))
            for place in range(places_of(part, self.bound) if isinstance(part, Sum) else 1)
        ]
        few = len(summands) <= _FEW
        texts = [
            replace(self, place=place, numbers=True)._summand(part, first=not at)
            for at, (part, place) in enumerate(summands if few else (*summands[:2], summands[-1]))
        ]
        if few:
            return ["".join(texts) or "0"]
        return ["".join(texts[:2]), rf"{{}} + \cdots{texts[-1]}"]

    def _summand(self, part: Expression, *, first: bool) -> str:
        if first:
            return self.write(part)
        if isinstance(part, Negative):
            return f" - {self.write(part.inner, SUMMAND)}"
        return f" + {self.write(part, SUMMAND)}"

    def _written(self, whole: Expression, level: int) -> tuple[str, int]:
        """The text of an expression, and how closely it holds together."""
        known = operand_of(whole, self.bound, self.place)
        if known is not None:
            return _number(known.value)
        match whole:
            case Number(value):
                return _number(value, f"{value:g}") if math.isfinite(value) else _number(value)
            case Symbol():
                return self._symbol(whole), BASE
            case Named(inner) | Silent(inner):
                return self._written(inner, level)
            case Negative(inner):
                return self._negative(inner)
            case Plus(parts):
                return self._plus(parts, level)
            case Product():
                return self._product(whole, level), SUMMAND
            case Fraction():
                return self._fraction(whole, level)
            case Power(base, exponent):
                return f"{self.write(base, BASE)}^{{{self.write(exponent)}}}", FACTOR
            case Root(inner):
                return rf"\sqrt{{{self.write(inner)}}}", BASE
            case Call():
                return self._call(whole)
            case Compare():
                return f"[{self._relation(whole)}]", BASE
            case Cases(value, condition, otherwise):
                one, rule, other = self.write(value), self._relation(condition), self.write(otherwise)
                return rf"{one} \text{{ if }} {rule} \text{{ else }} {other}", SUM
            case Sum():
                return _number(evaluate(whole, self.bound)) if self.numbers else (self._sum(whole), SUMMAND)
        raise TypeError(f"{whole} cannot be written")

    def _symbol(self, symbol: Symbol) -> str:
        letter = symbol.letter.replace("log ", r"\log ")
        text = _ACCENTS[symbol.accent].format("".join(_LETTERS.get(each, each) for each in letter).strip())
        above, below = self._indices(symbol.upper), self._indices(symbol.lower)
        if symbol.mark:
            text = f"({text}_{symbol.mark})" if below else f"{text}_{symbol.mark}"
        text += f"^{{{above}}}" if above else ""
        text += f"_{{{below}}}" if below else ""
        if not symbol.of:
            return text
        condition = rf" \mid {self._indices(symbol.given)}" if symbol.given else ""
        return f"{text}({self._indices(symbol.of)}{condition})"

    def _indices(self, indices: tuple[Expression, ...]) -> str:
        return ",".join(map(self._index, indices))

    def _index(self, index: Expression) -> str:
        try:
            return tex(evaluate(index, self.bound))
        except KeyError:
            return self.write(index)

    def _negative(self, inner: Expression) -> tuple[str, int]:
        known = operand_of(inner, self.bound, self.place)
        return (f"-{self.write(inner, FACTOR)}", SUM) if known is None else _number(-known.value)

    def _plus(self, parts: tuple[Expression, ...], level: int) -> tuple[str, int]:
        # What only a computer needs is not of the formula.
        shown = [part for part in parts if self.numbers or not _is_silent(part)]
        if len(shown) == 1:
            return self._written(shown[0], level)
        return "".join(self._summand(part, first=not at) for at, part in enumerate(shown)), SUM

    def _leading(self, part: Expression, level: int) -> str:
        """What a product or a quotient begins with: a minus there needs no brackets where the whole needs none."""
        bare = level == SUM and (
            isinstance(part, Negative) or operand_of(part, self.bound, self.place) is not None
        )
        return self.write(part, SUM if bare else FACTOR)

    def _product(self, product: Product, level: int) -> str:
        factors = product.factors if self.numbers else _with_powers(product.factors)
        text, before = self._leading(factors[0], level), factors[0]
        for factor in factors[1:]:
            written = self.write(factor, FACTOR)
            if self.numbers or product.dot or written[0].isdigit():
                text += r" \cdot "
            elif not isinstance(before, Number):
                text += r"\, "
            text, before = text + written, factor
        return text

    def _fraction(self, fraction: Fraction, level: int) -> tuple[str, int]:
        above, below = fraction.above, fraction.below
        if fraction.slash:
            upper = self.write(above, SUMMAND) if isinstance(above, Product) else self._leading(above, level)
            return f"{upper} / {self.write(below, FACTOR)}", SUMMAND
        if isinstance(above, Sum) and not self.numbers:
            return rf"\frac{{1}}{{{self.write(below)}}} {self._sum(above)}", SUMMAND
        return rf"\frac{{{self.write(above)}}}{{{self.write(below)}}}", FACTOR

    def _call(self, call: Call) -> tuple[str, int]:
        inside = ", ".join(map(self.write, call.arguments))
        match call.function:
            case "exp":
                return f"e^{{{inside}}}", FACTOR
            case "log":
                return rf"\log {self.write(call.arguments[0], SUMMAND)}", SUMMAND
            case "norm":
                return rf"\lVert {inside} \rVert", BASE
        name = _LETTERS.get(call.function, rf"\{call.function}").strip()
        tall = any(map(self._is_tall, call.arguments))
        return (rf"{name}\left({inside}\right)" if tall else f"{name}({inside})"), FACTOR

    def _is_tall(self, whole: Expression) -> bool:
        """Whether brackets around it have to grow."""
        match whole:
            case _ if operand_of(whole, self.bound, self.place) is not None:
                return False
            case Fraction(slash=False):
                return True
            case Power(_, exponent) if not isinstance(exponent, Number):
                return True
        return any(map(self._is_tall, children(whole)))

    def _relation(self, relation: Compare) -> str:
        return f"{self.write(relation.left)} {_LETTERS[relation.sign]} {self.write(relation.right)}"

    def _sum(self, whole: Sum) -> str:
        index = whole.index if isinstance(whole.index, tuple) else (whole.index,)
        under = ",".join(map(self._symbol, index))
        if whole.such_that:
            under += rf":\, {self._relation(whole.such_that)}"
        match whole.summand:
            case Product((Negative(first), *others)):
                return rf"-\sum_{{{under}}} {self.write(Product((first, *others)), SUMMAND)}"
        return rf"\sum_{{{under}}} {self.write(whole.summand, SUMMAND)}"


def _is_silent(part: Expression) -> bool:
    return isinstance(part.inner if isinstance(part, Negative) else part, Silent)


def _with_powers(factors: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """The factors with two equal neighbours as a square."""
    found: list[Expression] = []
    for factor in factors:
        if found and found[-1] == factor:
            found[-1] = factor**2
        else:
            found.append(factor)
    return tuple(found)
