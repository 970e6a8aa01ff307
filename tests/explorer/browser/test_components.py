"""What holds for the browser side of every component: nothing typed becomes markup, no colour is written twice."""

import importlib
import re
from pathlib import Path

import pytest

import explorer
from explorer.browser.assets import script
from explorer.browser.kept_view import KeptView
from tests.optional import unwrap

ROOT = Path(explorer.__file__).parent
BROWSER = ROOT / "browser"
SCRIPTS, MODULES, STYLES = (sorted(ROOT.rglob(f"*.{kind}")) for kind in ("js", "ts", "css"))
# The workshop's own tools are not sent at all, and what lies in the other folder is sent with every view that is kept.
FOLDERS = sorted({path.parent for path in SCRIPTS} - {BROWSER, BROWSER / "kept"})
MARKUP = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTMLUnsafe"


@pytest.mark.parametrize("path", [*SCRIPTS, *MODULES], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_text_never_becomes_markup(path: Path):
    assert not re.search(MARKUP, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_script_is_sent(folder: Path):
    module = importlib.import_module(".".join(folder.relative_to(ROOT.parent).parts))
    kept = {value.js for value in vars(module).values() if isinstance(value, KeptView)}
    sent = kept or {module.SCRIPT}
    assert sent == {script(unwrap(module.__file__), path.stem) for path in folder.glob("*.js")}
    assert all(text.count("export default") == 1 for text in sent)


@pytest.mark.parametrize(
    "path",
    [*STYLES, *SCRIPTS, *MODULES],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_colour_is_written_a_second_time(path: Path):
    """They are tokens of the theme; black and white alone are what a text on a colour needs."""
    written = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", path.read_text(encoding="utf-8")))
    assert written <= {"#000", "#fff"}
