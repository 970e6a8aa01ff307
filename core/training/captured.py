"""One update as the trainer made it: everything that went into it, came out of it, and was computed on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from core.activations.tap import Tap
from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.errors import InputError
from core.model.add_norm import AddNorm, LayerNorm
from core.model.attention import CrossAttention, SelfAttention
from core.model.embedding import Embedding
from core.model.generator import Generator
from core.model.transformer import expected_parameters
from core.training.records import TrainStep
from core.training.trainer import MOMENTS, Trainer

MAX_PARAMETERS = 2_000_000
"""Learned numbers of a model whose update is taken apart."""
MAX_BYTES = 192 * 2**20
"""Of one captured update."""

UseKind = Literal["linear", "scale", "table", "position"]
Side = Literal["source", "target"]
Hook = Callable[..., None]


@dataclass(frozen=True)
class Use:
    """One place where the forward pass uses a parameter: its gradient is a sum over the tokens that came by.

    Attributes:
        kind: "linear": y = x·Wᵀ + b. "scale": y = γ·n + β with n = (x - μ)/√(σ² + ε). "table": y = s·E[id].
            "position": y = … + P[position].
        weight: Name of the matrix, of γ, or of the table.
        bias: Name of b, or of β; empty where there is none.
        side: Whose tokens they are.
        key: Of its tensors: ``x/key`` [batch, position, in], ``dy/key`` [batch, position, out].
        read: Key of the ``x``, which several uses may share; empty for tables.
        scale: s of a table; ε of a scale; else 1.
    """

    kind: UseKind
    weight: str
    bias: str
    side: Side
    key: str
    read: str = ""
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class CapturedUpdate:
    """One update of a training; all tensors are float32 and nobody changes them.

    Parameters are named as the formulas do: W_Q, W_K and W_V as ``….w_q``, ``….w_k``, ``….w_v``, and a matrix that
    several blocks share by its first name alone.

    Attributes:
        config: Of the model.
        training: Of the training.
        step: What the trainer tells of this update.
        batch: What it learnt from.
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
        """Of all tensors together."""
        return sum(tensor.nbytes for tensor in self.tensors.values())

    def of(self, part: str, parameter: str) -> Tensor:
        """One of a parameter's tensors, such as ``gradient``."""
        return self.tensors[f"{part}/{parameter}"]

    @property
    def logits_gradient(self) -> Tensor:
        """Of the loss, by the logits [batch, position, vocab]."""
        return self.tensors["dy/generator"]

    def uses_of(self, parameter: str) -> tuple[Use, ...]:
        """Where a parameter is used, as a weight or as a bias."""
        return tuple(use for use in self.uses if parameter in (use.weight, use.bias))


def capture_update(trainer: Trainer, batch: Batch) -> CapturedUpdate:
    """Let the trainer make an update, and keep all of it; that changes no bit of what the trainer does.

    Raises:
        InputError: when the model or the batch is too large to be taken apart, or the loss is no longer finite.
    """
    check_size(trainer.model.config)
    parameters = dict(trainer.model.named_parameters())
    before = {f"before/{name}": parameter.detach().clone() for name, parameter in parameters.items()}
    before |= _moments(trainer, "_before")
    watch = _Watch(trainer)
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


def check_size(config: TransformerConfig) -> None:
    """Refuse what would be too much to look at.

    Raises:
        InputError: when a model of this configuration is too large to be taken apart.
    """
    found = expected_parameters(config)
    if found > MAX_PARAMETERS:
        raise InputError(
            f"An update is taken apart for models of at most {MAX_PARAMETERS:,} parameters, and this one has "
            f"{found:,}; choose a smaller one."
        )


