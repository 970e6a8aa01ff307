"""The recipes of docs/architecture.md, followed on a copy of the product.

Each is followed as it is written: what the page names is touched, nothing else is, and what then must hold is asked of
the copy, in a process that knows no other product.
"""

import filecmp
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.copied import ROOT, copy_project, pytest_in
from tests.recipes.squared import VARIANT_EDITS

pytestmark = pytest.mark.proof

COPIED = ("core", "explorer", "pages", "tests", "streamlit_app.py", "pyproject.toml")
LINKED = ("checkpoints", ".streamlit")
VIEW_FILES, VARIANT_FILES = (Path(__file__).parent / name for name in ("view", "variant"))
PATIENCE = 240
"""Seconds that the tests in a copy are given on a busy machine; they take about ten."""


def steps_of(title: str) -> list[str]:
    """The numbered steps of a recipe, each as one line."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert section, title
    steps = re.findall(r"^\d+\. (.*?)(?=^\d+\. |^\n|\Z)", section[1], re.M | re.S)
    return [" ".join(step.split()) for step in steps]


def code_of(title: str) -> list[str]:
    """The blocks of code of a recipe."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert section, title
    return re.findall(r"^```python\n(.*?)^```$", section[1], re.M | re.S)


def places_of(title: str) -> list[str]:
    """The files and folders that a recipe names, in its order: ``explorer/views/<room>/``."""
    named = re.findall(r"`((?:core|explorer|pages|tests)/[^`]*?(?:/|\.py))`", " ".join(steps_of(title)))
    return list(dict.fromkeys(named))


@dataclass(frozen=True)
class Copy:
    """A copy of the product."""

    root: Path

    def edit(self, path: str, before: str, after: str) -> None:
        """Write something else wherever a text stands."""
        text = (self.root / path).read_text()
        assert before in text, f"{path} has no {before!r}"
        (self.root / path).write_text(text.replace(before, after))

    def touched(self) -> set[str]:
        """Files that are new or otherwise than in the product."""
        files = [path for path in self.root.rglob("*.py") if not path.is_symlink()]
        return {
            name
            for path in files
            for name in (path.relative_to(self.root).as_posix(),)
            if not (ROOT / name).is_file() or not filecmp.cmp(path, ROOT / name, shallow=False)
        }

    def check(self, *tests: str) -> None:
        """Run tests in the copy, by a process of its own."""
        done = pytest_in(self.root, ["-x", *tests], PATIENCE)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.fixture
def copy(tmp_path) -> Copy:
    """The product as it is, with nothing added."""
    copy_project(tmp_path, COPIED)
    for name in LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    found = Copy(tmp_path)
    assert found.touched() == set()
    return found


def assert_touched_as_written(copy: Copy, title: str) -> None:
    """Whether a recipe names every file that was touched, and every place that it names was."""
    patterns = {place: _matcher(place) for place in places_of(title)}
    touched = copy.touched()
    unnamed = {file for file in touched if not any(matches(file) for matches in patterns.values())}
    assert not unnamed, f"the recipe does not name {sorted(unnamed)}"
    for place, matches in patterns.items():
        assert any(map(matches, touched)), f"nobody had to touch {place}"


def _matcher(place: str) -> Callable[[str], bool]:
    """Whether a file is meant by a place: ``<room>`` stands for one name, a folder for everything in it."""
    pattern = "[^/]+".join(map(re.escape, re.split(r"<[a-z]+>", place)))
    return lambda file: bool(re.fullmatch(pattern + (".*" if place.endswith("/") else ""), file))


def test_a_view_is_added_as_the_page_says(copy):
    title = "Add a view"
    assert len(steps_of(title)) == 3
    shutil.copytree(VIEW_FILES, copy.root, dirs_exist_ok=True)
    copy.edit("explorer/app.py", "    inspector,\n", "    inspector,\n    lengths,\n")
    copy.edit(
        "explorer/app.py", "        inspector.VIEW,\n", "        inspector.VIEW,\n        lengths.VIEW,\n"
    )
    assert_touched_as_written(copy, title)
    # Of what was there before, one file has changed.
    assert [name for name in copy.touched() if (ROOT / name).exists()] == ["explorer/app.py"]
    copy.check("tests/test_registry.py", "tests/recipes/check_view.py")


def test_a_choice_is_added_as_the_page_says(copy):
    title = "Add a choice of a visitor"
    assert len(steps_of(title)) == 2
    field, control = code_of(title)
    assert field.count("\n") == 1, "a choice is one line"
    # Beside the others of its record, and under its page with what it needs.
    gold = "    gold: bool = "
    copy.edit("explorer/visitor/state.py", gold, f"    {field}{gold}")
    page = copy.root / "pages/model/output.py"
    imports = "from dataclasses import replace\nfrom explorer.visitor.values import SessionValue\n"
    page.write_text(f"{page.read_text()}\n{imports}{control}")
    assert_touched_as_written(copy, title)
    assert copy.touched() == {"explorer/visitor/state.py", "pages/model/output.py"}
    copy.check(
        "tests/recipes/check_choice.py",
        "tests/explorer/visitor/test_links.py::test_any_address_gives_a_view_whose_own_link_reopens_it",
        "tests/explorer/visitor/test_links.py::test_the_link_of_any_view_reopens_it",
        "tests/test_structure.py",
    )


def test_a_variant_of_the_model_is_added_as_the_page_says(copy):
    title = "Add a variant of the model"
    assert len(steps_of(title)) == 5
    shutil.copytree(VARIANT_FILES, copy.root, dirs_exist_ok=True)
    for path, before, after in VARIANT_EDITS:
        copy.edit(path, before, after)
    assert_touched_as_written(copy, title)
    copy.check(
        "tests/core/activations/test_sites.py",
        "tests/core/explanation/test_explain.py::test_every_operation_of_the_catalogue_has_an_explanation",
        "tests/core/explanation/test_explain.py::test_random_cells_of_every_site_are_explained_and_agree[squared]",
        "tests/core/decoding/test_autoregressive.py::test_cached_decoding_equals_uncached[squared]",
        "tests/core/test_command_line.py::test_every_flag_reaches_the_run",
        "tests/explorer/histories/test_run_table.py::test_every_setting_that_makes_a_model_another_one_is_compared",
        "tests/recipes/check_variant.py",
    )
