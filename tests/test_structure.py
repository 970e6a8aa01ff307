"""The house: imports go one way, pages keep clear of the folder that Streamlit scans, nothing unsafe is loaded."""

import ast
import re
from pathlib import Path

import pytest

from tests.addresses import FILES
from tests.another_python import said_by

ROOT = Path(__file__).parent.parent
FORBIDDEN = {
    "core": {"streamlit", "plotly", "explorer", "pages"},
    "explorer": {"pages"},
}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_imports_go_from_pages_to_explorer_to_core(folder):
    for path in (ROOT / folder).rglob("*.py"):
        assert not imported(path) & FORBIDDEN[folder], path


def test_charts_are_made_of_arrays_and_labels_alone():
    parts = [ROOT / "explorer" / "look" / f"{name}.py" for name in ("curves", "labels", "paper")]
    figures = sorted((ROOT / "explorer" / "views").glob("*/figure.py"))
    assert len(figures) > 3
    for path in (*parts, *figures):
        assert not imported(path) & {"streamlit", "torch"}, path


def test_every_script_of_a_page_is_in_the_navigation():
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").rglob("*.py")} == set(FILES)


@pytest.mark.parametrize("folder", ["core", "explorer", "pages", "checkpoints"])
def test_every_file_opens_by_saying_what_it_is(folder):
    for path in (ROOT / folder).rglob("*.py"):
        assert path.stat().st_size == 0 or ast.get_docstring(ast.parse(path.read_text())), path


def test_nothing_is_unpickled_and_no_html_is_unescaped():
    for folder in ("core", "explorer", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            assert "torch.load(" not in text, path
            assert not re.search(r"import pickle|pickle\.|allow_pickle=True", text), path
            assert "unsafe_allow_html" not in text, path


def test_all_charts_of_plotly_are_drawn_in_one_place():
    # Only so do they all go without the bar of buttons that would lie over legend and curves.
    drawing = [
        path
        for folder in ("explorer", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if ".plotly_chart(" in path.read_text()
    ]
    assert len(drawing) == 1, drawing


def test_listing_the_models_needs_no_torch():
    store = [
        f"explorer.models.{name}"
        for name in ("decodings", "known", "listing", "loaded", "server", "task_facts")
    ]
    modules = ", ".join(("sys", "explorer.app", "explorer.visitor.state", *store))
    program = f"import {modules}; print('torch' in sys.modules)"
    assert said_by(program) == "False\n"


def test_special_tokens_have_the_names_of_the_field():
    other = re.compile(r"\b(?:start|end) (?:mark|token)\b", re.IGNORECASE)
    for folder in ("core", "explorer", "pages", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".toml", ".ts", ".js", ".md"):
                assert not other.search(path.read_text(encoding="utf-8")), path
