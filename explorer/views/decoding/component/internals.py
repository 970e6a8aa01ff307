"""What the two cards on the inside of a step are fed: the logit lens, and the key/value cache."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class LensData:
    """The logit lens of each step. Axes: T output tokens, P points of the residual stream, k tokens at each."""

    sites: tuple[str, ...]
    """P recorded sites, in the order of the computation."""
    names: tuple[str, ...]
    """What was just computed there, in words: ``cross-attention, layer 1``."""
    labels: tuple[tuple[str, str], ...]
    """The names of the points in two short lines."""
    final_norm: bool
    """Whether the stream is read through the decoder's final norm."""
    tokens: tuple[str, ...]
    """Every token that is among the most probable ones somewhere."""
    top: np.ndarray
    """Places in ``tokens`` of the most probable ones, most probable first, int [T, P, k]."""
    top_probs: np.ndarray
    """Probabilities of the top tokens, float32 [T, P, k]."""
    probs: np.ndarray
    """Probability of the token that was produced, float32 [T, P]."""
    ranks: np.ndarray
    """Rank of the produced token, 1 for the most probable, int [T, P]."""
    decided: tuple[int | None, ...]
    """Point from which on it has rank 1 to the end, per step; None where it has not at the end."""

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """What travels as float32, in which whole numbers up to 16 million are exact."""
        return {"top": self.top, "top_probs": self.top_probs, "probs": self.probs, "ranks": self.ranks}

    def check(self, steps: int) -> None:
        """
        Raises:
            ValueError: a shape or an index does not fit the others, or the number of steps.
        """
        points, k = len(self.names), self.top.shape[-1]
        expected = {"top": (steps, points, k), "top_probs": (steps, points, k)}
        for name, array in self.arrays.items():
            if array.shape != expected.get(name, (steps, points)):
                raise ValueError(
                    f"lens_{name} does not fit {steps} steps and {points} points: {list(array.shape)}"
                )
        if not len(self.sites) == len(self.labels) == points or len(self.decided) != steps:
            raise ValueError(f"the lens needs {points} sites and labels, and {steps} decisions")
        if self.top.size and not 0 <= self.top.min() <= self.top.max() < len(self.tokens):
            raise ValueError(f"lens_top names a place outside of its {len(self.tokens)} tokens")


@dataclass(frozen=True)
class CacheData:
    """The key/value cache of each of T steps; counts are exact."""

    n_layers: int
    n_heads: int
    d_head: int
    source_length: int
    dtype: str
    row_bytes: int
    """Bytes of one row of keys, or of one of values, in one attention block."""
    n_bytes: tuple[int, ...]
    """Bytes of all that is kept after each step."""
    cached: tuple[int, ...]
    """Multiply-adds of each step with the cache."""
    uncached: tuple[int, ...]
    """Multiply-adds of each step without a cache."""
    encoder: int
    """Multiply-adds of the encoder, which runs once either way."""
    same_tokens: bool
    """Whether both ways, really run, hold the same token for the most probable one at each step."""
    largest_difference: float
    """Largest difference of any token's log-probability at any step, between both ways."""

    def check(self, steps: int) -> None:
        """
        Raises:
            ValueError: when it is of another number of steps.
        """
        if not len(self.n_bytes) == len(self.cached) == len(self.uncached) == steps:
            raise ValueError(f"the cache's costs must be those of {steps} steps")
