"""What all processes that the server starts have in common: they do not know its secret, and they give way to pages."""

from __future__ import annotations

import os
from contextlib import suppress

from explorer.server.limits import ADMIN_TOKEN

NICENESS = 10
"""How far a child process stands back, so that pages come first."""


def child_environment() -> dict[str, str]:
    """What a process gets to know of the server's environment: all but its secret; it computes on one core."""
    known = {name: value for name, value in os.environ.items() if name != ADMIN_TOKEN}
    return {**known, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}


def give_way(process_id: int) -> None:
    """Let a process that has just been started wait while others compute, where the system knows niceness."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process_id, NICENESS)
