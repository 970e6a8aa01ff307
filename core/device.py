"""Devices and number formats by name, with a sentence where one is not to be had."""

import os

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
        device = torch.device(name)
    except RuntimeError as error:
        raise ConfigError(
            f"device must be cpu, cuda, mps or one with a number as cuda:1, not {name!r}"
        ) from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ConfigError(f"device {name!r} is not there: this machine has {torch.cuda.device_count()} GPUs")
    return device


def memory_of(device: torch.device) -> int | None:
    """Bytes of memory that the device has in all, or None where that cannot be asked."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[1])
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
