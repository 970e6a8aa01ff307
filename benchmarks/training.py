"""Speed of a training step compared with torch.nn.Transformer: forward, smoothed loss, backward, clipping, Adam.

Both models have the same sizes, tied embeddings scaled by √d_model, sinusoidal positions, ids without padding, the
causal mask as a flag, label smoothing 0.1, gradients clipped to norm 1, and torch's fused Adam. Each uses its own loss
function. Three settings of dropout are compared, all at rate 0.1 where it is on: off; each model's own (ours drops
sub-layer outputs and embedding sums, as in the paper; torch also drops attention weights and hidden units of the
feed-forward network); and torch's places in both models.
"""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.compare import Row, Work, choose_clock, measure_speedup
from benchmarks.peers.torch_transformer import TorchTransformer
from benchmarks.sizes import BASE, SMALL, TOY, Size
from core.model.transformer import Transformer
from core.training.loss import label_smoothed_cross_entropy

DROPOUT = 0.1
SMOOTHING = 0.1
SIZES = (TOY, SMALL, BASE)
REPEATS = {"TOY": 4}
"""Steps per timing, for sizes whose single step is too short to time."""
AT_LEAST_AND_AIM = {
    "without dropout": {"TOY": (1.2, 1.3), "SMALL": (1.2, 1.3), "BASE": (1.2, 1.3)},
    "each model's own dropout": {"TOY": (1.3, 1.5), "SMALL": (1.2, 1.3), "BASE": (1.3, 1.4)},
    "dropout in the same places": {"TOY": (1.0, 1.1), "SMALL": (1.0, 1.1), "BASE": (1.0, 1.1)},
}
"""Lowest acceptable and desired speed as a multiple of torch's, by comparison and size."""


def torch_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Compute the label-smoothed cross-entropy with torch's own function."""
    flat = logits.flatten(0, 1)
    return F.cross_entropy(flat, labels.flatten(), label_smoothing=SMOOTHING, ignore_index=0)


our_loss = partial(label_smoothed_cross_entropy, smoothing=SMOOTHING, pad_id=0)


def make_training_step(
    model: nn.Module, src: Tensor, tgt: Tensor, dtype: torch.dtype = torch.float32
) -> Work:
    """Return a function that makes one update. Other dtypes than float32 use autocast; weights stay in float32."""
    model.train()
    parameters = list(model.parameters())
    optimizer = torch.optim.Adam(parameters, lr=1e-4, fused=True)
    compute_loss = our_loss if isinstance(model, Transformer) else torch_loss

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(src.device.type, dtype, enabled=dtype != torch.float32):
            loss = compute_loss(model(src, tgt), tgt)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    return step


def make_both_steps(
    size: Size,
    *,
    dropout: float,
    inner_dropout: float,
    device: torch.device | str = "cpu",
    dtype: torch.dtype = torch.float32,
) -> tuple[Work, Work]:
    """Return our training step and torch's.

    Args:
        size: Dimensions of both models and their batch.
        dropout: Rate of torch's dropout, and of ours on sub-layer outputs and embedding sums.
        inner_dropout: Rate of our dropout on attention weights and hidden units of the feed-forward network.
        device: Device of both models.
        dtype: Data type of both forward passes.
    """
    torch.manual_seed(0)
    config = size.make_config(dropout=dropout, attention_dropout=inner_dropout, ffn_dropout=inner_dropout)
    ours, peer = Transformer(config, device), TorchTransformer(size, dropout).to(device)
    src, tgt = size.draw_sources(device), size.draw_targets(device)
    return make_training_step(ours, src, tgt, dtype), make_training_step(peer, src, tgt, dtype)


def measure(
    rounds: int,
    sizes: tuple[Size, ...] = SIZES,
    device: torch.device | str = "cpu",
    dtype: torch.dtype = torch.float32,
) -> list[Row]:
    """Measure the speed of our step as a multiple of torch's, three rows per size."""
    rates = {
        "without dropout": (0.0, 0.0),
        "each model's own dropout": (DROPOUT, 0.0),
        "dropout in the same places": (DROPOUT, DROPOUT),
    }
    rows = []
    for size in sizes:
        for what, (dropout, inner) in rates.items():
            ours, peer = make_both_steps(
                size, dropout=dropout, inner_dropout=inner, device=device, dtype=dtype
            )
            speedup = measure_speedup(ours, peer, rounds, REPEATS.get(size.name, 1), choose_clock(device))
            at_least, aim = AT_LEAST_AND_AIM[what].get(size.name, (None, None))
            rows.append(Row(size.name, f"training step, {what}", speedup, at_least=at_least, aim=aim))
    return rows
