"""An explanation: one number as a formula over operands, each of which has an explanation of its own."""

from dataclasses import dataclass

from core.explanation.derivation import Derivation
from core.interventions.intervention import Intervention
from core.notebook import html_table
from core.numbers import counted

MOST_TERMS = 20
"""Terms that a notebook shows."""
IDS = ("src", "tgt_in")
"""Sites of token ids, where every chain of explanations begins."""


@dataclass(frozen=True, kw_only=True)
class Explanation(Derivation):
    """How one cell of one site came about.

    Attributes:
        site: Where the cell is.
        index: Which one.
        meaning: One sentence on the site.
        recorded: The cell itself.
        eps: Machine epsilon of the dtype that the model computes in.
        used_by: Sites that read this one.
        set_by: The changes of the run that have set this number, in the order in which they acted; none where the
            formula alone made it.
        computed: What the formula makes of the operands, where a change has set the number after that.
    """

    site: str
    index: tuple[int, ...]
    meaning: str
    recorded: float
    eps: float
    used_by: tuple[str, ...] = ()
    set_by: tuple[Intervention, ...] = ()
    computed: float | None = None

    def __repr__(self) -> str:
        """The cell, what it is, and how many numbers it is made of."""
        cell = f"{self.site}[{', '.join(map(str, self.index))}]"
        return f"<Explanation: {cell} = {self.result:.6g}, {self.kind}, {counted(len(self.terms), 'term')}>"

    def _repr_html_(self) -> str:
        """The largest terms first, MOST_TERMS of them."""
        largest = sorted(self.terms, key=lambda term: -abs(term.value))
        rows = [(term.label, f"{term.value:.6g}") for term in largest[:MOST_TERMS]]
        more = [(f"and {len(largest) - MOST_TERMS:,} more",)] if len(largest) > MOST_TERMS else []
        return html_table(f"{repr(self).strip('<>')}. {self.meaning}", [*rows, *more], head=("term", "value"))

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
