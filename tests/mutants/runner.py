"""Runs the tests of one fault in a copy of the project, away from the working tree."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.copied import pytest_in
from tests.mutants.faults import Fault

COPIED = ("core", "tests", "checkpoints", "pyproject.toml")
"""What the tests of core need."""
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


def run_tests(root: Path, tests: Sequence[str]) -> Outcome:
    """Run these tests in a process of their own, with the sources under root."""
    try:
        process = pytest_in(root, ["--tb=no", "-rfE", *tests], SECONDS)
    except subprocess.TimeoutExpired:
        return Outcome(green=False, red=(), last_line=f"the tests took more than {SECONDS} seconds")
    lines = (process.stdout + process.stderr).strip().splitlines()
    # pytest says 1 when tests failed, and more when it could not run them.
    red = _failed(lines) if process.returncode == 1 else ()
    return Outcome(green=process.returncode == 0, red=red, last_line=lines[-1])


def _failed(lines: Sequence[str]) -> tuple[str, ...]:
    """Return each test function once, in order, from the lines ``FAILED file::function[case] - reason``.

    A fault may show in a fixture already; pytest calls that an ERROR of the test.
    """
    names = [line.split()[1].partition("[")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))]
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
