"""Installing: the small build of torch where no GPU is, exact versions everywhere, and nothing twice."""

import os
import platform
import re
import shutil
import subprocess
import sys
import time
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
TORCH = next(
    line for line in (ROOT / "requirements.txt").read_text().splitlines() if line.startswith("torch")
)
INDEX = "https://download.pytorch.org/whl/cpu"

# Notes what pip is asked for, and answers as files beside it say; what is installed here it sees, or nothing.
PYTHON = f"""#!/bin/sh
here=$(dirname "$0")
case "$1" in
  -c) if test -e "$here/has_torch"; then exec {sys.executable} "$@"; else exec {sys.executable} -S "$@"; fi ;;
  *) echo "$*" >>"$here/asked"
     case "$*" in *--index-url*) test -e "$here/index_answers" ;; esac ;;
esac
"""


class House:
    """A copy of what `make` reads, a machine of pretence around it, and an environment that notes what is installed."""

    def __init__(self, root: Path) -> None:
        self.root, self.bin, self.tools = root, root / ".venv" / "bin", root / "tools"
        for folder in (self.bin, self.tools):
            folder.mkdir(parents=True)
        for name in (
            "Makefile",
            "pyproject.toml",
            "requirements.txt",
            "requirements-test.txt",
            "constraints.txt",
        ):
            shutil.copy(ROOT / name, root)
        self.tool(self.bin / "python", PYTHON)
        self.machine(system="Linux", gpu=False)
        (root / ".venv" / ".created").touch()

    def tool(self, path: Path, script: str) -> None:
        path.write_text(script)
        path.chmod(0o755)

    def machine(self, *, system: str, gpu: bool) -> None:
        self.tool(self.tools / "uname", f"#!/bin/sh\necho {system}\n")
        self.tool(
            self.tools / "nvidia-smi", "#!/bin/sh\necho GPU 0: a card\n" if gpu else "#!/bin/sh\nexit 9\n"
        )

    def has(self, name: str) -> None:
        (self.bin / name).touch()

    def make(self, *arguments: str, target: str = ".venv/.installed-run") -> tuple[list[str], str]:
        """What pip was asked to install, one line for each time, and what was said."""
        environment = {"PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            ["make", "--silent", target, *arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        asked = self.bin / "asked"
        lines = asked.read_text().splitlines() if asked.exists() else []
        asked.unlink(missing_ok=True)
        return lines, done.stdout


@pytest.fixture
def house(tmp_path) -> House:
    if not shutil.which("make"):
        pytest.skip("there is no make")
    return House(tmp_path)


def asked_index(lines: list[str]) -> list[str]:
    return [line for line in lines if "--index-url" in line]


def test_without_a_gpu_torch_comes_from_the_index_of_small_builds(house):
    house.has("index_answers")
    lines, said = house.make()
    first, second = lines
    assert f"--index-url {INDEX} {TORCH}" in first
    assert "--no-deps" in first, "that index has old versions of everything else"
    assert "--retries 0 --timeout 10" in first, "behind a wall it may never answer"
    assert "--index-url" not in second
    assert second.endswith("-r requirements.txt")
    assert re.search(r"without GPU libraries: \d+ MB", said)
    assert "GB" not in said


def test_where_that_index_cannot_be_had_it_is_said_how_large_the_other_build_is(house):
    lines, said = house.make()
    assert len(asked_index(lines)) == 1
    assert lines[-1].endswith("-r requirements.txt")
    assert re.search(r"That failed\. Installing.*[\d.]+ GB to download, [\d.]+ GB on disk", said, re.DOTALL)


@pytest.mark.parametrize(
    "about",
    [
        {"has": "has_torch"},
        {"machine": {"system": "Darwin", "gpu": False}},
        {"arguments": ["TORCH_INDEX="]},
        {"machine": {"system": "Linux", "gpu": True}, "says": "Found a GPU: .* 5.5 GB"},
    ],
)
def test_nobody_is_asked_where_that_would_be_of_no_use(house, about):
    house.has("index_answers")
    if "has" in about:
        house.has(about["has"])
    if "machine" in about:
        house.machine(**about["machine"])
    lines, said = house.make(*about.get("arguments", ()))
    assert len(lines) == 1
    assert lines[0].endswith("-r requirements.txt")
    assert re.search(about.get("says", "^$"), said)


def test_an_index_that_somebody_names_is_asked_whatever_the_machine_has(house):
    house.has("index_answers")
    house.machine(system="Linux", gpu=True)
    lines, said = house.make("TORCH_INDEX=https://example.test/whl")
    assert "--index-url https://example.test/whl" in lines[0]
    assert said == f"Installing {TORCH} from https://example.test/whl ...\n", "what it has is not known"


def test_everything_is_installed_once_in_its_exact_version_and_again_when_these_change(house):
    lines, _ = house.make(target=".venv/.installed-test")
    assert lines[-1].endswith("-r requirements-test.txt")
    assert all("--constraint constraints.txt" in line for line in lines)
    assert house.make(target=".venv/.installed-test") == ([], "")
    later = time.time() + 60
    os.utime(house.root / "constraints.txt", (later, later))
    lines, _ = house.make(target=".venv/.installed-test")
    assert [line.split()[-1] for line in lines[-2:]] == ["requirements.txt", "requirements-test.txt"]


def test_the_docs_are_built_without_torch(house):
    lines, _ = house.make(target=".venv/.installed-docs")
    (line,) = lines
    assert "--constraint constraints.txt" in line
    assert line.endswith("-r /dev/stdin")
    assert house.make(target=".venv/.installed-docs") == ([], "")
    assert "torch" not in {Requirement(text).name for text in docs_group()}


def docs_group() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project["optional-dependencies"]["docs"]


def constraints() -> dict[str, Version]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    found = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(each.name): Version(str(each.specifier).removeprefix("==")) for each in found}


