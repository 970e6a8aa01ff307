"""The number of an update that is being explained, with access to everything its operands can be."""

from __future__ import annotations

from dataclasses import replace

import torch

from core.activations.location import locate
from core.explanation.derivation import Derivation, given
from core.explanation.explanation import Explanation
from core.explanation.formula import Expression
from core.explanation.operand import Operand
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
    "loss": "Mean of the losses of the labels that are not padding.",
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
        """The number's site without the parameter."""
        return locate(self.site).value

    @property
    def count(self) -> int:
        """Updates with this one."""
        return self.captured.step.index + 1

    def same_cell(self, symbol: Expression, part: str) -> Operand:
        """What another site holds at the same place of the same parameter."""
        site = f"{PREFIX}{part}.{self.parameter}"
        return self.at(symbol, site, self.index)

    def at(self, symbol: Expression, site: str, index: tuple[int, ...] = ()) -> Operand:
        """Another number of the update."""
        return Operand(symbol, float(update_values(self.captured, site)[index]), site, index)

    def explained(
        self,
        derivation: Derivation,
        used_by: tuple[str, ...] = (),
        dtype: torch.dtype = torch.float32,
    ) -> Explanation:
        """The explanation that a derivation gives."""
        # Below its smallest normal number float32 has steps of a fixed size.
        magnitude = derivation.magnitude + torch.finfo(torch.float32).tiny
        return Explanation(
            **vars(replace(derivation, magnitude=magnitude)),
            site=self.site,
            index=self.index,
            meaning=_MEANINGS[self.part],
            recorded=self.recorded,
            eps=torch.finfo(dtype).eps,
            used_by=tuple(f"{PREFIX}{each}" for each in used_by),
        )

    def given(self, used_by: tuple[str, ...] = ()) -> Explanation:
        """Where a chain ends."""
        return self.explained(given(self.recorded), used_by)
