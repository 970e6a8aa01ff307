"""The numbers of one update by name: what the trainer has left behind, and what follows from it at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from core.activations.derived import log_probs
from core.activations.location import locate
from core.errors import UnknownSite
from core.training.captured import CapturedUpdate
from core.training.loss import label_losses

PREFIX = "update."
"""What every site of an update begins with."""

_STORED = {
    "gradient": "gradient",
    "clipped": "clipped",
    "first_moment_before": "exp_avg_before",
    "second_moment_before": "exp_avg_sq_before",
    "first_moment": "exp_avg",
    "second_moment": "exp_avg_sq",
    "weight_before": "before",
    "weight": "after",
}
"""Sites of a parameter that the update has left behind, by the names of their tensors."""
DERIVED = ("corrected_first", "corrected_second", "change")
PARTS = (*_STORED, *DERIVED)
"""What is known of each parameter, as ``update.<part>.<parameter>``."""
SCALARS = ("loss", "grad_norm", "clip_factor", "learning_rate")
OF_TOKENS = ("token_loss", "prob", "label", "logit_gradient")


def update_values(captured: CapturedUpdate, site: str) -> Tensor:
    """All numbers of a site of an update, float32; a single number has no axes.

    Raises:
        UnknownSite: when there is nothing of that name.
    """
    part, parameter = split_site(captured, site)
    if part in _STORED:
        return captured.of(_STORED[part], parameter)
    if part in DERIVED:
        return _derived(captured, part, parameter)
    return _VALUES[part](captured)


def token_loss_values(captured: CapturedUpdate) -> Tensor:
    """The loss of each label by the trainer's own function [batch, position]; 0 at padding."""
    labels, alpha = captured.batch.tgt_out, captured.training.label_smoothing
    logits = captured.tensors["logits"].flatten(0, 1)
    losses = label_losses(logits, labels.flatten(), smoothing=alpha).view(labels.shape)
    return losses.masked_fill(labels == captured.config.pad_id, 0.0)


def smoothed_labels(captured: CapturedUpdate) -> Tensor:
    """y' = (1-ε_ls)·y + ε_ls/V of every label [batch, position, vocab]; 0 at padding, which asks for nothing."""
    labels, size = captured.batch.tgt_out, captured.config.tgt_vocab_size
    alpha = captured.training.label_smoothing
    target = torch.full((*labels.shape, size), alpha / size)
    target.scatter_add_(2, labels[..., None], torch.full((*labels.shape, 1), 1 - alpha))
    return target.masked_fill((labels == captured.config.pad_id)[..., None], 0.0)


def split_site(captured: CapturedUpdate, site: str) -> tuple[str, str]:
    """Part and parameter; the latter is empty where there is none.

    Raises:
        UnknownSite: when an update has no such numbers.
    """
    where = locate(site)
    part, parameter = where.value, where.parameter
    known = part in (*SCALARS, *OF_TOKENS) if not parameter else part in PARTS
    if where.kind != "update" or not known or (parameter and parameter not in captured.parameters):
        raise UnknownSite(f"an update has no numbers called {site!r}")
    return part, parameter


def _derived(captured: CapturedUpdate, part: str, parameter: str) -> Tensor:
    """What the optimiser does not keep: the corrected moments, and the difference of the weights."""
    count, training = captured.step.index + 1, captured.training
    if part == "corrected_first":
        return captured.of("exp_avg", parameter) / (1 - training.adam_beta1**count)
    if part == "corrected_second":
        return captured.of("exp_avg_sq", parameter) / (1 - training.adam_beta2**count)
    return (captured.of("after", parameter).double() - captured.of("before", parameter).double()).float()


def _scalar(value: float) -> Tensor:
    # In float64: these are Python's own floats.
    return torch.tensor(value, dtype=torch.float64)


def _measured_factor(captured: CapturedUpdate) -> Tensor:
    """What the gradient was really multiplied by, read off at its largest number."""
    largest = max(captured.parameters, key=lambda name: float(captured.of("gradient", name).abs().max()))
    gradient = captured.of("gradient", largest).flatten()
    place = int(gradient.abs().argmax())
    if not gradient[place]:
        return _scalar(1.0)
    return captured.of("clipped", largest).flatten()[place].double() / gradient[place].double()


_VALUES: Mapping[str, Callable[[CapturedUpdate], Tensor]] = {
    "loss": lambda captured: _scalar(captured.step.loss),
    "grad_norm": lambda captured: _scalar(captured.step.grad_norm),
    "clip_factor": _measured_factor,
    "learning_rate": lambda captured: _scalar(captured.step.learning_rate),
    "token_loss": token_loss_values,
    "prob": lambda captured: log_probs(captured.tensors["logits"]).exp(),
    "label": smoothed_labels,
    "logit_gradient": lambda captured: captured.logits_gradient,
}
