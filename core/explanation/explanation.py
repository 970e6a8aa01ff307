"""An explanation: one number as a formula over operands, each of which has an explanation of its own."""

from dataclasses import dataclass

from core.explanation.derivation import Derivation

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
    """

    site: str
    index: tuple[int, ...]
    meaning: str
    recorded: float
    eps: float
    used_by: tuple[str, ...] = ()

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


def explained(
    derivation: Derivation,
    site: str,
    index: tuple[int, ...],
    *,
    meaning: str,
    recorded: float,
    eps: float,
    used_by: tuple[str, ...] = (),
) -> Explanation:
    """The explanation of the cell that a derivation is of."""
    return Explanation(
        **vars(derivation),
        site=site,
        index=index,
        meaning=meaning,
        recorded=recorded,
        eps=eps,
        used_by=used_by,
    )
