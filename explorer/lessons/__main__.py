"""``python -m explorer.lessons check FILE …``: play lessons against the shipped models."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from explorer.app import REGISTRY
from explorer.lessons.checking import play
from explorer.lessons.lesson import LessonError
from explorer.lessons.reading import CONTENT, read_lesson_file
from explorer.models.known import known_runs


def main(arguments: list[str] | None = None) -> int:
    """Check the files; print what their stops say. The exit status is 1 when a sentence of fault was printed."""
    parser = argparse.ArgumentParser(prog="python -m explorer.lessons", description="Check lesson files.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="run lessons against the shipped models and report faults")
    check.add_argument("file", nargs="*", type=Path, help="lesson files (default: all shipped lessons)")
    check.add_argument("--quiet", action="store_true", help="print only the faults")
    given = parser.parse_args(arguments)
    faults = [
        fault
        for path in given.file or sorted(CONTENT.glob("*.toml"))
        for fault in _checked(path, given.quiet)
    ]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _checked(path: Path, quiet: bool) -> list[str]:
    try:
        lesson = read_lesson_file(path, REGISTRY)
    except LessonError as error:
        return [str(error)]
    played = play(lesson, known_runs(), REGISTRY)
    if not quiet:
        print(f"{lesson.title} ({path.name})", *played.lines, sep="\n")
        print(f"{len(played.faults) or 'No'} fault{'' if len(played.faults) == 1 else 's'}.\n")
    return played.faults


if __name__ == "__main__":
    sys.exit(main())
