"""Measure how much memory each additional visitor takes on the server."""

from contextlib import ExitStack
from pathlib import Path

from benchmarks.ui.visitor import Visitor

ADDITIONAL = 30
TOUR = ("Step by step", "Self-attention", "Cross-attention", "Watch it run")
"""Titles of the pages that each visitor opens in turn, staying on the last one."""


def measure_memory_per_visitor(url: str, port: int, additional: int = ADDITIONAL) -> float:
    """Return the MiB that each additional open session takes."""
    with ExitStack() as sessions:

        def add_visitor() -> None:
            visitor = sessions.enter_context(Visitor(url))
            visitor.open()
            for title in TOUR:
                visitor.follow(title)

        # Two visitors warm up the server: imports, caches and thread heaps are paid for once.
        add_visitor()
        add_visitor()
        before = read_resident_bytes(port)
        for _ in range(additional):
            add_visitor()
        return (read_resident_bytes(port) - before) / additional / 2**20


def read_resident_bytes(port: int) -> int:
    """Return the resident memory of the Python process that serves a port.

    Raises:
        LookupError: when there is no such process, or the system has no /proc.
    """
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0")
            if str(port).encode() in command and b"python" in command[0]:
                pages = int((entry / "statm").read_text().split()[1])
                return pages * 4096
        except OSError:
            continue  # The process has ended in the meantime.
    raise LookupError(f"no Python process with port {port} on its command line was found in /proc")
