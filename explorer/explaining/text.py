"""A formula's parts as plain text: for heads of columns, cells of tables, screen readers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from core.explanation.evaluation import Bound, operand_of
from core.explanation.formula import (
    Call,
    Compare,
    Expression,
    Fraction,
    Named,
    Negative,
    Number,
    Plus,
    Power,
    Product,
    Root,
    Silent,
    Symbol,
)
from explorer.look.numbers import brief
from explorer.look.theme import raised

_ACCENTS = {"": "", "tilde": "", "hat": "\u0302", "prime": "′"}
"""A masked score is still a score: its tilde is for the formula alone."""


_EXPONENTS = {"t": "ᵗ"}


@lru_cache(maxsize=512)
def symbol_text(symbol: Expression) -> str:
    """What an operand is called in a table: its letter without indices, or a short expression without spaces."""
    return _Writer(tight=True).write(symbol)


def plain(whole: Expression, bound: Bound | None = None) -> str:
    """An expression in one line, without the indices and arguments of its letters.

    Args:
        whole: The expression.
        bound: What is written as a number.
    """
    return _Writer(bound or {}).write(whole)


@dataclass(frozen=True)
class _Writer:
    """Writes expressions; tight ones have no room around the signs of a sum."""

    bound: Bound = field(default_factory=dict)
    tight: bool = False

    def write(self, whole: Expression) -> str:
        """An expression in one line."""
        known = operand_of(whole, self.bound)
        if known is not None:
            return brief(known.value)
        match whole:
            case Number(value):
                return f"{value:g}".replace("-", "−")
            case Symbol():
                return self._symbol(whole)
            case Named(_, text):
                return text
            case Silent(inner):
                return self.write(inner)
            case Negative(inner):
                return f"−{self._factor(inner)}"
            case Plus(parts):
                return self._plus(parts)
            case Product(factors):
                return ("" if isinstance(factors[0], Number) else " · ").join(map(self._factor, factors))
            case Fraction(above, below):
                return f"{self._factor(above)}/{self._factor(below)}"
            case Power(base, exponent):
                return self._factor(base) + self._raised(exponent)
            case Root(inner):
                return f"√{self._factor(inner)}"
            case Call("norm", (inner,)):
                return f"‖{self.write(inner)}‖"
            case Call(function, arguments):
                return f"{function}({', '.join(map(self.write, arguments))})"
            case Compare(left, sign, right):
                return f"[{self.write(left)} {sign} {self.write(right)}]"
        raise TypeError(f"{whole} has no place in a line of text")

    def _factor(self, part: Expression) -> str:
        text = self.write(part)
        return f"({text})" if isinstance(part, Plus) else text

    def _symbol(self, symbol: Symbol) -> str:
        text = symbol.letter + _ACCENTS[symbol.accent]
        if not (symbol.of and self.tight):
            return text
        inside = "|".join(", ".join(map(self.write, each)) for each in (symbol.of, symbol.given) if each)
        return f"{text}({inside})"

    def _plus(self, parts: tuple[Expression, ...]) -> str:
        first, *others = parts
        gap = "" if self.tight else " "
        text = self.write(first)
        for part in others:
            minus = isinstance(part, Negative)
            text += f"{gap}{'−' if minus else '+'}{gap}"
            text += self._factor(part.inner) if isinstance(part, Negative) else self.write(part)
        return text

    def _raised(self, exponent: Expression) -> str:
        match exponent:
            case Number(value) if value == round(value):
                return raised(round(value))
            case Symbol(letter) if letter in _EXPONENTS:
                return _EXPONENTS[letter]
        return f"^({self.write(exponent)})"
