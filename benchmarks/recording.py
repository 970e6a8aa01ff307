"""Cost of the forward pass, of its taps and of recording through them, compared with torch.nn.Transformer.

All passes run in evaluation mode without gradients. Recording forces the eager path of attention, so its cost includes
that of the path.
"""

import copy
from functools import partial

import torch
from torch import Tensor

from benchmarks.compare import Row, Work, measure_ratio, measure_speedup
from benchmarks.peers.torch_transformer import TorchTransformer
from benchmarks.sizes import BASE, TOY, Size
from core.activations.record import record
from core.model.transformer import Transformer

ATTENTION_SITES = ("*.q", "*.k", "*.v", "*.weights", "*.context")
SIZES = (TOY.with_batch(1), TOY, BASE)
REPEATS = {"TOY, batch 1": 30, "TOY": 4}
"""Passes per timing, for sizes whose single pass is too short to time."""
AT_MOST_ATTENTION = {"TOY, batch 1": 1.3}
AT_MOST_ALL = {"TOY, batch 1": 1.5, "TOY": 2.0, "BASE": 1.5}


def strip_taps(model: Transformer) -> Transformer:
    """Return a copy whose taps are replaced by the identity, the cheapest possible call."""
    bare = copy.deepcopy(model)
    for name in list(bare.taps):
        path, _, leaf = name.rpartition(".")
        module = bare.get_submodule(path)
        # Attention calls these four only while they are recorded or edited, so they cost nothing here.
        if leaf not in ("scores", "mask", "weights", "context"):
            delattr(module, leaf)
            setattr(module, leaf, lambda value: value)
    return bare


def make_recorded_pass(model: Transformer, src: Tensor, tgt: Tensor, *patterns: str) -> Work:
    """Return a function that runs a forward pass and records the matching sites, or all without patterns."""

    def work() -> None:
        with record(model, *patterns):
            model(src, tgt)

    return work


@torch.no_grad()
def measure(rounds: int, sizes: tuple[Size, ...] = SIZES) -> list[Row]:
    """Measure the speed as a multiple of torch's and three costs of observing the model, four rows per size."""
    rows = []
    for size in sizes:
        torch.manual_seed(0)
        model, peer = Transformer(size.make_config()).eval(), TorchTransformer(size, dropout=0.0).eval()
        src, tgt = size.draw_sources(), size.draw_targets()
        forward, repeats = partial(model, src, tgt), REPEATS.get(size.name, 1)
        bare_forward, peer_forward = partial(strip_taps(model), src, tgt), partial(peer, src, tgt)
        recorded_attention = make_recorded_pass(model, src, tgt, *ATTENTION_SITES)
        recorded_all = make_recorded_pass(model, src, tgt)
        rows += [
            Row(
                size.name,
                "forward pass",
                measure_speedup(forward, peer_forward, rounds, repeats),
                at_least=1.0,
            ),
            Row(
                size.name,
                "cost of taps without recording",
                measure_ratio(forward, bare_forward, rounds, repeats),
                at_most=1.03,
            ),
            Row(
                size.name,
                "cost of recording q, k, v, weights, context",
                measure_ratio(recorded_attention, forward, rounds, repeats),
                at_most=AT_MOST_ATTENTION.get(size.name),
            ),
            Row(
                size.name,
                "cost of recording every site",
                measure_ratio(recorded_all, forward, rounds, repeats),
                at_most=AT_MOST_ALL.get(size.name),
            ),
        ]
    return rows
