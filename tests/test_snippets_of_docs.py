"""Every Python block of the README and of the page on Python runs as it stands, one after the other."""

import contextlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/python.md")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SAID = re.compile(r"^(?P<code>[^#\n]+\S)  # (?P<value>'[^']*'|True|\(.*\)|[0-9.]+)$")
"""A line of a block with the value that it has, as the page says."""


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run_and_give_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert len(blocks) > 1
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
