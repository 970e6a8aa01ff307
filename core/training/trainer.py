"""The training loop, as a generator: pull an update, look at it, pull the next or stop."""

import time
from collections.abc import Iterable, Iterator, Mapping

import torch
from torch import Tensor, nn

from core.config import TrainConfig
from core.data.batching import Batch
from core.device import DTYPES
from core.errors import DivergenceError, InputError
from core.model.transformer import Transformer
from core.training.loss import label_smoothed_cross_entropy
from core.training.processes import ALONE, Processes
from core.training.records import TrainStep
from core.training.schedule import learning_rate

MOMENTS = ("exp_avg", "exp_avg_sq")
"""Adam's running means of the gradient and of its square, by torch's names."""


def train(model: Transformer, batches: Iterable[Batch], config: TrainConfig) -> Iterator[TrainStep]:
    """Update the model once per batch, config.steps times at most.

    The model is in training mode during every update, and stays in it; to evaluate it in between, or in the
    end, take it to evaluation mode.

    Raises:
        InputError: when the model's weights are frozen, as a loaded run's are, or the loss is no longer finite.
    """
    trainer = Trainer(model, config)
    for _, batch in zip(range(config.steps), batches, strict=False):
        yield trainer.update(batch)


class Trainer:
    """A model in training: Adam, clipping, schedule, and how many updates were made.

    With several processes each takes its part of every batch. The sum of its losses is scaled by the number of
    processes over the labels of the whole batch, so that the average of the gradients, which is what they
    exchange, is the gradient of the whole batch's mean.

    Attributes:
        model: What is trained.
        updates: Updates that were made.
        grad_norm: Norm of the whole gradient of the last of them, before clipping; 0 before the first.

    Raises:
        InputError: when the model's weights are frozen, as a loaded run's are.
    """

    def __init__(self, model: Transformer, config: TrainConfig, processes: Processes = ALONE) -> None:
        if not all(parameter.requires_grad for parameter in model.parameters()):
            raise InputError("a frozen model cannot be trained: call model.requires_grad_(True) first")
        self.model, self.config, self.processes = model, config, processes
        self.updates, self.grad_norm = 0, 0.0
        self._callable: nn.Module = processes.share(model)
        self._parameters = dict(model.named_parameters())
        self._device = model.device
        self._optimizer = torch.optim.Adam(
            self._parameters.values(),
            lr=config.peak_learning_rate,
            betas=(config.adam_beta1, config.adam_beta2),
            eps=config.adam_eps,
            fused=True,
        )

    def update(self, batch: Batch) -> TrainStep:
        """Change the weights once; every process is given the same batch.

        Raises:
            InputError: when the loss or the gradient is no longer finite; the weights are not changed then.
        """
        start = time.perf_counter()
        rate = learning_rate(self.updates, self.config, self.model.config.d_model)
        # Whoever pulls the updates may have evaluated the model since the last one.
        self._callable.train()
        loss, loss_sum = self._loss(batch)
        (total,) = self.processes.sums(loss_sum, device=self._device)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        grad_norm = nn.utils.clip_grad_norm_(self._parameters.values(), self.config.clip_norm).item()
        mean = total / batch.n_tokens
        for name, value in (("loss", mean), ("gradient's norm", grad_norm)):
            if not abs(value) < float("inf"):
                raise DivergenceError(
                    f"the {name} is {value} at update {self.updates}; lower the learning rate"
                )
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        step = TrainStep(
            index=self.updates,
            loss=mean,
            learning_rate=rate,
            grad_norm=grad_norm,
            tokens_per_second=batch.n_tokens / (time.perf_counter() - start),
        )
        self.updates, self.grad_norm = self.updates + 1, grad_norm
        return step

    def state(self) -> dict[str, Tensor]:
        """Adam's moments and the number of updates, by name; the weights are the model's own."""
        tensors = {
            f"{moment}.{name}": self._optimizer.state[parameter][moment]
            for name, parameter in self._parameters.items()
            for moment in MOMENTS
            if parameter in self._optimizer.state
        }
        return {"updates": torch.tensor(self.updates), **tensors}

    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on where `state` was taken; the weights must have been loaded already."""
        self.updates = int(tensors["updates"])
        if not self.updates:
            return
        for name, parameter in self._parameters.items():
            # Adam counts in float32 and on the parameters' device, as its fused form does itself.
            state = {"step": torch.tensor(float(self.updates), device=self._device)}
            for moment in MOMENTS:
                state[moment] = tensors[f"{moment}.{name}"].to(parameter)
            self._optimizer.state[parameter] = state

    def follow_first(self) -> None:
        """Take updates, weights and moments from the first process, where several train together."""
        if self.processes.count == 1:
            return
        updates = int(self.processes.from_first(torch.tensor(self.updates)))
        if not self.processes.is_first:
            state = {"updates": torch.tensor(updates)}
            for name, parameter in self._parameters.items():
                state |= {f"{moment}.{name}": torch.zeros_like(parameter) for moment in MOMENTS}
            self.load_state(state)
        for parameter in self._parameters.values():
            self.processes.from_first(parameter.data)
            for moment in MOMENTS if updates else ():
                self.processes.from_first(self._optimizer.state[parameter][moment])

    def _loss(self, batch: Batch) -> tuple[Tensor, float]:
        """The loss to differentiate, and the sum over this process's labels, in nats."""
        own = batch.part(self.processes.rank, self.processes.count) if self.processes.count > 1 else batch
        idle = own.n_tokens == 0
        if idle:
            # Fewer rows than processes: this one goes through the motions, since the others wait for it.
            own = batch.part(0, len(batch.src))
        own = own.to(self._device)
        autocast = torch.autocast(
            self._device.type, DTYPES[self.config.dtype], enabled=self.config.dtype != "float32"
        )
        with autocast:
            logits = self._callable(own.src, own.tgt_in)
            mean = label_smoothed_cross_entropy(
                logits, own.tgt_out, smoothing=self.config.label_smoothing, pad_id=self.model.config.pad_id
            )
        n_tokens = 0 if idle else own.n_tokens
        scale = n_tokens * self.processes.count / batch.n_tokens
        return mean * scale if self.processes.count > 1 else mean, mean.item() * n_tokens
