"""The hooks of pre-commit use the versions that `make check` uses."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_hooks_have_the_versions_of_make_check():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    pinned = set(re.findall(r'additional_dependencies: \["([^"]+)"\]', hooks))
    package = json.loads((ROOT / "explorer" / "browser" / "package.json").read_text(encoding="utf-8"))
    checked = {
        *(ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines(),
        *(f"{name}@{version}" for name, version in package["devDependencies"].items()),
    }
    # `make check` has no counterpart of the hooks for white space.
    assert {name for name in pinned - checked if not name.startswith("pre-commit-hooks==")} == set()
    assert {re.split("==|@", name)[0] for name in pinned & checked} == {"ruff", "codespell", "prettier"}
