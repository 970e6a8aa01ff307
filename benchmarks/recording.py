"""Cost of the forward pass: its taps, recording through them, and the whole beside torch.nn.Transformer.

Evaluation mode, no gradients. Recording takes the eager path of attention, and so its cost includes that path's.
"""

import copy
from functools import partial

import torch
from torch import Tensor

from benchmarks.compare import Row, Work, ratio, speed
from benchmarks.peers.torch_transformer import TorchTransformer
from benchmarks.sizes import BASE, TOY, Size
from core.activations.record import record
from core.model.transformer import Transformer

SOME = ("*.q", "*.k", "*.v", "*.weights", "*.context")
SIZES = (TOY.with_batch(1), TOY, BASE)
REPEATS = {"TOY, batch 1": 30, "TOY": 4}
"""Passes in a row, where one is too short to time by itself."""
MOST_FOR_SOME = {"TOY, batch 1": 1.3}
MOST_FOR_ALL = {"TOY, batch 1": 1.5, "TOY": 2.0, "BASE": 1.5}


def without_taps(model: Transformer) -> Transformer:
    """A copy whose taps are the cheapest thing that can be called."""
    bare = copy.deepcopy(model)
    for name in list(bare.taps):
        path, _, leaf = name.rpartition(".")
        module = bare.get_submodule(path)
        # These four attention asks whether somebody looks; nobody does, and then they are not called.
        if leaf not in ("scores", "mask", "weights", "context"):
            delattr(module, leaf)
            setattr(module, leaf, lambda value: value)
    return bare


def recorded(model: Transformer, src: Tensor, tgt: Tensor, *patterns: str) -> Work:
    """A forward pass that is recorded."""

    def work() -> None:
        with record(model, *patterns):
            model(src, tgt)

    return work


@torch.no_grad()
def measure(rounds: int, sizes: tuple[Size, ...] = SIZES) -> list[Row]:
    """Four rows for each size: three costs, and times as fast as torch."""
    rows = []
    for size in sizes:
        torch.manual_seed(0)
        model, peer = Transformer(size.config()).eval(), TorchTransformer(size, dropout=0.0).eval()
        src, tgt = size.ids(), size.ids()
        plain, repeats = partial(model, src, tgt), REPEATS.get(size.name, 1)
        bare, theirs = partial(without_taps(model), src, tgt), partial(peer, src, tgt)
        some, everything = recorded(model, src, tgt, *SOME), recorded(model, src, tgt)
        rows += [
            Row(size.name, "forward pass", speed(plain, theirs, rounds, repeats), at_least=1.0),
            Row(
                size.name,
                "cost of taps with nobody looking",
                ratio(plain, bare, rounds, repeats),
                at_most=1.03,
            ),
            Row(
                size.name,
                "cost of recording q, k, v, weights, context",
                ratio(some, plain, rounds, repeats),
                at_most=MOST_FOR_SOME.get(size.name),
            ),
            Row(
                size.name,
                "cost of recording every site",
                ratio(everything, plain, rounds, repeats),
                at_most=MOST_FOR_ALL.get(size.name),
            ),
        ]
    return rows
