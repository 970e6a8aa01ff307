"""The Python blocks of the README and of the docs run in their order and give the values that they print."""

import contextlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "docs/own-pairs.md", pytest.param("docs/python.md", marks=pytest.mark.proof)]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SAID = re.compile(r"^(?P<code>[^#\n]+\S)  # (?P<value>'[^']*'|True|\(.*\)|[0-9.]+)$")
"""A line of a block with the value that it has, as the page says."""


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run_and_give_the_printed_values(page, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    names: dict[str, object] = {}
    said = 0
    with contextlib.chdir(ROOT):
        for block in blocks:
            exec(compile(block, page, "exec"), names)
            for line in block.splitlines():
                if found := SAID.match(line):
                    assert eval(found["code"], names) == eval(found["value"]), line
                    said += 1
    assert said