def test_a_constraint_is_a_name_and_a_version_that_every_machine_can_have():
    first, *lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert re.fullmatch(r"# Made by `make constraints`, with Python 3\.\d+\.\d+ on \w+\. .*", first)
    assert lines == sorted(lines, key=lambda line: line.lower().split("==")[0])
    for line in lines:
        # No label of a local build, no path and no digest of a file that only one machine has.
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line), line


def test_the_docs_group_is_within_the_constraints():
    exact = constraints()
    for text in docs_group():
        requirement = Requirement(text)
        assert exact[canonicalize_name(requirement.name)] in requirement.specifier, (
            f"make constraints: {text}"
        )


def needed(name: str, seen: dict[str, Requirement]) -> None:
    """Collect what a requirement brings on this machine, whatever lies beside it."""
    for text in distribution(name).requires or ():
        each = Requirement(text)
        key = canonicalize_name(each.name)
        if key in seen or (each.marker and not each.marker.evaluate({"extra": ""})):
            continue
        try:
            distribution(key)
        except PackageNotFoundError:
            continue  # The build of torch for processors lacks the libraries that it names for GPUs.
        seen[key] = each
        needed(key, seen)


def test_everything_that_is_used_here_is_the_version_that_is_written_down():
    exact, seen = constraints(), dict[str, Requirement]()
    for name in ("requirements.txt", "requirements-test.txt"):
        for line in (ROOT / name).read_text().splitlines():
            if not line.startswith(("#", "-r")):
                each = Requirement(line)
                assert exact[canonicalize_name(each.name)] in each.specifier, f"make constraints: {line}"
                seen[canonicalize_name(each.name)] = each
    for name in list(seen):
        needed(name, seen)
    # Another system may need a package more, of any version.
    missing = set(seen) - set(exact) if platform.system() == "Linux" else set()
    assert not missing, "make constraints"
    for name in set(seen) & set(exact):
        here = Version(distribution(name).version)
        assert Version(here.public) == exact[name], f"{name}: make installs what constraints.txt says"


def test_the_image_is_made_of_the_same_versions():
    image = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^COPY requirements\.txt constraints\.txt", image, re.MULTILINE)
    commands = re.findall(r"pip install [^&|]*", image.replace("\\\n", " "))
    assert len(commands) == 2
    assert all("--constraint constraints.txt" in command for command in commands)
    assert f'ARG TORCH_INDEX="{INDEX}"' in image
