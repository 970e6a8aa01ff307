"""Committed browser scripts match their TypeScript, and TypeScript fixtures match Python."""

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
    """Copy the modules and scripts and link the installed build tools."""
    if not shutil.which("node"):
        pytest.skip("whether the browser's scripts are current needs Node.js, which is not here")
    if not (TOOLS / "node_modules" / "esbuild").exists():
        pytest.skip("whether the browser's scripts are current needs what `make browser` installs")
    ignored = shutil.ignore_patterns("__pycache__", "*.py")
    shutil.copytree(ROOT / "explorer", tmp_path / "explorer", ignore=ignored)
    # The sentence field reads the tokenizers' table of characters.
    table = Path("core/data/tokenizers/cased_word.json")
    (tmp_path / table.parent).mkdir(parents=True)
    shutil.copy(ROOT / table, tmp_path / table)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "browser").symlink_to(TOOLS)
    return tmp_path


def test_committed_scripts_match_their_typescript(tree):
    result = checked(tree)
    assert result.returncode == 0, result.stderr


def test_stale_edited_and_orphaned_scripts_are_named(tree):
    glossary = tree / "explorer" / "views" / "glossary" / "component"
    keys = tree / "explorer" / "browser" / "depth_keys" / "keys.js"
    keys.write_text(keys.read_text() + "// by hand\n")
    (glossary / "terms.ts").write_text(
        (glossary / "terms.ts").read_text().replace("(term) => !named", "(term) => named")
    )
    (glossary / "gone.js").write_text((glossary / "view.js").read_text())
    result = checked(tree)
    assert result.returncode == 1
    said, _, what_to_do = result.stderr.partition(". Run ")
    named = {Path(path).name for path in said.removeprefix("Not what their modules give: ").split(", ")}
    assert named == {"keys.js", "view.js", "gone.js"}
    assert "make browser" in what_to_do


@pytest.mark.parametrize("name", fixtures.texts())
def test_typescript_fixtures_match_python(name):
    assert (fixtures.HERE / name).read_text(encoding="utf-8") == fixtures.texts()[name]


def test_lock_file_contains_no_registry_address():
    lock = (WORKSHOP / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock
