"""Devices and number formats by name, with a sentence where one is not to be had."""

import torch

from core.config import DTypeName
from core.errors import ConfigError

DTYPES: dict[DTypeName, torch.dtype] = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float64": torch.float64,
}


def resolve_device(name: str = "cpu") -> torch.device:
    """The device called "cpu", "cuda" or "mps" (or "cuda:1", …).

    Raises:
        ConfigError: when this machine, or this build of torch, has no such device.
    """
    kind = name.split(":")[0]
    available = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if kind not in available:
        raise ConfigError(f"device must be cpu, cuda or mps, not {name!r}")
    if not available[kind]:
        raise ConfigError(f"device {name!r} is not available on this machine; use cpu")
    try:
        return torch.device(name)
    except RuntimeError as error:
        raise ConfigError(
            f"device must be cpu, cuda, mps or one with a number as cuda:1, not {name!r}"
        ) from error
