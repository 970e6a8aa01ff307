"""A program in a Python of its own, which has imported nothing yet."""

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import PATIENCE

ROOT = Path(__file__).parents[1]


def said_by(program: str, *, told: str = "", **variables: str) -> str:
    """What a program writes; it must end well.

    Args:
        program: Its text.
        told: What it reads.
        variables: Of its environment, besides the test's own.
    """
    return subprocess.run(
        [sys.executable, "-c", program],
        input=told,
        env={**os.environ, **variables},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    ).stdout
