"""Runs the tests of one fault in a copy of the project, away from the working tree."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.faults import Fault

ROOT = Path(__file__).parents[2]
COPIED = ("core", "tests", "checkpoints", "pyproject.toml")
SECONDS = 90
"""Given to the tests of one fault, on a busy machine; they take about five."""


@dataclass(frozen=True)
class Outcome:
    """What pytest said.

    Attributes:
        green: Whether all tests passed.
        red: ``file::function`` of those that failed; empty when they could not even be collected.
        last_line: Of its output.
    """

    green: bool
    red: tuple[str, ...]
    last_line: str


@dataclass(frozen=True)
class Verdict:
    """Whether a fault was seen, and by which tests."""

    caught: bool
    sentence: str


def copy_project(folder: Path) -> Path:
    """What the tests of core need, copied into the folder."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def run_tests(root: Path, tests: Sequence[str]) -> Outcome:
    """Run these tests in a process of their own, with the sources under root."""
    # No bytecode: a fault of the same length, planted within a second, would be taken for the old file.
    own = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    others = {
        name: value for name, value in os.environ.items() if name not in ("PYTEST_ADDOPTS", "PROOF_FILE")
    }
    command = [sys.executable, "-m", "pytest", "--tb=no", "-rf", "-p", "no:cacheprovider", *tests]
    try:
        process = subprocess.run(
            command, cwd=root, env=others | own, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return Outcome(green=False, red=(), last_line=f"the tests took more than {SECONDS} seconds")
    lines = (process.stdout + process.stderr).strip().splitlines()
    # pytest says 1 when tests failed, and more when it could not run them.
    red = _failed(lines) if process.returncode == 1 else ()
    return Outcome(green=process.returncode == 0, red=red, last_line=lines[-1])


def _failed(lines: Sequence[str]) -> tuple[str, ...]:
    """Each test function once, in order, from the lines ``FAILED file::function[case] - reason``."""
    names = [line.split()[1].partition("[")[0] for line in lines if line.startswith("FAILED ")]
    return tuple(dict.fromkeys(names))


def verdict(fault: Fault, copy: Path) -> Verdict:
    """Plant the fault in the copy, run its tests, take it out again."""
    path = copy / fault.file
    right = path.read_text(encoding="utf-8")
    path.write_text(fault.planted(copy), encoding="utf-8")
    try:
        result = run_tests(copy, fault.tests)
    finally:
        path.write_text(right, encoding="utf-8")
    green = [test for test in fault.tests if test not in result.red]
    if not green:
        return Verdict(True, ", ".join(_function(test) for test in fault.tests))
    if result.green or result.red:
        return Verdict(False, f"SURVIVED: {', '.join(_function(test) for test in green)} stayed green")
    return Verdict(False, f"NOT TESTED: {result.last_line}")


def _function(test: str) -> str:
    return test.rpartition("::")[2]
