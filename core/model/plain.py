"""Tell whether a module still computes what its class says, so that a shortcut past it changes nothing."""

from functools import cache

from torch import nn


def is_plain_linear(module: nn.Module) -> bool:
    """Return True if a module is torch's own linear map without hooks, so that its matrix may be used directly."""
    return type(module) is nn.Linear and is_as_built(module) and not has_hooks(module)


def is_as_built(module: nn.Module) -> bool:
    """Return True if none of a module's methods was replaced on the instance and it is not compiled."""
    return module._compiled_call_impl is None and _methods(type(module)).isdisjoint(vars(module))  # type: ignore[arg-type]


def has_hooks(module: nn.Module) -> bool:
    """Return True if a hook is registered on the module.

    Global hooks do not count: profilers register them, and would then measure another computation.
    """
    return bool(
        module._forward_hooks
        or module._forward_pre_hooks
        or module._backward_hooks
        or module._backward_pre_hooks
    )


@cache
def _methods(kind: type) -> frozenset[str]:
    """Return the names of everything that instances of a class can be asked to do."""
    return frozenset(name for name in dir(kind) if callable(getattr(kind, name, None)))