def _by_formula_names(tensors: Mapping[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    """The packed projections cut into W_Q, W_K and W_V, and their biases."""
    for name, tensor in tensors.items():
        path, packed, leaf = name.rpartition(".in_proj.")
        if not packed:
            yield name, tensor
            continue
        for letter, part in zip("qkv", tensor.chunk(3), strict=True):
            yield f"{path}.{leaf[0]}_{letter}", part


class _Watch:
    """Hooks that keep inputs, outputs' gradients and parameters' gradients of one forward and backward pass."""

    def __init__(self, trainer: Trainer) -> None:
        self.model = trainer.model
        self.uses: list[Use] = []
        self.values: dict[str, Tensor] = {}
        self.gradients: dict[str, Tensor] = {}
        self._n_bytes = 0
        # A shared matrix by its first name, as named_parameters gives it.
        first = {id(parameter): name for name, parameter in self.model.named_parameters()}
        every = self.model.named_parameters(remove_duplicate=False)
        self._first_name = {name: first[id(parameter)] for name, parameter in every}

    @contextmanager
    def hooks(self) -> Iterator[None]:
        """Inside the block everything is kept."""
        with ExitStack() as stack:
            for name, parameter in self.model.named_parameters():
                stack.callback(parameter.register_post_accumulate_grad_hook(self._keep_gradient(name)).remove)
            for path, module in self.model.named_modules():
                for handle in self._watch(path, module):
                    stack.callback(handle.remove)
            yield

    def _keep_gradient(self, name: str) -> Hook:
        def keep(parameter: Tensor) -> None:
            assert parameter.grad is not None
            self.gradients[f"gradient/{name}"] = parameter.grad.detach().clone()

        return keep

    def _watch(self, path: str, module: nn.Module) -> list[RemovableHandle]:
        """The hooks of one module."""
        if isinstance(module, SelfAttention | CrossAttention):
            return [
                module.register_forward_pre_hook(
                    self._reads(path, crosses=isinstance(module, CrossAttention))
                ),
                *(
                    getattr(module, letter).register_forward_hook(self._projected(path, letter, module))
                    for letter in "qkv"
                ),
            ]
        if isinstance(module, nn.Linear) and not path.endswith(".in_proj"):
            return [module.register_forward_hook(self._linear(path, module.bias is not None))]
        if isinstance(module, Generator):
            return [module.register_forward_hook(self._generated(path))]
        if isinstance(module, Embedding):
            return [module.tokens.register_forward_hook(self._embedded(path, module))]
        if isinstance(module, AddNorm):
            return [
                module.sum.register_forward_hook(lambda tap, args, value: self._keep(f"x/{path}", value)),
                module.register_forward_hook(self._normed(path, module.eps)),
            ]
        if isinstance(module, LayerNorm):
            return [
                module.register_forward_pre_hook(lambda norm, args: self._keep(f"x/{path}", args[0])),
                module.register_forward_hook(self._normed(path, module.eps)),
            ]
        return []

    def _reads(self, path: str, *, crosses: bool) -> Hook:
        def keep(module: nn.Module, args: tuple[Tensor, ...]) -> None:
            self._keep(f"x/{path}.q", args[0])
            if crosses:
                self._keep(f"x/{path}.k", args[1])

        return keep

    def _projected(self, path: str, letter: str, attention: SelfAttention | CrossAttention) -> Hook:
        crosses = isinstance(attention, CrossAttention)
        remembers = crosses and letter != "q"
        side: Side = "target" if path.startswith("decoder") and not remembers else "source"
        bias = f"{path}.b_{letter}" if attention.in_proj.bias is not None else ""
        read = f"{path}.k" if remembers else f"{path}.q"

        def keep(tap: Tap, args: tuple[Tensor, ...], value: Tensor) -> None:
            self.uses.append(Use("linear", f"{path}.w_{letter}", bias, side, f"{path}.{letter}", read))
            # Heads side by side again: [B, H, N, E] to [B, N, H·E].
            self._keep_gradient_of(value, f"{path}.{letter}", lambda heads: heads.transpose(1, 2).flatten(2))

        return keep

    def _linear(self, path: str, has_bias: bool) -> Hook:
        def keep(module: nn.Module, args: tuple[Tensor, ...], value: Tensor) -> None:
            self._keep(f"x/{path}", args[0])
            bias = f"{path}.bias" if has_bias else ""
            self.uses.append(Use("linear", f"{path}.weight", bias, _side(path), path, path))
            self._keep_gradient_of(value, path)

        return keep

    def _generated(self, path: str) -> Hook:
        def keep(module: nn.Module, args: tuple[Tensor, ...], value: Tensor) -> None:
            self._keep(f"x/{path}", args[0])
            name = self._first_name[f"{path}.weight"]
            self.uses.append(Use("linear", name, "", "target", path, path))
            self._keep("logits", value)
            self._keep_gradient_of(value, path)

        return keep

    def _embedded(self, path: str, embedding: Embedding) -> Hook:
        def keep(tap: Tap, args: tuple[Tensor, ...], value: Tensor) -> None:
            name = self._first_name[f"{path}.weight"]
            self.uses.append(Use("table", name, "", _side(path), path, scale=embedding.scale))
            if f"{path}.positional.weight" in self._first_name:
                # Token and position are added, so both have the gradient of the sum.
                self.uses.append(Use("position", f"{path}.positional.weight", "", _side(path), path))
            self._keep_gradient_of(value, path)

        return keep

    def _normed(self, path: str, eps: float) -> Hook:
        def keep(norm: nn.Module, args: tuple[Tensor, ...], value: Tensor) -> None:
            self.uses.append(
                Use("scale", f"{path}.weight", f"{path}.bias", _side(path), path, path, scale=eps)
            )
            self._keep_gradient_of(value, path)

        return keep

    def _keep(self, key: str, value: Tensor) -> None:
        self._n_bytes += value.nbytes
        if self._n_bytes > MAX_BYTES:
            raise InputError(
                f"The values of this batch take more than the {MAX_BYTES // 2**20} MiB that one update may; "
                "choose a run with a smaller model or batch."
            )
        self.values[key] = value.detach().clone()

    def _keep_gradient_of(
        self, value: Tensor, key: str, arranged: Callable[[Tensor], Tensor] = lambda gradient: gradient
    ) -> None:
        value.register_hook(lambda gradient: self._keep(f"dy/{key}", arranged(gradient)))


def _side(path: str) -> Side:
    return "source" if path.startswith(("encoder", "src_embed")) else "target"
