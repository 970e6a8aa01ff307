"""What holds for the browser side of every component: nothing typed becomes markup, no colour is written twice."""

import importlib
import re
from pathlib import Path

import pytest

import explorer

ROOT = Path(explorer.__file__).parent
BROWSER = ROOT / "browser"
SCRIPTS, MODULES, STYLES = (sorted(ROOT.rglob(f"*.{kind}")) for kind in ("js", "ts", "css"))
# What lies here is sent with others, and the workshop's own tools are not sent at all.
FOLDERS = sorted({path.parent for path in SCRIPTS} - {BROWSER, BROWSER / "shared", BROWSER / "kept"})
TOP = re.compile(r"^(?:async )?(?:function|const|let|var|class) (\w+)", re.MULTILINE)
"""What a script declares at its top; names in one line after the first are not looked at."""
MARKUP = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTMLUnsafe"


@pytest.mark.parametrize("path", [*SCRIPTS, *MODULES], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_text_never_becomes_markup(path: Path):
    assert not re.search(MARKUP, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_script_is_sent(folder: Path):
    module = importlib.import_module(".".join(folder.relative_to(ROOT.parent).parts))
    listed = [value for name, value in vars(module).items() if name.endswith("SCRIPTS")]
    for paths in listed:
        text = "".join(path.read_text(encoding="utf-8") for path in paths)
        assert text.count("export default") == 1
        names = TOP.findall(text)
        assert len(names) == len(set(names)), "a file must not take the name of another's function"
    sent = {path for paths in listed for path in paths if path.parent == folder}
    assert sent == set(folder.glob("*.js"))


@pytest.mark.parametrize(
    "path",
    [*STYLES, *SCRIPTS, *MODULES],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_colour_is_written_a_second_time(path: Path):
    """They are tokens of the theme; black and white alone are what a text on a colour needs."""
    written = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", path.read_text(encoding="utf-8")))
    assert written <= {"#000", "#fff"}
