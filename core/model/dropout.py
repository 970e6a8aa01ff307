"""Dropout: in training each number becomes 0 with probability p, and the others grow by 1/(1 - p) (section 5.4)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LEVELS = 2**16
"""On the CPU p is rounded to a multiple of 1/LEVELS, and the scale is that of the rounded p."""


def dropout(x: Tensor, p: float, generator: torch.Generator | None = None) -> Tensor:
    """x with each number set to 0 with probability p, 0 ≤ p < 1, or else divided by 1 - p; of the same shape.

    On the CPU torch draws a random number for each element, which is a tenth of a small model's training step.
    Here one draw of 64 bits decides about four elements, which takes half the time.

    Args:
        x: Of any shape.
        p: The probability.
        generator: What is drawn from on the CPU; None for torch's global one, as everywhere else.
    """
    if p == 0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, p)
    n_dropped = min(round(p * LEVELS), LEVELS - 1)
    # Each level from -LEVELS/2 to LEVELS/2 - 1 is as likely as any other.
    draws = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None, generator=generator)
    levels = draws.view(torch.int16)[: x.numel()].view(x.shape)
    kept = (levels >= n_dropped - LEVELS // 2).to(x.dtype)
    return x * kept.mul_(LEVELS / (LEVELS - n_dropped))


class Dropout(nn.Dropout):
    """The same as a module, which does nothing in evaluation mode.

    Attributes:
        drop_generator: What it draws from on the CPU; None for torch's global one.
    """

    drop_generator: torch.Generator | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Values of any shape, some of them 0 and the others scaled while training; unchanged in evaluation mode."""
        return dropout(x, self.p, self.drop_generator) if self.training else x
