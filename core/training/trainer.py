"""The training loop, as a generator: pull an update, look at it, pull the next or stop."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch

from core.config import TrainConfig
from core.data.batching import Batch
from core.errors import InputError
from core.model.transformer import Transformer
from core.training.loss import label_smoothed_cross_entropy
from core.training.schedule import learning_rate


@dataclass(frozen=True)
class TrainStep:
    """What one update did.

    Attributes:
        index: The update, counted from 0.
        loss: Mean label-smoothed cross-entropy per label, in nats, before the update.
        learning_rate: Of this update.
        grad_norm: Norm of the whole gradient before clipping.
        tokens_per_second: Labels in the batch over the time of the update.
    """

    index: int
    loss: float
    learning_rate: float
    grad_norm: float
    tokens_per_second: float


def train(model: Transformer, batches: Iterable[Batch], config: TrainConfig) -> Iterator[TrainStep]:
    """Update the model once per batch, config.steps times at most.

    The model is in training mode during every update, and stays in it; to evaluate it in between, or in the
    end, take it to evaluation mode.

    Raises:
        InputError: when the model's weights are frozen, as a loaded run's are, or the loss is no longer finite.
    """
    if not all(parameter.requires_grad for parameter in model.parameters()):
        raise InputError("a frozen model cannot be trained: call model.requires_grad_(True) first")
    optimizer = torch.optim.Adam(
        model.parameters(),
        lr=config.peak_learning_rate,
        betas=(config.adam_beta1, config.adam_beta2),
        eps=config.adam_eps,
        fused=True,
    )
    for index, batch in zip(range(config.steps), batches, strict=False):
        rate = learning_rate(index, config)
        for group in optimizer.param_groups:
            group["lr"] = rate
        yield _update(model, batch, optimizer, config, index, rate)


def _update(
    model: Transformer,
    batch: Batch,
    optimizer: torch.optim.Optimizer,
    config: TrainConfig,
    index: int,
    rate: float,
) -> TrainStep:
    start = time.perf_counter()
    # Whoever pulls the updates may have evaluated the model since the last one.
    model.train()
    logits = model(batch.src, batch.tgt_in)
    loss = label_smoothed_cross_entropy(
        logits, batch.tgt_out, smoothing=config.label_smoothing, pad_id=model.config.pad_id
    )
    if not torch.isfinite(loss):
        raise InputError(f"the loss is {loss.item()} at update {index}; lower the learning rate")
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip_norm)
    optimizer.step()
    seconds = time.perf_counter() - start
    return TrainStep(
        index=index,
        loss=loss.item(),
        learning_rate=rate,
        grad_norm=grad_norm.item(),
        tokens_per_second=batch.n_tokens / seconds,
    )
