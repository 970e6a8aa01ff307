"""An explanation: one number as a formula over operands, each of which has an explanation of its own."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

Kind = Literal["sum", "product", "ratio", "function", "look-up", "masked"]

IDS = ("src", "tgt_in")
"""Sites of token ids, where every chain of explanations begins."""


@dataclass(frozen=True)
class Operand:
    """A number that goes into another one.

    Attributes:
        symbol: Its letter in the formula, in LaTeX.
        value: As recorded, or as learned.
        site: A recorded site, a parameter, ``src`` or ``tgt_in``; empty for a constant of the configuration.
        index: Its place in there.
    """

    symbol: str
    value: float
    site: str = ""
    index: tuple[int, ...] = ()


@dataclass(frozen=True)
class Term:
    """One summand, or the one argument of a function.

    Attributes:
        label: What tells it from the other terms, such as ``d = 3``.
        operands: What it is made of.
        value: In float64, from the operands.
    """

    label: str
    operands: tuple[Operand, ...]
    value: float


@dataclass(frozen=True)
class Explanation:
    """How one cell of one site came about.

    Attributes:
        site: Where the cell is.
        index: Which one.
        kind: "sum": factor times the sum of the terms. "product": of one term's operands. "ratio" and
            "function": of the terms, as the formula says. "look-up": copied from another cell, or learned.
            "masked": -inf, because the query may not look there.
        meaning: One sentence on the site.
        formula: In LaTeX, with letters.
        formula_with_sizes: The same with this cell's indices and the model's sizes.
        terms: What the result is made of; none for a number that was learned or given.
        result: Computed from the terms, in float64.
        recorded: The cell itself.
        magnitude: Size of what was added up, Σ|terms|: rounding errors are relative to it.
        eps: Machine epsilon of the dtype that the model computes in.
        factor: What the sum of the terms is multiplied by; None is 1.
        selected_by: The id that picked this row out of a table.
        used_by: Sites that read this one.
    """

    site: str
    index: tuple[int, ...]
    kind: Kind
    meaning: str
    formula: str
    formula_with_sizes: str
    terms: tuple[Term, ...]
    result: float
    recorded: float
    magnitude: float
    eps: float
    factor: Operand | None = None
    selected_by: Operand | None = None
    used_by: tuple[str, ...] = ()

    @property
    def partial_sums(self) -> tuple[float, ...]:
        """The sum of the terms up to and with each."""
        return tuple(accumulate(term.value for term in self.terms))

    @property
    def difference(self) -> float:
        """Result minus recorded value; 0 where both are the same infinity."""
        return 0.0 if self.result == self.recorded else self.result - self.recorded

    @property
    def tolerance(self) -> float:
        """What rounding in the model's own dtype may amount to: 8·eps·Σ|terms|."""
        return 8 * self.eps * self.magnitude

    @property
    def agrees(self) -> bool:
        """Whether the explanation gives the recorded number."""
        return abs(self.difference) <= self.tolerance
