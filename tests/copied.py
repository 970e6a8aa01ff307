"""A copy of the project, away from the working tree, and tests that are run in it by a process of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOT_COPIED = shutil.ignore_patterns("baselines")


def copy_project(folder: Path, names: Iterable[str]) -> Path:
    """Copy files and folders of the project into a folder, with their bytecode, which saves compiling them again."""
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=NOT_COPIED)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def pytest_in(root: Path, arguments: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
    """Run pytest in a process of its own, with the sources under a root.

    Raises:
        TimeoutExpired: when it takes longer than so many seconds.
    """
    # No new bytecode: a change of the same length, made within a second, would be taken for the old file.
    own = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    not_its_own = ("PYTEST_ADDOPTS", "PROOF_FILE")
    others = {name: value for name, value in os.environ.items() if name not in not_its_own}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=root, env=others | own, capture_output=True, text=True, timeout=seconds
    )
