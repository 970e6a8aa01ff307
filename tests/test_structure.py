"""Structure of the source: one navigation, nothing unsafe loaded.

Layers of imports are contracts in `.importlinter`, module docstrings a rule of ruff, further rules in
`tests/source_rules.py`, and words on screen rules in `tests/words`; `make check` runs all four.
"""

import ast
import re
from pathlib import Path

from tests.addresses import FILES
from tests.source_rules import parsed

ROOT = Path(__file__).parent.parent


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_charts_import_neither_streamlit_nor_torch():
    parts = [ROOT / "explorer" / "look" / f"{name}.py" for name in ("curves", "labels", "paper")]
    figures = sorted((ROOT / "explorer" / "views").glob("*/figure.py"))
    assert len(figures) > 3
    for path in (*parts, *figures):
        assert not imported(path) & {"streamlit", "torch"}, path


def test_every_page_script_is_in_the_navigation():
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").rglob("*.py")} == set(FILES)


def test_source_has_no_unpickling_and_no_raw_html():
    for folder in ("core", "explorer", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            assert "torch.load(" not in text, path
            assert not re.search(r"import pickle|pickle\.|allow_pickle=True", text), path
            assert "unsafe_allow_html" not in text, path


def test_plotly_charts_are_drawn_in_one_place():
    # One place hides Plotly's tool bar, which would cover legends and curves.
    drawing = [
        path
        for folder in ("explorer", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if ".plotly_chart(" in path.read_text()
    ]
    assert len(drawing) == 1, drawing
