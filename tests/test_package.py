"""`pip install .` and `pip install -e .` give `core` with everything that it reads, for programs anywhere."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROGRAM = """
import core, sys
from core import *
from core.experiments.measured import read_measured
from importlib.resources import files
assert files("core").joinpath("py.typed").is_file()
assert read_measured()
print(core.__file__)
print(load_run(sys.argv[1]).translate("the small cat does not sleep"))
"""


def test_what_is_needed_is_what_the_requirements_say():
    project = PROJECT["project"]
    needed = {*project["dependencies"], *project["optional-dependencies"]["frames"]}
    assert needed <= set((ROOT / "requirements.txt").read_text().splitlines())


def test_every_folder_of_core_is_a_package_and_every_other_file_is_taken_along():
    files = [path.relative_to(ROOT / "core") for path in (ROOT / "core").rglob("*") if path.is_file()]
    others = {path.as_posix() for path in files if path.suffix not in {".py", ".pyc"}}
    assert others == set(PROJECT["tool"]["setuptools"]["package-data"]["core"])
    modules = {path.parent for path in files if path.suffix == ".py"}
    assert all((ROOT / "core" / folder / "__init__.py").is_file() for folder in modules)


@pytest.mark.proof
@pytest.mark.long
def test_installed_core_works_outside_the_project(tmp_path):
    project, home = tmp_path / "project", tmp_path / "elsewhere"
    shutil.copytree(ROOT / "core", project / "core", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True)
    python = home / "venv" / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "--quiet",
        "--disable-pip-version-check",
        "install",
    ]
    # torch and the like are those of this environment: a gigabyte more would prove nothing.
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    shipped = str(ROOT / "checkpoints" / "en-fr")

    def said(*command: str) -> list[str]:
        done = subprocess.run(
            [python, *command], check=True, cwd=home, env=environment, text=True, capture_output=True
        )
        return done.stdout.splitlines()

    for how, place in (("-e",), project), ((), home):
        subprocess.run([*pip, "--no-deps", *how, "."], check=True, cwd=project)
        where, french = said("-c", PROGRAM, shipped)
        assert Path(where).is_relative_to(place)
        assert french == "le petit chat ne dort pas"
    assert said("-m", "core.translate", "--run", shipped, "a dog sings") == ["un chien chante"]
