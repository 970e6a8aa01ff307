"""Hooks on a model in training: what each parameter is multiplied by, and the gradients that come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from core.activations.location import Side, locate
from core.activations.tap import Tap
from core.errors import InputError
from core.model.add_norm import AddNorm, LayerNorm
from core.model.attention import CrossAttention, SelfAttention
from core.model.embedding import Embedding
from core.model.generator import Generator
from core.model.transformer import Transformer

MAX_BYTES = 192 * 2**20
"""Most bytes that are kept of one forward and backward pass."""

UseKind = Literal["linear", "scale", "table", "position"]
Hook = Callable[..., None]


@dataclass(frozen=True)
class Use:
    """One place where the forward pass uses a parameter: its gradient is a sum over the tokens that came by.

    Attributes:
        kind: "linear": y = x Wᵀ + b. "scale": y = γ·n + β with n = (x - μ)/√(σ² + ε). "table": y = s·E[id].
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


class Watch:
    """Keeps inputs, outputs' gradients and parameters' gradients of one forward and backward pass.

    Attributes:
        uses: Where the pass used each parameter, in its order.
        values: ``logits``, and ``x/`` and ``dy/`` of each use.
        gradients: ``gradient/`` and the parameter's name, as torch has it: not clipped yet.
    """

    def __init__(self, model: Transformer) -> None:
        self.model = model
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
                stack.callback(
                    parameter.register_post_accumulate_grad_hook(self._store_gradient(name)).remove
                )
            for path, module in self.model.named_modules():
                for handle in self._watch(path, module):
                    stack.callback(handle.remove)
            yield

    def _store_gradient(self, name: str) -> Hook:
        def hook(parameter: Tensor) -> None:
            assert parameter.grad is not None
            self.gradients[f"gradient/{name}"] = parameter.grad.detach().clone()

        return hook

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
        if isinstance(module, nn.Linear) and locate(path).value != "in_proj":
            return [module.register_forward_hook(self._linear(path, module.bias is not None))]
        if isinstance(module, Generator):
            return [module.register_forward_hook(self._generated(path))]
        if isinstance(module, Embedding):
            return [module.tokens.register_forward_hook(self._embedded(path, module))]
        if isinstance(module, AddNorm):
            return [
                module.sum.register_forward_hook(lambda tap, args, value: self._store(f"x/{path}", value)),
                module.register_forward_hook(self._normed(path, module.eps)),
            ]
        if isinstance(module, LayerNorm):
            return [
                module.register_forward_pre_hook(lambda norm, args: self._store(f"x/{path}", args[0])),
                module.register_forward_hook(self._normed(path, module.eps)),
            ]
        return []

    def _reads(self, path: str, *, crosses: bool) -> Hook:
        def hook(module: nn.Module, args: tuple[Tensor, ...]) -> None:
            self._store(f"x/{path}.q", args[0])
            if crosses:
                self._store(f"x/{path}.k", args[1])

        return hook

    def _projected(self, path: str, letter: str, attention: SelfAttention | CrossAttention) -> Hook:
        remembers = isinstance(attention, CrossAttention) and letter != "q"
        side = locate(path).key_side if remembers else locate(path).side
        bias = f"{path}.b_{letter}" if attention.in_proj.bias is not None else ""
        read = f"{path}.k" if remembers else f"{path}.q"

        def hook(tap: Tap, args: tuple[Tensor, ...], value: Tensor) -> None:
            self.uses.append(Use("linear", f"{path}.w_{letter}", bias, side, f"{path}.{letter}", read))
            # Heads side by side again: [B, H, N, E] to [B, N, H·E].
            self._store_gradient_of(value, f"{path}.{letter}", lambda heads: heads.transpose(1, 2).flatten(2))

        return hook

    def _linear(self, path: str, has_bias: bool) -> Hook:
        def hook(module: nn.Module, args: tuple[Tensor, ...], value: Tensor) -> None:
            self._store(f"x/{path}", args[0])
            bias = f"{path}.bias" if has_bias else ""
            self.uses.append(Use("linear", f"{path}.weight", bias, locate(path).side, path, path))
            self._store_gradient_of(value, path)

        return hook

    def _generated(self, path: str) -> Hook:
        def hook(module: nn.Module, args: tuple[Tensor, ...], value: Tensor) -> None:
            self._store(f"x/{path}", args[0])
            name = self._first_name[f"{path}.weight"]
            self.uses.append(Use("linear", name, "", "target", path, path))
            self._store("logits", value)
            self._store_gradient_of(value, path)

        return hook

    def _embedded(self, path: str, embedding: Embedding) -> Hook:
        def hook(tap: Tap, args: tuple[Tensor, ...], value: Tensor) -> None:
            name = self._first_name[f"{path}.weight"]
            self.uses.append(Use("table", name, "", locate(path).side, path, scale=embedding.scale))
            if f"{path}.positional.weight" in self._first_name:
                # Token and position are added, so both have the gradient of the sum.
                self.uses.append(Use("position", f"{path}.positional.weight", "", locate(path).side, path))
            self._store_gradient_of(value, path)

        return hook

    def _normed(self, path: str, eps: float) -> Hook:
        def hook(norm: nn.Module, args: tuple[Tensor, ...], value: Tensor) -> None:
            self.uses.append(
                Use("scale", f"{path}.weight", f"{path}.bias", locate(path).side, path, path, scale=eps)
            )
            self._store_gradient_of(value, path)

        return hook

    def _store(self, key: str, value: Tensor) -> None:
        self._n_bytes += value.nbytes
        if self._n_bytes > MAX_BYTES:
            raise InputError(
                f"The values of this batch take more than the {MAX_BYTES // 2**20} MiB that one update may; "
                "choose a run with a smaller model or batch."
            )
        self.values[key] = value.detach().clone()

    def _store_gradient_of(
        self, value: Tensor, key: str, arranged: Callable[[Tensor], Tensor] = lambda gradient: gradient
    ) -> None:
        value.register_hook(lambda gradient: self._store(f"dy/{key}", arranged(gradient)))
