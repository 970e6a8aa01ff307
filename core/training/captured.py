"""One update as the trainer made it: everything that went into it, came out of it, and was computed on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.errors import InputError
from core.model.parameters import unpacked
from core.model.shapes import expected_parameters
from core.training.records import TrainStep
from core.training.trainer import MOMENTS, Trainer
from core.training.watch import Use, Watch

MAX_PARAMETERS = 2_000_000
"""Parameters of the largest model whose updates are taken apart by default."""


@dataclass(frozen=True, eq=False)
class CapturedUpdate:
    """One update of a training; all tensors are float32 and nobody changes them.

    Parameters are named as the formulas do: W_Q, W_K and W_V as ``….w_q``, ``….w_k``, ``….w_v``, and a matrix that
    several blocks share by its first name alone.

    Attributes:
        config: Of the model.
        training: Of the training.
        step: What the trainer tells of this update.
        batch: What it learned from.
        uses: Where the forward pass used each parameter.
        tensors: ``before/``, ``after/`` (the weights), ``gradient/``, ``clipped/``, ``exp_avg/``, ``exp_avg_sq/``
            and, with ``_before``, what Adam's moments were, each with the parameter's name behind it; ``logits``
            [batch, position, vocab]; ``x/`` and ``dy/`` of each use.
    """

    config: TransformerConfig
    training: TrainConfig
    step: TrainStep
    batch: Batch
    uses: tuple[Use, ...]
    tensors: Mapping[str, Tensor]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of all parameters, in the order of the computation."""
        return tuple(name.removeprefix("before/") for name in self.tensors if name.startswith("before/"))

    @property
    def n_bytes(self) -> int:
        """Bytes of all tensors together."""
        return sum(tensor.nbytes for tensor in self.tensors.values())

    def of(self, part: str, parameter: str) -> Tensor:
        """One of a parameter's tensors, such as ``gradient``."""
        return self.tensors[f"{part}/{parameter}"]

    @property
    def logits_gradient(self) -> Tensor:
        """The gradient of the loss by the logits [batch, position, vocab]."""
        return self.tensors["dy/generator"]

    def uses_of(self, parameter: str) -> tuple[Use, ...]:
        """Where a parameter is used, as a weight or as a bias."""
        return tuple(use for use in self.uses if parameter in (use.weight, use.bias))


def capture_update(trainer: Trainer, batch: Batch, *, most_parameters: int | None = None) -> CapturedUpdate:
    """Let the trainer make an update, and keep all of it; that changes no bit of what the trainer does.

    Args:
        trainer: Makes the update.
        batch: Pairs that it learns from.
        most_parameters: Parameters of the largest model that is taken apart; None stands for 2,000,000.

    Raises:
        InputError: when the model or the batch is too large to be taken apart, or the loss is no longer finite.
    """
    check_size(trainer.model.config, most_parameters)
    parameters = dict(trainer.model.named_parameters())
    before = {f"before/{name}": parameter.detach().clone() for name, parameter in parameters.items()}
    before |= _moments(trainer, "_before")
    watch = Watch(trainer.model)
    with watch.hooks():
        step = trainer.update(batch)
    after = _moments(trainer, "")
    for name, parameter in parameters.items():
        assert parameter.grad is not None
        after |= {f"clipped/{name}": parameter.grad.clone(), f"after/{name}": parameter.detach().clone()}
    tensors = dict(_by_formula_names(before | watch.gradients | after)) | watch.values
    return CapturedUpdate(
        config=trainer.model.config,
        training=trainer.config,
        step=step,
        batch=batch.to("cpu"),
        uses=tuple(watch.uses),
        tensors={name: tensor.to("cpu", torch.float32).contiguous() for name, tensor in tensors.items()},
    )


def _moments(trainer: Trainer, ending: str) -> dict[str, Tensor]:
    """Adam's moments as they are now; 0 before the first update."""
    state = trainer.state()
    return {
        f"{moment}{ending}/{name}": state[key].clone() if key in state else torch.zeros_like(parameter.data)
        for moment in MOMENTS
        for name, parameter in trainer.model.named_parameters()
        for key in (f"{moment}.{name}",)
    }


def check_size(config: TransformerConfig, most_parameters: int | None = None) -> None:
    """Refuse what would be too much to look at.

    Args:
        config: Sizes of the model.
        most_parameters: Parameters of the largest model that is taken apart; None stands for 2,000,000.

    Raises:
        InputError: when a model of this configuration is too large to be taken apart.
    """
    found, most = expected_parameters(config), most_parameters or MAX_PARAMETERS
    if found > most:
        raise InputError(
            f"An update is taken apart for models of at most {most:,} parameters, and this one has "
            f"{found:,}; choose a smaller one."
        )


def _by_formula_names(tensors: Mapping[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    """The packed projections cut into W_Q, W_K and W_V, and their biases."""
    for key, tensor in tensors.items():
        part, _, name = key.partition("/")
        for parameter, each in unpacked(name, tensor).items():
            yield f"{part}/{parameter}", each
