"""What the machine can do, and how much of it a training step uses.

Nearly all the work of a Transformer is matrix multiplication, so the rate at which the machine multiplies two large
float32 matrices bounds every step: no model can be more than 1/share times as fast as one that reaches this share.
"""

import platform
import time
from functools import partial
from pathlib import Path

import torch

from benchmarks.compare import Row, Work, seconds, speed
from benchmarks.sizes import Size
from benchmarks.training import REPEATS, SIZES, both_steps
from core.training import least_time

SIDE = 1024
"""Rows and columns of the two matrices."""


def multiply_adds(size: Size) -> int:
    """Multiply-adds of one forward pass of the whole batch, in its matrix products alone."""
    tokens = size.batch * size.length
    # Queries with keys, weights with values; also where the causal mask hides.
    of_attention = 2 * size.length * size.d_model * tokens
    attentions = 3 * size.n_layers
    return least_time.multiply_adds(size.config(), sources=tokens, targets=tokens) + attentions * of_attention


def share_of_rate(step: Work, size: Size, rounds: int) -> float:
    """The rate of a training step's multiply-adds over that of two large float32 matrices, taking turns."""
    a, b = torch.rand(2, SIDE, SIDE)
    # Back to the values and back to the weights: a step has three times the products of a forward pass.
    worth = REPEATS.get(size.name, 1) * 3 * multiply_adds(size) / SIDE**3
    n_products = max(1, round(worth))

    def steps() -> None:
        for _ in range(REPEATS.get(size.name, 1)):
            step()

    def products() -> None:
        for _ in range(n_products):
            torch.mm(a, b)

    return speed(steps, products, rounds, repeats=1) * worth / n_products


def gflops(rounds: int) -> float:
    """Billions of floating-point operations a CPU second, at best, while two large matrices are multiplied."""
    a, b = torch.rand(2, SIDE, SIDE)
    least = min(seconds(partial(torch.mm, a, b), 10, time.process_time) for _ in range(rounds + 1)) / 10
    return 2 * SIDE**3 / least / 1e9


def measure(rounds: int, sizes: tuple[Size, ...] = SIZES) -> list[Row]:
    """Two rows for each size: the share of the machine's rate that torch's step uses, and ours."""
    rows = []
    for size in sizes:
        steps = both_steps(size, dropout=0.0, inner_dropout=0.0)
        for whose, step in zip(("ours", "torch's"), steps, strict=True):
            share = share_of_rate(step, size, rounds)
            rows.append(Row(size.name, f"share of the machine's rate, training step, {whose}", share))
    return rows


def description(device: torch.device | str = "cpu") -> str:
    """The machine in words: processor or GPU, torch and threads."""
    if torch.device(device).type == "cuda":
        return f"{torch.cuda.get_device_name(device)}, torch {torch.__version__}"
    return f"{processor()}, torch {torch.__version__}, {torch.get_num_threads()} thread"


def processor() -> str:
    """The processor's name."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
