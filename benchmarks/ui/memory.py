"""The server's memory: with one visitor, and with thirty more who have seen the same pages."""

from contextlib import ExitStack
from pathlib import Path

from benchmarks.ui.visitor import Visitor

MORE = 30
TOUR = ("Step by step", "Self-attention", "Cross-attention", "Watch it run")
"""Pages that each visitor opens, and then stays on the last."""


def memory_per_visitor(url: str, port: int, more: int = MORE) -> float:
    """MiB that each further open session takes, beyond what all share."""
    with ExitStack() as sessions:

        def come() -> None:
            visitor = sessions.enter_context(Visitor(url))
            visitor.open()
            for title in TOUR:
                visitor.follow(title)

        # Twice: what the first visitor brings in, the threads' own heaps among it, is not paid for again.
        come()
        come()
        before = resident_bytes(port)
        for _ in range(more):
            come()
        return (resident_bytes(port) - before) / more / 2**20


def resident_bytes(port: int) -> int:
    """Memory of the Python process that serves a port.

    Raises:
        LookupError: when there is none, or the system has no /proc.
    """
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0")
            if str(port).encode() in command and b"python" in command[0]:
                pages = int((entry / "statm").read_text().split()[1])
                return pages * 4096
        except OSError:
            continue  # it has just ended
    raise LookupError(f"no process serves the port {port}, or this system does not list them in /proc")
