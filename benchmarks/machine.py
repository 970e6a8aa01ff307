"""The machine's peak rate of matrix multiplication, and the share of it that a training step reaches.

Nearly all of a Transformer's work is matrix multiplication, so the rate at which the machine multiplies two large
float32 matrices bounds every step: if a model reaches a share s of that rate, no other can be more than 1/s times as
fast.
"""

import time
from functools import partial

import torch

from benchmarks.compare import Row, Work, measure_speedup, time_calls
from benchmarks.sizes import Size
from benchmarks.training import REPEATS, SIZES, make_both_steps
from core.training import least_time

SIDE = 1024
"""Rows and columns of the two matrices."""


def count_multiply_adds(size: Size) -> int:
    """Count the multiply-adds in the matrix products of one forward pass of the whole batch."""
    tokens = size.batch * size.length
    # Q Kᵀ and weights · V, including the positions that the causal mask hides.
    per_attention = 2 * size.length * size.d_model * tokens
    n_attentions = 3 * size.n_layers
    projections = least_time.multiply_adds(size.make_config(), sources=tokens, targets=tokens)
    return projections + n_attentions * per_attention


def measure_utilisation(step: Work, size: Size, rounds: int) -> float:
    """Return a training step's rate of multiply-adds as a share of that of two large float32 matrices."""
    a, b = torch.rand(2, SIDE, SIDE)
    # The backward pass multiplies twice, for the inputs and for the weights: a step has three times the products of a
    # forward pass.
    worth = REPEATS.get(size.name, 1) * 3 * count_multiply_adds(size) / SIDE**3
    n_products = max(1, round(worth))

    def run_steps() -> None:
        for _ in range(REPEATS.get(size.name, 1)):
            step()

    def run_products() -> None:
        for _ in range(n_products):
            torch.mm(a, b)

    return measure_speedup(run_steps, run_products, rounds, repeats=1) * worth / n_products


def measure_gflops(rounds: int) -> float:
    """Return the best rate of multiplying two large matrices, in 10⁹ floating-point operations per CPU second."""
    a, b = torch.rand(2, SIDE, SIDE)
    multiply = partial(torch.mm, a, b)
    best = min(time_calls(multiply, 10, time.process_time) for _ in range(rounds + 1)) / 10
    return 2 * SIDE**3 / best / 1e9


def measure(rounds: int, sizes: tuple[Size, ...] = SIZES) -> list[Row]:
    """Measure the share of the peak rate that our training step and torch's reach, two rows per size."""
    rows = []
    for size in sizes:
        steps = make_both_steps(size, dropout=0.0, inner_dropout=0.0)
        for owner, step in zip(("ours", "torch's"), steps, strict=True):
            share = measure_utilisation(step, size, rounds)
            rows.append(Row(size.name, f"share of the peak rate, training step, {owner}", share))
    return rows
