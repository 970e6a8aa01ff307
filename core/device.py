"""Devices and number formats by name, with a sentence where one is not to be had."""

import os
import platform
from pathlib import Path

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


def describe_machine(device: torch.device | str = "cpu") -> str:
    """Name the processor or GPU, the version of torch and the number of threads."""
    if torch.device(device).type == "cuda":
        return f"{torch.cuda.get_device_name(device)}, torch {torch.__version__}"
    threads = torch.get_num_threads()
    return f"{read_processor_name()}, torch {torch.__version__}, {threads} thread{'s' if threads > 1 else ''}"


def read_processor_name() -> str:
    """Read the processor's name from /proc/cpuinfo, or ask the platform where that is missing."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def memory_of(device: torch.device) -> int | None:
    """Bytes of memory that the device has in all, or None where that cannot be asked."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[1])
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
