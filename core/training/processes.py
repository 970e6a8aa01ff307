"""The processes that train one model together: distributed data parallel, or a single process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from core.errors import ConfigError, ExplorerError, RunError


@dataclass(frozen=True)
class Processes:
    """How many there are, and which one this is. The first, rank 0, alone writes.

    Attributes:
        rank: Of this process, counted from 0.
        count: Of all processes.
    """

    rank: int = 0
    count: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this is the one that validates and writes."""
        return self.rank == 0

    def share(self, model: nn.Module) -> nn.Module:
        """The model, or what calls it and averages its gradients over all processes."""
        return DistributedDataParallel(model) if self.count > 1 else model

    def sums(self, *values: float, device: torch.device) -> list[float]:
        """Each value summed over all processes; a whole number stays exact up to 2^53."""
        if self.count == 1:
            return list(values)
        # MPS has no float64, and no process group either; every device that has one can sum these.
        total = torch.tensor(values, dtype=torch.float64, device=device)
        dist.all_reduce(total)
        return total.tolist()

    def from_first(self, own: Tensor) -> Tensor:
        """The first process's tensor, in the place of one of the same shape and type."""
        if self.count > 1:
            there = own.to(self._meeting_place(own))
            dist.broadcast(there, 0)
            own.copy_(there)
        return own

    @contextmanager
    def together(self, device: torch.device) -> Iterator[None]:
        """A part that the others must not go beyond when one of them cannot.

        Raises:
            RunError: when it failed in another process.
        """
        failure: ExplorerError | None = None
        try:
            yield
        except ExplorerError as error:
            failure = error
        (failures,) = self.sums(float(failure is not None), device=device)
        if failure is not None:
            raise failure
        if failures:
            raise RunError("another process of this training cannot go on; see what it says")

    def gather(self, own: Tensor) -> list[Tensor]:
        """Every process's tensor of one shape, in the order of the ranks, on the CPU."""
        if self.count == 1:
            return [own]
        device = self._meeting_place(own)
        everyone = [torch.empty_like(own, device=device) for _ in range(self.count)]
        dist.all_gather(everyone, own.to(device))
        return [each.cpu() for each in everyone]

    def _meeting_place(self, own: Tensor) -> torch.device:
        """Where the processes can exchange it: NCCL knows GPUs alone."""
        return torch.device("cuda", torch.cuda.current_device()) if _uses_gpus() else own.device


ALONE = Processes()
"""A single process."""


@contextmanager
def joined(device: str) -> Iterator[tuple[Processes, str]]:
    """Join the processes that ``torchrun`` started, or be alone; with the device that is this process's own.

    gloo connects processes on CPUs, NCCL those on GPUs, where each takes the GPU of its local rank.

    Raises:
        ConfigError: when the devices do not fit.
    """
    count = _from_environment("WORLD_SIZE", 1)
    if count == 1:
        yield ALONE, device
        return
    kind = device.split(":")[0]
    if kind == "mps":
        raise ConfigError("several processes train on cpu or cuda, not on mps; start a single one")
    if kind == "cuda":
        local = _from_environment("LOCAL_RANK", 0)
        if local >= torch.cuda.device_count():
            raise ConfigError(
                f"{torch.cuda.device_count()} GPUs cannot serve {local + 1} processes on this machine; "
                "start one process for each GPU"
            )
        torch.cuda.set_device(local)
        device = f"cuda:{local}"
    try:
        # Long: the others wait while the first validates.
        dist.init_process_group("nccl" if kind == "cuda" else "gloo", timeout=timedelta(hours=2))
    except (ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise ConfigError(
            f"the processes do not find each other, start them by torchrun: {reason}"
        ) from error
    try:
        yield Processes(dist.get_rank(), dist.get_world_size()), device
    except dist.DistBackendError as error:
        raise _lost(error) from error
    except RuntimeError as error:
        # gloo has no error of its own.
        if "gloo" not in str(error).lower() and "connection" not in str(error).lower():
            raise
        raise _lost(error) from error
    finally:
        dist.destroy_process_group()


def _lost(error: Exception) -> RunError:
    reason = str(error).splitlines()[0]
    return RunError(f"another process of this training has ended, so this one ends too: {reason}")


def _uses_gpus() -> bool:
    return dist.get_backend() == "nccl"


def _from_environment(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name, default))
    except ValueError as error:
        raise ConfigError(f"{name} must be a whole number, as torchrun sets it") from error
