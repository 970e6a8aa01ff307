"""The number of an update that is being explained, with access to everything its operands can be."""

from __future__ import annotations

import math

import torch

from core.activations.location import locate
from core.explanation.explanation import Explanation, Kind, Operand, Term
from core.explanation.update_sites import PREFIX, update_values
from core.training.captured import CapturedUpdate

_MEANINGS = {
    "gradient": "How the loss changes with this weight: one term for every token of the batch.",
    "clipped": "The gradient after clipping: what the optimiser gets.",
    "first_moment_before": "Adam's running mean of the gradient, as the updates before have left it.",
    "second_moment_before": "Adam's running mean of the squared gradient, as the updates before have left it.",
    "first_moment": "Adam's running mean of the gradient.",
    "second_moment": "Adam's running mean of the squared gradient.",
    "corrected_first": "The first moment, made up for its beginning at 0.",
    "corrected_second": "The second moment, made up for its beginning at 0.",
    "change": "What the update adds to the weight.",
    "weight_before": "The weight before the update.",
    "weight": "The weight after the update.",
    "loss": "Mean of the losses of all labels that are no padding.",
    "grad_norm": "Length of the whole gradient, all parameters together.",
    "clip_factor": "What every number of the gradient is multiplied by.",
    "learning_rate": "What the schedule gives for this update.",
    "token_loss": "Cross-entropy of one label, with label smoothing.",
    "prob": "Probability that the model gave a token.",
    "label": "What the smoothed label asks for.",
    "logit_gradient": "How the loss changes with this logit.",
}


class Number:
    """The number that is explained, with access to all it can be made of."""

    def __init__(
        self, captured: CapturedUpdate, site: str, parameter: str, index: tuple[int, ...], recorded: float
    ) -> None:
        self.captured, self.site, self.parameter = captured, site, parameter
        self.index, self.recorded = index, recorded
        self.training, self.config = captured.training, captured.config

    @property
    def part(self) -> str:
        """Its site without the parameter."""
        return locate(self.site).value

    @property
    def count(self) -> int:
        """Updates with this one."""
        return self.captured.step.index + 1

    def same_cell(self, symbol: str, part: str) -> Operand:
        """What another site holds at the same place of the same parameter."""
        site = f"{PREFIX}{part}.{self.parameter}"
        return self.at(symbol, site, self.index)

    def at(self, symbol: str, site: str, index: tuple[int, ...] = ()) -> Operand:
        """Another number of the update."""
        return Operand(symbol, float(update_values(self.captured, site)[index]), site, index)

    def explained(
        self,
        kind: Kind,
        formula: str,
        terms: tuple[Term, ...],
        result: float,
        magnitude: float,
        used_by: tuple[str, ...] = (),
        factor: Operand | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> Explanation:
        """The explanation; the terms say what the result is made of, the magnitude how large that was."""
        return Explanation(
            site=self.site,
            index=self.index,
            kind=kind,
            meaning=_MEANINGS[self.part],
            formula=formula,
            formula_with_sizes=formula,
            terms=terms,
            result=result,
            recorded=self.recorded,
            # Below its smallest normal number float32 has steps of a fixed size.
            magnitude=magnitude + torch.finfo(torch.float32).tiny,
            eps=torch.finfo(dtype).eps,
            factor=factor,
            used_by=tuple(f"{PREFIX}{each}" for each in used_by),
        )

    def summed(
        self,
        formula: str,
        terms: tuple[Term, ...],
        used_by: tuple[str, ...] = (),
        factor: Operand | None = None,
        dtype: torch.dtype = torch.float32,
        magnitude: float | None = None,
    ) -> Explanation:
        """A number that is the sum of its terms, perhaps times a factor."""
        scale = 1.0 if factor is None else factor.value
        total = scale * math.fsum(term.value for term in terms)
        size = math.fsum(abs(term.value) for term in terms) if magnitude is None else magnitude
        return self.explained("sum", formula, terms, total, abs(scale) * size, used_by, factor, dtype)

    def given(self, used_by: tuple[str, ...] = ()) -> Explanation:
        """Where a chain ends."""
        return self.explained("look-up", "", (), self.recorded, abs(self.recorded), used_by)


def multiplied(label: str, *operands: Operand) -> Term:
    """The term that is the product of its operands."""
    return Term(label, operands, math.prod(operand.value for operand in operands))
