"""Measure the model beside its peers; print the tables and store them in benchmarks/README.md.

    make bench, or python -m benchmarks [--quick] [--device cuda] [--learning]

The CPU is measured in CPU seconds on one torch thread, in float32. A GPU is measured in wall-clock seconds after
synchronising, for the training step only, in float32 and in bfloat16 by autocast.
"""

import argparse
import datetime
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks import interventions, machine, recording, training
from benchmarks.compare import Row
from core.device import describe_machine

README = Path(__file__).with_name("README.md")
ROUNDS = 15
QUICK_ROUNDS = 3


def format_table(rows: Iterable[Row]) -> str:
    """Format the rows as a Markdown table with their goals."""
    lines = ["| size | measurement | × | goal | aim |", "|---|---|---|---|---|"]
    for row in rows:
        goal = f"≥ {row.at_least}" if row.at_least else f"≤ {row.at_most}" if row.at_most else ""
        aim = f"≥ {row.aim}" if row.aim else ""
        lines.append(f"| {row.size} | {row.what} | {row.ratio:.2f} | {goal} | {aim} |")
    return "\n".join(lines)


def replace_section(page: str, section: str, text: str) -> str:
    """Replace the text between the two marker comments of a section; leave the rest of the page unchanged.

    Raises:
        ValueError: when the page lacks one of the two comments.
    """
    first, last = f"<!-- {section} -->\n", f"<!-- end of {section} -->"
    before, found_first, rest = page.partition(first)
    _, found_last, after = rest.partition(last)
    if not (found_first and found_last):
        raise ValueError(f"{README.name} lacks the lines {first.strip()} and {last}; add them")
    return f"{before}{first}\n{text}\n\n{last}{after}"


def print_and_store(section: str, text: str) -> None:
    """Print the text and store it in its section of the README."""
    print(text)
    page = replace_section(README.read_text(encoding="utf-8"), section, text)
    README.write_text(page, encoding="utf-8")


def measure_cpu(rounds: int) -> str:
    """Describe the machine and return the table of all measurements on one thread."""
    # Imported here because it needs transformers, which the other measurements do without.
    from benchmarks import decoding

    rows = training.measure(rounds) + recording.measure(rounds) + decoding.measure(rounds)
    rows += interventions.measure(rounds) + machine.measure(rounds)
    rate = f"two large float32 matrices multiply at {machine.measure_gflops(rounds):.0f} GFLOP/s"
    return f"{describe_machine()}, {datetime.date.today()}; {rate}.\n\n{format_table(rows)}"


def measure_gpu(rounds: int, device: str) -> str:
    """Describe the GPU and return the table of the training step in two dtypes."""
    rows = []
    for name, dtype in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        measured = training.measure(rounds, device=device, dtype=dtype)
        # The goals are set for the CPU and mean nothing on a GPU.
        rows += [replace(row, what=f"{row.what}, {name}", at_least=None, aim=None) for row in measured]
    return f"{describe_machine(device)}, {datetime.date.today()}.\n\n{format_table(rows)}"


def measure_learning() -> str:
    """Return the table of `benchmarks.learning`, which takes many minutes."""
    command = [sys.executable, "-m", "benchmarks.learning"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def main() -> None:
    """Measure, print and store the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Compare the model's speed with its peers and store the tables in benchmarks/README.md.",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"{QUICK_ROUNDS} rounds per measurement instead of {ROUNDS}: faster and less precise",
    )
    parser.add_argument("--device", default="cpu", help="cpu or cuda (default: cpu)")
    parser.add_argument(
        "--learning", action="store_true", help="also measure how many updates each task takes to learn"
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    if torch.device(options.device).type == "cpu":
        print_and_store("cpu", measure_cpu(rounds))
    else:
        print_and_store("gpu", measure_gpu(rounds, options.device))
    if options.learning:
        print_and_store("learning", measure_learning())


if __name__ == "__main__":
    main()
