"""`record` and `edit`: look at, or change, the values of one model inside a `with` block."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from core.activations.activations import Activations, taps_behind
from core.activations.sites import Site, axis_sizes
from core.activations.tap import Tap, Watcher, first_position, watchers
from core.device import DTYPES
from core.errors import CaptureError, InputError, UnknownSite

if TYPE_CHECKING:
    from core.model.by_hand import AttentionByHand
    from core.model.transformer import Transformer


@dataclass(frozen=True)
class PlacedEdit:
    """An edit that is told where its value begins, so that it means the same beside a cache of earlier positions.

    Attributes:
        change: From a copy of the value, which it may change in place, and the target position of the first row that
            the decoder computes now, to the value that flows on.
        needs_whole: Whether it lets a position depend on later ones, so that no cache of earlier ones is valid.
    """

    change: Callable[[Tensor, int], Tensor]
    needs_whole: bool = False


Edit = Callable[[Tensor], Tensor] | PlacedEdit
Edits = Mapping[str, Edit] | Sequence[tuple[str, Edit]]
"""Edits by site names or patterns; as pairs, a site may have several."""


@contextmanager
def record(
    model: "Transformer | AttentionByHand",
    *patterns: str,
    max_bytes: int | None = None,
    may_be_empty: bool = False,
    with_graph: bool = False,
) -> Iterator[Activations]:
    """Record the sites that match, during one forward pass inside the block.

    ``*`` stands for any text: ``record(model, "decoder.layers.*.cross_attn.weights")``. No pattern means
    every site. The values are detached, and on the CPU when the block ends. Recording makes attention
    take its eager path, whose every bit stays as it is without recording.

    With the graph they stay what the model went on computing with, on its device: ``torch.autograd.grad(logit,
    activations[name])`` is the gradient of a logit, or of whatever was computed from them, also where the weights are
    frozen. The graph holds the memory of the whole forward pass until the activations are let go. A derived site is
    computed from its inputs beside the model's way, so no logit depends on it: take the gradient by its inputs.
    torch multiplies in another order where it keeps a graph, so the last bits may differ.

    A generator must not yield inside the block: its caller would be recorded too.

    Args:
        model: The one model whose values are recorded.
        patterns: Which sites.
        max_bytes: Stop the forward pass with an error before the recorded values take more than this;
            `recording_bytes` tells beforehand what they will take.
        may_be_empty: Whether a forward pass that reaches none of the sites is fine, as a cached decoding
            step is that leaves the encoder out.
        with_graph: Keep the values in torch's graph, so that gradients by them can be taken.

    Raises:
        UnknownSite: when a pattern matches no site of the model.
        InputError: when the model is no Transformer of this package.
        CaptureError: for a compiled model, a second forward pass in one block, none, or one too large.
    """
    refuse_compiled(model)
    wanted = match_sites(model, *patterns)
    values: dict[str, Tensor] = {}
    needed = {part for site in wanted for part in taps_behind(site)}
    recorder = (_GraphRecorder if with_graph else _Recorder)(model, needed, values, max_bytes)
    with _watching(recorder), torch.enable_grad() if with_graph else nullcontext():
        yield Activations(wanted, values, model.config)
    if not values and not may_be_empty:
        raise CaptureError("nothing was recorded: run the model once inside the with block")
    if with_graph:
        return
    for name, value in values.items():
        values[name] = value.cpu()


@contextmanager
def edit(model: "Transformer", edits: Edits) -> Iterator[None]:
    """Change values on their way: ``edit(model, {"….weights": lambda weights: weights * 0})``.

    Keys are site names or patterns; each function gets a copy of the value, which it may change in place, and
    returns one of the same shape, dtype and device. Where several match, they act in the order given.

    A decoding that begins inside the block keeps no cache, so that each step shows a function every position so far:
    position p is row p, whether a cache was asked for or not. A `PlacedEdit` needs no such care.

    Raises:
        UnknownSite: when a key matches no site of the model.
        CaptureError: when a site is derived, so that nothing reads it; when an edit does not return such a value, or
            asks for a position that is not there.
    """
    refuse_compiled(model)
    functions: dict[str, list[Edit]] = {}
    for pattern, function in edits.items() if isinstance(edits, Mapping) else edits:
        for site in match_sites(model, pattern):
            refuse_derived(site)
            functions.setdefault(site.name, []).append(function)
    with _watching(_Editor(model, functions)):
        yield


def refuse_derived(site: Site) -> None:
    """Only what is read on the way can be edited.

    Raises:
        CaptureError: when the site is computed on first look.
    """
    if not site.editable:
        raise CaptureError(f"{site.name!r} is derived, nothing reads it; edit {site.inputs[0]!r} instead")


def needs_whole(model: "Transformer") -> bool:
    """Whether somebody in this thread edits the model in a way that no cached decoding step can show."""
    return any(each.needs_whole and each.watches(model.generator.logits) for each in watchers.get())


def recording_bytes(
    model: "Transformer", *patterns: str, batch: int, src_length: int, tgt_length: int
) -> int:
    """Bytes that a recording of these sites will hold, derived sites of it that are read included.

    Args:
        model: The model to be recorded.
        patterns: As for `record`; none means every site.
        batch: Rows in the batch.
        src_length: Source positions.
        tgt_length: Target positions.

    Raises:
        UnknownSite: when a pattern matches no site of the model.
    """
    require_transformer(model)
    sizes = axis_sizes(model.config, batch=batch, src_length=src_length, tgt_length=tgt_length)
    numbers = DTYPES[model.config.dtype].itemsize
    return _bytes_of(model.sites(), patterns or ("*",), tuple(sizes.items()), numbers)


@lru_cache(maxsize=256)
def _bytes_of(
    catalogue: tuple[Site, ...], patterns: tuple[str, ...], sizes: tuple[tuple[str, int], ...], numbers: int
) -> int:
    wanted = {site.name for site in _match(catalogue, patterns)}
    held = wanted | {part for site in catalogue if site.name in wanted for part in taps_behind(site)}
    return sum(
        math.prod(site.shape(dict(sizes))) * (1 if site.operation == "mask" else numbers)
        for site in catalogue
        if site.name in held
    )


def match_sites(model: "Transformer | AttentionByHand", *patterns: str) -> tuple[Site, ...]:
    """The sites that match any of the patterns, in the catalogue's order; no pattern matches every site.

    Raises:
        UnknownSite: when a pattern matches none, with names that come near.
    """
    require_transformer(model)
    return _match(model.sites(), patterns or ("*",))


# A decoder asks again in every step, with the same catalogue and the same patterns.
@lru_cache(maxsize=256)
def _match(catalogue: tuple[Site, ...], patterns: tuple[str, ...]) -> tuple[Site, ...]:
    for pattern in patterns:
        if not any(fnmatchcase(site.name, pattern) for site in catalogue):
            near = get_close_matches(pattern, [site.name for site in catalogue], n=3, cutoff=0.5)
            hint = f"; near it: {', '.join(near)}" if near else "; model.sites() lists them all"
            raise UnknownSite(f"no site of this model matches {pattern!r}{hint}")
    return tuple(site for site in catalogue if any(fnmatchcase(site.name, pattern) for pattern in patterns))


def refuse_compiled(model: "Transformer | AttentionByHand") -> None:
    """Refuse a model without taps: a compiled graph has none left, and other modules never had any.

    Raises:
        InputError: when the model is no Transformer of this package.
        CaptureError: when the model went through torch.compile.
    """
    require_transformer(model)
    # Asked of the dictionaries: a module answers for a missing attribute by raising, which takes its time.
    parts = (part for block in model.blocks for part in (block, *block._modules.values()) if part is not None)
    if "_orig_mod" in model._modules or any(
        "_orig_mod" in part._modules or part.__dict__.get("_compiled_call_impl") is not None for part in parts
    ):
        raise CaptureError("a compiled model cannot be recorded or edited; use the model as it was before")


def require_transformer(model: object) -> None:
    """Raise an InputError if an object is not a model of this package, whose values can be seen and decoded."""
    # Asked by what it has: a module of the model imports this one.
    if not isinstance(getattr(model, "taps", None), dict):
        is_run = isinstance(getattr(getattr(model, "model", None), "taps", None), dict)
        what = f"{type(model).__module__}.{type(model).__name__}"
        raise InputError(
            "give the run's model, run.model, not the run"
            if is_run
            else f"give a core.Transformer, not {what}; build one of a TransformerConfig, or load a run"
        )


@contextmanager
def _watching(watcher: Watcher) -> Iterator[None]:
    token = watchers.set((*watchers.get(), watcher))
    try:
        yield
    finally:
        watchers.reset(token)


class _OfModel:
    """A watcher sees the taps of its model and of no other."""

    needs_whole = False

    def __init__(self, model: "Transformer | AttentionByHand") -> None:
        self._taps = model.taps

    def watches(self, tap: Tap) -> bool:
        return self._taps.get(tap.name) is tap

    def edit(self, tap: Tap, value: Tensor) -> Tensor:
        return value

    def store(self, tap: Tap, value: Tensor) -> None:
        pass


class _Recorder(_OfModel):
    def __init__(
        self,
        model: "Transformer | AttentionByHand",
        names: set[str],
        values: dict[str, Tensor],
        max_bytes: int | None,
    ) -> None:
        super().__init__(model)
        self._names = names
        self._values = values
        self._max_bytes = max_bytes
        self._n_bytes = 0

    def wants(self, tap: Tap) -> bool:
        return tap.name in self._names and self.watches(tap)

    def store(self, tap: Tap, value: Tensor) -> None:
        if not self.wants(tap):
            return
        if tap.name in self._values:
            raise CaptureError(
                f"{tap.name!r} came up twice: open one record block for each forward pass of the model"
            )
        if self._max_bytes is not None:
            self._count(tap, value, self._max_bytes)
        self._values[tap.name] = self._kept(tap, value)

    def _kept(self, tap: Tap, value: Tensor) -> Tensor:
        # A copy, since the model computes with this value later, or it is a view of a table of the model.
        return value.detach().clone()

    def _count(self, tap: Tap, value: Tensor, max_bytes: int) -> None:
        self._n_bytes += value.numel() * value.element_size()
        if self._n_bytes > max_bytes:
            raise CaptureError(
                f"with {tap.name!r} the recording takes {self._n_bytes:,} bytes, over the limit of "
                f"{max_bytes:,}; record fewer sites, or shorter sequences"
            )


class _GraphRecorder(_Recorder):
    """Keeps the very values that the model goes on with, and sees to it that gradients reach them."""

    def edit(self, tap: Tap, value: Tensor) -> Tensor:
        if not self.wants(tap) or value.requires_grad or not value.is_floating_point():
            return value
        # A copy: what does not depend on a weight in training may be a view of a table of the model.
        return value.detach().clone().requires_grad_()

    def _kept(self, tap: Tap, value: Tensor) -> Tensor:
        return value


class _Editor(_OfModel):
    def __init__(self, model: "Transformer | AttentionByHand", functions: Mapping[str, list[Edit]]) -> None:
        super().__init__(model)
        self._functions = functions
        every = (function for several in functions.values() for function in several)
        self.needs_whole = any(not isinstance(each, PlacedEdit) or each.needs_whole for each in every)

    def wants(self, tap: Tap) -> bool:
        return tap.name in self._functions and self.watches(tap)

    def edit(self, tap: Tap, value: Tensor) -> Tensor:
        if not self.wants(tap):
            return value
        for function in self._functions[tap.name]:
            # A copy: an edit in place must reach neither the model's tables nor what is recorded before it.
            edited = _edited(tap.name, function, value.clone())
            _check_edit(tap.name, value, edited)
            value = edited
        return value


def _edited(name: str, function: Edit, value: Tensor) -> Tensor:
    if isinstance(function, PlacedEdit):
        return function.change(value, first_position.get())
    try:
        return function(value)
    except IndexError as error:
        raise CaptureError(
            f"the edit of {name!r} asks for a place outside of {list(value.shape)}; in a decoding, later positions "
            "are not there yet"
        ) from error


def _check_edit(name: str, before: Tensor, after: object) -> None:
    if not isinstance(after, Tensor):
        raise CaptureError(f"the edit of {name!r} must return a tensor, not {type(after).__name__}")
    if after.shape != before.shape:
        raise CaptureError(
            f"the edit of {name!r} changed its shape from {list(before.shape)} to {list(after.shape)}"
        )
    if (after.dtype, after.device) != (before.dtype, before.device):
        raise CaptureError(
            f"the edit of {name!r} must stay {before.dtype} on {before.device}, "
            f"not {after.dtype} on {after.device}"
        )
