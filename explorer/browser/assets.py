"""The browser side of the components, as the text that is sent, without comments.

A component's script is made from typed modules (`make browser`) and lies beside its Python.
"""

import re
from pathlib import Path

from explorer.look.theme import component_tokens_css

_SHARED = Path(__file__).parent / "shared"

# The text travels with every update of a component. Whole-line comments and indentation are a third of it.
_COMMENT = re.compile(r"^\s*(?://.*|/\*\*?(?:[^*]|\*(?!/))*\*/)\s*$", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


def script(module: str, name: str = "view") -> str:
    """The script of this name in the folder of a module, which is given as its ``__file__``."""
    return _without_comments((Path(module).parent / f"{name}.js").read_text(encoding="utf-8"))


def style(path: Path) -> str:
    """A component's CSS, after the colours of both themes."""
    return component_tokens_css() + "\n" + _without_comments(path.read_text(encoding="utf-8"))


def view_style(*paths: Path) -> str:
    """The CSS of a whole view, of one file or several, after what every view begins with."""
    texts = (each.read_text(encoding="utf-8") for each in (_SHARED / "view.css", *paths))
    return "\n".join((component_tokens_css(), *map(_without_comments, texts)))


def _without_comments(text: str) -> str:
    return _INDENT.sub("", _COMMENT.sub("", text))
