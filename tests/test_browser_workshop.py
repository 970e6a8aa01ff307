"""The committed bundle matches its TypeScript, and TypeScript fixtures match Python."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.typescript import fixtures

ROOT = Path(__file__).parent.parent
WORKSHOP = ROOT / "explorer" / "browser"
TOOLS = ROOT / "build" / "browser"


def checked(root: Path) -> subprocess.CompletedProcess[str]:
    """Check the scripts of a source tree."""
    command = ["node", str(root / "explorer" / "browser" / "build.js"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copy the modules and the bundle, and link the installed build tools."""
    if not shutil.which("node"):
        pytest.skip("whether the browser's scripts are current needs Node.js, which is not here")
    if not (TOOLS / "node_modules" / "esbuild").exists():
        pytest.skip("whether the browser's scripts are current needs what `make browser` installs")
    ignored = shutil.ignore_patterns("__pycache__", "*.py")
    shutil.copytree(ROOT / "explorer", tmp_path / "explorer", ignore=ignored)
    # The sentence field reads two tables of characters.
    for table in (Path("core/data/cleaning.json"), Path("core/data/tokenizers/cased_word.json")):
        (tmp_path / table.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / table, tmp_path / table)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "browser").symlink_to(TOOLS)
    return tmp_path


def test_committed_bundle_matches_its_typescript(tree):
    result = checked(tree)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [("browser/bundle.js", "views", "Views"), ("views/glossary/component/terms.ts", "!named", "named")],
)
def test_build_refuses_bundle_unlike_its_modules(tree, path, old, new):
    file = tree / "explorer" / path
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    result = checked(tree)
    assert result.returncode == 1
    assert 'bundle.js is not what its modules give. Run "make browser"' in result.stderr


def test_build_refuses_large_bundle(tree):
    build = tree / "explorer" / "browser" / "build.js"
    build.write_text(build.read_text().replace("MOST_BYTES = 600_000", "MOST_BYTES = 100_000"))
    result = checked(tree)
    assert result.returncode == 1
    assert "100000 are allowed" in result.stderr


@pytest.mark.parametrize("name", fixtures.texts())
def test_typescript_fixtures_match_python(name):
    assert (fixtures.HERE / name).read_text(encoding="utf-8") == fixtures.texts()[name]


def test_lock_file_contains_no_registry_address():
    lock = (WORKSHOP / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock
