"""`record` and `edit`: look at, or change, the values of one model inside a `with` block."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from torch import Tensor, nn

from core.activations.activations import Activations, taps_behind
from core.activations.sites import Site
from core.activations.tap import Tap, Watcher, watchers
from core.errors import CaptureError, UnknownSite

if TYPE_CHECKING:
    from core.model.transformer import Transformer

Edit = Callable[[Tensor], Tensor]


@contextmanager
def record(model: "Transformer", *patterns: str) -> Iterator[Activations]:
    """Record the sites that match, during one forward pass inside the block.

    ``*`` stands for any text: ``record(model, "decoder.layers.*.cross_attn.weights")``. No pattern means
    every site. The values are detached, and on the CPU when the block ends. Recording makes attention
    take its eager path, whose every bit stays as it is without recording.

    A generator must not yield inside the block: its caller would be recorded too.

    Raises:
        UnknownSite: when a pattern matches no site of the model.
        CaptureError: for a compiled model, a second forward pass in one block, or none.
    """
    refuse_compiled(model)
    wanted = match_sites(model, *(patterns or ("*",)))
    values: dict[str, Tensor] = {}
    needed = {part for site in wanted for part in taps_behind(site)}
    with _watching(_Recorder(model, needed, values)):
        yield Activations(wanted, values, model.config.norm_eps)
    if not values:
        raise CaptureError("nothing was recorded: run the model once inside the with block")
    for name, value in values.items():
        values[name] = value.cpu()


@contextmanager
def edit(model: "Transformer", edits: Mapping[str, Edit]) -> Iterator[None]:
    """Change values on their way: ``edit(model, {"….weights": lambda weights: weights * 0})``.

    Keys are site names or patterns; each function gets the value and returns one of the same shape.

    Raises:
        UnknownSite: when a key matches no site of the model.
        CaptureError: when a site is derived, so that nothing reads it, or an edit changes a shape.
    """
    refuse_compiled(model)
    functions: dict[str, list[Edit]] = {}
    for pattern, function in edits.items():
        for site in match_sites(model, pattern):
            if not site.editable:
                raise CaptureError(
                    f"{site.name!r} is derived, nothing reads it; edit {site.inputs[0]!r} instead"
                )
            functions.setdefault(site.name, []).append(function)
    with _watching(_Editor(model, functions)):
        yield


def match_sites(model: "Transformer", *patterns: str) -> tuple[Site, ...]:
    """The sites that match any of the patterns, in the catalogue's order.

    Raises:
        UnknownSite: when a pattern matches none, with names that come near.
    """
    catalogue = model.sites()
    for pattern in patterns:
        if not any(fnmatchcase(site.name, pattern) for site in catalogue):
            near = get_close_matches(pattern, [site.name for site in catalogue], n=3, cutoff=0.5)
            hint = f"; near it: {', '.join(near)}" if near else "; model.sites() lists them all"
            raise UnknownSite(f"no site of this model matches {pattern!r}{hint}")
    return tuple(site for site in catalogue if any(fnmatchcase(site.name, pattern) for pattern in patterns))


def refuse_compiled(model: nn.Module) -> None:
    """A compiled graph has no taps left to look through.

    Raises:
        CaptureError: when the model went through torch.compile.
    """
    if hasattr(model, "_orig_mod") or getattr(model, "_compiled_call_impl", None) is not None:
        raise CaptureError("a compiled model cannot be recorded or edited; use the model as it was before")


@contextmanager
def _watching(watcher: Watcher) -> Iterator[None]:
    token = watchers.set((*watchers.get(), watcher))
    try:
        yield
    finally:
        watchers.reset(token)


class _OfModel:
    """A watcher sees the taps of its model and of no other."""

    def __init__(self, model: "Transformer") -> None:
        self._taps = model.taps

    def watches(self, tap: Tap) -> bool:
        return self._taps.get(tap.name) is tap

    def edit(self, tap: Tap, value: Tensor) -> Tensor:
        return value

    def store(self, tap: Tap, value: Tensor) -> None:
        pass


class _Recorder(_OfModel):
    def __init__(self, model: "Transformer", names: set[str], values: dict[str, Tensor]) -> None:
        super().__init__(model)
        self._names = names
        self._values = values

    def store(self, tap: Tap, value: Tensor) -> None:
        if tap.name not in self._names or not self.watches(tap):
            return
        if tap.name in self._values:
            raise CaptureError(
                f"{tap.name!r} came up twice: open one record block for each forward pass of the model"
            )
        self._values[tap.name] = value.detach()


class _Editor(_OfModel):
    def __init__(self, model: "Transformer", functions: Mapping[str, list[Edit]]) -> None:
        super().__init__(model)
        self._functions = functions

    def edit(self, tap: Tap, value: Tensor) -> Tensor:
        if tap.name not in self._functions or not self.watches(tap):
            return value
        for function in self._functions[tap.name]:
            edited = function(value)
            if edited.shape != value.shape:
                raise CaptureError(
                    f"the edit of {tap.name!r} changed its shape from {list(value.shape)} to {list(edited.shape)}"
                )
            value = edited
        return value
