"""What holds for the browser side of every component: nothing typed becomes markup, no colour is written twice."""

import re
from pathlib import Path

import pytest

import explorer

ROOT = Path(explorer.__file__).parent
MODULES, STYLES = (sorted(ROOT.rglob(f"*.{kind}")) for kind in ("ts", "css"))
MARKUP = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTMLUnsafe"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_text_never_becomes_markup(path: Path):
    assert not re.search(MARKUP, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path",
    [*STYLES, *MODULES],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_colour_is_written_a_second_time(path: Path):
    """They are tokens of the theme; black and white alone are what a text on a colour needs."""
    written = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", path.read_text(encoding="utf-8")))
    assert written <= {"#000", "#fff"}
