"""Measure the memory and the processor time that visitors take on the server."""

import os
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
    """Return the resident memory of the Python process that serves a port."""
    return int((find_server(port) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def read_processor_seconds(port: int) -> float:
    """Return the processor time that the Python process that serves a port has used."""
    fields = (find_server(port) / "stat").read_text().rpartition(")")[2].split()
    user, system = map(int, fields[11:13])
    return (user + system) / os.sysconf("SC_CLK_TCK")


def find_server(port: int) -> Path:
    """Return the folder in /proc of the Python process that serves a port.

    Raises:
        LookupError: there is no such process, or the system has no /proc.
    """
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0")
            if str(port).encode() in command and b"python" in command[0]:
                return entry
        except OSError:
            continue  # The process has ended in the meantime.
    raise LookupError(f"no Python process with port {port} on its command line was found in /proc")
