"""Every speed in one table, printed and kept in benchmarks/README.md.

    make bench, or python -m benchmarks [--quick] [--device cuda] [--learning]

On the CPU: one torch thread and CPU seconds, in float32. On a GPU: the training step alone, wall seconds once the
GPU has finished, in float32 and, by autocast, in bfloat16.
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

README = Path(__file__).with_name("README.md")
ROUNDS = 15
QUICK_ROUNDS = 3


def table(rows: Iterable[Row]) -> str:
    """The rows as Markdown, with what each was to reach."""
    lines = ["| size | what | × | goal | aim |", "|---|---|---|---|---|"]
    for row in rows:
        goal = f"≥ {row.at_least}" if row.at_least else f"≤ {row.at_most}" if row.at_most else ""
        aim = f"≥ {row.aim}" if row.aim else ""
        lines.append(f"| {row.size} | {row.what} | {row.ratio:.2f} | {goal} | {aim} |")
    return "\n".join(lines)


def refreshed(page: str, section: str, text: str) -> str:
    """The page with the text between the section's two comments, and all else as it was.

    Raises:
        ValueError: when the page has no such comments.
    """
    first, last = f"<!-- {section} -->\n", f"<!-- end of {section} -->"
    before, found_first, rest = page.partition(first)
    _, found_last, after = rest.partition(last)
    if not (found_first and found_last):
        raise ValueError(f"put the lines {first.strip()} and {last} into {README.name} first")
    return f"{before}{first}\n{text}\n\n{last}{after}"


def keep(section: str, text: str) -> None:
    """Print the text and keep it in the README."""
    print(text)
    README.write_text(refreshed(README.read_text(encoding="utf-8"), section, text), encoding="utf-8")


def on_cpu(rounds: int) -> str:
    """Words about the machine and the table of everything on one thread."""
    # Its peer is a large library, which the rest does without.
    from benchmarks import decoding

    rows = training.measure(rounds) + recording.measure(rounds) + decoding.measure(rounds)
    rows += interventions.measure(rounds) + machine.measure(rounds)
    rate = f"float32 matrices multiply at {machine.gflops(rounds):.0f} GFLOP/s"
    return f"{machine.description()}, {datetime.date.today()}; {rate}.\n\n{table(rows)}"


def on_gpu(rounds: int, device: str) -> str:
    """Words about the GPU and the table of the training step in two dtypes."""
    rows = []
    for name, dtype in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        measured = training.measure(rounds, device=device, dtype=dtype)
        # The goals are those of the CPU.
        rows += [replace(row, what=f"{row.what}, {name}", at_least=None, aim=None) for row in measured]
    return f"{machine.description(device)}, {datetime.date.today()}.\n\n{table(rows)}"


def learning() -> str:
    """The table of benchmarks.learning, which takes many minutes."""
    command = [sys.executable, "-m", "benchmarks.learning"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed beside peers.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, less exact")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--learning", action="store_true", help="measure the time to learn, too")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    if torch.device(options.device).type == "cpu":
        keep("cpu", on_cpu(rounds))
    else:
        keep("gpu", on_gpu(rounds, options.device))
    if options.learning:
        keep("learning", learning())


if __name__ == "__main__":
    main()
