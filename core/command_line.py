"""Shared parts of the commands: options for device and threads, parsing and formatting of numbers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

MAX_THREADS = 1024
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def add_machine(parser: argparse.ArgumentParser) -> None:
    """Options for what computes, and on how many threads."""
    parser.add_argument("--device", default="cpu", help="device: cpu, cuda or mps (default: cpu)")
    # A second thread brings a third at best, and costs ten times that where other work shares the cores.
    parser.add_argument(
        "--threads",
        type=whole_number(MAX_THREADS),
        default=1,
        metavar="N",
        help="number of CPU threads (default: 1)",
    )


def whole_number(most: int) -> Callable[[str], int]:
    """Reads a whole number from 1 to another."""

    def read(text: str) -> int:
        number = int(text) if text.isdecimal() and len(text) < 10 else 0
        if not 1 <= number <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {most:,}, not {text[:20]!r}")
        return number

    return read


def say(sentence: object) -> None:
    """A notice or an error, beside what is printed for the next program."""
    print(sentence, file=sys.stderr)


def leave_broken_pipe() -> None:
    """The reader has enough, as `head` has; what Python would flush at its end has nobody to go to."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def part(share: float, of: float) -> str:
    """A share of a number as two whole numbers."""
    return f"{round(share * of):,} of {int(of):,}"


def percent(share: float) -> str:
    """A share as percent with a decimal; what is not all never reads as 100 %."""
    text = f"{share:.1%}"
    return ">99.9%" if share < 1 and text == "100.0%" else text
