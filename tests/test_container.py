"""The container is made of files that are there, all that the app imports is among them, and nobody is root in it."""

import ast
import json
import re
import sys
from pathlib import Path

import pytest

from tests.source_rules import parsed

ROOT = Path(__file__).parent.parent
LINES = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text()).splitlines()


def said(instruction: str) -> list[str]:
    return [line.removeprefix(instruction).strip() for line in LINES if line.startswith(f"{instruction} ")]


def copied() -> set[str]:
    """Files and folders of the project that the image is made of."""
    return {part for line in said("COPY") for part in line.split()[:-1]}


def test_what_is_copied_is_there_and_goes_to_the_builder():
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied() == sent
    assert all((ROOT / name).exists() for name in sent)


@pytest.mark.proof
def test_all_that_the_app_imports_is_in_the_image():
    pinned = {re.split(r"[=<>]", line)[0] for line in (ROOT / "requirements.txt").read_text().splitlines()}
    brought = {"google", "pyarrow", "starlette"}  # With streamlit.
    ours = {Path(name).stem for name in copied()}
    known = sys.stdlib_module_names | pinned | brought | ours
    for name in copied():
        for path in [ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"):
            for node in ast.walk(parsed(path)):
                found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                found += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
                tops = {module.split(".")[0] for module in found}
                assert tops <= known, path


def test_it_is_the_class_mode_of_nobody_special_with_a_volume_and_a_pulse():
    assert said("USER") == ["explorer"]
    assert LINES.index("USER explorer") < next(n for n, line in enumerate(LINES) if line.startswith("CMD"))
    assert said("VOLUME") == ["/runs"]
    assert "EXPLORER_RUNS=/runs" in said("ENV")[0]
    assert json.loads(said("CMD")[0])[:3] == ["python", "-m", "explorer.server.serve"]
    (pulse,) = said("HEALTHCHECK")
    compile(json.loads(pulse[pulse.index("[") :])[2], "HEALTHCHECK", "exec")
    assert re.search(r"^torch==[\d.]+$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
