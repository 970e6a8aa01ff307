"""Speed of a training step beside torch.nn.Transformer: forward, smoothed loss, backward, clipping, Adam.

Both sides have the same sizes, a tied embedding times √d_model with sinusoidal positions, ids without padding, the
causal mask as a flag, label smoothing 0.1, the gradient clipped to norm 1, and torch's fused Adam. Torch's model
computes its loss with torch's own function, ours with ours. Three dropouts are compared: none; each side's own
(ours drops sub-layer outputs and embedding sums, as the paper says; torch drops attention weights and the hidden
units of the feed-forward network as well); and torch's places on both sides. The rate is always 0.1.
"""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.compare import Row, Work, clock_of, speed
from benchmarks.peers.torch_transformer import TorchTransformer
from benchmarks.sizes import BASE, SMALL, TOY, Size
from core.model.transformer import Transformer
from core.training.loss import label_smoothed_cross_entropy

DROPOUT = 0.1
SMOOTHING = 0.1
SIZES = (TOY, SMALL, BASE)
REPEATS = {"TOY": 4}
"""Steps in a row, where one is too short to time by itself."""
AT_LEAST_AND_AIM = {
    "without dropout": {"TOY": (1.2, 1.3), "SMALL": (1.2, 1.3), "BASE": (1.2, 1.3)},
    "each with its own dropout": {"TOY": (1.3, 1.5), "SMALL": (1.2, 1.3), "BASE": (1.3, 1.4)},
    "dropout in the same places": {"TOY": (1.0, 1.1), "SMALL": (1.0, 1.1), "BASE": (1.0, 1.1)},
}
"""Times as fast as torch, for each comparison and size."""


def torchs_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Label-smoothed cross-entropy by torch's own function."""
    flat = logits.flatten(0, 1)
    return F.cross_entropy(flat, labels.flatten(), label_smoothing=SMOOTHING, ignore_index=0)


our_loss = partial(label_smoothed_cross_entropy, smoothing=SMOOTHING, pad_id=0)


def training_step(model: nn.Module, src: Tensor, tgt: Tensor, dtype: torch.dtype = torch.float32) -> Work:
    """One update of the model; in another dtype than float32 by autocast, with the weights still in float32."""
    model.train()
    parameters = list(model.parameters())
    optimizer = torch.optim.Adam(parameters, lr=1e-4, fused=True)
    loss_of = our_loss if isinstance(model, Transformer) else torchs_loss

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(src.device.type, dtype, enabled=dtype != torch.float32):
            loss = loss_of(model(src, tgt), tgt)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    return step


def both_steps(
    size: Size,
    *,
    dropout: float,
    inner_dropout: float,
    device: torch.device | str = "cpu",
    dtype: torch.dtype = torch.float32,
) -> tuple[Work, Work]:
    """Our step and torch's.

    Args:
        size: Of both models and their batch.
        dropout: Torch's one rate, and ours for sub-layer outputs and embedding sums.
        inner_dropout: Ours for attention weights and the hidden units of the feed-forward network.
        device: Where both compute.
        dtype: What both compute in.
    """
    torch.manual_seed(0)
    config = size.config(dropout=dropout, attention_dropout=inner_dropout, ffn_dropout=inner_dropout)
    ours, peer = Transformer(config, device), TorchTransformer(size, dropout).to(device)
    src, tgt = size.ids(device), size.ids(device)
    return training_step(ours, src, tgt, dtype), training_step(peer, src, tgt, dtype)


def measure(
    rounds: int,
    sizes: tuple[Size, ...] = SIZES,
    device: torch.device | str = "cpu",
    dtype: torch.dtype = torch.float32,
) -> list[Row]:
    """Three rows for each size: times as fast as torch."""
    rates = {
        "without dropout": (0.0, 0.0),
        "each with its own dropout": (DROPOUT, 0.0),
        "dropout in the same places": (DROPOUT, DROPOUT),
    }
    rows = []
    for size in sizes:
        for what, (dropout, inner) in rates.items():
            ours, peer = both_steps(size, dropout=dropout, inner_dropout=inner, device=device, dtype=dtype)
            times = speed(ours, peer, rounds, REPEATS.get(size.name, 1), clock_of(device))
            at_least, aim = AT_LEAST_AND_AIM[what].get(size.name, (None, None))
            rows.append(Row(size.name, f"training step, {what}", times, at_least=at_least, aim=aim))
    return rows
