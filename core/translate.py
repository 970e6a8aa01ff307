"""Translate from the command line: ``python -m core.translate --run checkpoints/en-fr "the small cat sleeps"``."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.config import DecodeConfig
from core.errors import ExplorerError
from core.run import load_run


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry of the command; 0 when everything was translated, 2 when something could not be."""
    parser = argparse.ArgumentParser(prog="python -m core.translate", description="Translate with a run.")
    parser.add_argument("text", nargs="*", help="sentences; without any, one is read from each line of stdin")
    parser.add_argument("--run", required=True, type=Path, help="folder of the run")
    parser.add_argument("--max-length", type=int, default=50, help="most tokens produced")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 is greedy; above 0 samples")
    parser.add_argument("--seed", type=int, default=0, help="of the draws when sampling")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")
    options = parser.parse_args(arguments)
    try:
        run = load_run(options.run, options.device)
        config = DecodeConfig(
            max_length=options.max_length, temperature=options.temperature, seed=options.seed
        )
    except ExplorerError as error:
        print(error, file=sys.stderr)
        return 2
    failed = False
    for text in options.text or (line.rstrip("\n") for line in sys.stdin):
        try:
            print(run.translate(text, config), flush=True)
        except ExplorerError as error:
            failed = True
            print(error, file=sys.stderr)
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
