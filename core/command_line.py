"""Shared parts of the commands: options for device and threads, parsing and formatting of numbers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from core.data.pairs.report import ReadingOptions

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


def add_reading_arguments(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    """Options for how files of pairs are read."""
    group.add_argument(
        "--columns",
        type=_two_columns,
        metavar="N,N",
        help="numbers of the source column and the target column (default: by their names, or the first two with text)",
    )
    group.add_argument(
        "--header",
        dest="has_header",
        action=argparse.BooleanOptionalAction,
        help="whether the first line names the columns (default: as it looks)",
    )
    group.add_argument(
        "--drop-unchanged",
        action="store_true",
        default=None,
        help="drop pairs whose target equals their source (default: keep them)",
    )


def reading_options(options: Mapping[str, Any], *, keep_spaces: bool) -> ReadingOptions:
    """Return how files of pairs are read, by what was typed for `add_reading_arguments`."""
    return ReadingOptions(
        columns=options["columns"],
        has_header=options["has_header"],
        keep_spaces=keep_spaces,
        drop_unchanged=bool(options["drop_unchanged"]),
    )


def _two_columns(text: str) -> tuple[int, int]:
    numbers = text.split(",")
    if len(numbers) != 2 or not all(number.isdecimal() and len(number) < 6 for number in numbers):
        raise argparse.ArgumentTypeError(
            f"must be two numbers such as 1,3, the source first, not {text[:20]!r}"
        )
    return int(numbers[0]), int(numbers[1])


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
