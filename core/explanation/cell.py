"""The cell that is being explained, with access to everything its operands can be."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.sites import Site
from core.activations.trace import Trace
from core.config import TransformerConfig
from core.errors import UnknownSite
from core.explanation.formula import Expression
from core.explanation.operand import Operand
from core.model.by_hand import AttentionByHand, ByHandTrace
from core.model.parameters import find_parameter
from core.model.transformer import Transformer


@dataclass(frozen=True)
class Cell:
    """One cell of one site of one trace.

    Attributes:
        site: The catalogue's entry.
        index: Of the cell, one number for each axis.
        trace: Where recorded operands are.
        model: Where learned operands and constants are.
    """

    site: Site
    index: tuple[int, ...]
    trace: Trace | ByHandTrace
    model: Transformer | AttentionByHand

    def recorded(self, symbol: Expression, site: str, *index: int) -> Operand:
        """A recorded value, or an id."""
        return self.all_recorded(symbol, site, [index])[0]

    def all_recorded(
        self, symbol: Expression, site: str, indices: Iterable[tuple[int, ...]]
    ) -> list[Operand]:
        """Recorded values, or ids, one for each place of a sum."""
        values = self.values(site)
        return [Operand(symbol, float(values[index]), site, index) for index in indices]

    def learned(self, symbol: Expression, name: str, *index: int) -> Operand:
        """A number of a parameter."""
        return self.all_learned(symbol, name, [index])[0]

    def all_learned(self, symbol: Expression, name: str, indices: Iterable[tuple[int, ...]]) -> list[Operand]:
        """Numbers of a parameter, one for each place of a sum."""
        parameter = find_parameter(self.model, name)
        if parameter is None:
            raise UnknownSite(f"this model has no parameter {name!r}")
        return [Operand(symbol, float(parameter[index]), name, index) for index in indices]

    def values(self, site: str) -> Tensor:
        """All values of a recorded site, or the ids of ``src`` or ``tgt_in`` with their batch axis."""
        if site in ("src", "tgt_in"):
            ids: Tensor = getattr(self.trace, site)
            return ids[None]
        return self.trace.activations[site]

    def has(self, name: str) -> bool:
        """Whether the model has such a parameter."""
        return find_parameter(self.model, name) is not None

    @property
    def config(self) -> TransformerConfig:
        """Where constants are."""
        return self.model.config


def epsilon(config: TransformerConfig) -> float:
    """Machine epsilon of the dtype that the model computes in."""
    return torch.finfo(getattr(torch, config.dtype)).eps
